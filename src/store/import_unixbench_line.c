// SPDX-License-Identifier: GPL-2.0-or-later
/* import_unixbench_line.c - see import_unixbench_line.h. */
#include "store/import_unixbench_line.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BANNER	    "BYTE UNIX Benchmarks (Version "
#define CONSOLE	    "Based on the Byte"
#define MEASURED_BY "shape, measured by "
#define TIMES	    "Benchmark Run: "
#define COPIES	    "running "
#define COPIES_MOST 1000000
#define WORDS_MOST  40
#define TAIL_WORDS  6 /* of a score line: value, unit, "(10.0", "s,", "7", "samples)" */

/* A line in words. */
struct words {
	char bytes[LINE_BYTES];
	char *word[WORDS_MOST];
	size_t count;
};

static void split(const char *text, struct words *words)
{
	snprintf(words->bytes, sizeof(words->bytes), "%s", text);
	words->count = words_split(words->bytes, words->word, WORDS_MOST);
	/* The last word would hold the rest: such a line has no shape. */
	if (words->count == WORDS_MOST)
		words->count = 0;
}

/* The first words, with one blank between them. false: none, or too long. */
static bool join_label(const struct words *words, size_t count, struct unixbench_line *line)
{
	size_t used = 0;

	for (size_t i = 0; i < count; i++) {
		size_t length = strlen(words->word[i]);

		if (used + length + 2 > sizeof(line->label))
			return false;
		if (i)
			line->label[used++] = ' ';
		memcpy(line->label + used, words->word[i], length + 1);
		used += length;
	}
	return used > 0;
}

static bool read_banner(const char *text, struct unixbench_line *line)
{
	const char *version = strstr(text, BANNER), *by;

	line->is_console = !version && strstr(text, CONSOLE);
	if (line->is_console)
		version = strstr(text, "Version ");
	if (!version)
		return false;
	version += line->is_console ? strlen("Version ") : strlen(BANNER);
	snprintf(line->text, sizeof(line->text), "%.*s", (int)strcspn(version, ") "), version);
	by = strstr(version, MEASURED_BY);
	if (by)
		snprintf(line->unit, sizeof(line->unit), "%s", by + strlen(MEASURED_BY));
	return true;
}

static bool read_times(const char *text, struct unixbench_line *line)
{
	struct words words = { .count = 0 };

	/* "Start Benchmark Run: " of the versions before 5 is a line of the header. */
	if (!text_begins(text, TIMES))
		return false;
	split(text + strlen(TIMES), &words);
	if (words.count < 3 || strcmp(words.word[words.count - 2], "-") != 0)
		return false;
	snprintf(line->time, sizeof(line->time), "%.31s", words.word[words.count - 1]);
	snprintf(line->unit, sizeof(line->unit), "%s", words.word[words.count - 3]);
	words.count -= 3;
	for (size_t i = 0; i < words.count; i++) {
		size_t used = strlen(line->text);

		snprintf(line->text + used, sizeof(line->text) - used, "%s%s", i ? " " : "",
			 words.word[i]);
	}
	return true;
}

/* "8 CPUs in system; running 1 parallel copy of tests" */
static bool read_copies(const char *text, struct unixbench_line *line)
{
	const char *running = strstr(text, COPIES);
	char number[16];
	size_t length;

	if (!running)
		return false;
	running += strlen(COPIES);
	length = strcspn(running, " ");
	if (!text_begins(running + length, " parallel copy of tests") &&
	    !text_begins(running + length, " parallel copies of tests"))
		return false;
	snprintf(number, sizeof(number), "%.*s", (int)(length < 15 ? length : 15), running);
	if (!count_parse(number, COPIES_MOST, &line->copies) || !line->copies)
		return false;
	snprintf(number, sizeof(number), "%.*s", (int)(strcspn(text, " ") % 15), text);
	line->has_cpus = count_parse(number, COPIES_MOST, &line->cpus);
	return true;
}

static bool is_seconds(const char *word)
{
	return !strcmp(word, "s,") || !strcmp(word, "secs,") || !strcmp(word, "sec,");
}

