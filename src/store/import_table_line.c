// SPDX-License-Identifier: GPL-2.0-or-later
/* import_table_line.c - see import_table_line.h. */
#include "store/import_table_line.h"

#include "store/import_labels.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define BORDER_LEAST 3 /* characters */

bool table_is_border(const char *text)
{
	size_t length = strspn(text, "-=_+|: ");
	size_t drawn = 0;

	for (const char *at = text; *at; at++)
		drawn += *at == '-' || *at == '=' || *at == '_';
	return !text[length] && drawn >= BORDER_LEAST;
}

/* Ends the cell that begins at `from` before `to`, and takes its blanks away. */
static bool add_cell(struct table_line *line, char *from, char *to)
{
	if (line->count == TABLE_COLUMNS)
		return false;
	while (from < to && *from == ' ')
		from++;
	while (to > from && to[-1] == ' ')
		to--;
	*to = '\0';
	line->cell[line->count++] = from;
	return true;
}

static bool is_plus(const char *text, const char *at)
{
	return *at == '+' && (at == text || at[-1] == ' ') && (!at[1] || at[1] == ' ');
}

static bool split_at_borders(struct table_line *line)
{
	bool by_bar = strchr(line->bytes, '|') != NULL;
	char *from = line->bytes, *at = from;

	if (!by_bar && line->bytes[0] != '+')
		return false;
	for (; *at; at++) {
		if (by_bar ? *at != '|' : !is_plus(line->bytes, at))
			continue;
		/* The border before the first cell ends none. */
		if (at != line->bytes && !add_cell(line, from, at))
			return false;
		from = at + 1;
	}
	/* The border behind the last cell begins none: as if it were not there. */
	if (from[strspn(from, " ")] && !add_cell(line, from, at))
		return false;
	line->has_borders = true;
	return line->count > 1 || (by_bar && line->count == 1);
}

static bool split_at_gaps(struct table_line *line)
{
	char *from = line->bytes, *at = from;

	for (; *at; at++) {
		if (at[0] != ' ' || at[1] != ' ')
			continue;
		if (!add_cell(line, from, at))
			return false;
		at++;
		while (*at == ' ')
			at++;
		from = at--;
	}
	return add_cell(line, from, at) && line->count > 1;
}

bool table_split(const char *text, bool by_words, struct table_line *line)
{
	line->count = 0;
	line->has_borders = false;
	snprintf(line->bytes, sizeof(line->bytes), "%s", text);
	if (split_at_borders(line))
		return true;
	line->count = 0;
	line->has_borders = false;
	snprintf(line->bytes, sizeof(line->bytes), "%s", text);
	return by_words && split_at_gaps(line);
}

static bool is_unit(const char *word)
{
	static const char *const units[] = { "lps", "lpm",  "MWIPS", "KBps",
					     "fps", "KB/s", "lps,",  "lpm," };

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(word, units[i]))
			return true;
	return false;
}

/* "+3.2%", "(28733)", "[5]", "±": beside a value, not one. */
static bool is_aside(const char *word)
{
	return strchr("+-([~", word[0]) || strchr(word, '%') || ((unsigned char)word[0] & 0x80);
}

bool table_split_label(const char *text, struct table_line *line)
{
	size_t bytes, length;
	struct printed number;
	char *words[TABLE_COLUMNS];
	size_t count;

	line->count = 0;
	line->has_borders = false;
	if (!unixbench_test_at(text, &bytes))
		return false;
	snprintf(line->bytes, sizeof(line->bytes), "%s", text);
	length = strlen(line->bytes);
	/* "Shell Scripts (1" is none without its bracket */
	while (bytes < length && line->bytes[bytes] != ' ')
		bytes++;
	if (bytes >= length)
		return false;
	line->bytes[bytes] = '\0';
	line->cell[line->count++] = line->bytes;
	count = words_split(line->bytes + bytes + 1, words, TABLE_COLUMNS);
	if (count == TABLE_COLUMNS)
		return false;
	for (size_t i = 0; i < count; i++) {
		if (printed_parse(words[i], &number)) {
			line->cell[line->count++] = words[i];
			/* the unit stays behind its number, in the same cell */
			if (i + 1 < count && is_unit(words[i + 1])) {
				memset(words[i] + strlen(words[i]), ' ',
				       (size_t)(words[i + 1] - words[i]) - strlen(words[i]));
				i++;
			}
		} else if (!is_aside(words[i])) {
			return false;
		}
	}
	return line->count > 1;
}

bool table_cell_number(const char *cell, struct printed *number, const char **unit)
{
	size_t length = strcspn(cell, " ");
	char word[LINE_BYTES];

	snprintf(word, sizeof(word), "%.*s", (int)length, cell);
	if (!printed_parse(word, number))
		return false;
	*unit = cell + length + strspn(cell + length, " ");
	if (!is_unit(*unit))
		*unit = "";
	return true;
}
