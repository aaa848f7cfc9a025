// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * outlier.c - modified z-values against known answer 1.
 */
#include "stats/outlier.h"

#include "vectors.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static void outlier_z_is_known_answer_1(void **state)
{
	double x[10], expected[10], z[10];

	(void)state;
	assert_int_equal(vector_numbers("per_test.x", x, 10), 10);
	assert_int_equal(vector_numbers("per_test.modz", expected, 10), 10);
	assert_int_equal(outlier_modified_z(x, 10, z), 0);
	for (size_t i = 0; i < 10; i++)
		assert_true(fabs(z[i] - expected[i]) < 5e-6); /* given to 6 decimals */
}

static void outlier_marks_the_disturbed_runs_of_known_answer_1(void **state)
{
	double x[10], z[10];

	(void)state;
	assert_int_equal(vector_numbers("per_test.x", x, 10), 10);
	assert_int_equal(outlier_modified_z(x, 10, z), 0);
	for (size_t i = 0; i < 10; i++)
		assert_int_equal(outlier_marked(z[i]), x[i] == 1422.6 || x[i] == 1497.3);
}

static void outlier_marks_nothing_where_half_of_the_values_are_equal(void **state)
{
	double x[] = { 5, 5, 5, 5, 9 }, z[5];

	(void)state;
	assert_int_equal(outlier_modified_z(x, 5, z), 0);
	for (size_t i = 0; i < 5; i++) {
		assert_nan(z[i]);
		assert_false(outlier_marked(z[i]));
	}
}

static void outlier_refuses_what_is_no_finite_number(void **state)
{
	double x[] = { 5, NAN, 7 }, z[3];

	(void)state;
	assert_int_equal(outlier_modified_z(x, 3, z), -EINVAL);
	x[1] = -INFINITY;
	assert_int_equal(outlier_modified_z(x, 3, z), -EINVAL);
	assert_int_equal(outlier_modified_z(x, 0, z), 0);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(outlier_z_is_known_answer_1),
		cmocka_unit_test(outlier_marks_the_disturbed_runs_of_known_answer_1),
		cmocka_unit_test(outlier_marks_nothing_where_half_of_the_values_are_equal),
		cmocka_unit_test(outlier_refuses_what_is_no_finite_number),
	};
	int failed;

	vectors_open(argc > 1 ? argv[1] : NULL);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	vectors_close();
	return failed;
}
