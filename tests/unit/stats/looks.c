// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * looks.c - verdicts, and the schedule of looks with its error rate.
 */
#include "stats/looks.h"

#include "random.h"
#include "stats/signrank.h"
#include "vectors.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static struct decision decide(double lo, double hi)
{
	struct estimate estimate = { .n = 12, .value = (lo + hi) / 2, .lo = lo, .hi = hi };
	struct decision decision;

	assert_int_equal(verdict_decide(&estimate, log(1.01), &decision), 0);
	return decision;
}

static void assert_verdict(double lo, double hi, enum verdict verdict, bool trivial)
{
	struct decision decision = decide(lo, hi);

	assert_string_equal(verdict_name(decision.verdict), verdict_name(verdict));
	assert_int_equal(decision.trivial, trivial);
}

static void verdict_follows_from_interval_and_margin(void **state)
{
	(void)state;
	assert_verdict(0.001, 0.02, VERDICT_BETTER, false);
	assert_verdict(0.001, 0.009, VERDICT_BETTER, true);
	assert_verdict(-0.02, -0.001, VERDICT_WORSE, false);
	assert_verdict(-0.009, -0.001, VERDICT_WORSE, true);
	assert_verdict(-0.009, 0.009, VERDICT_SAME, false);
	assert_verdict(-0.001, 0.02, VERDICT_INCONCLUSIVE, false);
	assert_verdict(-0.02, 0.001, VERDICT_INCONCLUSIVE, false);
	assert_verdict(-0.02, 0.02, VERDICT_INCONCLUSIVE, false);
}

static void verdict_at_the_bounds_themselves(void **state)
{
	double margin = log(1.01);

	(void)state;
	assert_verdict(0, 0.02, VERDICT_INCONCLUSIVE, false); /* 0 has not left */
	assert_verdict(0, 0, VERDICT_SAME, false);
	assert_verdict(-margin, 0, VERDICT_INCONCLUSIVE, false);
	assert_verdict(-0.001, margin, VERDICT_INCONCLUSIVE, false);
	assert_verdict(0.001, margin, VERDICT_BETTER, true);
	assert_verdict(-margin, -0.001, VERDICT_WORSE, true);
}

static void verdict_without_interval_is_inconclusive(void **state)
{
	struct decision decision;
	struct estimate estimate;
	double x[] = { 0.05, 0.05, 0.05, 0.05, 0.05 };

	(void)state;
	assert_int_equal(estimate_hl(x, 5, 0.05, &estimate), 0);
	assert_int_equal(verdict_decide(&estimate, log(1.01), &decision), 0);
	assert_int_equal(decision.verdict, VERDICT_INCONCLUSIVE);
	assert_false(decision.trivial);
}

static void verdict_refuses_a_margin_that_is_not_above_0(void **state)
{
	static const double bad[] = { 0, -0.01, NAN, INFINITY };
	struct estimate estimate = { .lo = 0.1, .hi = 0.2 };
	struct decision decision;

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(verdict_decide(&estimate, bad[i], &decision), -EINVAL);
		assert_int_equal(decision.verdict, VERDICT_INCONCLUSIVE);
	}
}

static void verdict_of_known_answer_3_is_same(void **state)
{
	struct decision decision;
	struct estimate estimate;
	double a[8], b[8], d[8];

	(void)state;
	vector_numbers("null.a", a, 8);
	vector_numbers("null.b", b, 8);
	for (size_t i = 0; i < 8; i++)
		d[i] = log(b[i]) - log(a[i]);
	assert_int_equal(estimate_hl(d, 8, 0.05, &estimate), 0);
	assert_int_equal(verdict_decide(&estimate, log(1.01), &decision), 0);
	assert_string_equal(verdict_name(decision.verdict), "same");
}

static void looks_follow_the_published_table(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < vector_count("looks"); i++) {
		char path[32];
		struct look look;
		double below;
		size_t k;

		assert_int_equal(look_get(i + 1, 0.05, &look), 0);
		assert_int_equal(look.number, i + 1);
		snprintf(path, sizeof(path), "looks.%u.n", i);
		assert_int_equal(look.n, (size_t)vector_number(path));
		snprintf(path, sizeof(path), "looks.%u.alpha", i);
		assert_digits(look.alpha, vector_number(path));
		assert_int_equal(signrank_critical(look.n, look.alpha / 2, &k, &below), 0);
		snprintf(path, sizeof(path), "looks.%u.k", i);
		assert_int_equal(k, (size_t)vector_number(path));
		snprintf(path, sizeof(path), "looks.%u.conf", i);
		assert_digits(1 - 2 * below, vector_number(path));
	}
}

static void looks_spend_no_more_than_alpha_together(void **state)
{
	double spent = 0;

	(void)state;
	for (unsigned int i = 1; i <= LOOKS_MAX; i++) {
		struct look look;

		assert_int_equal(look_get(i, 0.05, &look), 0);
		spent += look.alpha;
	}
	assert_true(spent < 0.05);
	assert_digits(spent, 0.05 * LOOKS_MAX / (LOOKS_MAX + 1)); /* telescoping sum */
}

static void look_after_is_the_next_of_the_schedule(void **state)
{
	struct look look;

	(void)state;
	assert_int_equal(look_after(0, 0.05, &look), 0);
	assert_int_equal(look.n, 8);
	assert_int_equal(look_after(8, 0.05, &look), 0);
	assert_int_equal(look.n, 12);
	assert_int_equal(look_after(26, 0.05, &look), 0);
	assert_int_equal(look.n, 27);
	assert_int_equal(look_after(27, 0.05, &look), 0);
	assert_int_equal(look.n, 41);
	assert_int_equal(look_after((size_t)1 << 40, 0.05, &look), -EINVAL);
}

