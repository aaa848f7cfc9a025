// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * answers.c - known answers of tests/data/statistics-vectors.json, as runs that are compared: the
 * whole way from slots to ratio, interval, p and index.
 */
#include "../stats/vectors.h"
#include "fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MOST 32

static void assert_ratio(const struct estimate *log_ratio, const char *path)
{
	char member[64];

	snprintf(member, sizeof(member), "%s.est", path);
	assert_digits(exp(log_ratio->value), vector_number(member));
	snprintf(member, sizeof(member), "%s.lo", path);
	assert_digits(exp(log_ratio->lo), vector_number(member));
	snprintf(member, sizeof(member), "%s.hi", path);
	assert_digits(exp(log_ratio->hi), vector_number(member));
	snprintf(member, sizeof(member), "%s.conf", path);
	assert_digits(log_ratio->level, vector_number(member));
}

/* Known answer 2, as two runs. */
static void two_runs_have_the_unpaired_answer(void **state)
{
	double x[MOST], y[MOST];
	size_t n = vector_numbers("paired.a", x, MOST);
	struct comparison comparison;
	struct run a, b;

	(void)state;
	assert_int_equal(vector_numbers("paired.b", y, MOST), n);
	fixture_run(&a, "a");
	fixture_run(&b, "b");
	fixture_rates(&a, "unixbench6/pipe@1", x, n);
	fixture_rates(&b, "unixbench6/pipe@1", y, n);
	fixture_compare(&a, &b, &comparison);
	assert_int_equal(comparison.design, DESIGN_UNPAIRED);
	assert_int_equal(comparison.n_tests, 1);
	assert_ratio(&comparison.tests[0].log_ratio, "unpaired.mw");
	/* 2 × 272 of the C(24,12) orders have U <= 12: .000201171826 */
	assert_digits(comparison.tests[0].p, 544.0 / 2704156);
	assert_int_equal(comparison.tests[0].decision.verdict, VERDICT_BETTER);
	assert_false(comparison.tests[0].decision.trivial);
	comparison_free(&comparison);
	run_free(&a);
	run_free(&b);
}

static void sides_of(const char *a_path, const char *b_path, struct run *run)
{
	double x[MOST], y[MOST];
	size_t n = vector_numbers(a_path, x, MOST);

	assert_int_equal(vector_numbers(b_path, y, MOST), n);
	fixture_run(run, "ab");
	fixture_sides(run, "unixbench6/pipe@1", x, y, n);
}

/* Known answer 2, as blocks of one run. */
static void blocks_have_the_paired_answer(void **state)
{
	struct comparison comparison;
	struct run run;

	(void)state;
	sides_of("paired.a", "paired.b", &run);
	fixture_compare_sides(&run, &comparison);
	assert_int_equal(comparison.design, DESIGN_ABBA);
	assert_int_equal(comparison.blocks, 12);
	assert_int_equal(comparison.seed, 7);
	assert_ratio(&comparison.tests[0].log_ratio, "paired.a05");
	assert_digits(comparison.tests[0].p, vector_number("paired.p"));
	comparison_free(&comparison);
	run_free(&run);
}

/* Twelve blocks are the second look: alpha/6, and p counts sixfold. */
static void a_run_that_was_stopped_by_looks_has_the_level_of_its_look(void **state)
{
	const struct comparison_request nothing_asked = { .margin = 0 };
	struct comparison comparison;
	struct error err = { 0 };
	struct run run;

	(void)state;
	sides_of("paired.a", "paired.b", &run);
	run.plan = json_pack("{s:b, s:{s:f, s:f, s:{s:s}, s:{s:s}}}", "looks", 1, "sides", "margin",
			     0.02, "alpha", 0.05, "A", "name", "off", "B", "name", "on");
	assert_int_equal(run_summarise(&run), 0);
	if (comparison_of_sides(&run, &nothing_asked, &comparison, &err))
		fail_msg("%s", err.text);
	assert_string_equal(comparison.a.name, "off");
	assert_string_equal(comparison.b.name, "on");
	assert_true(comparison.margin == 0.02);
	assert_ratio(&comparison.tests[0].log_ratio, "paired.a_look2");
	assert_digits(comparison.tests[0].p, vector_number("paired.p"));
	assert_digits(comparison.tests[0].p_holm, 6 * vector_number("paired.p"));
	comparison_free(&comparison);
	run_free(&run);
}

