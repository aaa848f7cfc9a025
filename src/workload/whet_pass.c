// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * whet_pass.c - Whetstone's passes over its eight loops: times and checks.
 *
 * What the loops compute is carried from pass to pass as in UnixBench. It makes 8,000 passes in its
 * ten seconds, and x of the eighth loop goes towards 1 all the while: after 320 passes log() is on
 * its path for values near 1 and stays there. A slot of one second has to time that path too, so x
 * starts where 1,000 passes lead. In the corrected form x starts with each pass anew.
 */
#include "base/clock.h"
#include "workload/finite.h"
#include "workload/whet.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define PASSES_BEFORE  1000
/* Less cannot be: a round is one cycle at least, and no CPU makes ten in a nanosecond. */
#define ROUND_LEAST_NS 0.1

/* x of the eighth loop after so many passes: each round multiplies log(x) by 1 / (2 t1). */
static double x8_after(double passes)
{
	return exp(log(WHET_START8) * pow(2 * WHET_T1, -passes * ROUNDS_8));
}

/* Returns the time of a pass by the original's rule, in ns. */
static uint64_t pass_run(struct whet *whet)
{
	uint64_t total_ns = 0, before_ns;

	if (whet->form->is_corrected)
		whet->x8 = WHET_START8;
	before_ns = clock_raw_ns();
	for (int i = 0; i < WHET_SECTIONS; i++) {
		uint64_t after_ns, section_ns;

		whet->form->section[i].run(whet);
		after_ns = clock_raw_ns();
		section_ns = after_ns - before_ns;
		whet->section_ns[i] += section_ns;
		total_ns += i ? section_ns : section_ns / 10;
		before_ns = after_ns;
	}
	whet->passes++;
	return total_ns;
}

struct check {
	const char *section;
	double found, expected, tolerance;
};

static int check(const struct work *work, const struct check checks[WHET_SECTIONS])
{
	for (int i = 0; i < WHET_SECTIONS; i++)
		if (!is_finite(checks[i].found) ||
		    fabs(checks[i].found - checks[i].expected) > checks[i].tolerance)
			return work_fail(work, -EBADMSG, "%s gives %.12f, not %.12f",
					 checks[i].section, checks[i].found, checks[i].expected);
	return 0;
}

/*
 * The first pass has the published check values (-ffast-math moves their last digits). The second
 * array starts as the first one ends.
 */
static int first_pass(struct work *work)
{
	struct whet *whet = work->state;
	const struct whet_section *section = whet->form->section;

	whet->x8 = WHET_START8;
	section[0].run(whet);
	for (int i = 0; i < 4; i++)
		whet->array_2[i] = whet->array_1[i];
	for (int i = 1; i < WHET_SECTIONS; i++)
		section[i].run(whet);

	const struct check checks[WHET_SECTIONS] = {
		{ "N1", whet->array_1[3], -1.123982556, 1e-7 },
		{ "N2", whet->array_2[3], -1.121870788, 1e-7 },
		{ "N3", whet->j3, 1, 0 },
		{ "N4", whet->array_4[0] + whet->array_4[1], 12, 0 },
		{ "N5", whet->y5, 0.499029372815, 1e-10 },
		{ "N6", whet->z6, 0.99999987890, 1e-10 },
		{ "N7", whet->array_7[2], 3, 0 },
		{ "N8", whet->x8, 0.751001630184, 1e-10 },
	};

	return check(work, checks);
}

int whet_setup(struct work *work, const struct whet_form *form)
{
	struct whet *whet = calloc(1, sizeof(*whet));
	int rc;

	work->state = whet;
	if (!whet)
		return -ENOMEM;
	whet->form = form;
	whet->array_1[0] = 1.0;
	whet->array_1[1] = whet->array_1[2] = whet->array_1[3] = -1.0;
	whet->t_1 = whet->t_2 = whet->t_5 = WHET_T;
	whet->x5 = whet->y5 = 0.5;
	whet->x6 = whet->y6 = whet->z6 = 1.0;
	rc = first_pass(work);
	whet->x8 = x8_after(PASSES_BEFORE);
	return rc;
}

int whet_loop(struct work *work)
{
	struct whet *whet = work->state;
	uint64_t self_ns = 0;

	while (!work_stopped(work)) {
		self_ns += pass_run(whet);
		work_publish(work, whet->passes, clock_raw_ns(), self_ns);
	}
	return 0;
}

static int times_check(const struct work *work)
{
	const struct whet *whet = work->state;

	for (int i = 0; i < WHET_SECTIONS; i++) {
		const struct whet_section *section = &whet->form->section[i];
		double least_ns = ROUND_LEAST_NS * section->rounds * (double)whet->passes;

		if ((double)whet->section_ns[i] < least_ns)
			return work_fail(work, -EBADMSG,
					 "%s took %.0f ns in %.0f passes: it was not executed",
					 section->name, (double)whet->section_ns[i],
					 (double)whet->passes);
	}
	return 0;
}

/*
 * After any number of passes. In N1, N2 and N5 a factor just below one and one just above it take
 * turns, so their results have two values, which drift apart slowly, as does N6: the drifts are
 * those of a plain computation over 20,000 passes.
 */
int whet_verify(const struct work *work)
{
	const struct whet *whet = work->state;
	double passes = (double)whet->passes;
	bool is_odd = !(whet->passes & 1); /* with the first, untimed one */
	double x8 = x8_after(whet->form->is_corrected ? 1 : PASSES_BEFORE + passes);
	const struct check checks[WHET_SECTIONS] = {
		{ "N1", whet->array_1[3], is_odd ? -1.1239826 : -1.1333333, 1e-6 + passes * 4e-9 },
		{ "N2", whet->array_2[3], is_odd ? -1.1218708 : -1.1239826, 1e-6 + passes * 1e-9 },
		{ "N3", whet->j3, 1, 0 },
		{ "N4", whet->array_4[0] + whet->array_4[1], 12, 0 },
		{ "N5", whet->y5, is_odd ? 0.4990294 : 0.5000001, 1e-6 + passes * 1e-9 },
		{ "N6", whet->z6, 0.9999999, 1e-6 + passes * 2e-8 },
		{ "N7", whet->array_7[2], 3, 0 },
		{ "N8", whet->x8, x8, 1e-6 },
	};
	int rc = 0;

	if (passes > 0) /* no pass: x has not moved */
		rc = check(work, checks);
	if (!rc && whet->form->is_corrected)
		rc = times_check(work);
	return rc;
}

void whet_explain(const struct work *work)
{
	const struct whet *whet = work->state;

	for (int i = 0; i < WHET_SECTIONS && whet->passes; i++) {
		const struct whet_section *section = &whet->form->section[i];
		double ns = (double)whet->section_ns[i] / (double)whet->passes;

		dprintf(STDERR_FILENO, "%-22s %12.1f ns a pass %10.1f Mop/s\n", section->name, ns,
			ns > 0 ? 1e3 * section->rounds * section->operations / ns : 0);
	}
}

void whet_cleanup(struct work *work)
{
	free(work->state);
}
