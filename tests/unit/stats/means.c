// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * means.c - what rests on means: moments, t intervals, Welch's test, Fieller's ratio, the sequence
 * of intervals. Known answers 1, 2 and 4.
 */
#include "stats/anytime.h"
#include "stats/fieller.h"
#include "stats/moments.h"
#include "stats/order.h"
#include "stats/quantile.h"

#include "random.h"
#include "vectors.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* As many digits as STATISTICS prints: half a unit of the last one. */
#define assert_printed(actual, expected, unit)                                                     \
	assert_true(fabs((actual) - (expected)) <= (unit) / 2)

static void sides(double a[12], double b[12])
{
	assert_int_equal(vector_numbers("paired.a", a, 12), 12);
	assert_int_equal(vector_numbers("paired.b", b, 12), 12);
}

static void moments_are_known_answer_1(void **state)
{
	struct moments moments;
	double x[10], half_width;

	(void)state;
	assert_int_equal(vector_numbers("per_test.x", x, 10), 10);
	moments = moments_of(x, 10);
	assert_printed(moments.mean, 1502.11, 0.01);
	assert_printed(sqrt(moments.variance), 28.53085854, 1e-8);
	half_width = student_quantile(0.975, 9) * sqrt(moments.variance / 10);
	assert_printed(moments.mean - half_width, 1481.700, 0.001);
	assert_printed(moments.mean + half_width, 1522.520, 0.001);
}

/* The 2nd and the 9th of 10 hold the median but for at most 1 head or tail of 10 coins. */
static void order_statistics_are_known_answer_1(void **state)
{
	double x[10], expected[4], deviation[10];

	(void)state;
	assert_int_equal(vector_numbers("per_test.x", x, 10), 10);
	assert_int_equal(vector_numbers("per_test.median_ci", expected, 4), 4);
	order_sort(x, 10);
	assert_digits(order_median(x, 10), expected[0]);
	assert_digits(x[1], expected[1]);
	assert_digits(x[8], expected[2]);
	assert_digits(1 - 2 * (1 + 10) / 1024.0, expected[3]);
	for (size_t i = 0; i < 10; i++)
		deviation[i] = fabs(x[i] - order_median(x, 10));
	order_sort(deviation, 10);
	assert_digits(order_median(deviation, 10), 2.3); /* MAD of known answer 1 */
}

static void paired_t_is_known_answer_2(void **state)
{
	struct moments moments;
	double d[12], error;

	(void)state;
	assert_int_equal(vector_numbers("paired.d", d, 12), 12);
	moments = moments_of(d, 12);
	error = sqrt(moments.variance / 12);
	assert_printed(exp(moments.mean), 1.0279326805, 1e-10);
	assert_printed(moments.mean / error, 28.47404932, 1e-8);
	assert_printed(exp(moments.mean - student_quantile(0.975, 11) * error), 1.0257459928,
		       1e-10);
	assert_printed(exp(moments.mean + student_quantile(0.975, 11) * error), 1.0301240298,
		       1e-10);
}

static void welch_of_known_answer_2(void **state)
{
	struct moments of_a, of_b;
	double a[12], b[12], variance_a, variance_b, t, df;

	(void)state;
	sides(a, b);
	for (size_t i = 0; i < 12; i++) {
		a[i] = log(a[i]);
		b[i] = log(b[i]);
	}
	of_a = moments_of(a, 12);
	of_b = moments_of(b, 12);
	variance_a = of_a.variance / 12;
	variance_b = of_b.variance / 12;
	t = (of_b.mean - of_a.mean) / sqrt(variance_a + variance_b);
	df = (variance_a + variance_b) * (variance_a + variance_b) /
	     ((variance_a * variance_a + variance_b * variance_b) / 11);
	assert_digits(t, vector_number("unpaired.welch_t"));
	assert_digits(df, vector_number("unpaired.welch_df"));
	assert_digits(2 * student_cdf(-t, df), vector_number("unpaired.welch_p"));
}

