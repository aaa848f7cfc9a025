// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * shift.c - two-sample estimates, intervals and p-values, and the selection beneath them.
 */
#include "stats/shift.h"

#include "random.h"
#include "stats/differences.h"
#include "stats/order.h"
#include "vectors.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

#define BRUTE_MAX 9

/* Every order statistic and every count against all differences, sorted. */
static void compare_with_all(double *a, size_t n_a, double *b, size_t n_b)
{
	double all[BRUTE_MAX * BRUTE_MAX];
	size_t count = 0;

	order_sort(a, n_a);
	order_sort(b, n_b);
	for (size_t i = 0; i < n_a; i++) {
		for (size_t j = 0; j < n_b; j++)
			all[count++] = b[j] - a[i];
	}
	order_sort(all, count);
	for (size_t k = 1; k <= count; k++) {
		size_t at_most = k;

		assert_true(differences_select(a, n_a, b, n_b, k) == all[k - 1]);
		while (at_most < count && all[at_most] == all[k - 1])
			at_most++;
		assert_int_equal(differences_at_most(a, n_a, b, n_b, all[k - 1]), at_most);
	}
	assert_true(differences_median(a, n_a, b, n_b) == order_median(all, count));
}

static void differences_select_agrees_with_sorting_all(void **state)
{
	struct rng rng = { 1 };

	(void)state;
	for (int round = 0; round < 3000; round++) {
		size_t n_a = 1 + rng_next(&rng) % BRUTE_MAX, n_b = 1 + rng_next(&rng) % BRUTE_MAX;
		double a[BRUTE_MAX], b[BRUTE_MAX];

		for (size_t i = 0; i < n_a; i++)
			a[i] = random_normal(&rng) * exp(3 * random_normal(&rng));
		for (size_t j = 0; j < n_b; j++)
			b[j] = random_normal(&rng) * exp(3 * random_normal(&rng));
		if (round % 2) { /* ties, zeros */
			for (size_t i = 0; i < n_a; i++)
				a[i] = (double)(rng_next(&rng) % 5);
			for (size_t j = 0; j < n_b; j++)
				b[j] = (double)(rng_next(&rng) % 5);
		}
		compare_with_all(a, n_a, b, n_b);
	}
}

static void differences_select_never_returns_a_negative_zero(void **state)
{
	double a[] = { -0.0, 0.0 }, b[] = { -0.0, 0.0 };

	(void)state;
	for (size_t k = 1; k <= 4; k++)
		assert_false(signbit(differences_select(a, 2, b, 2, k)));
}

static void differences_select_refuses_a_rank_outside(void **state)
{
	double a[] = { 1, 2 }, b[] = { 3, 4, 5 };

	(void)state;
	assert_nan(differences_select(a, 2, b, 3, 0));
	assert_nan(differences_select(a, 2, b, 3, 7));
	assert_nan(differences_median(a, 0, b, 3));
	assert_nan(differences_median(a, 2, b, 0));
}

static void differences_of_10000_values_need_no_table(void **state)
{
	enum { N = 10000 };
	double *x = malloc(N * sizeof(*x));
	struct rusage before, after;

	(void)state;
	assert_non_null(x);
	for (size_t i = 0; i < N; i++)
		x[i] = (double)i;
	assert_int_equal(getrusage(RUSAGE_SELF, &before), 0);
	assert_true(differences_median(x, N, x, N) == 0);
	/* 1 + 2 + … + N differences are <= -N + N = 0; N of them are 0. */
	assert_true(differences_select(x, N, x, N, (size_t)N * (N + 1) / 2 + 1) == 1);
	assert_int_equal(getrusage(RUSAGE_SELF, &after), 0);
	assert_true(after.ru_maxrss - before.ru_maxrss < 10240); /* KiB; all: 800 MB */
	free(x);
}

/* Known answer 2 taken as unpaired, in logarithms. */
static void unpaired(double a[12], double b[12])
{
	assert_int_equal(vector_numbers("paired.a", a, 12), 12);
	assert_int_equal(vector_numbers("paired.b", b, 12), 12);
	for (size_t i = 0; i < 12; i++) {
		a[i] = log(a[i]);
		b[i] = log(b[i]);
	}
}

static void shift_of_known_answer_2_taken_as_unpaired(void **state)
{
	struct estimate estimate;
	double a[12], b[12];

	(void)state;
	unpaired(a, b);
	assert_int_equal(estimate_shift(a, 12, b, 12, 0.05, &estimate), 0);
	assert_digits(exp(estimate.value), vector_number("unpaired.mw.est"));
	assert_digits(exp(estimate.lo), vector_number("unpaired.mw.lo"));
	assert_digits(exp(estimate.hi), vector_number("unpaired.mw.hi"));
	assert_digits(estimate.level, vector_number("unpaired.mw.conf"));
	assert_int_equal(estimate.k, (size_t)vector_number("unpaired.mw.k"));
	assert_int_equal(estimate.n, 24);
	assert_true(estimate.exact);
	assert_null(estimate.reason);
}

