// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * multiplicity.c - Holm's and Benjamini and Hochberg's adjustment against R's p.adjust.
 */
#include "stats/multiplicity.h"

#include "vectors.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static void known(double p[15], double holm[15], double bh[15])
{
	assert_int_equal(vector_numbers("multiplicity.p", p, 15), 15);
	assert_int_equal(vector_numbers("multiplicity.holm", holm, 15), 15);
	assert_int_equal(vector_numbers("multiplicity.bh", bh, 15), 15);
}

static void multiplicity_agrees_with_the_known_answers(void **state)
{
	double p[15], holm[15], bh[15], adjusted[15];

	(void)state;
	known(p, holm, bh);
	assert_int_equal(multiplicity_holm(p, 15, adjusted), 0);
	for (size_t i = 0; i < 15; i++)
		assert_digits(adjusted[i], holm[i]);
	assert_int_equal(multiplicity_bh(p, 15, adjusted), 0);
	for (size_t i = 0; i < 15; i++)
		assert_digits(adjusted[i], bh[i]);
}

static void multiplicity_keeps_the_order_of_its_input(void **state)
{
	double p[15], holm[15], bh[15], turned[15], adjusted[15];

	(void)state;
	known(p, holm, bh);
	for (size_t i = 0; i < 15; i++)
		turned[i] = p[i * 7 % 15];
	assert_int_equal(multiplicity_holm(turned, 15, adjusted), 0);
	for (size_t i = 0; i < 15; i++)
		assert_digits(adjusted[i], holm[i * 7 % 15]);
	assert_int_equal(multiplicity_bh(turned, 15, adjusted), 0);
	for (size_t i = 0; i < 15; i++)
		assert_digits(adjusted[i], bh[i * 7 % 15]);
}

static void multiplicity_does_not_count_a_test_without_p(void **state)
{
	double p[15], holm[15], bh[15], more[17], adjusted[17];

	(void)state;
	known(p, holm, bh);
	more[0] = more[16] = NAN;
	for (size_t i = 0; i < 15; i++)
		more[i + 1] = p[i];
	assert_int_equal(multiplicity_holm(more, 17, adjusted), 0);
	assert_nan(adjusted[0]);
	assert_nan(adjusted[16]);
	for (size_t i = 0; i < 15; i++)
		assert_digits(adjusted[i + 1], holm[i]);
	assert_int_equal(multiplicity_bh(more, 17, adjusted), 0);
	assert_nan(adjusted[0]);
	assert_nan(adjusted[16]);
	for (size_t i = 0; i < 15; i++)
		assert_digits(adjusted[i + 1], bh[i]);
}

static void multiplicity_of_one_test_is_its_p(void **state)
{
	double p = 0.03, adjusted;

	(void)state;
	assert_int_equal(multiplicity_holm(&p, 1, &adjusted), 0);
	assert_true(adjusted == p);
	assert_int_equal(multiplicity_bh(&p, 1, &adjusted), 0);
	assert_true(adjusted == p);
	assert_int_equal(multiplicity_holm(NULL, 0, NULL), 0);
	assert_int_equal(multiplicity_bh(NULL, 0, NULL), 0);
}

/* Equal p: Holm takes n times the p for all, Benjamini and Hochberg the p itself. */
static void multiplicity_of_equal_p(void **state)
{
	double p[] = { 0.02, 0.02, 0.02, 0.02 }, adjusted[4];

	(void)state;
	assert_int_equal(multiplicity_holm(p, 4, adjusted), 0);
	for (size_t i = 0; i < 4; i++)
		assert_digits(adjusted[i], 0.08);
	assert_int_equal(multiplicity_bh(p, 4, adjusted), 0);
	for (size_t i = 0; i < 4; i++)
		assert_digits(adjusted[i], 0.02);
}

static void multiplicity_refuses_what_is_no_probability(void **state)
{
	static const double bad[] = { -0.1, 1.1, INFINITY, -INFINITY };
	double adjusted[2];

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		double p[] = { 0.5, bad[i] };

		assert_int_equal(multiplicity_holm(p, 2, adjusted), -EINVAL);
		assert_nan(adjusted[0]);
		assert_int_equal(multiplicity_bh(p, 2, adjusted), -EINVAL);
		assert_nan(adjusted[0]);
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(multiplicity_agrees_with_the_known_answers),
		cmocka_unit_test(multiplicity_keeps_the_order_of_its_input),
		cmocka_unit_test(multiplicity_does_not_count_a_test_without_p),
		cmocka_unit_test(multiplicity_of_one_test_is_its_p),
		cmocka_unit_test(multiplicity_of_equal_p),
		cmocka_unit_test(multiplicity_refuses_what_is_no_probability),
	};
	int failed;

	vectors_open(argc > 1 ? argv[1] : NULL);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	vectors_close();
	return failed;
}
