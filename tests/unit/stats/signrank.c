// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * signrank.c - the null distribution against R's, against counting all signs, and at the seam.
 */
#include "stats/signrank.h"

#include "stats/walsh.h"
#include "vectors.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static void signrank_cdf_agrees_with_r(void **state)
{
	double p;

	(void)state;
	assert_int_equal(signrank_cdf(12, 13, &p), 0);
	assert_true(fabs(p - vector_number("quantiles.psignrank_13_12")) < 5e-11);
}

static void signrank_cdf_agrees_with_counting_all_signs(void **state)
{
	(void)state;
	for (size_t n = 0; n <= 10; n++) {
		size_t count[56] = { 0 }, sum = 0;

		for (size_t signs = 0; signs < (size_t)1 << n; signs++) {
			size_t v = 0;

			for (size_t rank = 1; rank <= n; rank++)
				v += signs >> (rank - 1) & 1 ? rank : 0;
			count[v]++;
		}
		for (size_t v = 0; v <= walsh_count(n); v++) {
			double p;

			sum += count[v];
			assert_int_equal(signrank_cdf(n, v, &p), 0);
			assert_true(p == ldexp((double)sum, -(int)n));
		}
		assert_int_equal(sum, (size_t)1 << n);
	}
}

static void signrank_cdf_is_1_at_and_above_the_greatest_sum(void **state)
{
	double p;

	(void)state;
	assert_int_equal(signrank_cdf(7, 28, &p), 0);
	assert_true(p == 1);
	assert_int_equal(signrank_cdf(300, 1000000, &p), 0);
	assert_true(p == 1);
}

static void signrank_critical_gives_the_published_k_and_level(void **state)
{
	(void)state;
	for (size_t i = 0; i < vector_count("signrank_k_alpha05"); i++) {
		char path[64];
		double row[4], below;
		size_t k;

		snprintf(path, sizeof(path), "signrank_k_alpha05.%zu", i);
		assert_int_equal(vector_numbers(path, row, 4), 4);
		assert_int_equal(signrank_critical((size_t)row[0], 0.025, &k, &below), 0);
		assert_int_equal(k, (size_t)row[1]);
		assert_digits(1 - 2 * below, row[2]);
	}
}

static void signrank_critical_is_the_quantile_of_r(void **state)
{
	double below;
	size_t k;

	(void)state;
	assert_int_equal(signrank_critical(12, 0.025, &k, &below), 0);
	assert_int_equal(k, (size_t)vector_number("quantiles.qsignrank_025_12"));
}

static void signrank_critical_is_0_where_no_sum_is_rare_enough(void **state)
{
	double below;
	size_t k;

	(void)state;
	for (size_t n = 0; n < 6; n++) {
		assert_int_equal(signrank_critical(n, 0.025, &k, &below), 0);
		assert_int_equal(k, 0);
		assert_true(below == 0);
	}
}

static void signrank_critical_takes_a_tail_met_exactly(void **state)
{
	double below;
	size_t k;

	(void)state;
	assert_int_equal(signrank_critical(6, 1.0 / 64, &k, &below), 0);
	assert_int_equal(k, 1);
	assert_true(below == 1.0 / 64);
}

/* Above the seam the exact distribution still can be computed, only not cheaply for every n. */
static void compare_with_exact(size_t n)
{
	size_t count = walsh_count(n) / 2 + 1;
	double *cdf = malloc(count * sizeof(*cdf));

	assert_non_null(cdf);
	signrank_exact(n, cdf, count);
	for (size_t v = 0; v < count; v++) {
		double error = fabs(signrank_edgeworth(n, v) - cdf[v]);

		assert_true(error < 1e-7);
		if (cdf[v] > 1e-4)
			assert_true(error < 1e-4 * cdf[v]);
	}
	free(cdf);
}

static void signrank_edgeworth_agrees_with_the_exact_one_at_the_seam(void **state)
{
	(void)state;
	compare_with_exact(SIGNRANK_EXACT_MAX);
	compare_with_exact(SIGNRANK_EXACT_MAX + 1);
	compare_with_exact(250);
}

static void signrank_critical_has_no_step_at_the_seam(void **state)
{
	static const double tails[] = { 0.025, 0.005, 0.0005 };

	(void)state;
	for (size_t n = SIGNRANK_EXACT_MAX; n <= SIGNRANK_EXACT_MAX + 10; n++) {
		size_t count = walsh_count(n) / 2 + 1;
		double *cdf = malloc(count * sizeof(*cdf));

		assert_non_null(cdf);
		signrank_exact(n, cdf, count);
		for (size_t i = 0; i < sizeof(tails) / sizeof(*tails); i++) {
			size_t k, exact_k = 0;
			double below;

			while (cdf[exact_k] <= tails[i])
				exact_k++;
			assert_int_equal(signrank_critical(n, tails[i], &k, &below), 0);
			assert_int_equal(k, exact_k);
			assert_true(fabs(below - cdf[k - 1]) < 1e-7);
		}
		free(cdf);
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(signrank_cdf_agrees_with_r),
		cmocka_unit_test(signrank_cdf_agrees_with_counting_all_signs),
		cmocka_unit_test(signrank_cdf_is_1_at_and_above_the_greatest_sum),
		cmocka_unit_test(signrank_critical_gives_the_published_k_and_level),
		cmocka_unit_test(signrank_critical_is_the_quantile_of_r),
		cmocka_unit_test(signrank_critical_is_0_where_no_sum_is_rare_enough),
		cmocka_unit_test(signrank_critical_takes_a_tail_met_exactly),
		cmocka_unit_test(signrank_edgeworth_agrees_with_the_exact_one_at_the_seam),
		cmocka_unit_test(signrank_critical_has_no_step_at_the_seam),
	};
	int failed;

	vectors_open(argc > 1 ? argv[1] : NULL);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	vectors_close();
	return failed;
}
