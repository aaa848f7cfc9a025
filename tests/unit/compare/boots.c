// SPDX-License-Identifier: GPL-2.0-or-later
/* boots.c - runs grouped by their boots: a boot counts once, however many runs it has. */
#include "fixture.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define MOST 16

struct side {
	struct run runs[MOST];
	const struct run *list[MOST];
	size_t count;
};

/* A run of three slots in the boot. */
static void add_run(struct side *side, const char *boot, double rate)
{
	static unsigned int number;
	struct run *run = &side->runs[side->count];
	const double rates[] = { 0.999 * rate, rate, 1.001 * rate };
	char id[RUN_ID_BYTES];

	snprintf(id, sizeof(id), "r%u", number++);
	fixture_run(run, id);
	if (boot)
		fixture_environment(run, "boot_id", json_string(boot));
	else
		json_object_del(run->environment, "boot_id");
	fixture_rates(run, "unixbench6/pipe@1", rates, 3);
	assert_int_equal(run_summarise(run), 0);
	side->list[side->count++] = run;
}

static int compare(const struct side *a, const struct side *b, struct comparison *comparison,
		   struct error *err)
{
	const struct comparison_runs of_a = { a->list, a->count }, of_b = { b->list, b->count };

	*err = (struct error){ 0 };
	return comparison_of_boots(&of_a, &of_b, &fixture_request, comparison, err);
}

static void side_free(struct side *side)
{
	for (size_t i = 0; i < side->count; i++)
		run_free(&side->runs[i]);
}

static const char *note(const struct comparison *comparison)
{
	return json_string_value(json_array_get(comparison->notes, 0));
}

static void a_boot_counts_once_with_the_median_of_its_runs(void **state)
{
	struct side a = { .count = 0 }, b = { .count = 0 };
	struct comparison comparison;
	struct error err;
	char boot[16];

	(void)state;
	for (int i = 0; i < 4; i++) {
		snprintf(boot, sizeof(boot), "a%d", i);
		add_run(&a, boot, 100 + i);
		add_run(&a, boot, 101 + i);
		add_run(&a, boot, 500); /* a median shrugs it off */
		snprintf(boot, sizeof(boot), "b%d", i);
		add_run(&b, boot, 2 * (101 + i));
	}
	if (compare(&a, &b, &comparison, &err))
		fail_msg("%s", err.text);
	assert_int_equal(comparison.design, DESIGN_BOOT);
	assert_int_equal(comparison.blocks, 4);
	assert_int_equal(comparison.tests[0].a_n, 4);
	assert_int_equal(comparison.tests[0].units, 4);
	/* median of {100+i, 101+i, 500} is 101+i */
	assert_true(fabs(exp(comparison.tests[0].log_ratio.value) - 2) < 1e-6);
	/* 4 + 4: the least p is 2/C(8,4) = .0286, so that there is an interval, of all of it */
	assert_true(fabs(comparison.tests[0].log_ratio.level - (1 - 2.0 / 70)) < 1e-12);
	assert_int_equal(comparison.n_indexes, 0); /* of one test */
	comparison_free(&comparison);
	side_free(&a);
	side_free(&b);
}

static void the_boots_that_are_needed_are_said(void **state)
{
	struct side a = { .count = 0 }, b = { .count = 0 };
	struct comparison comparison;
	struct error err;
	char boot[16];

	(void)state;
	for (int i = 0; i < 4; i++) {
		snprintf(boot, sizeof(boot), "a%d", i);
		add_run(&a, boot, 100 + i);
		add_run(&a, boot, 101 + i);
		snprintf(boot, sizeof(boot), "b%d", i);
		add_run(&b, boot, 100 + i);
		add_run(&b, boot, 101 + i);
	}
	if (compare(&a, &b, &comparison, &err))
		fail_msg("%s", err.text);
	assert_non_null(strstr(note(&comparison), "boots a side are needed"));
	assert_non_null(strstr(note(&comparison), "there are 4"));
	assert_non_null(strstr(note(&comparison), "slots a run and"));
	comparison_free(&comparison);
	side_free(&a);
	side_free(&b);
}

static void one_boot_a_side_has_no_interval_and_no_estimate_of_boots(void **state)
{
	struct side a = { .count = 0 }, b = { .count = 0 };
	struct comparison comparison;
	struct error err;

	(void)state;
	add_run(&a, "a", 100);
	add_run(&b, "b", 110);
	if (compare(&a, &b, &comparison, &err))
		fail_msg("%s", err.text);
	assert_string_equal(comparison.tests[0].reason, "n=1, no interval");
	assert_true(fabs(exp(comparison.tests[0].log_ratio.value) - 1.1) < 1e-6);
	assert_non_null(strstr(note(&comparison), "fewer than two boots a side"));
	comparison_free(&comparison);
	side_free(&a);
	side_free(&b);
}

static void a_boot_of_both_sides_is_refused(void **state)
{
	struct side a = { .count = 0 }, b = { .count = 0 };
	struct comparison comparison;
	struct error err;

	(void)state;
	add_run(&a, "same", 100);
	add_run(&b, "same", 100);
	assert_int_equal(compare(&a, &b, &comparison, &err), -EINVAL);
	assert_non_null(strstr(err.text, "of one boot, and of both sides"));
	side_free(&a);
	side_free(&b);
}

static void a_run_of_an_unknown_boot_is_refused(void **state)
{
	struct side a = { .count = 0 }, b = { .count = 0 };
	struct comparison comparison;
	struct error err;

	(void)state;
	add_run(&a, "one", 100);
	add_run(&b, NULL, 100);
	assert_int_equal(compare(&a, &b, &comparison, &err), -EINVAL);
	assert_non_null(strstr(err.text, "the boot it was measured in is not known"));
	side_free(&a);
	side_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_boot_counts_once_with_the_median_of_its_runs),
		cmocka_unit_test(the_boots_that_are_needed_are_said),
		cmocka_unit_test(one_boot_a_side_has_no_interval_and_no_estimate_of_boots),
		cmocka_unit_test(a_boot_of_both_sides_is_refused),
		cmocka_unit_test(a_run_of_an_unknown_boot_is_refused),
	};

	return cmocka_run_group_tests_name("compare/boots", tests, NULL, NULL);
}
