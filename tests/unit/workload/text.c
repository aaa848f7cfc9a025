// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * text.c - the text of the shell tests is always the same, and has the size of UnixBench's.
 *
 * The numbers were counted by wc and grep of coreutils 9.1 and grep 3.8 in files with the text.
 */
#include "workload/text.h"

#include "base/sha256.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char *text_of(size_t bytes, size_t lines)
{
	char *text = malloc(bytes + 1);

	assert_non_null(text);
	text[bytes] = '#';
	text_make(text, bytes, lines);
	assert_int_equal(text[bytes], '#');
	return text;
}

static void expect_count(struct text_count count, size_t lines, size_t words, size_t bytes)
{
	assert_int_equal(count.lines, lines);
	assert_int_equal(count.words, words);
	assert_int_equal(count.bytes, bytes);
}

static void input_of_the_shell_test_has_its_size(void **state)
{
	char *text = text_of(8546, 362);

	(void)state;
	assert_int_equal(TEXT_BYTES, 8546);
	assert_int_equal(TEXT_LINES, 362);
	expect_count(text_count(text, 8546, NULL), 362, 1734, 8546);
	expect_count(text_count(text, 8546, "the"), 175, 942, 4511);
	free(text);
}

static void input_of_the_grep_test_has_its_size(void **state)
{
	char *text = text_of(708495, 10000);

	(void)state;
	expect_count(text_count(text, 708495, NULL), 10000, 136427, 708495);
	assert_int_equal(text_count(text, 708495, TEXT_RARE_WORD).lines, 487);
	free(text);
}

/* It is part of what an iteration does: another text is another test. */
static void text_is_the_same_everywhere(void **state)
{
	char *text = text_of(8546, 362), hex[SHA256_HEX_BYTES];
	struct sha256 sha;

	(void)state;
	sha256_init(&sha);
	sha256_add(&sha, text, 8546);
	sha256_hex(&sha, hex);
	assert_string_equal(hex,
			    "d0ea7ded04609dadbbd02950c7e0914b4d0f3846d1aa4dc64776ed9d32a2a612");
	free(text);
}

static void any_size_is_filled_exactly(void **state)
{
	(void)state;
	for (size_t lines = 1; lines < 200; lines++) {
		size_t bytes = lines * 23 + lines % 7;
		char *text = text_of(bytes, lines);
		struct text_count count = text_count(text, bytes, NULL);

		assert_int_equal(count.lines, lines);
		assert_int_equal(count.bytes, bytes);
		assert_int_equal(text[bytes - 1], '\n');
		assert_null(memchr(text, '\0', bytes));
		free(text);
	}
}

static void count_of_nothing_is_zero(void **state)
{
	(void)state;
	expect_count(text_count("", 0, NULL), 0, 0, 0);
	expect_count(text_count("", 0, "the"), 0, 0, 0);
}

static void line_without_its_newline_counts(void **state)
{
	(void)state;
	expect_count(text_count("one two\nthe end", 15, NULL), 2, 4, 15);
	expect_count(text_count("one two\nthe end", 15, "the"), 1, 2, 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(input_of_the_shell_test_has_its_size),
		cmocka_unit_test(input_of_the_grep_test_has_its_size),
		cmocka_unit_test(text_is_the_same_everywhere),
		cmocka_unit_test(any_size_is_filled_exactly),
		cmocka_unit_test(count_of_nothing_is_zero),
		cmocka_unit_test(line_without_its_newline_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
