// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * hierarchy.c - nested repetitions against known answer 5.
 */
#include "stats/hierarchy.h"

#include "random.h"
#include "stats/moments.h"
#include "stats/quantile.h"
#include "vectors.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static const size_t known_count[] = { 3, 4, 3 };

static void known(double y[36], struct hierarchy *hierarchy)
{
	for (size_t boot = 0; boot < 3; boot++) {
		for (size_t run = 0; run < 4; run++) {
			char path[64];

			snprintf(path, sizeof(path), "kalibera_jones.y.%zu.%zu", boot, run);
			assert_int_equal(vector_numbers(path, y + 12 * boot + 3 * run, 3), 3);
		}
	}
	assert_int_equal(hierarchy_analyse(y, known_count, 3, 0.05, hierarchy), 0);
}

static void hierarchy_is_known_answer_5(void **state)
{
	struct hierarchy hierarchy;
	double y[36], s2[3], t2[3];

	(void)state;
	known(y, &hierarchy);
	assert_int_equal(vector_numbers("kalibera_jones.S2", s2, 3), 3);
	assert_int_equal(vector_numbers("kalibera_jones.T2", t2, 3), 3);
	for (size_t i = 0; i < 3; i++) {
		assert_digits(hierarchy.s2[i], s2[i]);
		assert_digits(hierarchy.t2[i], t2[i]);
		assert_int_equal(hierarchy.count[i], known_count[i]);
	}
	assert_digits(hierarchy.mean, vector_number("kalibera_jones.mean"));
	assert_digits(hierarchy.half_width, vector_number("kalibera_jones.half95"));
	assert_int_equal(hierarchy.levels, 3);
}

static void hierarchy_optimum_is_known_answer_5(void **state)
{
	struct hierarchy hierarchy;
	double y[36], cost[3], optimal[2];
	size_t repeat[2];

	(void)state;
	known(y, &hierarchy);
	assert_int_equal(vector_numbers("kalibera_jones.costs", cost, 3), 3);
	assert_int_equal(hierarchy_optimum(&hierarchy, cost, optimal, repeat), 0);
	assert_digits(optimal[0], vector_number("kalibera_jones.r1"));
	assert_digits(optimal[1], vector_number("kalibera_jones.r2"));
	assert_int_equal(repeat[0], 3);
	assert_int_equal(repeat[1], 1);
}

static void hierarchy_of_one_level_is_the_t_interval(void **state)
{
	double x[10];
	size_t count = 10;
	struct hierarchy hierarchy;
	struct moments moments;

	(void)state;
	assert_int_equal(vector_numbers("per_test.x", x, 10), 10);
	moments = moments_of(x, 10);
	assert_int_equal(hierarchy_analyse(x, &count, 1, 0.05, &hierarchy), 0);
	assert_digits(hierarchy.mean, moments.mean);
	assert_digits(hierarchy.s2[0], moments.variance);
	assert_digits(hierarchy.t2[0], moments.variance);
	assert_digits(hierarchy.half_width,
		      student_quantile(0.975, 9) * sqrt(moments.variance / 10));
	assert_int_equal(hierarchy_optimum(&hierarchy, (double[]){ 1 }, NULL, NULL), 0);
}

/* Runs 1 … 4 of 2 equal values: all variance is that of the runs. */
static void hierarchy_level_without_variance_is_taken_once(void **state)
{
	double x[] = { 1, 1, 2, 2, 3, 3, 4, 4 }, optimal[2], cost[] = { 1, 10 };
	size_t count[] = { 2, 4 }, repeat[2];
	struct hierarchy hierarchy;

	(void)state;
	assert_int_equal(hierarchy_analyse(x, count, 2, 0.05, &hierarchy), 0);
	assert_true(hierarchy.t2[0] == 0);
	assert_digits(hierarchy.t2[1], 5.0 / 3);
	assert_int_equal(hierarchy_optimum(&hierarchy, cost, optimal, repeat), 0);
	assert_true(optimal[0] == 0);
	assert_int_equal(repeat[0], 1);
}

