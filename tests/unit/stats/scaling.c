// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * scaling.c - the scalability law against known answer 8, and its edges.
 */
#include "stats/scaling.h"

#include "random.h"
#include "vectors.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static void scaling_fit_is_known_answer_8(void **state)
{
	struct scaling_law law;
	double copies[10], rate[10];

	(void)state;
	assert_int_equal(vector_numbers("usl.N", copies, 10), 10);
	assert_int_equal(vector_numbers("usl.X", rate, 10), 10);
	assert_int_equal(scaling_fit(copies, rate, 10, &law), 0);
	assert_digits(law.lambda, vector_number("usl.lam"));
	assert_digits(law.sigma, vector_number("usl.sigma"));
	assert_digits(law.kappa, vector_number("usl.kappa"));
	assert_digits(law.relative_rmse, vector_number("usl.rel_rmse"));
	assert_digits(law.peak_n, vector_number("usl.nstar"));
	assert_true(fabs(law.peak_rate - 13184.9072) < 5e-5); /* known answer 8, as printed */
	assert_true(law.fits);
	assert_false(law.unproven);
}

static void compare_fit(const char *name, struct scaling_law *law)
{
	double copies[10], rate[10], fit[3];
	char path[32];
	size_t n;

	snprintf(path, sizeof(path), "%s.N", name);
	n = vector_numbers(path, copies, 10);
	snprintf(path, sizeof(path), "%s.X", name);
	assert_int_equal(vector_numbers(path, rate, 10), n);
	snprintf(path, sizeof(path), "%s.fit", name);
	assert_int_equal(vector_numbers(path, fit, 3), 3);
	assert_int_equal(scaling_fit(copies, rate, n, law), 0);
	assert_digits(law->lambda, fit[0]);
	assert_digits(law->sigma, fit[1]);
	assert_digits(law->kappa, fit[2]);
}

static void scaling_fit_of_an_exact_curve_is_known_answer_8(void **state)
{
	struct scaling_law law;

	(void)state;
	compare_fit("usl_exact", &law);
	assert_true(law.relative_rmse < 1e-4); /* rates were rounded to .1 of 1000 */
}

static void scaling_fit_without_peak_is_known_answer_8(void **state)
{
	struct scaling_law law;

	(void)state;
	compare_fit("usl_amdahl", &law);
	assert_true(law.kappa == 0);
	assert_true(isinf(law.peak_n));
	assert_digits(law.peak_rate, law.lambda / law.sigma); /* the limit of a growing N */
	assert_true(law.fits);
}

static void scaling_fit_clips_a_negative_sigma_too(void **state)
{
	double copies[] = { 1, 2, 4, 8 }, rate[] = { 100, 210, 430, 880 }; /* above linear */
	struct scaling_law law;

	(void)state;
	assert_int_equal(scaling_fit(copies, rate, 4, &law), 0);
	assert_true(law.sigma == 0 && law.kappa == 0);
	/* y = N / X is one number, a, weights 1/y²: a = sum(1/y) / sum(1/y²). */
	assert_digits(law.lambda, (100.0 * 100 + 105 * 105 + 107.5 * 107.5 + 110 * 110) /
					  (100 + 105 + 107.5 + 110));
	assert_true(isinf(law.peak_n) && isinf(law.peak_rate));
}

static void scaling_fit_clips_sigma_and_keeps_kappa(void **state)
{
	double copies[] = { 1, 2, 3, 4, 5, 6 }, rate[6];
	struct scaling_law law;

	(void)state;
	for (size_t i = 0; i < 6; i++) /* sigma = -.05, kappa = .03 */
		rate[i] = 100 * copies[i] /
			  (1 - 0.05 * (copies[i] - 1) + 0.03 * copies[i] * (copies[i] - 1));
	assert_int_equal(scaling_fit(copies, rate, 6, &law), 0);
	assert_true(law.sigma == 0);
	assert_true(law.kappa > 0.01);
	assert_digits(law.peak_n, sqrt(1 / law.kappa));
}

static void scaling_fit_of_a_curve_that_only_falls_peaks_at_1(void **state)
{
	double copies[] = { 1, 2, 4, 8 }, rate[4];
	struct scaling_law law;

	(void)state;
	for (size_t i = 0; i < 4; i++) /* sigma = 1.5 */
		rate[i] = 100 * copies[i] / (1 + 1.5 * (copies[i] - 1));
	assert_int_equal(scaling_fit(copies, rate, 4, &law), 0);
	assert_digits(law.sigma, 1.5);
	assert_true(law.peak_n == 1);
	assert_digits(law.peak_rate, law.lambda);
}