/* "LABEL VALUE UNIT (SECONDS s, N samples)" */
static bool read_score(const struct words *words, struct unixbench_line *line)
{
	struct printed seconds;
	char *const *tail;

	if (words->count <= TAIL_WORDS)
		return false;
	tail = words->word + words->count - TAIL_WORDS;
	if ((strcmp(tail[5], "samples)") != 0 && strcmp(tail[5], "sample)") != 0) ||
	    !count_parse(tail[4], 999999999, &line->samples) || !is_seconds(tail[3]) ||
	    tail[2][0] != '(' || !printed_parse(tail[2] + 1, &seconds) ||
	    strlen(tail[2]) >= sizeof(line->time) || !isalpha((unsigned char)tail[1][0]) ||
	    !printed_parse(tail[0], &line->value))
		return false;
	snprintf(line->time, sizeof(line->time), "%.30s", tail[2] + 1);
	snprintf(line->unit, sizeof(line->unit), "%s", tail[1]);
	return join_label(words, words->count - TAIL_WORDS, line);
}

static bool read_no_score(const char *text, struct unixbench_line *line)
{
	const char *none = strstr(text, "no measured results");
	struct words words = { .count = 0 };

	if (!none || none == text)
		return false;
	snprintf(line->text, sizeof(line->text), "%.*s", (int)(none - text), text);
	split(line->text, &words);
	return join_label(&words, words.count, line);
}

/* "System Benchmarks Index Values BASELINE RESULT INDEX", or "Partial Index", or "TEST" */
static bool read_table(const struct words *words, struct unixbench_line *line)
{
	char *const *tail;
	char *index;

	if (words->count < 3)
		return false;
	tail = words->word + words->count - 3;
	if (strcmp(tail[0], "BASELINE") != 0 || strcmp(tail[1], "RESULT") != 0 ||
	    strcmp(tail[2], "INDEX") != 0)
		return false;
	if (words->count == 3 || !join_label(words, words->count - 3, line))
		return true;
	line->is_partial = strstr(line->label, "Partial") != NULL;
	index = strstr(line->label, " Partial Index");
	if (!index)
		index = strstr(line->label, " Index");
	if (index)
		*index = '\0';
	else
		line->label[0] = '\0';
	return true;
}

/* A number, or "---" for none. */
static bool read_cell(const char *word, struct printed *number, bool *has)
{
	*has = printed_parse(word, number);
	return *has || (word[0] == '-' && !word[strspn(word, "-")]);
}

/* "LABEL BASELINE RESULT INDEX" */
static bool read_row(const struct words *words, struct unixbench_line *line)
{
	char *const *tail;

	if (words->count < 4)
		return false;
	tail = words->word + words->count - 3;
	if (!read_cell(tail[0], &line->baseline, &line->has_baseline) ||
	    !read_cell(tail[1], &line->value, &line->has_value) ||
	    !read_cell(tail[2], &line->index, &line->has_index) ||
	    /* of a number that was cut before its point: all have a decimal */
	    (line->has_index && !line->index.has_decimals && line->has_baseline &&
	     line->baseline.has_decimals))
		return false;
	return join_label(words, words->count - 3, line);
}

/* "System Benchmarks Index Score 1410.0", "FINAL SCORE", "SUM of 6 items", "AVERAGE" */
static bool read_index(const char *text, const struct words *words, struct unixbench_line *line)
{
	const char *number;

	if (words->count < 2)
		return false;
	if (text_begins(text, "SUM of "))
		line->is_sum = true;
	else if (!text_begins(text, "FINAL SCORE ") && !text_begins(text, "AVERAGE ") &&
		 !strstr(text, "Index Score"))
		return false;
	line->is_partial = strstr(text, "Partial") != NULL;
	number = words->word[words->count - 1];
	return printed_parse(number, &line->value) && line->value.has_decimals;
}

static enum line_shape shape_of(const char *text, bool in_table, struct unixbench_line *line)
{
	struct words words = { .count = 0 };

	if (read_banner(text, line))
		return LINE_BANNER;
	if (read_times(text, line))
		return LINE_TIMES;
	if (read_copies(text, line))
		return LINE_COPIES;
	if (text[0] == '=' && !text[strspn(text, "=")])
		return LINE_RULE;
	split(text, &words);
	if (read_score(&words, line))
		return LINE_SCORE;
	if (read_no_score(text, line))
		return LINE_NO_SCORE;
	if (read_table(&words, line))
		return LINE_TABLE;
	if (read_index(text, &words, line))
		return LINE_INDEX;
	if (in_table && read_row(&words, line))
		return LINE_ROW;
	return LINE_OTHER;
}

bool unixbench_line_read(const char *text, bool in_table, struct unixbench_line *line)
{
	line->label[0] = line->text[0] = line->unit[0] = line->time[0] = '\0';
	line->has_value = line->has_baseline = line->has_index = false;
	line->is_partial = line->is_sum = line->is_console = line->has_cpus = false;
	line->shape = shape_of(text, in_table, line);
	return line->shape != LINE_OTHER;
}
