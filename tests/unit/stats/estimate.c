// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * estimate.c - estimates, intervals and p-values against the known answers.
 */
#include "stats/estimate.h"

#include "random.h"
#include "vectors.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static double paired_difference(size_t i)
{
	char path[32];

	snprintf(path, sizeof(path), "paired.d.%zu", i);
	return vector_number(path);
}

static void paired(double d[12])
{
	for (size_t i = 0; i < 12; i++)
		d[i] = paired_difference(i);
}

static void estimate_of_one_test_is_known_answer_1(void **state)
{
	struct estimate estimate;
	double x[10];

	(void)state;
	assert_int_equal(vector_numbers("per_test.x", x, 10), 10);
	assert_int_equal(estimate_rate(x, 10, 0.05, &estimate), 0);
	assert_digits(estimate.value, vector_number("per_test.hl_log.est"));
	assert_digits(estimate.lo, vector_number("per_test.hl_log.lo"));
	assert_digits(estimate.hi, vector_number("per_test.hl_log.hi"));
	assert_digits(estimate.level, vector_number("per_test.hl_log.conf"));
	assert_int_equal(estimate.k, 9);
	assert_int_equal(estimate.n, 10);
	assert_true(estimate.exact);
	assert_null(estimate.reason);
}

static void compare_paired(double alpha, const char *member)
{
	struct estimate estimate;
	double d[12];
	char path[64];

	paired(d);
	assert_int_equal(estimate_hl(d, 12, alpha, &estimate), 0);
	snprintf(path, sizeof(path), "paired.%s.est", member);
	assert_digits(exp(estimate.value), vector_number(path));
	snprintf(path, sizeof(path), "paired.%s.lo", member);
	assert_digits(exp(estimate.lo), vector_number(path));
	snprintf(path, sizeof(path), "paired.%s.hi", member);
	assert_digits(exp(estimate.hi), vector_number(path));
	snprintf(path, sizeof(path), "paired.%s.conf", member);
	assert_digits(estimate.level, vector_number(path));
	snprintf(path, sizeof(path), "paired.%s.k", member);
	assert_int_equal(estimate.k, (size_t)vector_number(path));
}

static void estimate_of_paired_differences_is_known_answer_2(void **state)
{
	(void)state;
	compare_paired(0.05, "a05");
	compare_paired(0.025, "a025");
	compare_paired(0.05 / 6, "a_look2");
}

static void estimate_p_of_paired_differences_is_known_answer_2(void **state)
{
	double d[12], v, p;

	(void)state;
	paired(d);
	assert_int_equal(estimate_p(d, 12, &v, &p), 0);
	assert_digits(v, vector_number("paired.V"));
	assert_digits(p, vector_number("paired.p"));
}

static void estimate_of_no_difference_is_known_answer_3(void **state)
{
	struct estimate estimate;
	double a[8], b[8], d[8], v, p;

	(void)state;
	assert_int_equal(vector_numbers("null.a", a, 8), 8);
	assert_int_equal(vector_numbers("null.b", b, 8), 8);
	for (size_t i = 0; i < 8; i++)
		d[i] = log(b[i]) - log(a[i]);
	assert_int_equal(estimate_hl(d, 8, 0.05, &estimate), 0);
	assert_digits(exp(estimate.value), vector_number("null.ci.est"));
	assert_digits(exp(estimate.lo), vector_number("null.ci.lo"));
	assert_digits(exp(estimate.hi), vector_number("null.ci.hi"));
	assert_digits(estimate.level, vector_number("null.ci.conf"));
	assert_int_equal(estimate_p(d, 8, &v, &p), 0);
	assert_true(v == 19); /* known answer 3 */
	assert_digits(p, vector_number("null.p"));
}

