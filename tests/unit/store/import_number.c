// SPDX-License-Identifier: GPL-2.0-or-later
/* import_number.c - numbers, dates and words of other tools. */
#include "store/import_number.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

static void a_number_is_the_nearest_double_and_knows_its_digits(void **state)
{
	static const struct {
		const char *text;
		double value, half;
	} numbers[] = {
		{ "0.0", 0, 0.05 },
		{ "12", 12, 0.5 },
		{ "1410.0", 1410, 0.05 },
		{ "0.1", 0.1, 0.05 },
		{ "123456789012345.6", 123456789012345.6, 0.05 },
		{ "1,234,567.85", 1234567.85, 0.005 },
		{ "1.25e+07", 12500000, 50000 },
		{ "000000000000000000000000042.5", 42.5, 0.05 },
	};
	struct printed number;

	(void)state;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		assert_true(printed_parse(numbers[i].text, &number));
		assert_true(number.value == numbers[i].value);
		assert_true(fabs(number.half - numbers[i].half) <= 1e-12 * numbers[i].half);
	}
}

static void what_is_no_number_is_none(void **state)
{
	static const char *const texts[] = { "",     "-1",     "+1",	   "1.",    ".5",   "1.2.3",
					     "1,23", "1,2345", "1e",	   "1e999", "0x10", "nan",
					     "inf",  "12l",    "1234,567", "1 2",   "---" };
	struct printed number;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (printed_parse(texts[i], &number))
			fail_msg("\"%s\" is %f", texts[i], number.value);
}

/* date -u -d DATE +%s */
static void dates_of_tools_are_known(void **state)
{
	static const struct {
		const char *text;
		uint64_t seconds;
	} dates[] = {
		{ "Mon Nov 30 2026", 1796048553 },		/* 14:22:33 is given beside it */
		{ "Wed Sep  4 22:11:32 BST 2002", 1031177492 }, /* the zone is not known */
		{ "30 November 2026", 1796048553 },
		{ "\xe5\x9b\x9b 11\xe6\x9c\x88 30 2026", 1796048553 },
		{ "\xe6\x97\xa5 11 30 2026", 1796048553 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(dates) / sizeof(dates[0]); i++)
		assert_int_equal(date_parse(dates[i].text, 51753), dates[i].seconds);
}

static void dates_that_could_be_another_are_unknown(void **state)
{
	static const char *const texts[] = {
		"",	      "mar. mai 27 2025", "30 2026",	   "Mon Nov 2026",
		"Mon Nov 30", "Mon Nov 0 2026",	  "lun dic 1 2025"
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_int_equal(date_parse(texts[i], 0), 0);
}

static void iso_dates_have_their_zone(void **state)
{
	(void)state;
	assert_int_equal(date_parse_iso("2026-11-30T14:22:33Z"), 1796048553);
	assert_int_equal(date_parse_iso("2026-11-30 14:22:33"), 1796048553);
	assert_int_equal(date_parse_iso("2026-11-30T16:22:33.123+02:00"), 1796048553);
	assert_int_equal(date_parse_iso("2026-11-30T10:52:33-03:30"), 1796048553);
	assert_int_equal(date_parse_iso("2026-11-30"), 0);
	assert_int_equal(date_parse_iso("2026-13-30T14:22:33Z"), 0);
}

static void the_last_word_holds_the_rest(void **state)
{
	char text[] = "  one two\tthree  four ", *words[3];

	(void)state;
	assert_int_equal(words_split(text, words, 3), 3);
	assert_string_equal(words[0], "one");
	assert_string_equal(words[1], "two");
	assert_string_equal(words[2], "three  four ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_number_is_the_nearest_double_and_knows_its_digits),
		cmocka_unit_test(what_is_no_number_is_none),
		cmocka_unit_test(dates_of_tools_are_known),
		cmocka_unit_test(dates_that_could_be_another_are_unknown),
		cmocka_unit_test(iso_dates_have_their_zone),
		cmocka_unit_test(the_last_word_holds_the_rest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