/* Known answer 3: A = A. */
static void equal_sides_are_the_same(void **state)
{
	struct comparison comparison;
	struct run run;

	(void)state;
	sides_of("null.a", "null.b", &run);
	fixture_compare_sides(&run, &comparison);
	assert_ratio(&comparison.tests[0].log_ratio, "null.ci");
	assert_digits(comparison.tests[0].p, vector_number("null.p"));
	assert_int_equal(comparison.tests[0].decision.verdict, VERDICT_SAME);
	assert_true(comparison_further_units(&comparison.tests[0]) == 0);
	comparison_free(&comparison);
	run_free(&run);
}

/* Known answer 6: four tests of a suite in eight blocks. */
static void an_index_rests_on_the_means_of_blocks(void **state)
{
	static const char *const tests[] = { "unixbench6/pipe@1", "unixbench6/execl@1",
					     "unixbench6/spawn@1", "unixbench6/syscall@1" };
	static const double p[] = { 0.0078125, 0.4609375, 0.0078125, 0.0078125 }; /* ibid. */
	struct comparison comparison;
	const struct comparison_index *index;
	struct run run;

	(void)state;
	fixture_run(&run, "ab");
	for (size_t k = 0; k < 4; k++) {
		double ratio[MOST], one[MOST];
		char path[32];
		size_t n;

		snprintf(path, sizeof(path), "suite.ratios.%zu", k);
		n = vector_numbers(path, ratio, MOST);
		for (size_t i = 0; i < n; i++)
			one[i] = 1;
		fixture_sides(&run, tests[k], one, ratio, n);
	}
	fixture_compare_sides(&run, &comparison);
	for (size_t k = 0; k < 4; k++) {
		char path[32];

		snprintf(path, sizeof(path), "suite.rows.%zu", k);
		assert_ratio(&comparison.tests[k].log_ratio, path);
		assert_digits(comparison.tests[k].p, p[k]);
	}
	assert_int_equal(comparison.n_indexes, 1);
	index = comparison_main_index(&comparison);
	assert_digits(exp(index->log_ratio.value), vector_number("suite.index"));
	assert_digits(exp(index->log_ratio.lo), vector_number("suite.lo"));
	assert_digits(exp(index->log_ratio.hi), vector_number("suite.hi"));
	assert_digits(index->log_ratio.level, vector_number("suite.conf"));
	assert_int_equal(index->tests, 4);
	assert_int_equal(index->tests_full, 12);
	assert_int_equal(index->decision.verdict, VERDICT_BETTER);
	comparison_free(&comparison);
	run_free(&run);
}

/* Holm and Benjamini-Hochberg of the p above, by hand: 3 × p and 4/3 × p for those of one size. */
static void p_is_adjusted_over_all_tests(void **state)
{
	struct comparison comparison;
	double one[8], ratio[8];
	struct run run;

	(void)state;
	for (size_t i = 0; i < 8; i++)
		one[i] = 1;
	fixture_run(&run, "ab");
	vector_numbers("suite.ratios.0", ratio, 8);
	fixture_sides(&run, "t/one@1", one, ratio, 8);
	vector_numbers("suite.ratios.1", ratio, 8);
	fixture_sides(&run, "t/two@1", one, ratio, 8);
	fixture_compare_sides(&run, &comparison);
	assert_digits(comparison.tests[0].p_holm, 2 * 0.0078125);
	assert_digits(comparison.tests[0].q, 2 * 0.0078125);
	assert_digits(comparison.tests[1].p_holm, 0.4609375);
	assert_digits(comparison.tests[1].q, 0.4609375);
	assert_int_equal(comparison.n_indexes, 0);
	comparison_free(&comparison);
	run_free(&run);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_runs_have_the_unpaired_answer),
		cmocka_unit_test(blocks_have_the_paired_answer),
		cmocka_unit_test(a_run_that_was_stopped_by_looks_has_the_level_of_its_look),
		cmocka_unit_test(equal_sides_are_the_same),
		cmocka_unit_test(an_index_rests_on_the_means_of_blocks),
		cmocka_unit_test(p_is_adjusted_over_all_tests),
	};
	int failed;

	vectors_open(argc > 1 ? argv[1] : NULL);
	failed = cmocka_run_group_tests_name("compare/answers", tests, NULL, NULL);
	vectors_close();
	return failed;
}