/* The fourth number of a published row is how many outliers an interval shrugs off. */
static void estimate_interval_shrugs_off_as_many_outliers_as_published(void **state)
{
	(void)state;
	for (size_t i = 0; i < vector_count("signrank_k_alpha05"); i++) {
		char path[64];
		double row[4];

		snprintf(path, sizeof(path), "signrank_k_alpha05.%zu", i);
		assert_int_equal(vector_numbers(path, row, 4), 4);
		for (size_t outliers = 0; outliers <= (size_t)row[3] + 1; outliers++) {
			size_t n = (size_t)row[0];
			struct estimate estimate;
			double x[30];

			for (size_t j = 0; j < n; j++)
				x[j] = (double)(j * 7 % 30) + (j < outliers ? 1e9 : 0);
			assert_int_equal(estimate_hl(x, n, 0.05, &estimate), 0);
			assert_int_equal(estimate.hi < 30, outliers <= (size_t)row[3]);
		}
	}
}

static void estimate_does_not_change_its_input(void **state)
{
	double x[] = { 3, 1, 2, 6, 5, 4 }, copy[6];
	struct estimate estimate;

	(void)state;
	memcpy(copy, x, sizeof(x));
	assert_int_equal(estimate_hl(x, 6, 0.05, &estimate), 0);
	assert_memory_equal(x, copy, sizeof(x));
}

static void estimate_of_few_values_has_no_interval_and_says_why(void **state)
{
	static const char *const reason[] = {
		"n too small (0 < 6)", "n too small (1 < 6)", "n too small (2 < 6)",
		"n too small (3 < 6)", "n too small (4 < 6)", "n too small (5 < 6)",
	};
	double x[] = { 5, 4, 3, 2, 1, 0 };
	struct estimate estimate;

	(void)state;
	for (size_t n = 0; n < 6; n++) {
		assert_int_equal(estimate_hl(x, n, 0.05, &estimate), 0);
		assert_int_equal(estimate.n, n);
		assert_true(n ? isfinite(estimate.value) : isnan(estimate.value));
		assert_nan(estimate.lo);
		assert_nan(estimate.hi);
		assert_nan(estimate.level);
		assert_string_equal(estimate.reason, reason[n]);
	}
	assert_int_equal(estimate_hl(x, 6, 0.05, &estimate), 0);
	assert_null(estimate.reason);
	assert_true(estimate.lo == 0 && estimate.hi == 5);
	assert_digits(estimate.level, 0.96875);
}

static void estimate_needs_more_values_for_a_smaller_alpha(void **state)
{
	double x[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 };
	struct estimate estimate;

	(void)state;
	assert_int_equal(estimate_hl(x, 6, 0.025, &estimate), 0); /* 2/2^6 = .03125 */
	assert_string_equal(estimate.reason, "n too small (6 < 7)");
	assert_int_equal(estimate_hl(x, 7, 0.025, &estimate), 0);
	assert_null(estimate.reason);
	assert_int_equal(estimate_hl(x, 11, 0.0005, &estimate), 0); /* 2/2^12 = .00049 */
	assert_string_equal(estimate.reason, "n too small (11 < 12)");
	assert_int_equal(estimate_hl(x, 11, 0.0001, &estimate), 0);
	assert_string_equal(estimate.reason, "n too small for this level");
}

static void estimate_refuses_what_is_no_finite_number(void **state)
{
	double x[] = { 1, 2, 3, 4, 5, 6, 7 };
	static const double bad[] = { NAN, INFINITY, -INFINITY };
	struct estimate estimate;
	double v, p;

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		x[3] = bad[i];
		assert_int_equal(estimate_hl(x, 7, 0.05, &estimate), -EINVAL);
		assert_nan(estimate.value);
		assert_nan(estimate.lo);
		assert_non_null(estimate.reason);
		assert_int_equal(estimate_rate(x, 7, 0.05, &estimate), -EINVAL);
		assert_nan(estimate.value);
		assert_non_null(estimate.reason);
		assert_int_equal(estimate_p(x, 7, &v, &p), -EINVAL);
		assert_nan(p);
	}
}

