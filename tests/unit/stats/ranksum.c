// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ranksum.c - the null distribution against R's, against going through all orders, and at the seam.
 */
#include "stats/ranksum.h"

#include "vectors.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static double cdf(size_t n_a, size_t n_b, size_t u)
{
	double p;

	assert_int_equal(ranksum_cdf(n_a, n_b, u, &p), 0);
	return p;
}

static void ranksum_cdf_agrees_with_r(void **state)
{
	(void)state;
	assert_true(fabs(cdf(12, 12, 37) - vector_number("quantiles.pwilcox_37_12_12")) < 5e-11);
}

static void ranksum_cdf_agrees_with_going_through_all_orders(void **state)
{
	(void)state;
	for (size_t n_a = 0; n_a <= 5; n_a++) {
		for (size_t n_b = 0; n_b <= 6; n_b++) {
			size_t count[31] = { 0 }, orders = 0, sum = 0;

			/* Bit i of an order: the i-th smallest value is of the first sample. */
			for (size_t order = 0; order < (size_t)1 << (n_a + n_b); order++) {
				size_t u = 0, seen_b = 0;

				if ((size_t)__builtin_popcountll(order) != n_a)
					continue;
				for (size_t i = 0; i < n_a + n_b; i++) {
					if (order >> i & 1)
						u += seen_b;
					else
						seen_b++;
				}
				count[u]++;
				orders++;
			}
			for (size_t u = 0; u <= n_a * n_b; u++) {
				sum += count[u];
				assert_true(fabs(cdf(n_a, n_b, u) - (double)sum / (double)orders) <
					    1e-15);
			}
		}
	}
}

static void ranksum_cdf_does_not_care_which_sample_is_first(void **state)
{
	(void)state;
	for (size_t u = 0; u <= 60; u++)
		assert_true(cdf(4, 15, u) == cdf(15, 4, u));
	assert_true(cdf(150, 151, 11000) == cdf(151, 150, 11000));
	assert_true(cdf(2, 400, 100) == cdf(400, 2, 100));
}

static void ranksum_cdf_is_1_at_and_above_all_pairs(void **state)
{
	(void)state;
	assert_true(cdf(4, 5, 20) == 1);
	assert_true(cdf(4, 5, 1000) == 1);
	assert_true(cdf(300, 300, 90000) == 1);
}

/* One value among n lies at each of the n + 1 places equally often. */
static void ranksum_cdf_of_one_value_is_uniform(void **state)
{
	(void)state;
	for (size_t u = 0; u <= 5000; u += 500)
		assert_digits(cdf(1, 5000, u), (double)(u + 1) / 5001);
}

/* The middle of 100 + 100: by symmetry 1/2 and half of P(U = 5000). */
static void ranksum_cdf_is_exact_with_more_orders_than_doubles_hold(void **state)
{
	double below = cdf(100, 100, 4999), at = cdf(100, 100, 5000);

	(void)state;
	assert_true(fabs(below + at - 1) < 1e-14);
	/* The least tail: one order of 200 over 100 = 9.0548514656103281e58. */
	assert_digits(cdf(100, 100, 0), 1 / 9.0548514656103281e58);
	/* Numbers of partitions: 1, 1, 2, 3, 5, 7 for sums of 0 … 5. */
	assert_digits(cdf(100, 100, 5), 19 / 9.0548514656103281e58);
}

/* STATISTICS section 9: min exact two-sided p of n + n. */
static void ranksum_least_p_is_that_of_one_order(void **state)
{
	(void)state;
	assert_digits(2 * cdf(3, 3, 0), 0.1);
	assert_digits(2 * cdf(4, 4, 0), 2.0 / 70);  /* .0285714 */
	assert_digits(2 * cdf(5, 5, 0), 2.0 / 252); /* .0079365 */
}

static void ranksum_critical_of_12_and_12_is_38(void **state)
{
	double below;
	size_t k;

	(void)state;
	assert_int_equal(ranksum_critical(12, 12, 0.025, &k, &below), 0);
	assert_int_equal(k, (size_t)vector_number("unpaired.mw.k"));
	assert_digits(1 - 2 * below, vector_number("unpaired.mw.conf"));
}

static void ranksum_critical_is_0_where_no_order_is_rare_enough(void **state)
{
	static const size_t sizes[][2] = { { 0, 0 }, { 0, 9 }, { 1, 38 }, { 2, 7 }, { 3, 4 } };
	double below;
	size_t k;

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		assert_int_equal(ranksum_critical(sizes[i][0], sizes[i][1], 0.025, &k, &below), 0);
		assert_int_equal(k, 0);
		assert_true(below == 0);
	}
}

