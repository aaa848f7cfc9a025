// SPDX-License-Identifier: GPL-2.0-or-later
/* value.c - counts, durations and percents from text, and near names. */
#include "cmd/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <string.h>

/* Nothing here looks a verb up. */
const struct verb *const verbs[] = { NULL };

static void a_count_is_digits_within_its_bounds(void **state)
{
	uint64_t value;

	(void)state;
	assert_int_equal(value_count("1", 1, 10, &value, NULL), 0);
	assert_int_equal(value, 1);
	assert_int_equal(value_count("10", 1, 10, &value, NULL), 0);
	assert_int_equal(value_count("18446744073709551615", 0, UINT64_MAX, &value, NULL), 0);
	assert_true(value == UINT64_MAX);
}

static void a_count_refuses_everything_else(void **state)
{
	static const char *const bad[] = {
		"",   "0",   "11",  "-1",  "+1",  " 1",
		"1 ", "1.0", "1e0", "0x1", "one", "18446744073709551617"
	};
	struct error err;
	uint64_t value;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(value_count(bad[i], 1, 10, &value, &err), -EINVAL);
		assert_non_null(strstr(err.text, "from 1 to 10"));
	}
}

static void a_count_of_more_than_64_bits_is_none(void **state)
{
	uint64_t value;

	(void)state;
	assert_int_equal(value_count("18446744073709551616", 0, UINT64_MAX, &value, NULL), -EINVAL);
	assert_int_equal(value_count("184467440737095516150", 0, UINT64_MAX, &value, NULL),
			 -EINVAL);
}

static void a_duration_is_exact_to_the_nanosecond(void **state)
{
	static const struct {
		const char *text;
		uint64_t ns;
	} good[] = {
		{ "0", 0 },
		{ "1", 1000000000 },
		{ "1s", 1000000000 },
		{ "0.5", 500000000 },
		{ "500ms", 500000000 },
		{ "1.5ms", 1500000 },
		{ "1us", 1000 },
		{ "1ns", 1 },
		{ "0.000000001", 1 },
		{ "0.123456789s", 123456789 },
		{ "5m", 300000000000 },
		{ "5min", 300000000000 },
		{ "0.5h", 1800000000000 },
		{ "2.999999999h", 10799999996400 },
	};
	uint64_t ns;

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_int_equal(value_duration(good[i].text, 0, UINT64_MAX, &ns, NULL), 0);
		assert_int_equal(ns, good[i].ns);
	}
}

static void a_duration_refuses_other_units_and_sizes(void **state)
{
	static const char *const bad[] = { "",
					   "s",
					   ".5",
					   "1.",
					   "1.s",
					   "1 s",
					   "-1s",
					   "1d",
					   "1S",
					   "1.0000000000",
					   "inf",
					   "1e3s",
					   "1s1s",
					   "99999999999999999999",
					   "18446744073709551615h" };
	struct error err;
	uint64_t ns;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(value_duration(bad[i], 0, UINT64_MAX, &ns, &err), -EINVAL);
		assert_non_null(strstr(err.text, "expected a time"));
	}
	assert_int_equal(value_duration("9ms", 10000000, 20000000, &ns, &err), -EINVAL);
	assert_non_null(strstr(err.text, "from 10ms to 20ms"));
}

static void a_percent_is_a_share_between_none_and_all(void **state)
{
	static const char *const bad[] = { "",	  "%",	 "0",	"0%",	  "100%",   "1",    "-1%",
					   "inf", "nan", "1%%", "1.2.3%", "0x1p-3", "1e-2", "." };
	double share;

	(void)state;
	assert_int_equal(value_percent("1%", &share, NULL), 0);
	assert_true(share == 0.01);
	assert_int_equal(value_percent("0.5%", &share, NULL), 0);
	assert_true(share == 0.005);
	assert_int_equal(value_percent("0.02", &share, NULL), 0);
	assert_true(share == 0.02);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(value_percent(bad[i], &share, NULL), -EINVAL);
}

static void a_duration_is_printed_for_reading(void **state)
{
	static const struct {
		uint64_t ns;
		const char *text;
	} cases[] = {
		{ 0, "0ns" },
		{ 250000000, "250ms" },
		{ 1000000000, "1s" },
		{ 1500000000, "1.5s" },
		{ 59600000000, "59.6s" },
		{ 60000000000, "1m" },
		{ 390000000000, "6m 30s" },
		{ 3600000000000, "1h" },
		{ 7500000000000, "2h 5m" },
	};
	char text[24];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(duration_text(cases[i].ns, text, sizeof(text)), cases[i].text);
	duration_text(UINT64_MAX, text, sizeof(text));
	assert_true(strlen(text) < sizeof(text));
}

static void a_near_name_is_one_slip_away(void **state)
{
	static const char *const names[] = { "bench",	  "list", "show", "export",
					     "messaging", "rm",	  NULL };

	(void)state;
	assert_string_equal(near_name("bnech", names), "bench");    /* swapped */
	assert_string_equal(near_name("benh", names), "bench");	    /* left out */
	assert_string_equal(near_name("bbench", names), "bench");   /* put in */
	assert_string_equal(near_name("lisp", names), "list");	    /* replaced */
	assert_string_equal(near_name("SHOW", names), "show");	    /* case */
	assert_string_equal(near_name("mess", names), "messaging"); /* cut short */
	assert_string_equal(near_name("mr", names), "rm");
	assert_string_equal(near_name("mesaginng", names), "messaging");
}

static void a_far_name_is_none(void **state)
{
	static const char *const names[] = { "bench", "list", "rm", NULL };
	char longest[1000];

	(void)state;
	assert_null(near_name("frobnicate", names));
	assert_null(near_name("", names));
	assert_null(near_name("xy", names));
	memset(longest, 'b', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	assert_null(near_name(longest, names));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_count_is_digits_within_its_bounds),
		cmocka_unit_test(a_count_refuses_everything_else),
		cmocka_unit_test(a_count_of_more_than_64_bits_is_none),
		cmocka_unit_test(a_duration_is_exact_to_the_nanosecond),
		cmocka_unit_test(a_duration_refuses_other_units_and_sizes),
		cmocka_unit_test(a_percent_is_a_share_between_none_and_all),
		cmocka_unit_test(a_duration_is_printed_for_reading),
		cmocka_unit_test(a_near_name_is_one_slip_away),
		cmocka_unit_test(a_far_name_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