static void shift_p_of_known_answer_2_taken_as_unpaired(void **state)
{
	double a[12], b[12], u, p;

	(void)state;
	unpaired(a, b);
	assert_int_equal(estimate_shift_p(a, 12, b, 12, &u, &p), 0);
	assert_true(u == 12); /* known answer 2, as printed */
	assert_true(fabs(p - 0.000201171826) < 5e-13);
}

static void shift_of_known_answer_7_is_its_ratio(void **state)
{
	struct estimate estimate;
	double y[24];

	(void)state;
	assert_int_equal(vector_numbers("history.y", y, 24), 24);
	for (size_t i = 0; i < 24; i++)
		y[i] = log(y[i]);
	assert_int_equal(estimate_shift(y, 12, y + 12, 12, 0.05, &estimate), 0);
	assert_digits(exp(estimate.value), vector_number("history.ratio.est"));
	assert_digits(exp(estimate.lo), vector_number("history.ratio.lo"));
	assert_digits(exp(estimate.hi), vector_number("history.ratio.hi"));
	assert_digits(estimate.level, vector_number("history.ratio.conf"));
	assert_int_equal(estimate.k, (size_t)vector_number("history.ratio.k"));
}

static void shift_turns_its_sign_with_the_samples(void **state)
{
	struct estimate there, back;
	double a[12], b[12], u, v, p, q;

	(void)state;
	unpaired(a, b);
	assert_int_equal(estimate_shift(a, 12, b, 9, 0.05, &there), 0);
	assert_int_equal(estimate_shift(b, 9, a, 12, 0.05, &back), 0);
	assert_true(back.value == -there.value);
	assert_true(back.lo == -there.hi && back.hi == -there.lo);
	assert_int_equal(estimate_shift_p(a, 12, b, 9, &u, &p), 0);
	assert_int_equal(estimate_shift_p(b, 9, a, 12, &v, &q), 0);
	assert_true(u + v == 108);
	assert_true(p == q);
}

static void shift_does_not_change_its_input(void **state)
{
	double a[] = { 3, 1, 2, 6 }, b[] = { 9, 5, 7, 4 }, copy_a[4], copy_b[4];
	struct estimate estimate;

	(void)state;
	memcpy(copy_a, a, sizeof(a));
	memcpy(copy_b, b, sizeof(b));
	assert_int_equal(estimate_shift(a, 4, b, 4, 0.05, &estimate), 0);
	assert_memory_equal(a, copy_a, sizeof(a));
	assert_memory_equal(b, copy_b, sizeof(b));
}

static void shift_of_few_values_has_no_interval_and_says_why(void **state)
{
	double x[] = { 7, 6, 5, 4, 3, 2, 1, 0 };
	struct estimate estimate;

	(void)state;
	assert_int_equal(estimate_shift(x, 0, x, 8, 0.05, &estimate), 0);
	assert_nan(estimate.value);
	assert_string_equal(estimate.reason, "n too small (0 values of a side)");
	assert_int_equal(estimate_shift(x, 8, x, 1, 0.05, &estimate), 0);
	assert_true(estimate.value == 3.5);
	assert_nan(estimate.lo);
	assert_nan(estimate.hi);
	assert_nan(estimate.level);
	assert_string_equal(estimate.reason, "n too small (1 value of a side)");
	assert_int_equal(estimate_shift(x, 2, x, 7, 0.05, &estimate), 0); /* 2 of 36 */
	assert_string_equal(estimate.reason, "n too small (2 values of a side)");
	assert_int_equal(estimate_shift(x, 2, x, 8, 0.05, &estimate), 0); /* 2 of 45 */
	assert_null(estimate.reason);
	assert_int_equal(estimate_shift(x, 3, x, 4, 0.05, &estimate), 0); /* 2 of 35 */
	assert_string_equal(estimate.reason, "n too small (3 values of a side)");
	assert_int_equal(estimate_shift(x, 4, x, 4, 0.05, &estimate), 0); /* 2 of 70 */
	assert_null(estimate.reason);
	assert_true(estimate.lo == -3 && estimate.hi == 3);
	assert_int_equal(estimate_shift(x, 4, x, 4, 0.025, &estimate), 0);
	assert_string_equal(estimate.reason, "n too small for this level");
}

static void shift_refuses_what_is_no_finite_number(void **state)
{
	static const double bad[] = { NAN, INFINITY, -INFINITY };
	double x[] = { 1, 2, 3, 4, 5 }, y[] = { 1, 2, 3, 4, 5 };
	struct estimate estimate;
	double u, p;

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		y[3] = bad[i];
		assert_int_equal(estimate_shift(x, 5, y, 5, 0.05, &estimate), -EINVAL);
		assert_nan(estimate.value);
		assert_non_null(estimate.reason);
		assert_int_equal(estimate_shift(y, 5, x, 5, 0.05, &estimate), -EINVAL);
		assert_int_equal(estimate_shift_p(x, 5, y, 5, &u, &p), -EINVAL);
		assert_nan(p);
	}
}

