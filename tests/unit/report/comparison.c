// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * comparison.c - every form of a comparison against the expected texts, its width at any
 * magnitude, and what came from outside in it.
 */
#include "report/comparison.h"

#include "fixture.h"
#include "report/comparison_forms.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define PATCH_COLUMNS 72

static void slot(struct series *series, uint32_t block, double rate)
{
	struct slot *added = series_add_slot(series, series->copies);

	assert_non_null(added);
	added->block = block;
	added->rate = rate;
}

static struct series *series_of(struct run *run, const char *test, uint32_t copies,
				const char *side)
{
	struct series *series = run_add_series(run);

	assert_non_null(series);
	series->test = strdup(test);
	series->title = strdup("A Test");
	series->unit = strdup("lps");
	series->content_hash = strdup("00");
	series->side = side ? strdup(side) : NULL;
	series->params = json_object();
	series->copies = copies;
	series->baseline = 100;
	return series;
}

/* Twelve blocks around rate and rate × ratio, with a spread of ±noise that differs by side. */
static void add_sides(struct run *run, const char *test, double rate, double ratio, double noise)
{
	static const double step[] = { 0, 1, -1, .5, -.5, .25, -.75, .75, -.25, .9, -.9, .1 };

	for (int side = 0; side < 2; side++) {
		struct series *series = series_of(run, test, 1, side ? "B" : "A");

		for (uint32_t i = 0; i < 12; i++) {
			double centre = rate * (side ? ratio * (1 + noise * step[i]) : 1);

			slot(series, i, centre * (1 + noise / 2));
			slot(series, i, centre * (1 - noise / 2));
		}
	}
}

static void start(struct run *run, const char *id, const char *kernel)
{
	run_init(run);
	snprintf(run->id, sizeof(run->id), "%s", id);
	run->status = RUN_COMPLETE;
	run->created_s = 1796047353;
	run->tool = strdup("onproc 0.1.0");
	run->host = strdup("build1");
	run->seed = 42;
	run->environment =
		json_pack("{s:s, s:s, s:{s:i,s:i}, s:s, s:b, s:s}", "kernel_release", kernel,
			  "cpu_model", "EPYC 9654", "topology", "cores", 96, "threads", 192,
			  "governor", "performance", "smt_active", 1, "preemption", "voluntary");
	assert_non_null(run->environment);
}

static const struct comparison_request request = {
	.margin = 0.01, .alpha = 0.05, .a_name = "vanilla", .b_name = "patch v2"
};

/* Every verdict, two of them trivial, in a partial index. */
static void make_sides(struct run *run, struct comparison *comparison)
{
	struct error err = { 0 };

	start(run, "20261130-142233-1a2b3c", "6.12.0");
	add_sides(run, "unixbench6/pipe@1", 2359346, 1.014, 0.005);
	add_sides(run, "unixbench6/syscall@1", 2501398, 1.0006, 0.004);
	add_sides(run, "unixbench6/whetstone-double@1", 7962.1, 1.004, 0.002);
	add_sides(run, "unixbench6/execl@1", 2398, 0.96, 0.01);
	add_sides(run, "unixbench6/spawn@1", 5012, 0.996, 0.003);
	add_sides(run, "unixbench6/shell8@1", 911, 0.999, 0.1);
	assert_int_equal(run_summarise(run), 0);
	if (comparison_of_sides(run, &request, comparison, &err))
		fail_msg("%s", err.text);
}

/* Two copy counts, an import's single values, tests of one side, another environment. */
static void make_runs(struct run *a, struct run *b, struct comparison *comparison)
{
	static const double step[] = { 0, .01, -.01, .005, -.005, .003, -.003 };
	struct error err = { 0 };

	start(a, "20261130-142233-1a2b3c", "6.12.0");
	start(b, "20261130-152233-4d5e6f", "6.12.0+");
	for (uint32_t copies = 1; copies <= 4; copies *= 4) {
		struct series *of_a = series_of(a, "unixbench6/pipe@1", copies, NULL);
		struct series *of_b = series_of(b, "unixbench6/pipe@1", copies, NULL);

		for (uint32_t i = 0; i < 7; i++) {
			slot(of_a, i, 1e6 * copies * (1 + step[i]));
			slot(of_b, i, 1.05e6 * copies * (1 + step[6 - i]));
		}
	}
	series_of(a, "unixbench6/spawn@1", 1, NULL)->estimate.value = 5012.3;
	series_of(b, "unixbench6/spawn@1", 1, NULL)->estimate.value = 5218.7;
	series_of(b, "unixbench6/execl@1", 1, NULL)->estimate.value = 2398;
	json_object_set_new(b->environment, "governor", json_string("powersave"));
	assert_int_equal(run_summarise(a), 0);
	assert_int_equal(run_summarise(b), 0);
	if (comparison_of_runs(a, b, &request, comparison, &err))
		fail_msg("%s", err.text);
}

static char *written(const char *form, const struct comparison *comparisons, size_t count)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	assert_non_null(out);
	assert_int_equal(comparison_report(form, comparisons, count, out), 0);
	assert_int_equal(fclose(out), 0);
	return text;
}

static void every_form_of_two_sides(void **state)
{
	struct comparison comparison;
	struct run run;

	(void)state;
	make_sides(&run, &comparison);
	for (size_t i = 0; comparison_form_names[i]; i++) {
		char *text = written(comparison_form_names[i], &comparison, 1);
		char name[64];

		snprintf(name, sizeof(name), "sides.%s", comparison_form_names[i]);
		fixture_golden(name, text);
		free(text);
	}
	comparison_free(&comparison);
	run_free(&run);
}