static void scaling_law_does_not_fit_above_5_percent(void **state)
{
	/* A knee: linear to 8 cores, then flat, then half. */
	double copies[] = { 1, 2, 4, 8, 16, 32, 64 };
	double rate[] = { 100, 200, 400, 800, 800, 800, 400 };
	struct scaling_law law;

	(void)state;
	assert_int_equal(scaling_fit(copies, rate, 7, &law), 0);
	assert_true(law.relative_rmse > SCALING_ERROR_MAX);
	assert_false(law.fits);
	assert_int_equal(scaling_fit(copies, rate, 4, &law), 0); /* the cores alone */
	assert_true(law.fits);
}

static void scaling_law_with_no_positive_lambda_is_none(void **state)
{
	double copies[] = { 1, 2, 3, 4 }, rate[] = { 1e6, 1, 1e-3, 1e-6 };
	struct scaling_law law;

	(void)state;
	assert_int_equal(scaling_fit(copies, rate, 4, &law), 0);
	if (isnan(law.lambda)) {
		assert_nan(law.sigma);
		assert_nan(law.peak_n);
	} else {
		assert_true(law.lambda > 0);
	}
	assert_false(law.fits);
}

static void scaling_fit_of_three_numbers_of_copies_is_unproven(void **state)
{
	double copies[] = { 1, 2, 4, 4 }, rate[] = { 100, 150, 160, 170 };
	struct scaling_law law;

	(void)state;
	assert_int_equal(scaling_fit(copies, rate, 4, &law), 0);
	assert_true(law.unproven);
	assert_nan(law.relative_rmse);
	assert_true(law.fits);
}

static void scaling_fit_needs_three_numbers_of_copies(void **state)
{
	double copies[] = { 1, 2, 2, 1 }, rate[] = { 100, 150, 160, 101 };
	struct scaling_law law;

	(void)state;
	assert_int_equal(scaling_fit(copies, rate, 4, &law), -ENODATA);
	assert_nan(law.lambda);
	assert_int_equal(scaling_fit(copies, rate, 0, &law), -ENODATA);
}

static void scaling_fit_refuses_bad_points(void **state)
{
	static const double bad_copies[] = { 0, 0.5, -1, NAN, INFINITY };
	static const double bad_rate[] = { 0, -1, NAN, INFINITY };
	struct scaling_law law;

	(void)state;
	for (size_t i = 0; i < 5; i++) {
		double copies[] = { 1, 2, 4, bad_copies[i] }, rate[] = { 1, 2, 3, 4 };

		assert_int_equal(scaling_fit(copies, rate, 4, &law), -EINVAL);
	}
	for (size_t i = 0; i < 4; i++) {
		double copies[] = { 1, 2, 4, 8 }, rate[] = { 1, 2, 3, bad_rate[i] };

		assert_int_equal(scaling_fit(copies, rate, 4, &law), -EINVAL);
	}
}

enum { COUNTS = 6, BLOCKS = 12 };

static const double six[COUNTS] = { 1, 2, 4, 8, 16, 32 };

/* lambda 1000, sigma .03, kappa .0004, noise of 1 %. */
static double true_rate(double copies)
{
	return 1000 * copies / (1 + 0.03 * (copies - 1) + 0.0004 * copies * (copies - 1));
}

static void draw(struct rng *rng, double rate[BLOCKS][COUNTS])
{
	for (size_t j = 0; j < BLOCKS; j++) {
		for (size_t i = 0; i < COUNTS; i++)
			rate[j][i] = true_rate(six[i]) * exp(0.01 * random_normal(rng));
	}
}

static void scaling_curve_covers_as_often_as_it_says(void **state)
{
	enum { ROUNDS = 1000 };
	int covered[COUNTS] = { 0 };
	struct rng rng = { 11 };

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		struct estimate curve[COUNTS];
		double rate[BLOCKS][COUNTS];
		struct scaling_law law;

		draw(&rng, rate);
		assert_int_equal(
			scaling_of_blocks(six, &rate[0][0], COUNTS, BLOCKS, 0.05, &law, curve), 0);
		for (size_t i = 0; i < COUNTS; i++)
			covered[i] += curve[i].lo <= true_rate(six[i]) &&
				      true_rate(six[i]) <= curve[i].hi;
	}
	/* 95 %, standard error .7 %; the jackknife of a median of averages leans to wide. */
	for (size_t i = 0; i < COUNTS; i++)
		assert_true(covered[i] > 0.925 * ROUNDS && covered[i] < 0.985 * ROUNDS);
}