static void looks_outside_the_schedule_are_refused(void **state)
{
	struct look look;

	(void)state;
	assert_int_equal(look_get(0, 0.05, &look), -EINVAL);
	assert_int_equal(look_get(LOOKS_MAX + 1, 0.05, &look), -EINVAL);
	assert_int_equal(look_get(1, 0, &look), -EINVAL);
	assert_int_equal(look_get(1, 1, &look), -EINVAL);
	assert_int_equal(look_get(1, NAN, &look), -EINVAL);
}

static void look_at_known_answer_2_is_its_second_look(void **state)
{
	struct look_result result;
	struct look look;
	double d[12];

	(void)state;
	assert_int_equal(vector_numbers("paired.d", d, 12), 12);
	assert_int_equal(look_get(2, 0.05, &look), 0);
	assert_int_equal(look_at(&look, d, 12, log(1.01), 0, &result), 0);
	assert_digits(exp(result.log_ratio.lo), vector_number("paired.a_look2.lo"));
	assert_digits(exp(result.log_ratio.hi), vector_number("paired.a_look2.hi"));
	assert_int_equal(result.decision.verdict, VERDICT_BETTER);
	assert_false(result.decision.trivial);
	assert_int_equal(result.end, LOOK_DECIDED);
}

static void look_takes_no_block_beyond_its_own(void **state)
{
	double d[] = { 0.02, 0.021, 0.022, 0.023, 0.024, 0.025, 0.026, 0.027, -9, -9, -9, -9 };
	struct look_result result;
	struct look look;

	(void)state;
	assert_int_equal(look_get(1, 0.05, &look), 0);
	assert_int_equal(look_at(&look, d, 12, log(1.01), 0, &result), 0);
	assert_int_equal(result.log_ratio.n, 8);
	assert_int_equal(result.decision.verdict, VERDICT_BETTER);
}

static void look_refuses_fewer_blocks_than_it_needs(void **state)
{
	struct look_result result;
	struct look look;
	double d[12] = { 0 };

	(void)state;
	assert_int_equal(look_get(2, 0.05, &look), 0);
	assert_int_equal(look_at(&look, d, 11, log(1.01), 0, &result), -EINVAL);
	assert_int_equal(result.end, LOOK_GOES_ON);
	assert_nan(result.log_ratio.value);
	d[3] = NAN;
	assert_int_equal(look_at(&look, d, 12, log(1.01), 0, &result), -EINVAL);
}

static void look_ends_when_the_interval_is_as_narrow_as_asked(void **state)
{
	/* Interval about 0.009 … 0.021: no verdict at 1 %, half-width below 1 %. */
	double d[] = { -0.006, -0.002, 0.001, 0.004, 0.006, 0.009, 0.012, 0.015 };
	struct look_result result;
	struct look look;

	(void)state;
	assert_int_equal(look_get(1, 0.05, &look), 0);
	assert_int_equal(look_at(&look, d, 8, log(1.01), 0, &result), 0);
	assert_int_equal(result.decision.verdict, VERDICT_INCONCLUSIVE);
	assert_int_equal(result.end, LOOK_GOES_ON);
	assert_int_equal(look_at(&look, d, 8, log(1.01), 0.01, &result), 0);
	assert_int_equal(result.decision.verdict, VERDICT_INCONCLUSIVE);
	assert_int_equal(result.end, LOOK_PRECISE);
}

/* Share of runs without effect that call one at some look up to 62 blocks. */
static void looks_call_a_null_effect_less_often_than_alpha(void **state)
{
	enum { ROUNDS = 2000 };
	struct rng rng = { 3 };
	int called = 0;

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		double d[62];

		for (size_t i = 0; i < 62; i++)
			d[i] = random_t3(&rng);
		for (unsigned int number = 1; number <= 6; number++) {
			struct look_result result;
			struct look look;

			assert_int_equal(look_get(number, 0.05, &look), 0);
			assert_int_equal(look_at(&look, d, 62, 1e-9, 0, &result), 0);
			if (result.end != LOOK_GOES_ON) {
				called++;
				break;
			}
		}
	}
	/* Computed elsewhere: 3.1 % for t3; standard error .4 %. */
	assert_true((double)called / ROUNDS < 0.05);
	assert_true((double)called / ROUNDS > 0.015);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(verdict_follows_from_interval_and_margin),
		cmocka_unit_test(verdict_at_the_bounds_themselves),
		cmocka_unit_test(verdict_without_interval_is_inconclusive),
		cmocka_unit_test(verdict_refuses_a_margin_that_is_not_above_0),
		cmocka_unit_test(verdict_of_known_answer_3_is_same),
		cmocka_unit_test(looks_follow_the_published_table),
		cmocka_unit_test(looks_spend_no_more_than_alpha_together),
		cmocka_unit_test(look_after_is_the_next_of_the_schedule),
		cmocka_unit_test(looks_outside_the_schedule_are_refused),
		cmocka_unit_test(look_at_known_answer_2_is_its_second_look),
		cmocka_unit_test(look_takes_no_block_beyond_its_own),
		cmocka_unit_test(look_refuses_fewer_blocks_than_it_needs),
		cmocka_unit_test(look_ends_when_the_interval_is_as_narrow_as_asked),
		cmocka_unit_test(looks_call_a_null_effect_less_often_than_alpha),
	};
	int failed;

	vectors_open(argc > 1 ? argv[1] : NULL);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	vectors_close();
	return failed;
}