static void every_form_of_two_runs(void **state)
{
	struct comparison comparison;
	struct run a, b;

	(void)state;
	make_runs(&a, &b, &comparison);
	for (size_t i = 0; comparison_form_names[i]; i++) {
		char *text = written(comparison_form_names[i], &comparison, 1);
		char name[64];

		snprintf(name, sizeof(name), "runs.%s", comparison_form_names[i]);
		fixture_golden(name, text);
		free(text);
	}
	comparison_free(&comparison);
	run_free(&a);
	run_free(&b);
}

static void fits_within(const char *text, size_t columns)
{
	while (*text) {
		size_t bytes = strcspn(text, "\n"), taken = 0;

		for (size_t i = 0; i < bytes; i++)
			taken += ((unsigned char)text[i] & 0xc0) != 0x80;
		if (taken > columns)
			fail_msg("%zu columns: %.*s", taken, (int)bytes, text);
		text += bytes + (text[bytes] == '\n');
	}
}

static void forms_fit_at_any_magnitude(void **state)
{
	static const double rate[] = { 1e-9, 0.123456, 7, 99999.5, 123456789, 9.87e14 };
	static const double ratio[] = { 1e-6, 0.5, 0.99999, 1, 1.02, 42, 1e7 };
	static const double noise[] = { 0, 1e-6, 0.01, 0.4 };

	(void)state;
	for (size_t i = 0; i < (size_t)6 * 7 * 4; i++) {
		struct comparison comparison;
		struct error err = { 0 };
		struct run run;
		char *text;

		start(&run, "a", "6.12.0-rc1-00123-gdeadbeefcafe-some-long-local-version");
		add_sides(&run, "unixbench6/pipe@1", rate[i % 6], ratio[i / 6 % 7],
			  noise[i / 6 / 7]);
		add_sides(&run, "onproc/a-test-with-a-name-of-more-than-one-column@1", 1, 1, 0.01);
		assert_int_equal(run_summarise(&run), 0);
		assert_int_equal(comparison_of_sides(&run, &request, &comparison, &err), 0);
		text = written("terminal", &comparison, 1);
		fixture_fits(text);
		free(text);
		text = written("patch", &comparison, 1);
		fits_within(text, PATCH_COLUMNS);
		free(text);
		comparison_free(&comparison);
		run_free(&run);
	}
}

static void text_from_outside_is_escaped(void **state)
{
	struct comparison comparison;
	struct error err = { 0 };
	struct run run;

	(void)state;
	start(&run, "a", "6.12\033[2J");
	add_sides(&run, "x/evil\033[31m|name@1", 100, 1, 0.01);
	free(run.host);
	run.host = strdup("ho\rst");
	assert_int_equal(run_summarise(&run), 0);
	assert_int_equal(comparison_of_sides(&run, &request, &comparison, &err), 0);
	for (size_t i = 0; comparison_form_names[i]; i++) {
		char *text = written(comparison_form_names[i], &comparison, 1);

		assert_null(strchr(text, '\033'));
		if (!strcmp(comparison_form_names[i], "markdown"))
			fixture_has(text, "\\|name");
		free(text);
	}
	comparison_free(&comparison);
	run_free(&run);
}

static void several_comparisons_are_one_document(void **state)
{
	struct comparison two[2];
	struct run a, b;
	char *text;
	json_t *document;

	(void)state;
	make_runs(&a, &b, &two[0]);
	two[1] = two[0];
	text = written("json", two, 2);
	document = json_loads(text, 0, NULL);
	assert_int_equal(json_array_size(document), 2);
	json_decref(document);
	free(text);
	text = written("csv", two, 2);
	assert_non_null(strstr(text, "a_run"));
	assert_null(strstr(strstr(text, "a_run") + 1, "a_run"));
	free(text);
	comparison_free(&two[0]);
	run_free(&a);
	run_free(&b);
}

static void change(double ratio, double half, const char *value, const char *interval)
{
	const struct estimate estimate = {
		.n = 12, .value = log(ratio), .lo = log(ratio - half), .hi = log(ratio + half)
	};
	char cell[CELL_BYTES];

	cell_change(&estimate, 12, cell);
	assert_string_equal(cell, value);
	cell_interval(&estimate, 24, cell);
	assert_string_equal(cell, interval);
}

static void changes_have_the_digits_of_their_interval(void **state)
{
	(void)state;
	change(1.0140, 0.005, "+1.40%", "[+0.90,+1.90]");
	change(1.0140, 0.05, "+1.4%", "[-3.6,+6.4]");
	change(0.5, 0.2, "-50%", "[-70,-30]");
	change(1.00001, 0.005, "+0.00%", "[-0.50,+0.50]");
	change(0.99999, 0.005, "+0.00%", "[-0.50,+0.50]");
	/* the end near 0 shows its sign, since the verdict rests on it */
	change(1.0302, 0.03, "+3.0%", "[+0.02,+6.02]");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_form_of_two_sides),
		cmocka_unit_test(every_form_of_two_runs),
		cmocka_unit_test(forms_fit_at_any_magnitude),
		cmocka_unit_test(text_from_outside_is_escaped),
		cmocka_unit_test(several_comparisons_are_one_document),
		cmocka_unit_test(changes_have_the_digits_of_their_interval),
	};

	return cmocka_run_group_tests_name("report/comparison", tests, NULL, NULL);
}