static void estimate_refuses_a_rate_that_is_not_above_0(void **state)
{
	double x[] = { 1, 2, 0, 4, 5, 6, 7 };
	struct estimate estimate;

	(void)state;
	assert_int_equal(estimate_rate(x, 7, 0.05, &estimate), -EINVAL);
	x[2] = -3;
	assert_int_equal(estimate_rate(x, 7, 0.05, &estimate), -EINVAL);
	assert_nan(estimate.value);
}

static void estimate_refuses_an_alpha_outside_0_to_1(void **state)
{
	static const double bad[] = { 0, 1, -0.05, 2, NAN };
	double x[] = { 1, 2, 3, 4, 5, 6, 7 };
	struct estimate estimate;

	(void)state;
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(estimate_hl(x, 7, bad[i], &estimate), -EINVAL);
}

static void estimate_of_rates_stays_within_them(void **state)
{
	double x[] = { DBL_MAX, DBL_MAX, DBL_MAX, DBL_MAX, DBL_MAX, DBL_MAX };
	struct estimate estimate;

	(void)state;
	assert_int_equal(estimate_rate(x, 6, 0.05, &estimate), 0);
	assert_true(estimate.value == DBL_MAX && estimate.lo == DBL_MAX && estimate.hi == DBL_MAX);
	for (size_t i = 0; i < 6; i++)
		x[i] = 1.0184 + (double)i;
	assert_int_equal(estimate_rate(x, 6, 0.05, &estimate), 0);
	assert_true(estimate.lo == 1.0184); /* k = 1: the least rate itself */
}

static void estimate_of_shifted_values_is_shifted(void **state)
{
	struct estimate estimate, shifted;
	struct rng rng = { 3 };
	double x[17], y[17];

	(void)state;
	for (size_t i = 0; i < 17; i++) {
		x[i] = floor(random_normal(&rng) * 64) / 64; /* so that adding 8 is exact */
		y[i] = x[i] + 8;
	}
	assert_int_equal(estimate_hl(x, 17, 0.05, &estimate), 0);
	assert_int_equal(estimate_hl(y, 17, 0.05, &shifted), 0);
	assert_true(shifted.value == estimate.value + 8);
	assert_true(shifted.lo == estimate.lo + 8);
	assert_true(shifted.hi == estimate.hi + 8);
}

static void estimate_above_200_values_names_the_approximation(void **state)
{
	enum { N = 10000 };
	double *x = malloc(N * sizeof(*x));
	struct estimate estimate;
	struct rng rng = { 4 };

	(void)state;
	assert_non_null(x);
	for (size_t i = 0; i < N; i++)
		x[i] = random_normal(&rng);
	assert_int_equal(estimate_hl(x, 200, 0.05, &estimate), 0);
	assert_true(estimate.exact);
	assert_int_equal(estimate_hl(x, 201, 0.05, &estimate), 0);
	assert_false(estimate.exact);
	assert_int_equal(estimate_hl(x, N, 0.05, &estimate), 0);
	assert_false(estimate.exact);
	assert_true(fabs(estimate.level - 0.95) < 1e-6);
	/* The width of a normal sample's interval is 2 × 1.96 σ √(π/3) / √n (efficiency 3/π). */
	assert_true(fabs((estimate.hi - estimate.lo) / (2 * 1.96 * sqrt(M_PI / 3) / 100) - 1) <
		    0.05);
	assert_true(fabs(estimate.value) < 0.04);
	free(x);
}

static void estimate_half_width_is_a_share_of_the_value(void **state)
{
	struct estimate estimate = { .value = 200, .lo = 190, .hi = 214 };

	(void)state;
	assert_digits(estimate_half_width(&estimate), 0.06);
	estimate_none(&estimate, 0, "n too small (0 < 6)");
	assert_nan(estimate_half_width(&estimate));
	estimate = (struct estimate){ .value = 0, .lo = -1, .hi = 1 };
	assert_nan(estimate_half_width(&estimate));
}