static void moments_do_not_cancel(void **state)
{
	double x[] = { 1e9 + 1, 1e9 + 2, 1e9 + 3 };
	struct moments moments = moments_of(x, 3);

	(void)state;
	assert_true(moments.mean == 1e9 + 2);
	assert_digits(moments.variance, 1);
	moments = moments_of(x, 1);
	assert_true(moments.mean == 1e9 + 1);
	assert_nan(moments.variance);
	assert_nan(moments_of(NULL, 0).mean);
}

static void fieller_is_known_answer_4(void **state)
{
	struct estimate estimate;
	double a[12], b[12];

	(void)state;
	sides(a, b);
	assert_int_equal(fieller_ratio(a, 12, b, 12, 0.05, &estimate), 0);
	assert_digits(estimate.value, vector_number("fieller.ratio"));
	assert_digits(estimate.lo, vector_number("fieller.lo"));
	assert_digits(estimate.hi, vector_number("fieller.hi"));
	assert_digits(estimate.level, 0.95);
	assert_int_equal(estimate.n, 24);
	assert_null(estimate.reason);
}

static void fieller_with_a_mean_near_0_has_no_interval(void **state)
{
	double a[] = { -3, 1, 4 }, b[] = { 5, 6, 7 };
	struct estimate estimate;

	(void)state;
	assert_int_equal(fieller_ratio(a, 3, b, 3, 0.05, &estimate), 0);
	assert_digits(estimate.value, 9);
	assert_nan(estimate.lo);
	assert_string_equal(estimate.reason, "the mean of A is not apart from 0");
	assert_int_equal(fieller_ratio(b, 3, a, 3, 0.05, &estimate), 0); /* the other way is fine */
	assert_null(estimate.reason);
	assert_true(estimate.lo < 0 && estimate.hi > 0);
}

static void fieller_of_one_value_has_no_interval(void **state)
{
	double a[] = { 4 }, b[] = { 5, 6, 7 };
	struct estimate estimate;

	(void)state;
	assert_int_equal(fieller_ratio(a, 1, b, 3, 0.05, &estimate), 0);
	assert_digits(estimate.value, 1.5);
	assert_nan(estimate.hi);
	assert_non_null(estimate.reason);
}

static void fieller_covers_as_often_as_it_says(void **state)
{
	enum { ROUNDS = 10000 };
	struct rng rng = { 13 };
	int covered = 0;

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		struct estimate estimate;
		double a[8], b[8];

		for (size_t i = 0; i < 8; i++) {
			a[i] = 10 + random_normal(&rng);
			b[i] = 11 + random_normal(&rng);
		}
		assert_int_equal(fieller_ratio(a, 8, b, 8, 0.05, &estimate), 0);
		covered += estimate.lo <= 1.1 && 1.1 <= estimate.hi;
	}
	/* With a t of each side's own degrees of freedom it is a little wide. */
	assert_true((double)covered / ROUNDS > 0.945 && (double)covered / ROUNDS < 0.975);
}

static void anytime_is_the_known_answer(void **state)
{
	struct estimate estimate;
	double d[12], expected[3];

	(void)state;
	assert_int_equal(vector_numbers("paired.d", d, 12), 12);
	assert_int_equal(vector_numbers("paired.t_conf_seq_g1", expected, 3), 3);
	assert_int_equal(anytime_mean(d, 12, 1, 0.05, &estimate), 0);
	assert_digits(exp(estimate.value), expected[0]);
	assert_digits(exp(estimate.lo), expected[1]);
	assert_digits(exp(estimate.hi), expected[2]);
	assert_digits(estimate.level, 0.95);
	assert_null(estimate.reason);
}