static void shift_refuses_a_difference_beyond_the_range_of_doubles(void **state)
{
	double x[] = { -DBL_MAX, 0, 0, 0 }, y[] = { DBL_MAX, 0, 0, 0 };
	struct estimate estimate;
	double u, p;

	(void)state;
	assert_int_equal(estimate_shift(x, 4, y, 4, 0.05, &estimate), -ERANGE);
	assert_nan(estimate.value);
	assert_int_equal(estimate_shift(y, 4, x, 4, 0.05, &estimate), -ERANGE);
	assert_int_equal(estimate_shift_p(x, 4, y, 4, &u, &p), -ERANGE);
}

static void shift_refuses_an_alpha_outside_0_to_1(void **state)
{
	static const double bad[] = { 0, 1, -0.05, NAN };
	double x[] = { 1, 2, 3, 4 };
	struct estimate estimate;

	(void)state;
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(estimate_shift(x, 4, x, 4, bad[i], &estimate), -EINVAL);
}

static void shift_p_never_disagrees_with_the_interval(void **state)
{
	static const double alphas[] = { 0.01, 0.0285714285714, 0.05, 0.1, 0.25 };
	struct rng rng = { 5 };

	(void)state;
	for (int round = 0; round < 2000; round++) {
		size_t n_a = 1 + rng_next(&rng) % 9, n_b = 1 + rng_next(&rng) % 9;
		double shift = (double)(rng_next(&rng) % 4) / 2;
		double a[9], b[9], u, p;

		for (size_t i = 0; i < n_a; i++)
			a[i] = random_normal(&rng);
		for (size_t j = 0; j < n_b; j++)
			b[j] = random_normal(&rng) + shift;
		if (round % 2) {
			for (size_t i = 0; i < n_a; i++)
				a[i] = rint(a[i]);
			for (size_t j = 0; j < n_b; j++)
				b[j] = rint(b[j]);
		}
		assert_int_equal(estimate_shift_p(a, n_a, b, n_b, &u, &p), 0);
		assert_true(p > 0 && p <= 1);
		for (size_t i = 0; i < sizeof(alphas) / sizeof(*alphas); i++) {
			struct estimate estimate;
			bool outside;

			assert_int_equal(estimate_shift(a, n_a, b, n_b, alphas[i], &estimate), 0);
			outside = estimate.lo > 0 || estimate.hi < 0; /* false for NAN */
			assert_int_equal(outside, p <= alphas[i]);
		}
	}
}

static void shift_p_of_equal_values_is_1(void **state)
{
	double x[] = { 2, 2, 2, 2 }, u, p;

	(void)state;
	assert_int_equal(estimate_shift_p(x, 4, x, 3, &u, &p), 0);
	assert_true(p == 1);
	assert_true(u == 6); /* half of 12 */
}

static void shift_interval_covers_as_often_as_it_says(void **state)
{
	enum { ROUNDS = 20000 };
	struct rng rng = { 6 };
	double level = 0;
	int covered = 0;

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		struct estimate estimate;
		double a[6], b[8];

		for (size_t i = 0; i < 6; i++)
			a[i] = random_t3(&rng);
		for (size_t j = 0; j < 8; j++)
			b[j] = random_t3(&rng) + 1;
		assert_int_equal(estimate_shift(a, 6, b, 8, 0.05, &estimate), 0);
		covered += estimate.lo <= 1 && 1 <= estimate.hi;
		level = estimate.level;
	}
	/* Exact for any law; standard error .0015. */
	assert_true(fabs((double)covered / ROUNDS - level) < 0.006);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(differences_select_agrees_with_sorting_all),
		cmocka_unit_test(differences_select_never_returns_a_negative_zero),
		cmocka_unit_test(differences_select_refuses_a_rank_outside),
		cmocka_unit_test(differences_of_10000_values_need_no_table),
		cmocka_unit_test(shift_of_known_answer_2_taken_as_unpaired),
		cmocka_unit_test(shift_p_of_known_answer_2_taken_as_unpaired),
		cmocka_unit_test(shift_of_known_answer_7_is_its_ratio),
		cmocka_unit_test(shift_turns_its_sign_with_the_samples),
		cmocka_unit_test(shift_does_not_change_its_input),
		cmocka_unit_test(shift_of_few_values_has_no_interval_and_says_why),
		cmocka_unit_test(shift_refuses_what_is_no_finite_number),
		cmocka_unit_test(shift_refuses_a_difference_beyond_the_range_of_doubles),
		cmocka_unit_test(shift_refuses_an_alpha_outside_0_to_1),
		cmocka_unit_test(shift_p_never_disagrees_with_the_interval),
		cmocka_unit_test(shift_p_of_equal_values_is_1),
		cmocka_unit_test(shift_interval_covers_as_often_as_it_says),
	};
	int failed;

	vectors_open(argc > 1 ? argv[1] : NULL);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	vectors_close();
	return failed;
}