static void estimate_p_never_disagrees_with_the_interval(void **state)
{
	static const double alphas[] = { 0.01, 0.03125, 0.05, 0.1, 0.25 };
	struct rng rng = { 5 };

	(void)state;
	for (int round = 0; round < 2000; round++) {
		size_t n = 1 + rng_next(&rng) % 12;
		double shift = (double)(rng_next(&rng) % 4) / 2;
		double x[12], v, p;

		for (size_t i = 0; i < n; i++) {
			x[i] = random_normal(&rng) + shift;
			if (round % 2)
				x[i] = round % 4 == 1 ? rint(x[i])
						      : rint(2 * x[i]) / 2; /* ties, zeros */
		}
		assert_int_equal(estimate_p(x, n, &v, &p), 0);
		assert_true(p > 0 && p <= 1);
		for (size_t i = 0; i < sizeof(alphas) / sizeof(*alphas); i++) {
			struct estimate estimate;
			bool outside;

			assert_int_equal(estimate_hl(x, n, alphas[i], &estimate), 0);
			outside = estimate.lo > 0 || estimate.hi < 0; /* false for NAN */
			assert_int_equal(outside, p <= alphas[i]);
		}
	}
}

static void estimate_p_of_zeros_only_is_1(void **state)
{
	double x[] = { 0, 0, -0.0, 0, 0, 0, 0 }, v, p;

	(void)state;
	assert_int_equal(estimate_p(x, 7, &v, &p), 0);
	assert_true(p == 1);
	assert_true(v == 14); /* half of 28 */
}

static void estimate_interval_covers_as_often_as_it_says(void **state)
{
	enum { ROUNDS = 20000 };
	struct rng rng = { 6 };
	int covered = 0;

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		struct estimate estimate;
		double x[8];

		for (size_t i = 0; i < 8; i++)
			x[i] = random_t3(&rng);
		assert_int_equal(estimate_hl(x, 8, 0.05, &estimate), 0);
		covered += estimate.lo <= 0 && 0 <= estimate.hi;
	}
	/* Exact for any symmetric law: .9609375, standard error .0014. */
	assert_true(fabs((double)covered / ROUNDS - 0.9609375) < 0.006);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(estimate_of_one_test_is_known_answer_1),
		cmocka_unit_test(estimate_of_paired_differences_is_known_answer_2),
		cmocka_unit_test(estimate_p_of_paired_differences_is_known_answer_2),
		cmocka_unit_test(estimate_of_no_difference_is_known_answer_3),
		cmocka_unit_test(estimate_interval_shrugs_off_as_many_outliers_as_published),
		cmocka_unit_test(estimate_does_not_change_its_input),
		cmocka_unit_test(estimate_of_few_values_has_no_interval_and_says_why),
		cmocka_unit_test(estimate_needs_more_values_for_a_smaller_alpha),
		cmocka_unit_test(estimate_refuses_what_is_no_finite_number),
		cmocka_unit_test(estimate_refuses_a_rate_that_is_not_above_0),
		cmocka_unit_test(estimate_refuses_an_alpha_outside_0_to_1),
		cmocka_unit_test(estimate_of_rates_stays_within_them),
		cmocka_unit_test(estimate_of_shifted_values_is_shifted),
		cmocka_unit_test(estimate_above_200_values_names_the_approximation),
		cmocka_unit_test(estimate_half_width_is_a_share_of_the_value),
		cmocka_unit_test(estimate_p_never_disagrees_with_the_interval),
		cmocka_unit_test(estimate_p_of_zeros_only_is_1),
		cmocka_unit_test(estimate_interval_covers_as_often_as_it_says),
	};
	int failed;

	vectors_open(argc > 1 ? argv[1] : NULL);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	vectors_close();
	return failed;
}