static void ranksum_critical_takes_a_tail_met_exactly(void **state)
{
	double below;
	size_t k;

	(void)state;
	assert_int_equal(ranksum_critical(3, 3, 0.05, &k, &below), 0); /* 1 of 20 orders */
	assert_int_equal(k, 1);
	assert_true(below == 0.05);
	assert_int_equal(ranksum_critical(1, 39, 0.025, &k, &below), 0); /* 1 of 40 */
	assert_int_equal(k, 1);
}

/* Above the seam the exact distribution still can be computed, only not cheaply for any sizes. */
static void compare_with_exact(size_t n_a, size_t n_b)
{
	size_t count = n_a * n_b / 2 + 1;
	double *exact = malloc(count * sizeof(*exact));

	assert_non_null(exact);
	assert_int_equal(ranksum_exact(n_a, n_b, exact, count), 0);
	for (size_t u = 0; u < count; u++) {
		double error = fabs(ranksum_edgeworth(n_a, n_b, u) - exact[u]);

		if (error >= 1e-6)
			fail_msg("%zu + %zu, u = %zu: off by %g", n_a, n_b, u, error);
		if (exact[u] > 5e-3)
			assert_true(error < 2e-4 * exact[u]);
	}
	free(exact);
}

static void ranksum_edgeworth_agrees_with_the_exact_one_at_the_seam(void **state)
{
	(void)state;
	compare_with_exact(100, 100);
	compare_with_exact(100, 101);
	compare_with_exact(60, 141);
	compare_with_exact(RANKSUM_FEW + 1, RANKSUM_EXACT_MAX - RANKSUM_FEW);
	compare_with_exact(RANKSUM_FEW + 1, 230);
	compare_with_exact(120, 130);
}

static void ranksum_critical_has_no_step_at_the_seam(void **state)
{
	static const double tails[] = { 0.025, 0.005, 0.0005 };

	(void)state;
	for (size_t n_b = 100; n_b <= 110; n_b++) {
		size_t count = 100 * n_b / 2 + 1;
		double *exact = malloc(count * sizeof(*exact));

		assert_non_null(exact);
		assert_int_equal(ranksum_exact(100, n_b, exact, count), 0);
		for (size_t i = 0; i < sizeof(tails) / sizeof(*tails); i++) {
			size_t k, exact_k = 0;
			double below;

			while (exact[exact_k] <= tails[i])
				exact_k++;
			assert_int_equal(ranksum_critical(100, n_b, tails[i], &k, &below), 0);
			assert_int_equal(k, exact_k);
			assert_true(fabs(below - exact[k - 1]) < 1e-7);
		}
		free(exact);
	}
}

static void ranksum_of_few_against_many_is_exact(void **state)
{
	(void)state;
	assert_true(ranksum_is_exact(100, 100));
	assert_false(ranksum_is_exact(100, 101));
	assert_true(ranksum_is_exact(3, 5000));
	assert_true(ranksum_is_exact(5000, RANKSUM_FEW));
	assert_false(ranksum_is_exact(5000, RANKSUM_FEW + 1));
	assert_false(ranksum_is_exact(3, RANKSUM_FEW_PAIRS));
	/* U <= 1 of 3 and n: 2 orders of n + 3 over 3. */
	assert_digits(cdf(3, 1000, 1), 2 / (1003.0 * 1002 * 1001 / 6));
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranksum_cdf_agrees_with_r),
		cmocka_unit_test(ranksum_cdf_agrees_with_going_through_all_orders),
		cmocka_unit_test(ranksum_cdf_does_not_care_which_sample_is_first),
		cmocka_unit_test(ranksum_cdf_is_1_at_and_above_all_pairs),
		cmocka_unit_test(ranksum_cdf_of_one_value_is_uniform),
		cmocka_unit_test(ranksum_cdf_is_exact_with_more_orders_than_doubles_hold),
		cmocka_unit_test(ranksum_least_p_is_that_of_one_order),
		cmocka_unit_test(ranksum_critical_of_12_and_12_is_38),
		cmocka_unit_test(ranksum_critical_is_0_where_no_order_is_rare_enough),
		cmocka_unit_test(ranksum_critical_takes_a_tail_met_exactly),
		cmocka_unit_test(ranksum_edgeworth_agrees_with_the_exact_one_at_the_seam),
		cmocka_unit_test(ranksum_critical_has_no_step_at_the_seam),
		cmocka_unit_test(ranksum_of_few_against_many_is_exact),
	};
	int failed;

	vectors_open(argc > 1 ? argv[1] : NULL);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	vectors_close();
	return failed;
}
