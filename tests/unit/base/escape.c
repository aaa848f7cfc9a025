// SPDX-License-Identifier: GPL-2.0-or-later
/* escape.c - what may reach a terminal, and what may not. */
#include "base/escape.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static void becomes(const char *text, const char *expected)
{
	char out[256];
	char *printed = NULL;
	size_t bytes = 0;
	FILE *stream = open_memstream(&printed, &bytes);

	assert_int_equal(escape_text(text, out, sizeof(out)), strlen(expected));
	assert_string_equal(out, expected);
	assert_non_null(stream);
	escape_print(text, stream);
	fclose(stream);
	assert_string_equal(printed, expected);
	free(printed);
}

static void plain_text_stays(void **state)
{
	(void)state;
	becomes("", "");
	becomes("a\\b ~", "a\\b ~");
	becomes("Gr\xc3\xbc\xc3\x9f\x65 \xe2\x80\xa6 \xf0\x9f\x90\xa7",
		"Gr\xc3\xbc\xc3\x9f\x65 \xe2\x80\xa6 \xf0\x9f\x90\xa7");
}

static void control_characters_are_named(void **state)
{
	(void)state;
	becomes("a\nb\tc", "a\\nb\\tc");
	becomes("\x1b[31mred\a\x7f", "\\x1b[31mred\\x07\\x7f");
	becomes("\xc2\x9b"
		"31m",
		"\\x9b31m"); /* CSI as one character of C1 */
}

static void text_that_is_not_utf8_is_named(void **state)
{
	(void)state;
	becomes("\xff", "\\xff");
	becomes("\x9b"
		"31m",
		"\\x9b31m");
	becomes("\xc3", "\\xc3");			     /* cut short */
	becomes("\xc0\xaf", "\\xc0\\xaf");		     /* overlong "/" */
	becomes("\xed\xa0\x80", "\\xed\\xa0\\x80");	     /* half of a surrogate pair */
	becomes("\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"); /* above U+10FFFF */
}

static void changes_of_direction_are_named(void **state)
{
	(void)state;
	becomes("\xe2\x80\xae"
		"cba",
		"\\u202ecba");
	becomes("\xe2\x81\xa6", "\\u2066");
	becomes("\xe2\x80\xa8", "\\u2028");
}

static void what_does_not_fit_is_left_out_whole(void **state)
{
	char out[4];

	(void)state;
	assert_int_equal(escape_text("ab\n", out, sizeof(out)), 4);
	assert_string_equal(out, "ab");
	assert_int_equal(escape_text("ab\nc", out, sizeof(out)), 5);
	assert_string_equal(out, "ab");
	assert_int_equal(escape_text("ab\xc3\xbc", out, sizeof(out)), 4);
	assert_string_equal(out, "ab");
	assert_int_equal(escape_text("abc", NULL, 0), 3);
}

static void columns_are_characters(void **state)
{
	(void)state;
	assert_int_equal(escape_columns(""), 0);
	assert_int_equal(escape_columns("Gr\xc3\xbc\xc3\x9f\x65"), 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_text_stays),
		cmocka_unit_test(control_characters_are_named),
		cmocka_unit_test(text_that_is_not_utf8_is_named),
		cmocka_unit_test(changes_of_direction_are_named),
		cmocka_unit_test(what_does_not_fit_is_left_out_whole),
		cmocka_unit_test(columns_are_characters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
