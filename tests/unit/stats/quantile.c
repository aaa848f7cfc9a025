// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * quantile.c - normal and t distribution against closed forms and known answers.
 */
#include "stats/quantile.h"

#include "vectors.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static void student_quantile_agrees_with_r(void **state)
{
	(void)state;
	assert_true(fabs(student_quantile(0.975, 9) - vector_number("quantiles.qt_975_9")) < 5e-11);
	/* STATISTICS known answer 4: t for df 11 */
	assert_true(fabs(student_quantile(0.975, 11) - 2.2009851601) < 5e-11);
}

/* df 1: 1/2 + atan(t)/π; df 2: 1/2 + t / (2 √(2 + t²)); df 4: a polynomial in t / √(4 + t²). */
static void student_cdf_agrees_with_closed_forms(void **state)
{
	(void)state;
	for (double t = -30; t <= 30; t += 0.37) {
		double s = t / sqrt(4 + t * t);

		assert_digits(student_cdf(t, 1), 0.5 + atan(t) / M_PI);
		assert_digits(student_cdf(t, 2), 0.5 + t / (2 * sqrt(2 + t * t)));
		assert_true(fabs(student_cdf(t, 4) - (0.5 + 0.75 * (s - s * s * s / 3))) < 1e-14);
	}
}

static void student_tails_keep_their_digits(void **state)
{
	(void)state;
	/* df 2: 1/2 - t / (2 √(2 + t²)) is 1/(2 t²) (1 - 3/(2 t²) …). */
	assert_digits(student_cdf(-1e6, 2), 0.5e-12 * (1 - 1.5e-12));
	assert_digits(student_cdf(-1e8, 1), 1e-8 / M_PI);
}

/* To the order 1/df: P(T <= t) = Φ(t) - φ(t) (t³ + t) / (4 df). */
static void student_of_many_degrees_approaches_the_normal(void **state)
{
	(void)state;
	for (double t = -4; t <= 4; t += 0.5) {
		double density = exp(-t * t / 2) / sqrt(2 * M_PI);
		double expected = normal_cdf(t) - density * (t * t * t + t) / 4e7;

		assert_digits(student_cdf(t, 1e7), expected);
	}
	assert_true(student_cdf(1, INFINITY) == normal_cdf(1));
}

static void student_quantile_undoes_the_cdf(void **state)
{
	static const double df[] = {
		0.5, 1, 2, 3.3, 11, 21.74377, 39.5, 40.5, 1000, 1e6, INFINITY
	};
	static const double p[] = { 1e-12, 0.0001, 0.025, 0.3, 0.5, 0.6, 0.9, 0.975, 0.9999 };

	(void)state;
	for (size_t i = 0; i < sizeof(df) / sizeof(*df); i++) {
		for (size_t j = 0; j < sizeof(p) / sizeof(*p); j++)
			assert_digits(student_cdf(student_quantile(p[j], df[i]), df[i]), p[j]);
	}
}

static void student_has_no_step_where_the_gamma_functions_change(void **state)
{
	(void)state;
	for (double p = 0.55; p < 1; p += 0.1) {
		double below = student_quantile(p, 39.999999999);
		double above = student_quantile(p, 40.000000001);

		assert_true(fabs(above / below - 1) < 1e-11);
	}
}

/* Published to 10 digits: the upper 2.5 %, 0.5 % and 5e-7. */
static void normal_quantile_is_the_published_one(void **state)
{
	(void)state;
	assert_digits(normal_quantile(0.975), 1.959963984540054);
	assert_digits(normal_quantile(0.995), 2.5758293035489004);
	assert_digits(normal_quantile(0.025), -1.959963984540054);
	assert_true(normal_quantile(0.5) == 0);
}

static void quantiles_at_the_ends_are_infinite(void **state)
{
	(void)state;
	assert_true(normal_quantile(0) == -INFINITY && normal_quantile(1) == INFINITY);
	assert_true(student_quantile(0, 3) == -INFINITY && student_quantile(1, 3) == INFINITY);
	assert_true(student_cdf(INFINITY, 3) == 1 && student_cdf(-INFINITY, 3) == 0);
}

static void quantiles_outside_are_none(void **state)
{
	(void)state;
	assert_nan(normal_quantile(-0.1));
	assert_nan(normal_quantile(1.1));
	assert_nan(normal_quantile(NAN));
	assert_nan(student_quantile(0.5, 0));
	assert_nan(student_quantile(0.5, -1));
	assert_nan(student_quantile(0.5, NAN));
	assert_nan(student_cdf(1, 0));
	assert_nan(student_cdf(NAN, 3));
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(student_quantile_agrees_with_r),
		cmocka_unit_test(student_cdf_agrees_with_closed_forms),
		cmocka_unit_test(student_tails_keep_their_digits),
		cmocka_unit_test(student_of_many_degrees_approaches_the_normal),
		cmocka_unit_test(student_quantile_undoes_the_cdf),
		cmocka_unit_test(student_has_no_step_where_the_gamma_functions_change),
		cmocka_unit_test(normal_quantile_is_the_published_one),
		cmocka_unit_test(quantiles_at_the_ends_are_infinite),
		cmocka_unit_test(quantiles_outside_are_none),
	};
	int failed;

	vectors_open(argc > 1 ? argv[1] : NULL);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	vectors_close();
	return failed;
}
