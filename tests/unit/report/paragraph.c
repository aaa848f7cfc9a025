// SPDX-License-Identifier: GPL-2.0-or-later
/* paragraph.c - paragraphs wrap at 80 columns, whatever they hold. */
#include "report/paragraph.h"

#include "fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Prints and frees the paragraph; the text is to be freed. */
static char *printed(struct paragraph *paragraph, size_t hang)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	assert_non_null(out);
	paragraph_print(paragraph, out, hang);
	fclose(out);
	assert_false(paragraph->failed);
	paragraph_free(paragraph);
	return text;
}

static void a_line_breaks_at_the_last_space_that_fits(void **state)
{
	struct paragraph paragraph = { 0 };
	char *text;

	(void)state;
	for (int i = 0; i < 20; i++)
		paragraph_add(&paragraph, "word%d ", i);
	text = printed(&paragraph, 4);
	assert_string_equal(text,
			    "word0 word1 word2 word3 word4 word5 word6 word7 word8 word9 word10 "
			    "word11 word12\n"
			    "    word13 word14 word15 word16 word17 word18 word19\n");
	free(text);
}

static void a_line_of_exactly_80_columns_stays_whole(void **state)
{
	struct paragraph paragraph = { 0 };
	char *text;

	(void)state;
	paragraph_add(&paragraph, "%079d 1", 7);
	text = printed(&paragraph, 0);
	assert_int_equal(strcspn(text, "\n"), 79);
	free(text);
	paragraph_add(&paragraph, "%078d 1", 7);
	text = printed(&paragraph, 0);
	assert_int_equal(strcspn(text, "\n"), 80);
	free(text);
}

static void a_word_longer_than_a_line_breaks_anywhere(void **state)
{
	struct paragraph paragraph = { 0 };
	char *text;

	(void)state;
	paragraph_add(&paragraph, "%0200d", 1);
	text = printed(&paragraph, 4);
	fixture_fits(text);
	assert_int_equal(strlen(text), 200 + 2 * 4 + 3);
	free(text);
}

static void a_number_keeps_its_percent_sign(void **state)
{
	struct paragraph paragraph = { 0 };
	char *text;

	(void)state;
	paragraph_add(&paragraph, "%076d 50 %% steal", 7);
	text = printed(&paragraph, 0);
	fixture_has(text, "\n50 % steal\n");
	free(text);
}

static void a_percent_sign_is_no_line_end_in_the_last_column(void **state)
{
	struct paragraph paragraph = { 0 };
	char *text;

	(void)state;
	paragraph_add(&paragraph, "%077d 38 %% of it", 7);
	text = printed(&paragraph, 0);
	assert_int_equal(strcspn(text, "\n"), 77);
	assert_non_null(strstr(text, "\n38 % of it\n"));
	free(text);
}

static void words_that_stay_together_move_together(void **state)
{
	struct paragraph paragraph = { 0 };
	char *text;

	(void)state;
	paragraph_add(&paragraph, "%075d seed" PARAGRAPH_STAY "7", 7);
	text = printed(&paragraph, 2);
	assert_int_equal(strcspn(text, "\n"), 75);
	assert_non_null(strstr(text, "\n  seed 7\n"));
	free(text);
}

static void wide_characters_count_as_two_columns(void **state)
{
	struct paragraph paragraph = { 0 };
	char *text;

	(void)state;
	for (int i = 0; i < 100; i++)
		paragraph_add_outside(&paragraph, "\xe6\xb8\xac"); /* U+6E2C */
	assert_int_equal(paragraph_columns(&paragraph), 200);
	text = printed(&paragraph, 0);
	fixture_fits(text);
	assert_int_equal(strcspn(text, "\n"), 40 * 3);
	free(text);
}

static void padding_counts_characters_not_bytes(void **state)
{
	struct paragraph paragraph = { 0 };
	char *text;

	(void)state;
	paragraph_add_outside(&paragraph, "b\xc3\xbcro");
	paragraph_pad(&paragraph, 6);
	paragraph_add(&paragraph, "|");
	text = printed(&paragraph, 0);
	assert_string_equal(text, "b\xc3\xbcro  |\n");
	free(text);
}

static void control_characters_do_not_reach_the_terminal(void **state)
{
	struct paragraph paragraph = { 0 };
	char *text;

	(void)state;
	paragraph_add_outside(&paragraph, "a\x1b[31mred\nline\r\x7f\xff\xc2\x9b");
	text = printed(&paragraph, 0);
	fixture_fits(text);
	assert_string_equal(text, "a\\x1b[31mred\\nline\\x0d\\x7f\\xff\\x9b\n");
	free(text);
}

static void durations_are_in_words(void **state)
{
	struct paragraph paragraph = { 0 };
	char *text;

	(void)state;
	paragraph_add_duration(&paragraph, 150e6);
	paragraph_add(&paragraph, ", ");
	paragraph_add_duration(&paragraph, 1e9);
	paragraph_add(&paragraph, ", ");
	paragraph_add_duration(&paragraph, 348.4e9);
	paragraph_add(&paragraph, ", ");
	paragraph_add_duration(&paragraph, 59.996e9);
	paragraph_add(&paragraph, ", ");
	paragraph_add_duration(&paragraph, 7384e9);
	text = printed(&paragraph, 0);
	assert_string_equal(text, "150 ms, 1 s, 5 min 48 s, 60 s, 2 h 3 min\n");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_breaks_at_the_last_space_that_fits),
		cmocka_unit_test(a_line_of_exactly_80_columns_stays_whole),
		cmocka_unit_test(a_word_longer_than_a_line_breaks_anywhere),
		cmocka_unit_test(a_number_keeps_its_percent_sign),
		cmocka_unit_test(a_percent_sign_is_no_line_end_in_the_last_column),
		cmocka_unit_test(words_that_stay_together_move_together),
		cmocka_unit_test(wide_characters_count_as_two_columns),
		cmocka_unit_test(padding_counts_characters_not_bytes),
		cmocka_unit_test(control_characters_do_not_reach_the_terminal),
		cmocka_unit_test(durations_are_in_words),
	};

	return cmocka_run_group_tests_name("report/paragraph", tests, NULL, NULL);
}
