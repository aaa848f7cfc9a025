// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * walsh.c - selection among Walsh averages against making and sorting all of them.
 */
#include "stats/walsh.h"

#include "random.h"
#include "stats/order.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include <cmocka.h>

#define BRUTE_MAX 12

/* Every order statistic and every count against all averages, sorted. */
static void compare_with_all(double *x, size_t n)
{
	double all[BRUTE_MAX * (BRUTE_MAX + 1) / 2];
	size_t count = 0;

	order_sort(x, n);
	for (size_t i = 0; i < n; i++) {
		for (size_t j = i; j < n; j++)
			all[count++] = order_middle(x[i], x[j]);
	}
	order_sort(all, count);
	assert_int_equal(walsh_count(n), count);
	for (size_t k = 1; k <= count; k++) {
		size_t at_most = k;

		assert_true(walsh_select(x, n, k) == all[k - 1]);
		while (at_most < count && all[at_most] == all[k - 1])
			at_most++;
		assert_int_equal(walsh_at_most(x, n, all[k - 1]), at_most);
	}
	assert_true(walsh_median(x, n) == order_median(all, count));
}

static void walsh_select_agrees_with_sorting_all_averages(void **state)
{
	struct rng rng = { 1 };

	(void)state;
	for (int round = 0; round < 200; round++) {
		for (size_t n = 1; n <= BRUTE_MAX; n++) {
			double x[BRUTE_MAX];

			for (size_t i = 0; i < n; i++)
				x[i] = random_normal(&rng) * exp(3 * random_normal(&rng));
			compare_with_all(x, n);
		}
	}
}

static void walsh_select_agrees_with_sorting_when_values_tie(void **state)
{
	struct rng rng = { 2 };

	(void)state;
	for (int round = 0; round < 200; round++) {
		for (size_t n = 1; n <= BRUTE_MAX; n++) {
			double x[BRUTE_MAX];

			for (size_t i = 0; i < n; i++)
				x[i] = (double)(int)(rng_next(&rng) % 5) -
				       2; /* -2 … 2, zeros too */
			compare_with_all(x, n);
		}
	}
}

static void walsh_select_spans_the_whole_range_of_doubles(void **state)
{
	double x[] = { -DBL_MAX, -1,	 -DBL_MIN, -5e-324, -0.0,   0.0,
		       5e-324,	 1e-310, 3,	   DBL_MAX, DBL_MAX };

	(void)state;
	compare_with_all(x, sizeof(x) / sizeof(*x));
}

static void walsh_averages_of_the_smallest_numbers_are_exact(void **state)
{
	double x[] = { 1 * 5e-324, 5 * 5e-324 }; /* halves of odd multiples would be rounded */

	(void)state;
	assert_true(walsh_select(x, 2, 2) == 3 * 5e-324);
}

static void walsh_select_never_returns_a_negative_zero(void **state)
{
	double x[] = { -0.0, -0.0, 0.0 };

	(void)state;
	for (size_t k = 1; k <= 6; k++)
		assert_false(signbit(walsh_select(x, 3, k)));
}

static void walsh_select_refuses_a_rank_outside(void **state)
{
	double x[] = { 1, 2, 3 };

	(void)state;
	assert_true(isnan(walsh_select(x, 3, 0)));
	assert_true(isnan(walsh_select(x, 3, 7)));
	assert_true(isnan(walsh_select(x, 0, 1)));
	assert_true(isnan(walsh_median(x, 0)));
}

static void walsh_median_of_10000_values_needs_no_table_of_averages(void **state)
{
	enum { N = 10000 };
	double *x = malloc(N * sizeof(*x));
	struct rusage before, after;

	(void)state;
	assert_non_null(x);
	/* x = i²: averages (i² + j²)/2; by the quarter disc, about half lie below N² / π. */
	for (size_t i = 0; i < N; i++)
		x[i] = (double)i * (double)i;
	assert_int_equal(getrusage(RUSAGE_SELF, &before), 0);
	assert_true(fabs(walsh_median(x, N) / (N * (double)N / M_PI) - 1) < 1e-3);
	assert_int_equal(getrusage(RUSAGE_SELF, &after), 0);
	assert_true(after.ru_maxrss - before.ru_maxrss < 10240); /* KiB; all averages: 400 MB */
	free(x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(walsh_select_agrees_with_sorting_all_averages),
		cmocka_unit_test(walsh_select_agrees_with_sorting_when_values_tie),
		cmocka_unit_test(walsh_select_spans_the_whole_range_of_doubles),
		cmocka_unit_test(walsh_averages_of_the_smallest_numbers_are_exact),
		cmocka_unit_test(walsh_select_never_returns_a_negative_zero),
		cmocka_unit_test(walsh_select_refuses_a_rank_outside),
		cmocka_unit_test(walsh_median_of_10000_values_needs_no_table_of_averages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