static void scaling_curve_lies_on_the_law(void **state)
{
	struct estimate curve[COUNTS];
	double rate[BLOCKS][COUNTS];
	struct scaling_law law;
	struct rng rng = { 12 };

	(void)state;
	draw(&rng, rate);
	assert_int_equal(scaling_of_blocks(six, &rate[0][0], COUNTS, BLOCKS, 0.05, &law, curve), 0);
	for (size_t i = 0; i < COUNTS; i++) {
		assert_true(curve[i].value == scaling_rate(&law, six[i]));
		assert_true(curve[i].lo < curve[i].value && curve[i].value < curve[i].hi);
		assert_digits(curve[i].level, 0.95);
		assert_null(curve[i].reason);
	}
}

static void scaling_curve_takes_blocks_with_holes(void **state)
{
	struct estimate curve[COUNTS];
	double rate[BLOCKS][COUNTS];
	struct scaling_law law;
	struct rng rng = { 12 };

	(void)state;
	draw(&rng, rate);
	rate[3][2] = rate[4][5] = NAN;
	assert_int_equal(scaling_of_blocks(six, &rate[0][0], COUNTS, BLOCKS, 0.05, &law, curve), 0);
	assert_null(curve[2].reason);
	for (size_t j = 0; j < BLOCKS; j++)
		rate[j][2] = NAN;
	assert_int_equal(scaling_of_blocks(six, &rate[0][0], COUNTS, BLOCKS, 0.05, &law, curve),
			 -EINVAL);
	rate[0][2] = true_rate(4); /* in one block only, which then cannot be left out */
	assert_int_equal(scaling_of_blocks(six, &rate[0][0], COUNTS, BLOCKS, 0.05, &law, curve), 0);
	assert_true(law.fits);
	assert_nan(curve[0].lo);
	assert_string_equal(curve[0].reason, "no law without one of the blocks");
}

static void scaling_curve_of_few_blocks_has_no_interval(void **state)
{
	struct estimate curve[COUNTS];
	double rate[BLOCKS][COUNTS];
	struct scaling_law law;
	struct rng rng = { 12 };

	(void)state;
	draw(&rng, rate);
	assert_int_equal(scaling_of_blocks(six, &rate[0][0], COUNTS, 2, 0.05, &law, curve), 0);
	assert_true(law.lambda > 0 && curve[0].value > 0);
	assert_nan(curve[0].lo);
	assert_string_equal(curve[0].reason, "too few blocks for a jackknife");
	assert_int_equal(scaling_of_blocks(six, &rate[0][0], COUNTS, 0, 0.05, &law, curve),
			 -EINVAL);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scaling_fit_is_known_answer_8),
		cmocka_unit_test(scaling_fit_of_an_exact_curve_is_known_answer_8),
		cmocka_unit_test(scaling_fit_without_peak_is_known_answer_8),
		cmocka_unit_test(scaling_fit_clips_a_negative_sigma_too),
		cmocka_unit_test(scaling_fit_clips_sigma_and_keeps_kappa),
		cmocka_unit_test(scaling_fit_of_a_curve_that_only_falls_peaks_at_1),
		cmocka_unit_test(scaling_law_does_not_fit_above_5_percent),
		cmocka_unit_test(scaling_law_with_no_positive_lambda_is_none),
		cmocka_unit_test(scaling_fit_of_three_numbers_of_copies_is_unproven),
		cmocka_unit_test(scaling_fit_needs_three_numbers_of_copies),
		cmocka_unit_test(scaling_fit_refuses_bad_points),
		cmocka_unit_test(scaling_curve_covers_as_often_as_it_says),
		cmocka_unit_test(scaling_curve_lies_on_the_law),
		cmocka_unit_test(scaling_curve_takes_blocks_with_holes),
		cmocka_unit_test(scaling_curve_of_few_blocks_has_no_interval),
	};
	int failed;

	vectors_open(argc > 1 ? argv[1] : NULL);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	vectors_close();
	return failed;
}
