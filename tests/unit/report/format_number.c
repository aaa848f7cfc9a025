// SPDX-License-Identifier: GPL-2.0-or-later
/* format_number.c - numbers have the digits that their interval supports, in their width. */
#include "base/rng.h"
#include "report/report.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void expect(double value, double half_width, int width, const char *expected)
{
	char text[64];

	format_number(value, half_width, width, text, sizeof(text));
	assert_string_equal(text, expected);
}

static void last_digit_is_the_second_of_the_half_width(void **state)
{
	(void)state;
	/* Known answer 1 of the method: 1510.6489864 in 1468.4607860 ... 1514.6415814. */
	expect(1510.6489864, 23.09, 9, "1511");
	expect(1510.6489864, 2.309, 9, "1510.6");
	expect(1510.6489864, 0.2309, 9, "1510.65");
	expect(51834120, 45000, 9, "51834000");
	expect(0.0123456, 0.00042, 9, "0.01235");
}

static void a_half_width_that_rounds_up_keeps_its_decade(void **state)
{
	(void)state;
	expect(123.456, 0.0999, 9, "123.456");
	expect(123.456, 0.1, 9, "123.46");
}

static void an_interval_wider_than_the_number_leaves_its_first_digit(void **state)
{
	(void)state;
	expect(234, 5000, 9, "200");
	expect(0.0234, 50, 9, "0.02");
}

static void without_an_interval_there_are_three_digits(void **state)
{
	(void)state;
	expect(51834120, NAN, 9, "51800000");
	expect(1.23456, NAN, 9, "1.23");
}

static void an_exact_number_is_whole(void **state)
{
	(void)state;
	expect(42.4, 0, 7, "42.4");
	expect(116700, 0, 7, "116700");
	expect(33641052.1, 0, 10, "33641052.1");
}

static void an_exact_number_too_wide_loses_decimals_not_digits(void **state)
{
	(void)state;
	expect(33641052.1, 0, 9, "33641052");
	expect(268929600.7, 0, 9, "268929601");
}

static void below_1_decimals_are_left_out_before_the_notation_changes(void **state)
{
	(void)state;
	expect(0.666712345, 1e-8, 8, "0.666712");
	expect(0.0666712345, 1e-8, 8, "0.066671");
	expect(0.00012345678, 1e-10, 8, "1.23e-04");
}

/* 1/0.308: a time as printed, inverted; its 16 digits are none of the time's. */
static void a_computed_number_has_three_digits(void **state)
{
	(void)state;
	expect(1 / 0.308, 0, 20, "3.25");
	expect(2.0 / 3, 0, 8, "0.667");
}

static void what_does_not_fit_becomes_scientific(void **state)
{
	(void)state;
	expect(12345678901.0, 100, 9, "1.235e+10");
	expect(1e18, 1e15, 9, "1.000e+18");
	expect(1e-9, 1e-12, 9, "1.000e-09");
	expect(1e18, 2e17, 9, "1.00e+18");
}

static void a_column_too_narrow_for_any_form_is_marked(void **state)
{
	(void)state;
	expect(1e18, 1e15, 4, "####");
}

static void what_is_no_number_is_a_dash(void **state)
{
	(void)state;
	expect(NAN, 1, 9, "-");
	expect(INFINITY, 1, 9, "-");
	expect(0, 1, 9, "0");
}

static double drawn(struct rng *rng, double low, double high)
{
	return low + (high - low) * (double)(rng_next(rng) >> 11) / 9007199254740992.0;
}

/*
 * Half a unit of the second digit of the half-width is at most 5 % of it; half a unit of the four
 * digits that nine columns hold in any case is at most 0.05 % of the number.
 */
static void every_magnitude_fits_and_reads_back(void **state)
{
	struct rng rng = { 42 };

	(void)state;
	for (int i = 0; i < 100000; i++) {
		double value = pow(10, drawn(&rng, -12, 20));
		double half_width = value * pow(10, drawn(&rng, -6, 2));
		double most = fmax(half_width * 0.05, value * 0.0005) * (1 + 1e-9);
		char text[64];

		format_number(value, half_width, 9, text, sizeof(text));
		assert_true(strlen(text) <= 9);
		if (fabs(strtod(text, NULL) - value) > most || strtod(text, NULL) == 0)
			fail_msg("%.17g with %.17g is shown as %s", value, half_width, text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(last_digit_is_the_second_of_the_half_width),
		cmocka_unit_test(a_half_width_that_rounds_up_keeps_its_decade),
		cmocka_unit_test(an_interval_wider_than_the_number_leaves_its_first_digit),
		cmocka_unit_test(without_an_interval_there_are_three_digits),
		cmocka_unit_test(an_exact_number_is_whole),
		cmocka_unit_test(an_exact_number_too_wide_loses_decimals_not_digits),
		cmocka_unit_test(below_1_decimals_are_left_out_before_the_notation_changes),
		cmocka_unit_test(a_computed_number_has_three_digits),
		cmocka_unit_test(what_does_not_fit_becomes_scientific),
		cmocka_unit_test(a_column_too_narrow_for_any_form_is_marked),
		cmocka_unit_test(what_is_no_number_is_a_dash),
		cmocka_unit_test(every_magnitude_fits_and_reads_back),
	};

	return cmocka_run_group_tests_name("report/format_number", tests, NULL, NULL);
}