/* Slices 0 and 1 in every run, boots 0 … 2: runs differ by nothing, so their cost is the boots'. */
static void hierarchy_cost_of_a_level_without_variance_goes_up(void **state)
{
	double x[3 * 2 * 2], optimal[2], cost[] = { 2, 10, 60 };
	size_t count[] = { 2, 2, 3 }, repeat[2];
	struct hierarchy hierarchy;

	(void)state;
	for (size_t i = 0; i < 12; i++)
		x[i] = (double)(i / 4) + (double)(i % 2);
	assert_int_equal(hierarchy_analyse(x, count, 3, 0.05, &hierarchy), 0);
	assert_digits(hierarchy.s2[0], 0.5);
	assert_digits(hierarchy.t2[1], -0.25); /* 0 - .5 / 2 */
	assert_digits(hierarchy.t2[2], 1);
	assert_int_equal(hierarchy_optimum(&hierarchy, cost, optimal, repeat), 0);
	assert_digits(optimal[0], sqrt(70.0 / 2 * 0.5 / 1));
	assert_int_equal(repeat[0], 5); /* 4.18 */
	assert_int_equal(repeat[1], 1);
}

static void hierarchy_without_variance_above_keeps_what_was_measured(void **state)
{
	double x[] = { 0, 1, 0, 1, 0, 1 }, optimal[1], cost[] = { 1, 1 };
	size_t count[] = { 2, 3 }, repeat[1];
	struct hierarchy hierarchy;

	(void)state;
	assert_int_equal(hierarchy_analyse(x, count, 2, 0.05, &hierarchy), 0);
	assert_int_equal(hierarchy_optimum(&hierarchy, cost, optimal, repeat), 0);
	assert_true(isinf(optimal[0]));
	assert_int_equal(repeat[0], 2);
}

/* Known answer 5: variance of a boot's mean is .1243750. */
static void hierarchy_units_needed_are_the_fewest_that_are_enough(void **state)
{
	static const double wanted[] = { 0.8760768710, 0.87, 0.3, 0.1, 0.01 };
	struct hierarchy hierarchy;
	double y[36];

	(void)state;
	known(y, &hierarchy);
	for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); i++) {
		size_t units;
		double n;

		assert_int_equal(hierarchy_units_needed(&hierarchy, NULL, wanted[i], 0.05, &units),
				 0);
		n = (double)units;
		assert_true(student_quantile(0.975, n - 1) * sqrt(0.124375 / n) <= wanted[i]);
		n--;
		assert_true(student_quantile(0.975, n - 1) * sqrt(0.124375 / n) > wanted[i]);
		if (i == 1)
			assert_int_equal(units, 4);
	}
}

/* Without runs and slices to average over, a boot varies by all three variances. */
static void hierarchy_units_needed_grow_with_fewer_repetitions_inside(void **state)
{
	const size_t once[] = { 1, 1 }, many[] = { 1000000, 1000000 };
	struct hierarchy hierarchy;
	size_t units, few, most;
	double y[36];

	(void)state;
	known(y, &hierarchy);
	assert_int_equal(hierarchy_units_needed(&hierarchy, NULL, 0.1, 0.05, &units), 0);
	assert_int_equal(hierarchy_units_needed(&hierarchy, once, 0.1, 0.05, &most), 0);
	assert_int_equal(hierarchy_units_needed(&hierarchy, many, 0.1, 0.05, &few), 0);
	assert_true(few < units && units < most);
	assert_true(fabs((double)most / (double)few -
			 (0.01 + 0.00833333 + 0.12145833) / 0.12145833) < 0.05);
}

static void hierarchy_units_needed_without_end_are_an_error(void **state)
{
	struct hierarchy hierarchy;
	double y[36];
	size_t units;

	(void)state;
	known(y, &hierarchy);
	assert_int_equal(hierarchy_units_needed(&hierarchy, NULL, 1e-9, 0.05, &units), -ERANGE);
	assert_int_equal(units, 0);
}

static void hierarchy_without_any_variance_needs_two_units(void **state)
{
	double x[] = { 5, 5, 5, 5 };
	size_t count[] = { 2, 2 }, units;
	struct hierarchy hierarchy;

	(void)state;
	assert_int_equal(hierarchy_analyse(x, count, 2, 0.05, &hierarchy), 0);
	assert_true(hierarchy.half_width == 0);
	assert_int_equal(hierarchy_units_needed(&hierarchy, NULL, 0.1, 0.05, &units), 0);
	assert_int_equal(units, 2);
}

