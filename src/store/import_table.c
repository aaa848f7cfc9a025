// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * import_table.c - tables of UnixBench results as people draw them in mails: a row for each test,
 * or for each number of copies of one test, and a column for each kernel, patch or machine. Each
 * column is a run.
 *
 * Rows wrap, borders are "|", "+" or nothing, values are results or indexes. Here lines become a
 * table; import_table_columns.h makes runs of it. The test of a table by copies stands in the text
 * before it ("./Run -c N context1").
 */
#include "store/import_formats.h"
#include "store/import_lines.h"
#include "store/import_table_columns.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT	     "table of UnixBench results"
#define WRAPPED_MOST 4	   /* lines that one line was made into */
#define LOOKED_AT    50000 /* lines, to recognise the format */
#define COPIES_MOST  1000000
#define ROWS_MOST    5000 /* of a table */
#define HEADERS	     4	  /* lines over the columns that are kept */
#define UNKNOWN_MOST 8	  /* rows above the first test that is known */

/* A row above the first test that is known. */
struct unknown_row {
	size_t line;
	char label[UNIXBENCH_LABEL_BYTES];
};

struct reader {
	struct report report;
	struct import_lines lines;
	size_t at;	/* the line that is being read */
	size_t row_end; /* the line behind the last row */
	bool is_ruled;	/* a border stands below the headings */
	struct unknown_row unknown[UNKNOWN_MOST];
	size_t n_unknown;
	struct table table;
	char heading[LINE_BYTES]; /* of a table without borders: the line before it */
	struct table_line headers[HEADERS];
	size_t n_headers;
	bool *found; /* only looking: set when a row is found */
};

static bool contains_word(const char *text, const char *word)
{
	return strcasestr(text, word) != NULL;
}

