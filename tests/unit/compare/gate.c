// SPDX-License-Identifier: GPL-2.0-or-later
/* gate.c - what passes a gate, what does not, and what is undecided. */
#include "compare/gate.h"
#include "fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#define BLOCKS 12

/* Noise of ±`noise` around the ratio, the same in each test. */
static void add_test(struct run *run, const char *test, double ratio, double noise)
{
	double a[BLOCKS], b[BLOCKS];

	for (size_t i = 0; i < BLOCKS; i++) {
		a[i] = 100;
		b[i] = 100 * ratio * (1 + noise * ((double)i / (BLOCKS - 1) * 2 - 1));
	}
	fixture_sides(run, test, a, b, BLOCKS);
}

static void judge(struct run *run, struct comparison *comparison, struct gate *gate)
{
	fixture_compare_sides(run, comparison);
	gate_judge(comparison, gate);
}

static void end(struct run *run, struct comparison *comparison)
{
	comparison_free(comparison);
	run_free(run);
}

static void equal_sides_pass(void **state)
{
	struct comparison comparison;
	struct gate gate;
	struct run run;

	(void)state;
	fixture_run(&run, "ab");
	add_test(&run, "t/x@1", 1, 0.005);
	judge(&run, &comparison, &gate);
	assert_int_equal(gate.outcome, GATE_PASSED);
	assert_int_equal(gate.trivial, 0);
	end(&run, &comparison);
}

static void a_loss_beyond_the_margin_is_a_regression(void **state)
{
	struct comparison comparison;
	struct gate gate;
	struct run run;

	(void)state;
	fixture_run(&run, "ab");
	add_test(&run, "t/x@1", 0.95, 0.01);
	add_test(&run, "t/y@1", 1, 0.005);
	judge(&run, &comparison, &gate);
	assert_int_equal(gate.outcome, GATE_REGRESSED);
	assert_int_equal(gate.regressed, 1);
	assert_int_equal(gate.passed, 1);
	assert_true(comparison.tests[0].holm.hi < -comparison.tests[0].margin);
	/* twelve blocks at alpha/2, and after that was rejected at alpha: known answer 2 */
	assert_true(comparison.tests[0].holm.level == 0.97900390625);
	assert_true(comparison.tests[1].holm.level == 0.95751953125);
	end(&run, &comparison);
}

static void a_loss_within_the_margin_passes_with_a_note(void **state)
{
	struct comparison comparison;
	struct gate gate;
	struct run run;

	(void)state;
	fixture_run(&run, "ab");
	add_test(&run, "t/x@1", 0.996, 0.002);
	judge(&run, &comparison, &gate);
	assert_int_equal(gate.outcome, GATE_PASSED);
	assert_int_equal(gate.trivial, 1);
	assert_true(gate_is_trivial_loss(&comparison.tests[0]));
	end(&run, &comparison);
}

static void a_wide_interval_is_undecided(void **state)
{
	struct comparison comparison;
	struct gate gate;
	struct run run;

	(void)state;
	fixture_run(&run, "ab");
	add_test(&run, "t/x@1", 1, 0.1);
	judge(&run, &comparison, &gate);
	assert_int_equal(gate.outcome, GATE_UNDECIDED);
	assert_true(gate_further_units(&comparison.tests[0]) > 0);
	end(&run, &comparison);
}

/* Worse for sure, but by the margin or more or less: no regression yet, and no pass. */
static void a_loss_around_the_margin_is_undecided(void **state)
{
	struct comparison comparison;
	struct gate gate;
	struct run run;

	(void)state;
	fixture_run(&run, "ab");
	add_test(&run, "t/x@1", 0.99, 0.005);
	judge(&run, &comparison, &gate);
	assert_int_equal(comparison.tests[0].decision.verdict, VERDICT_WORSE);
	assert_int_equal(gate.outcome, GATE_UNDECIDED);
	end(&run, &comparison);
}

/*
 * Twelve blocks can have p = 2/4096 at best. In a family of 200 equal tests alpha / 200 is less
 * than that: one regression alone cannot be told from chance, although its own interval says it.
 */
static void a_large_family_asks_for_more_than_one_interval(void **state)
{
	struct comparison comparison;
	struct gate gate;
	struct run run;

	(void)state;
	fixture_run(&run, "ab");
	add_test(&run, "t/slow@1", 0.97, 0.005);
	for (int i = 0; i < 199; i++) {
		char name[32];

		snprintf(name, sizeof(name), "t/even%d@1", i);
		add_test(&run, name, 1, 0.005);
	}
	judge(&run, &comparison, &gate);
	assert_true(comparison.tests[0].log_ratio.hi < -comparison.tests[0].margin);
	assert_true(comparison.tests[0].p_regression > 0.05);
	assert_int_equal(gate.outcome, GATE_UNDECIDED);
	assert_int_equal(gate.undecided, 1);
	end(&run, &comparison);
}

static void tests_of_one_side_alone_are_left_out(void **state)
{
	const double rates[] = { 100, 100.1, 99.9, 100, 100.2, 99.8, 100 };
	struct comparison comparison;
	struct gate gate;
	struct run a, b;

	(void)state;
	fixture_run(&a, "a");
	fixture_run(&b, "b");
	fixture_rates(&a, "t/x@1", rates, 7);
	fixture_rates(&b, "t/x@1", rates, 7);
	fixture_rates(&b, "t/new@1", rates, 7);
	fixture_compare(&a, &b, &comparison);
	gate_judge(&comparison, &gate);
	assert_int_equal(gate.outcome, GATE_PASSED);
	assert_int_equal(gate.passed, 1);
	comparison_free(&comparison);
	run_free(&a);
	run_free(&b);
}

static void a_test_that_failed_is_undecided(void **state)
{
	const double rates[] = { 100, 100.1, 99.9, 100, 100.2, 99.8, 100 };
	struct comparison comparison;
	struct gate gate;
	struct run a, b;

	(void)state;
	fixture_run(&a, "a");
	fixture_run(&b, "b");
	fixture_rates(&a, "t/x@1", rates, 7);
	fixture_rates(&b, "t/x@1", rates, 7);
	fixture_rates(&a, "t/y@1", rates, 7);
	fixture_series(&b, "t/y@1", 1, NULL);
	fixture_compare(&a, &b, &comparison);
	gate_judge(&comparison, &gate);
	assert_int_equal(gate.outcome, GATE_UNDECIDED);
	assert_int_equal(gate.undecided, 1);
	comparison_free(&comparison);
	run_free(&a);
	run_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_sides_pass),
		cmocka_unit_test(a_loss_beyond_the_margin_is_a_regression),
		cmocka_unit_test(a_loss_within_the_margin_passes_with_a_note),
		cmocka_unit_test(a_wide_interval_is_undecided),
		cmocka_unit_test(a_loss_around_the_margin_is_undecided),
		cmocka_unit_test(a_large_family_asks_for_more_than_one_interval),
		cmocka_unit_test(tests_of_one_side_alone_are_left_out),
		cmocka_unit_test(a_test_that_failed_is_undecided),
	};

	return cmocka_run_group_tests_name("compare/gate", tests, NULL, NULL);
}
