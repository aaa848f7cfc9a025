// SPDX-License-Identifier: GPL-2.0-or-later
/* copies.c - copy counts from text. */
#include "measure/plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALL 6 /* CPUs of the machine in these tests */

/* The counts as "1 2 4". */
static void becomes(const char *text, const char *expected)
{
	char out[256] = "";
	uint32_t *counts = NULL;
	struct error err = { 0 };
	size_t n = 0;

	if (copies_parse(text, ALL, &counts, &n, &err))
		fail_msg("%s: %s", text, err.text);
	for (size_t i = 0; i < n; i++)
		snprintf(out + strlen(out), sizeof(out) - strlen(out), i ? " %u" : "%u", counts[i]);
	assert_string_equal(out, expected);
	free(counts);
}

static void refuses(const char *text, const char *said)
{
	uint32_t *counts = NULL;
	struct error err = { 0 };
	size_t n = 0;

	assert_int_equal(copies_parse(text, ALL, &counts, &n, &err), -EINVAL);
	assert_null(counts);
	if (!strstr(err.text, said))
		fail_msg("%s: \"%s\" does not say \"%s\"", text, err.text, said);
}

static void counts_and_ranges_are_listed(void **state)
{
	(void)state;
	becomes("1", "1");
	becomes("1,2,4..8", "1 2 4 5 6 7 8");
	becomes("3..3", "3");
	becomes("1000000", "1000000");
}

static void all_is_the_number_of_cpus(void **state)
{
	(void)state;
	becomes("all", "6");
	becomes("1,all", "1 6");
	becomes("4..all", "4 5 6");
	becomes("all..8", "6 7 8");
	becomes("1..all*2", "1 2 4");
}

static void a_factor_multiplies(void **state)
{
	(void)state;
	becomes("1..8*2", "1 2 4 8");
	becomes("3..100*3", "3 9 27 81");
	becomes("2..3*1000000", "2");
}

static void the_list_is_sorted_and_each_once(void **state)
{
	(void)state;
	becomes("4,1,2..4,1", "1 2 3 4");
	becomes("6,all", "6");
}

static void a_count_outside_its_bounds_is_refused(void **state)
{
	(void)state;
	refuses("0", "expected counts from 1 to 1000000");
	refuses("1000001", "expected counts from 1 to 1000000");
	refuses("99999999999999999999", "expected counts from 1 to 1000000");
	refuses("1..99999999999999999999", "expected counts from 1 to 1000000");
	refuses("0..4", "expected counts from 1 to 1000000");
	refuses("18446744073709551617", "expected counts from 1 to 1000000");
}

static void a_wrong_part_is_named_with_what_was_expected(void **state)
{
	(void)state;
	refuses("", "expected a number of copies or \"all\"");
	refuses("1,", "\"\": expected a number of copies");
	refuses(",1", "\"\": expected a number of copies");
	refuses("1,x,2", "\"x\": expected a number of copies");
	refuses("-1", "\"-1\": expected a number of copies");
	refuses(" 1", "\" 1\": expected a number of copies");
	refuses("2..", "\"2..\": expected a number of copies or \"all\" after \"..\"");
	refuses("2...4", "\"2...4\": expected a number of copies or \"all\" after \"..\"");
	refuses("1.5", "\"1.5\": expected a count, a..b or a..b*k");
	refuses("1..4x", "\"1..4x\": expected a count, a..b or a..b*k");
	refuses("alls", "\"alls\": expected a count, a..b or a..b*k");
	refuses("8..4", "\"8..4\": expected the smaller count first");
	refuses("1..8*", "expected a factor of 2 or more");
	refuses("1..8*1", "expected a factor of 2 or more");
	refuses("1..8*0", "expected a factor of 2 or more");
	refuses("1..8*all", "expected a factor of 2 or more");
	refuses("1..8*2*2", "\"1..8*2*2\": expected a count, a..b or a..b*k");
}

static void a_list_without_end_is_refused(void **state)
{
	(void)state;
	refuses("1..1000000", "more than 10000 different counts");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_and_ranges_are_listed),
		cmocka_unit_test(all_is_the_number_of_cpus),
		cmocka_unit_test(a_factor_multiplies),
		cmocka_unit_test(the_list_is_sorted_and_each_once),
		cmocka_unit_test(a_count_outside_its_bounds_is_refused),
		cmocka_unit_test(a_wrong_part_is_named_with_what_was_expected),
		cmocka_unit_test(a_list_without_end_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