static bool is_copies_word(const char *text)
{
	static const char *const words[] = {
		"copies", "cores", "cpus", "threads", "copy", "tasks"
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (contains_word(text, words[i]))
			return true;
	return false;
}

/* The headings that were kept become names, now that the number of columns is known. */
static void take_headings(struct reader *reader, size_t columns)
{
	struct table_line line;

	memset(reader->table.column, 0, sizeof(reader->table.column));
	reader->table.columns = columns;
	reader->table.by_copies = false;
	for (size_t i = 0; i < reader->n_headers; i++) {
		const struct table_line *heading = &reader->headers[i];
		/* an empty first cell looks like a border */
		size_t missing = heading->count + 1 == columns;

		if (heading->count + missing != columns)
			continue;
		if (!missing)
			reader->table.by_copies |= is_copies_word(heading->cell[0]);
		for (size_t k = 1; k < columns; k++)
			table_name_column(&reader->table.column[k], heading->cell[k - missing]);
	}
	if (reader->n_headers || !table_split(reader->heading, true, &line))
		return;
	/* Over a table without borders: with or without a word over the labels. */
	if (line.count == columns)
		reader->table.by_copies |= is_copies_word(line.cell[0]);
	for (size_t k = 1; k < columns; k++) {
		if (line.count == columns)
			table_name_column(&reader->table.column[k], line.cell[k]);
		else if (line.count + 1 == columns)
			table_name_column(&reader->table.column[k], line.cell[k - 1]);
	}
}

static void end_table(struct reader *reader)
{
	table_to_runs(&reader->table, &reader->report);
	reader->n_headers = 0;
	reader->n_unknown = 0;
	reader->is_ruled = false;
}

/* Right behind a row: what stands here is of the same table. */
static bool is_inside(const struct reader *reader)
{
	return reader->table.n_rows && reader->row_end == reader->at;
}

static bool is_score_title(const char *text)
{
	return contains_word(text, "Index Score") || contains_word(text, "FINAL SCORE") ||
	       !strcasecmp(text, "score") || !strcasecmp(text, "total score");
}

static size_t count_numbers(const struct table_line *line)
{
	struct printed number;
	const char *unit;
	size_t numbers = 0;

	for (size_t i = 1; i < line->count; i++)
		numbers += table_cell_number(line->cell[i], &number, &unit);
	return numbers;
}

/* What kind of row the cells make. false: none. */
static bool row_kind_of(const struct reader *reader, const struct table_line *line,
			enum table_row_kind *kind)
{
	uint32_t copies;

	if (line->count < 2 ||
	    (!count_numbers(line) && !(is_inside(reader) && unixbench_test_named(line->cell[0]))))
		return false;
	if (is_score_title(line->cell[0])) {
		*kind = ROW_SCORE;
		return reader->table.n_rows > 0 || reader->n_headers > 0;
	}
	if (unixbench_test_named(line->cell[0])) {
		*kind = ROW_TEST;
		return true;
	}
	if (count_parse(line->cell[0], COPIES_MOST, &copies) && copies) {
		bool by_copies = reader->table.n_rows && reader->table.by_copies;

		for (size_t i = 0; !reader->table.n_rows && i < reader->n_headers; i++)
			by_copies |= is_copies_word(reader->headers[i].cell[0]);
		*kind = ROW_COPIES;
		return by_copies && *reader->table.test;
	}
	/* A test that UnixBench does not have, among those that it has. */
	*kind = ROW_TEST;
	return reader->table.n_rows > 0 && !reader->table.by_copies &&
	       isalpha((unsigned char)*line->cell[0]);
}

static void add_unknown(struct reader *reader, size_t line, const char *label)
{
	struct table_row *row = table_add_row(&reader->table, ROW_UNKNOWN, line);

	if (row)
		snprintf(row->label, sizeof(row->label), "%.*s", (int)sizeof(row->label) - 1,
			 label);
	else
		reader->report.imported->no_memory = true;
}

/*
 * A row of a test that is not known: among the others without a number, or above the first of them
 * with one in every column. "| kernel | 6.12 | 6.13 |" is a heading.
 */
static bool is_unknown_row(const struct reader *reader, const struct table_line *line)
{
	const char *label = line->cell[0];

	if (!isalpha((unsigned char)label[0]) || line->count < 2)
		return false;
	if (reader->table.n_rows)
		return is_inside(reader) && line->count == reader->table.columns;
	return reader->n_headers && reader->is_ruled && count_numbers(line) == line->count - 1 &&
	       !is_copies_word(label) && !contains_word(label, "kernel") &&
	       !contains_word(label, "version");
}

/* Above the first row it is not yet known whether this is a table of UnixBench at all. */
static void take_unknown(struct reader *reader, const struct table_line *line, size_t number)
{
	struct unknown_row *unknown = &reader->unknown[reader->n_unknown];

	if (reader->found)
		return;
	if (reader->table.n_rows) {
		add_unknown(reader, number, line->cell[0]);
	} else if (reader->n_unknown < UNKNOWN_MOST) {
		*unknown = (struct unknown_row){ .line = number };
		snprintf(unknown->label, sizeof(unknown->label), "%.*s",
			 (int)sizeof(unknown->label) - 1, line->cell[0]);
		reader->n_unknown++;
	}
}

static void add_row(struct reader *reader, const struct table_line *line, enum table_row_kind kind,
		    const struct import_line *at, const struct import_line *last)
{
	const struct unixbench_test *test = unixbench_test_named(line->cell[0]);
	struct table_row *row;

	if (reader->found) {
		*reader->found |= kind == ROW_TEST || kind == ROW_COPIES;
		return;
	}
	if (!reader->table.n_rows) {
		take_headings(reader, line->count);
		if (!reader->table.line)
			reader->table.line = at->number;
		for (size_t i = 0; i < reader->n_unknown; i++)
			add_unknown(reader, reader->unknown[i].line, reader->unknown[i].label);
		reader->n_unknown = 0;
	}
	if (line->count > reader->table.columns)
		reader->table.columns = line->count;
	if (reader->table.n_rows >= ROWS_MOST) {
		imported_warn(reader->report.imported, at->number,
			      "more than %d rows: this one is left out", ROWS_MOST);
		return;
	}
	row = table_add_row(&reader->table, kind, at->number);
	if (!row) {
		reader->report.imported->no_memory = true;
		return;
	}
	row->is_partial = contains_word(line->cell[0], "Partial");
	if (kind == ROW_COPIES)
		count_parse(line->cell[0], COPIES_MOST, &row->copies);
	snprintf(row->label, sizeof(row->label), "%s", test ? test->label : line->cell[0]);
	for (size_t k = 1; k < line->count; k++) {
		struct table_cell *cell = &row->cell[k];
		const char *unit = "";

		cell->has = table_cell_number(line->cell[k], &cell->number, &unit);
		snprintf(cell->unit, sizeof(cell->unit), "%.7s", unit);
		/* The file ends in this number: digits may be missing. */
		if (last->is_cut && k + 1 == line->count && !cell->number.has_decimals)
			cell->has = false;
	}
}

/* A name of a test in the text, where it speaks of UnixBench. */
static void look_for_test(struct reader *reader, const char *text)
{
	char copy[LINE_BYTES], *words[32];
	size_t count;

	if (!contains_word(text, "unixbench") && !strstr(text, "Run "))
		return;
	snprintf(copy, sizeof(copy), "%s", text);
	for (char *at = copy; *at; at++)
		if (!isalnum((unsigned char)*at))
			*at = ' ';
	count = words_split(copy, words, 32);
	for (size_t i = 0; i < count; i++) {
		const struct unixbench_test *test = unixbench_test_named(words[i]);

		if (test && test->baseline > 0)
			snprintf(reader->table.test, sizeof(reader->table.test), "%s", test->label);
	}
}

static void take_text(struct reader *reader, const char *text)
{
	/* a title drawn into a border: "RESULT: +---UnixBench context1---+" */
	const char *drawn = strstr(text, "+-");
	size_t blanks;

	look_for_test(reader, text);
	text = drawn ? drawn : text;
	blanks = strspn(text, "-=+| ");
	if (reader->table.n_rows)
		end_table(reader);
	reader->n_headers = 0;
	reader->n_unknown = 0;
	reader->is_ruled = false;
	reader->table.line = 0;
	snprintf(reader->heading, sizeof(reader->heading), "%s", text);
	snprintf(reader->table.text, sizeof(reader->table.text), "%.*s", TABLE_NAME_BYTES - 1,
		 text + blanks);
	for (size_t length = strlen(reader->table.text);
	     length && strchr("-=+| ", reader->table.text[length - 1]); length--)
		reader->table.text[length - 1] = '\0';
}

static void take_heading(struct reader *reader, const struct table_line *line,
			 const struct import_line *at)
{
	if (reader->table.n_rows) {
		end_table(reader);
		reader->table.line = 0;
	}
	if (!reader->table.line)
		reader->table.line = at->number;
	reader->is_ruled = false;
	if (reader->n_headers == HEADERS) {
		/* only the last ones stand over the columns */
		memmove(&reader->headers[0], &reader->headers[1],
			(HEADERS - 1) * sizeof(reader->headers[0]));
		reader->n_headers--;
	}
	reader->headers[reader->n_headers] = *line;
	/* the cells point into the bytes of the copy */
	for (size_t k = 0; k < line->count; k++)
		reader->headers[reader->n_headers].cell[k] =
			reader->headers[reader->n_headers].bytes + (line->cell[k] - line->bytes);
	reader->n_headers++;
}

/* A heading with an empty first cell: its rest stands alone, and the table goes on behind it. */
static bool heading_goes_on(const struct reader *reader, const char *text, size_t next)
{
	struct table_line line;
	const char *behind;

	if (next + 1 >= reader->lines.count || strchr(reader->lines.line[next].text, '|') ||
	    !table_split(text, false, &line) || count_numbers(&line))
		return false;
	behind = reader->lines.line[next + 1].text;
	return strchr(behind, '|') || table_is_border(behind);
}

/* A number, with a unit or not, and nothing else: what wrapping leaves behind. */
static bool is_lone_number(const char *text)
{
	struct printed number;
	const char *unit;

	return table_cell_number(text, &number, &unit) && (!text[strcspn(text, " ")] || *unit);
}

/* Is the next line the rest of this one? It has no label of its own. */
static bool goes_on(const struct reader *reader, const char *text, size_t next)
{
	struct table_line line, rest;
	struct printed number;
	const char *after, *unit;

	if (next >= reader->lines.count || !*reader->lines.line[next].text)
		return false;
	after = reader->lines.line[next].text;
	if (table_is_border(after))
		return false;
	if (!strchr(text, '|')) {
		/* without borders: numbers alone, behind a row of a test */
		return table_split_label(text, &line) && !strchr(after, '|') &&
		       is_lone_number(after);
	}
	/* "|" at the end: a cell may still be to come */
	if (!text_ends(text, "|"))
		return false;
	if (text[0] == '|')
		return heading_goes_on(reader, text, next);
	if (reader->table.columns && table_split(text, false, &line) &&
	    line.count >= reader->table.columns)
		return false;
	if (!strchr(after, '|'))
		return true;
	return table_split(after, false, &rest) && table_cell_number(rest.cell[0], &number, &unit);
}

/* Puts what was wrapped together. Returns how many lines it was, with blank ones between them. */
static size_t unwrap(const struct reader *reader, size_t i, char text[LINE_BYTES])
{
	const struct import_line *lines = reader->lines.line;
	size_t count = 1;

	snprintf(text, LINE_BYTES, "%s", lines[i].text);
	for (size_t joined = 1; joined < WRAPPED_MOST; joined++) {
		size_t used = strlen(text), next = i + count;

		/* an answer to a mail may double the spacing */
		if (next + 1 < reader->lines.count && !*lines[next].text &&
		    is_lone_number(lines[next + 1].text))
			next++;
		if (!goes_on(reader, text, next) ||
		    used + strlen(lines[next].text) + 2 > LINE_BYTES)
			break;
		snprintf(text + used, LINE_BYTES - used, " %s", lines[next].text);
		count = next + 1 - i;
	}
	return count;
}

static bool all_numbers(const char *text, struct table_line *line)
{
	char *words[TABLE_COLUMNS];
	struct printed number;

	snprintf(line->bytes, sizeof(line->bytes), "%s", text);
	line->has_borders = false;
	line->count = words_split(line->bytes, words, TABLE_COLUMNS);
	if (line->count < 2 || line->count == TABLE_COLUMNS)
		return false;
	for (size_t i = 0; i < line->count; i++) {
		if (!printed_parse(words[i], &number))
			return false;
		line->cell[i] = words[i];
	}
	return true;
}

/* "System Benchmarks Index Score  1410.0  1885.8", below a table without borders. */
static bool split_score(const char *text, struct table_line *line)
{
	char *words[TABLE_COLUMNS];
	struct printed number;
	size_t count, first;

	snprintf(line->bytes, sizeof(line->bytes), "%s", text);
	line->has_borders = false;
	if (!contains_word(text, "Index Score") && !contains_word(text, "FINAL SCORE"))
		return false;
	count = words_split(line->bytes, words, TABLE_COLUMNS);
	for (first = count; first > 0 && printed_parse(words[first - 1], &number); first--)
		;
	if (!first || first == count || count == TABLE_COLUMNS)
		return false;
	line->count = 0;
	line->cell[line->count++] =
		contains_word(text, "Partial") ? "Index Score (Partial Only)" : "Index Score";
	for (size_t i = first; i < count; i++)
		line->cell[line->count++] = words[i];
	return true;
}

/* "Fancy New Throughput  123.4  456.7" among rows without borders: a number for each column. */
static bool split_unknown(const char *text, size_t columns, struct table_line *line)
{
	char *words[TABLE_COLUMNS];
	bool has_decimals = false;
	struct printed number;
	size_t count, first;

	snprintf(line->bytes, sizeof(line->bytes), "%s", text);
	line->has_borders = false;
	count = words_split(line->bytes, words, TABLE_COLUMNS);
	for (first = count; first > 0 && printed_parse(words[first - 1], &number); first--)
		has_decimals |= number.has_decimals;
	if (!first || count == TABLE_COLUMNS || count - first != columns - 1 || !has_decimals ||
	    !isalpha((unsigned char)words[0][0]))
		return false;
	/* the words before the numbers are one label again */
	for (char *at = words[0]; at < words[first - 1]; at++)
		*at = *at ? *at : ' ';
	line->count = 0;
	line->cell[line->count++] = words[0];
	for (size_t i = first; i < count; i++)
		line->cell[line->count++] = words[i];
	return true;
}

static size_t read_at(struct reader *reader, size_t i)
{
	const struct import_line *at = &reader->lines.line[i];
	char text[LINE_BYTES];
	struct table_line line;
	enum table_row_kind kind;
	size_t count;

	reader->at = i;
	if (!*at->text || table_is_border(at->text)) {
		reader->is_ruled |= *at->text && reader->n_headers;
		return 1;
	}
	count = unwrap(reader, i, text);
	if (table_split(text, false, &line)) {
		if (row_kind_of(reader, &line, &kind)) {
			add_row(reader, &line, kind, at, &reader->lines.line[i + count - 1]);
			reader->row_end = i + count;
		} else if (is_unknown_row(reader, &line)) {
			take_unknown(reader, &line, at->number);
			reader->row_end = i + count;
		} else {
			take_heading(reader, &line, at);
		}
		return count;
	}
	if (table_split_label(text, &line) || (reader->table.n_rows && split_score(text, &line)) ||
	    ((!reader->table.n_rows || reader->table.by_copies) && all_numbers(text, &line)) ||
	    (is_inside(reader) && split_unknown(text, reader->table.columns, &line))) {
		/* Numbers alone are rows below a word for copies. */
		if (!reader->table.n_rows && !reader->n_headers && *reader->heading) {
			struct table_line heading;

			if (table_split(reader->heading, true, &heading) &&
			    heading.count == line.count)
				take_heading(reader, &heading, at);
		}
		if (row_kind_of(reader, &line, &kind)) {
			add_row(reader, &line, kind, at, &reader->lines.line[i + count - 1]);
			reader->row_end = i + count;
			return count;
		}
	}
	if (reader->table.n_rows && is_lone_number(text))
		imported_warn(reader->report.imported, at->number,
			      "\"%.60s\" stands alone: it is in no row", text);
	else
		take_text(reader, at->text);
	return 1;
}

static void read_all(struct reader *reader, size_t most)
{
	for (size_t i = 0;
	     i < reader->lines.count && i < most && !reader->report.imported->no_memory;) {
		i += read_at(reader, i);
		if (reader->found && *reader->found)
			return;
	}
	if (!reader->found)
		end_table(reader);
}

bool import_table_recognise(const struct import_source *source)
{
	struct imported nothing = { 0 };
	bool found = false;
	struct reader reader = { .report = { .imported = &nothing }, .found = &found };

	if (import_lines_make(source, &reader.lines, NULL))
		return false;
	read_all(&reader, LOOKED_AT);
	import_lines_free(&reader.lines);
	return found;
}

int import_table_read(const struct import_source *source, struct imported *imported,
		      struct error *err)
{
	struct reader reader = { .report = { .imported = imported, .format = FORMAT } };
	int rc = import_lines_make(source, &reader.lines, err);

	if (rc)
		return rc;
	reader.report.section_s = NAN;
	read_all(&reader, reader.lines.count);
	unixbench_free(&reader.report);
	free(reader.table.row);
	import_lines_free(&reader.lines);
	return 0;
}