/* c < A is A / alpha² < A^n; with g = 1 and alpha = .05 that is 400 < (1 + n)^(n-1). */
static void anytime_has_no_interval_before_it_can(void **state)
{
	double x[] = { 1, 2, 3, 4, 5, 6, 7, 8 };
	struct estimate estimate;
	size_t n = 1;

	(void)state;
	for (; pow(1 + (double)n, (double)n - 1) <= 400; n++) {
		assert_int_equal(anytime_mean(x, n, 1, 0.05, &estimate), 0);
		assert_digits(estimate.value, ((double)n + 1) / 2);
		assert_nan(estimate.lo);
		assert_string_equal(estimate.reason, "n too small for a sequence of intervals");
	}
	assert_int_equal(n, 5); /* 5³ = 125, 6⁴ = 1296 */
	assert_int_equal(anytime_mean(x, n, 1, 0.05, &estimate), 0);
	assert_null(estimate.reason);
	assert_true(estimate.lo < 3 && estimate.hi > 3);
}

/* Looked at after each of 62 values. STATISTICS section 6: 2.7 % for normal values. */
static void anytime_errs_less_often_than_alpha_over_all_looks(void **state)
{
	enum { ROUNDS = 4000 };
	struct rng rng = { 14 };
	int wrong = 0;

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		double x[62];

		for (size_t i = 0; i < 62; i++)
			x[i] = random_normal(&rng);
		for (size_t n = 2; n <= 62; n++) {
			struct estimate estimate;

			assert_int_equal(anytime_mean(x, n, 1, 0.05, &estimate), 0);
			if (estimate.lo > 0 || estimate.hi < 0) {
				wrong++;
				break;
			}
		}
	}
	assert_true((double)wrong / ROUNDS < 0.05);
	assert_true((double)wrong / ROUNDS > 0.015);
}

static void methods_of_means_refuse_what_they_cannot_take(void **state)
{
	double x[] = { 1, 2, 3 }, bad[] = { 1, NAN, 3 };
	struct estimate estimate;

	(void)state;
	assert_int_equal(fieller_ratio(x, 3, bad, 3, 0.05, &estimate), -EINVAL);
	assert_nan(estimate.value);
	assert_int_equal(fieller_ratio(bad, 3, x, 3, 0.05, &estimate), -EINVAL);
	assert_int_equal(fieller_ratio(x, 0, x, 3, 0.05, &estimate), -EINVAL);
	assert_int_equal(fieller_ratio(x, 3, x, 0, 0.05, &estimate), -EINVAL);
	assert_int_equal(fieller_ratio(x, 3, x, 3, 1, &estimate), -EINVAL);
	assert_int_equal(anytime_mean(bad, 3, 1, 0.05, &estimate), -EINVAL);
	assert_nan(estimate.value);
	assert_int_equal(anytime_mean(x, 0, 1, 0.05, &estimate), -EINVAL);
	assert_int_equal(anytime_mean(x, 3, 0, 0.05, &estimate), -EINVAL);
	assert_int_equal(anytime_mean(x, 3, INFINITY, 0.05, &estimate), -EINVAL);
	assert_int_equal(anytime_mean(x, 3, 1, 0, &estimate), -EINVAL);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(moments_are_known_answer_1),
		cmocka_unit_test(order_statistics_are_known_answer_1),
		cmocka_unit_test(paired_t_is_known_answer_2),
		cmocka_unit_test(welch_of_known_answer_2),
		cmocka_unit_test(moments_do_not_cancel),
		cmocka_unit_test(fieller_is_known_answer_4),
		cmocka_unit_test(fieller_with_a_mean_near_0_has_no_interval),
		cmocka_unit_test(fieller_of_one_value_has_no_interval),
		cmocka_unit_test(fieller_covers_as_often_as_it_says),
		cmocka_unit_test(anytime_is_the_known_answer),
		cmocka_unit_test(anytime_has_no_interval_before_it_can),
		cmocka_unit_test(anytime_errs_less_often_than_alpha_over_all_looks),
		cmocka_unit_test(methods_of_means_refuse_what_they_cannot_take),
	};
	int failed;

	vectors_open(argc > 1 ? argv[1] : NULL);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	vectors_close();
	return failed;
}
