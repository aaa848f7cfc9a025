// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mser.c - truncation and autocorrelation against the known answers.
 */
#include "stats/mser.h"

#include "random.h"
#include "stats/autocorrelation.h"
#include "vectors.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static void mser_cuts_the_warm_up_of_the_known_answer(void **state)
{
	double x[20], value;
	size_t d;

	(void)state;
	assert_int_equal(vector_numbers("mser.x", x, 20), 20);
	assert_int_equal(mser_truncate(x, 20, &d, &value), 0);
	assert_int_equal(d, (size_t)vector_number("mser.d"));
	assert_digits(value, vector_number("mser.value"));
}

static void mser_agrees_with_its_definition(void **state)
{
	struct rng rng = { 1 };

	(void)state;
	for (int round = 0; round < 500; round++) {
		size_t n = 1 + rng_next(&rng) % 30, d, best = 0;
		double x[30], value, least = INFINITY;

		for (size_t i = 0; i < n; i++)
			x[i] = 1000 + random_normal(&rng) - (i < 4 ? 9 : 0);
		for (size_t cut = 0; cut <= n / 2; cut++) {
			double mean = 0, squares = 0, m = (double)(n - cut);

			for (size_t i = cut; i < n; i++)
				mean += x[i] / m;
			for (size_t i = cut; i < n; i++)
				squares += (x[i] - mean) * (x[i] - mean);
			if (squares / m / m < least * (1 - 1e-9)) {
				least = squares / m / m;
				best = cut;
			}
		}
		assert_int_equal(mser_truncate(x, n, &d, &value), 0);
		assert_int_equal(d, best);
		assert_true(fabs(value - least) <= 1e-6 * least);
	}
}

static void mser_never_cuts_more_than_half(void **state)
{
	double x[] = { 1, 2, 3, 4, 5, 6, 7, 8, 100, 100, 100 }, value;
	size_t d;

	(void)state;
	assert_int_equal(mser_truncate(x, 11, &d, &value), 0);
	assert_true(d <= 5);
}

static void mser_cuts_nothing_of_a_constant(void **state)
{
	double x[] = { 7, 7, 7, 7, 7, 7 }, value;
	size_t d;

	(void)state;
	assert_int_equal(mser_truncate(x, 6, &d, &value), 0);
	assert_int_equal(d, 0);
	assert_true(value == 0);
}

static void mser_refuses_nothing_and_what_is_no_number(void **state)
{
	double x[] = { 1, NAN, 3, INFINITY }, value;
	bool wants_more = true;
	size_t d;

	(void)state;
	assert_int_equal(mser_truncate(x, 0, &d, &value), -EINVAL);
	assert_int_equal(mser_truncate(x, 3, &d, &value), -EINVAL);
	assert_nan(value);
	assert_int_equal(mser_truncate(x + 2, 2, &d, &value), -EINVAL);
	assert_int_equal(mser_wants_more(x, 3, 0, &wants_more), -EINVAL);
	assert_false(wants_more);
}

static void mser_wants_more_than_a_warm_up_that_is_too_short(void **state)
{
	double x[20];
	bool wants_more;

	(void)state;
	assert_int_equal(vector_numbers("mser.x", x, 20), 20);
	assert_int_equal(mser_wants_more(x, 20, 1, &wants_more), 0);
	assert_true(wants_more);
	assert_int_equal(mser_wants_more(x, 20, 5, &wants_more), 0);
	assert_false(wants_more);
}

static double share_of_noise_flagged(size_t n, size_t given)
{
	enum { ROUNDS = 5000 };
	struct rng rng = { 2 };
	int flagged = 0;

	for (int round = 0; round < ROUNDS; round++) {
		double x[40];
		bool wants_more;

		for (size_t i = 0; i < n; i++)
			x[i] = 1000 + 10 * random_normal(&rng);
		assert_int_equal(mser_wants_more(x, n, given, &wants_more), 0);
		flagged += wants_more;
	}
	return (double)flagged / ROUNDS;
}

static void mser_seldom_wants_more_of_noise(void **state)
{
	(void)state;
	assert_true(share_of_noise_flagged(25, 5) < 0.01);
	assert_true(share_of_noise_flagged(20, 0) < 0.015);
	assert_true(share_of_noise_flagged(10, 0) < 0.04);
}

static void autocorrelation_is_the_known_answer(void **state)
{
	double x[20], d[12];

	(void)state;
	assert_int_equal(vector_numbers("mser.x", x, 20), 20);
	assert_digits(autocorrelation_lag1(x, 20), vector_number("mser.r1_all"));
	assert_digits(autocorrelation_lag1(x + 5, 15), vector_number("mser.r1_after5"));
	assert_int_equal(vector_numbers("paired.d", d, 12), 12);
	assert_digits(autocorrelation_lag1(d, 12), vector_number("paired.acf1"));
}

static void autocorrelation_is_flagged_above_the_upper_5_percent(void **state)
{
	double x[20];

	(void)state;
	assert_int_equal(vector_numbers("mser.x", x, 20), 20);
	assert_true(autocorrelation_flag(x, 20)); /* .4849 > 1.645/√20 = .3678 */
	assert_false(autocorrelation_flag(x + 5, 15));
}

static void autocorrelation_of_a_constant_is_not_defined(void **state)
{
	double x[] = { 2, 2, 2, 2 };

	(void)state;
	assert_nan(autocorrelation_lag1(x, 4));
	assert_false(autocorrelation_flag(x, 4));
	assert_nan(autocorrelation_lag1(x, 1));
	x[1] = INFINITY;
	assert_nan(autocorrelation_lag1(x, 4));
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mser_cuts_the_warm_up_of_the_known_answer),
		cmocka_unit_test(mser_agrees_with_its_definition),
		cmocka_unit_test(mser_never_cuts_more_than_half),
		cmocka_unit_test(mser_cuts_nothing_of_a_constant),
		cmocka_unit_test(mser_refuses_nothing_and_what_is_no_number),
		cmocka_unit_test(mser_wants_more_than_a_warm_up_that_is_too_short),
		cmocka_unit_test(mser_seldom_wants_more_of_noise),
		cmocka_unit_test(autocorrelation_is_the_known_answer),
		cmocka_unit_test(autocorrelation_is_flagged_above_the_upper_5_percent),
		cmocka_unit_test(autocorrelation_of_a_constant_is_not_defined),
	};
	int failed;

	vectors_open(argc > 1 ? argv[1] : NULL);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	vectors_close();
	return failed;
}