/* Boots vary by 3, runs by 2, slices by 1. */
static void hierarchy_finds_the_variances_that_were_drawn(void **state)
{
	enum { SLICES = 4, RUNS = 5, BOOTS = 2000 };
	const size_t count[] = { SLICES, RUNS, BOOTS };
	double *x = malloc(sizeof(*x) * SLICES * RUNS * BOOTS);
	struct hierarchy hierarchy;
	struct rng rng = { 15 };
	size_t n = 0;

	(void)state;
	assert_non_null(x);
	for (size_t boot = 0; boot < BOOTS; boot++) {
		double of_boot = 3 * random_normal(&rng);

		for (size_t run = 0; run < RUNS; run++) {
			double of_run = of_boot + 2 * random_normal(&rng);

			for (size_t slice = 0; slice < SLICES; slice++)
				x[n++] = of_run + random_normal(&rng);
		}
	}
	assert_int_equal(hierarchy_analyse(x, count, 3, 0.05, &hierarchy), 0);
	assert_true(fabs(hierarchy.t2[0] - 1) < 0.05);
	assert_true(fabs(hierarchy.t2[1] - 4) < 0.3);
	assert_true(fabs(hierarchy.t2[2] - 9) < 1);
	free(x);
}

static void hierarchy_refuses_what_it_cannot_take(void **state)
{
	double x[8] = { 1, 2, 3, 4, 5, 6, 7, 8 }, optimal[1];
	size_t count[] = { 2, 2, 2, 2 }, one[] = { 1, 4 }, units, repeat[1];
	struct hierarchy hierarchy;

	(void)state;
	assert_int_equal(hierarchy_analyse(x, count, 0, 0.05, &hierarchy), -EINVAL);
	assert_int_equal(hierarchy_analyse(x, count, 4, 0.05, &hierarchy), -EINVAL);
	assert_int_equal(hierarchy_analyse(x, one, 2, 0.05, &hierarchy), -EINVAL);
	assert_int_equal(hierarchy_analyse(x, count, 3, 1, &hierarchy), -EINVAL);
	assert_nan(hierarchy.mean);
	x[7] = NAN;
	assert_int_equal(hierarchy_analyse(x, count, 3, 0.05, &hierarchy), -EINVAL);
	assert_int_equal(hierarchy_analyse(x, count, 2, 0.05, &hierarchy), 0);
	assert_int_equal(hierarchy_units_needed(&hierarchy, NULL, 0, 0.05, &units), -EINVAL);
	assert_int_equal(hierarchy_units_needed(&hierarchy, NULL, NAN, 0.05, &units), -EINVAL);
	assert_int_equal(hierarchy_optimum(&hierarchy, (double[]){ 1, 0 }, optimal, repeat),
			 -EINVAL);
	repeat[0] = 0;
	assert_int_equal(hierarchy_units_needed(&hierarchy, repeat, 1, 0.05, &units), -EINVAL);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hierarchy_is_known_answer_5),
		cmocka_unit_test(hierarchy_optimum_is_known_answer_5),
		cmocka_unit_test(hierarchy_of_one_level_is_the_t_interval),
		cmocka_unit_test(hierarchy_level_without_variance_is_taken_once),
		cmocka_unit_test(hierarchy_cost_of_a_level_without_variance_goes_up),
		cmocka_unit_test(hierarchy_without_variance_above_keeps_what_was_measured),
		cmocka_unit_test(hierarchy_units_needed_are_the_fewest_that_are_enough),
		cmocka_unit_test(hierarchy_units_needed_grow_with_fewer_repetitions_inside),
		cmocka_unit_test(hierarchy_units_needed_without_end_are_an_error),
		cmocka_unit_test(hierarchy_without_any_variance_needs_two_units),
		cmocka_unit_test(hierarchy_finds_the_variances_that_were_drawn),
		cmocka_unit_test(hierarchy_refuses_what_it_cannot_take),
	};
	int failed;

	vectors_open(argc > 1 ? argv[1] : NULL);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	vectors_close();
	return failed;
}
