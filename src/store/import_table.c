// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * import_table.c - tables of UnixBench results as people draw them in mails: a row for each test,
 * or for each number of copies of one test, and a column for each kernel, patch or machine. Each
 * column is a run.
 *
 * Rows wrap, borders are "|", "+" or nothing, values are results or indexes. Which of them is said
 * by units, by the words over the columns, or by the row of the index score, which only one of them
 * gives; else by what is possible at all. The test of a table by copies stands in the text before
 * it ("./Run -c N context1").
 */
#include "stats/index.h"
#include "store/import_formats.h"
#include "store/import_lines.h"
#include "store/import_table_line.h"
#include "store/import_unixbench_report.h"
#include "store/json_text.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT	     "table of UnixBench results"
#define NAME_BYTES   96
#define WRAPPED_MOST 4	   /* lines that one line was made into */
#define LOOKED_AT    50000 /* lines, to recognise the format */
#define SCORE_NEAR   0.01  /* of the printed score: the reading of a column that it fits */
#define INDEX_LEAST  100   /* a lower index of a machine of today is no result but an index */
#define COPIES_MOST  1000000

enum kind {
	KIND_UNKNOWN,
	KIND_RESULT,
	KIND_INDEX,
	KIND_SCORE, /* the word for either */
	KIND_BASELINE,
	KIND_ASIDE, /* change, ratio, deviation */
};

struct column {
	char name[NAME_BYTES];
	enum kind kind;
	bool is_guess; /* nothing says the kind */
};

enum row_kind { ROW_TEST, ROW_COPIES, ROW_SCORE };

struct row {
	enum row_kind kind;
	char label[UNIXBENCH_LABEL_BYTES];
	uint32_t copies;
	size_t line;
	bool is_partial;
	struct cell {
		struct printed number;
		bool has;
		char unit[8];
	} cell[TABLE_COLUMNS];
};

struct reader {
	struct report report;
	struct import_lines lines;
	struct column column[TABLE_COLUMNS]; /* the first is that of the labels */
	size_t columns;			     /* of the rows; 0: no row yet */
	struct row *row;
	size_t n_rows, room_rows;
	bool by_copies;
	char said[NAME_BYTES];	  /* the last text before the table */
	char test[NAME_BYTES];	  /* label of the test that the text named last */
	char heading[LINE_BYTES]; /* of a table without borders: the line before it */
	struct table_line headers[4];
	size_t n_headers;
	size_t header_line;
	bool *found; /* only looking: set when a row is found */
};

static bool contains_word(const char *text, const char *word)
{
	return strcasestr(text, word) != NULL;
}

/* What a word over a column makes of it. */
static enum kind kind_of_word(const char *word)
{
	static const struct {
		const char *word;
		enum kind kind;
	} words[] = {
		{ "index", KIND_INDEX },       { "indexes", KIND_INDEX },
		{ "result", KIND_RESULT },     { "results", KIND_RESULT },
		{ "value", KIND_RESULT },      { "values", KIND_RESULT },
		{ "score", KIND_SCORE },       { "scores", KIND_SCORE },
		{ "baseline", KIND_BASELINE }, { "change", KIND_ASIDE },
		{ "diff", KIND_ASIDE },	       { "difference", KIND_ASIDE },
		{ "delta", KIND_ASIDE },       { "ratio", KIND_ASIDE },
		{ "gain", KIND_ASIDE },	       { "improvement", KIND_ASIDE },
		{ "speedup", KIND_ASIDE },     { "stddev", KIND_ASIDE },
		{ "stdev", KIND_ASIDE },       { "cv", KIND_ASIDE },
		{ "improve", KIND_ASIDE },     { "uplift", KIND_ASIDE },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcasecmp(word, words[i].word))
			return words[i].kind;
	return strchr(word, '%') ? KIND_ASIDE : KIND_UNKNOWN;
}

/* Words of a heading: kinds, and what is left is a name. */
static void name_column(struct column *column, const char *heading)
{
	char copy[LINE_BYTES], *words[16];
	size_t count;

	snprintf(copy, sizeof(copy), "%s", heading);
	count = words_split(copy, words, 16);
	for (size_t i = 0; i < count; i++) {
		enum kind kind = kind_of_word(words[i]);
		size_t used = strlen(column->name);

		if (kind == KIND_UNKNOWN)
			snprintf(column->name + used, NAME_BYTES - used, "%s%s", used ? " " : "",
				 words[i]);
		else if (column->kind == KIND_UNKNOWN || kind == KIND_ASIDE)
			column->kind = kind;
	}
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

	memset(reader->column, 0, sizeof(reader->column));
	reader->columns = columns;
	reader->by_copies = false;
	for (size_t i = 0; i < reader->n_headers; i++) {
		const struct table_line *heading = &reader->headers[i];
		/* an empty first cell looks like a border */
		size_t missing = heading->count + 1 == columns;

		if (heading->count + missing != columns)
			continue;
		if (!missing)
			reader->by_copies |= is_copies_word(heading->cell[0]);
		for (size_t k = 1; k < columns; k++)
			name_column(&reader->column[k], heading->cell[k - missing]);
	}
	if (reader->n_headers || !table_split(reader->heading, true, &line))
		return;
	/* Over a table without borders: with or without a word over the labels. */
	if (line.count == columns)
		reader->by_copies |= is_copies_word(line.cell[0]);
	for (size_t k = 1; k < columns; k++) {
		if (line.count == columns)
			name_column(&reader->column[k], line.cell[k]);
		else if (line.count + 1 == columns)
			name_column(&reader->column[k], line.cell[k - 1]);
	}
}

/* The results of a column as the index score that they would give, and how many they are. */
static double score_of(const struct reader *reader, size_t column, bool are_indexes, size_t *n)
{
	double sum = 0;

	*n = 0;
	for (size_t i = 0; i < reader->n_rows; i++) {
		const struct row *row = &reader->row[i];
		const struct unixbench_test *test = unixbench_test_of(row->label);

		if (row->kind != ROW_TEST || !row->cell[column].has || !test ||
		    !(test->baseline > 0) || !(row->cell[column].number.value > 0))
			continue;
		sum += log(row->cell[column].number.value) -
		       (are_indexes ? 0 : log(test->baseline / INDEX_OF_BASELINE));
		++*n;
	}
	return *n ? exp(sum / (double)*n) : NAN;
}

/* The printed score of a column, or of the column of indexes beside its results. */
static const struct row *score_row(const struct reader *reader, size_t column, size_t *at)
{
	for (size_t i = 0; i < reader->n_rows; i++) {
		const struct row *row = &reader->row[i];

		if (row->kind != ROW_SCORE)
			continue;
		for (size_t k = column; k < reader->columns; k++) {
			if (k > column && reader->column[k].kind != KIND_INDEX)
				break;
			if (!row->cell[k].has)
				continue;
			*at = k;
			return row;
		}
	}
	return NULL;
}

static bool has_units(const struct reader *reader, size_t column)
{
	for (size_t i = 0; i < reader->n_rows; i++)
		if (reader->row[i].kind == ROW_TEST && *reader->row[i].cell[column].unit)
			return true;
	return false;
}

/* A column that repeats UnixBench's baselines. */
static bool is_baseline(const struct reader *reader, size_t column)
{
	size_t same = 0;

	for (size_t i = 0; i < reader->n_rows; i++) {
		const struct row *row = &reader->row[i];
		const struct unixbench_test *test = unixbench_test_of(row->label);

		if (row->kind != ROW_TEST || !row->cell[column].has || !test)
			continue;
		if (row->cell[column].number.value != test->baseline)
			return false;
		same++;
	}
	return same > 0;
}

static void decide_kind(struct reader *reader, size_t column)
{
	struct column *about = &reader->column[column];
	double as_results, as_indexes;
	const struct row *score;
	size_t n, at = 0;

	if (about->kind != KIND_UNKNOWN && about->kind != KIND_SCORE)
		return;
	if (has_units(reader, column)) {
		about->kind = KIND_RESULT;
		return;
	}
	if (is_baseline(reader, column)) {
		about->kind = KIND_BASELINE;
		return;
	}
	if (reader->by_copies) {
		about->kind = KIND_INDEX;
		about->is_guess = true;
		return;
	}
	as_results = score_of(reader, column, false, &n);
	as_indexes = score_of(reader, column, true, &n);
	score = score_row(reader, column, &at);
	if (score && at == column) {
		double printed = score->cell[at].number.value;

		if (fabs(as_results - printed) <= SCORE_NEAR * printed)
			about->kind = KIND_RESULT;
		else if (fabs(as_indexes - printed) <= SCORE_NEAR * printed)
			about->kind = KIND_INDEX;
	}
	if (about->kind == KIND_RESULT || about->kind == KIND_INDEX || !n)
		return;
	about->kind = as_results < INDEX_LEAST ? KIND_INDEX : KIND_RESULT;
	about->is_guess = true;
}

static void add_cell(struct reader *reader, const struct row *row, size_t column, const char *label)
{
	const struct cell *cell = &row->cell[column];

	if (!cell->has)
		imported_warn(reader->report.imported, row->line,
			      "%s has no number in the column \"%.60s\"", label,
			      reader->column[column].name);
	else if (reader->column[column].kind == KIND_INDEX)
		unixbench_index(&reader->report, row->line, label, &cell->number);
	else
		unixbench_result(&reader->report, row->line, label, &cell->number,
				 *cell->unit ? cell->unit : NULL, NULL);
}

/* A column becomes a run. */
static void add_run(struct reader *reader, size_t column)
{
	struct report *report = &reader->report;
	const struct row *score;
	struct run *run;
	size_t at;

	run = unixbench_begin(report, reader->header_line, NULL);
	if (!run)
		return;
	if (*reader->column[column].name)
		imported_detail(report->imported, run, "label",
				json_text(reader->column[column].name));
	if (*reader->said)
		imported_detail(report->imported, run, "text", json_text(reader->said));
	if (reader->column[column].is_guess)
		imported_warn(report->imported, reader->header_line,
			      "nothing says whether the column \"%.60s\" has results or indexes: "
			      "taken as %s",
			      reader->column[column].name,
			      reader->column[column].kind == KIND_INDEX ? "indexes" : "results");
	for (size_t i = 0; i < reader->n_rows && !report->imported->no_memory; i++) {
		const struct row *row = &reader->row[i];

		if (row->kind == ROW_COPIES) {
			unixbench_section(report, row->line, row->copies);
			add_cell(reader, row, column, reader->test);
		} else if (row->kind == ROW_TEST) {
			add_cell(reader, row, column, row->label);
		}
	}
	score = score_row(reader, column, &at);
	if (score)
		unixbench_score(report, score->line, &score->cell[at].number, score->is_partial,
				false);
	else if (!reader->by_copies)
		imported_warn(report->imported, reader->header_line,
			      "the column \"%.60s\" has no index score",
			      reader->column[column].name);
	unixbench_end(report);
}

/* What was gathered becomes runs; then the next table. */
static void table_end(struct reader *reader)
{
	bool has_results = false;

	for (size_t k = 1; k < reader->columns && reader->n_rows; k++)
		decide_kind(reader, k);
	for (size_t k = 1; k < reader->columns; k++)
		has_results |= reader->column[k].kind == KIND_RESULT;
	for (size_t k = 1; k < reader->columns && reader->n_rows; k++) {
		bool is_beside = reader->column[k].kind == KIND_INDEX && has_results && k > 1 &&
				 reader->column[k - 1].kind == KIND_RESULT;

		if (reader->column[k].kind == KIND_RESULT ||
		    (reader->column[k].kind == KIND_INDEX && !is_beside))
			add_run(reader, k);
	}
	reader->n_rows = 0;
	reader->columns = 0;
	reader->n_headers = 0;
	reader->by_copies = false;
}

static struct row *new_row(struct reader *reader, enum row_kind kind, size_t line)
{
	struct row *row;

	if (reader->n_rows == reader->room_rows) {
		size_t room = reader->room_rows ? 2 * reader->room_rows : 16;
		struct row *grown = reallocarray(reader->row, room, sizeof(*grown));

		if (!grown) {
			reader->report.imported->no_memory = true;
			return NULL;
		}
		reader->row = grown;
		reader->room_rows = room;
	}
	row = &reader->row[reader->n_rows++];
	memset(row, 0, sizeof(*row));
	row->kind = kind;
	row->line = line;
	return row;
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
			enum row_kind *kind)
{
	uint32_t copies;

	if (line->count < 2 || !count_numbers(line))
		return false;
	if (is_score_title(line->cell[0])) {
		*kind = ROW_SCORE;
		return reader->n_rows > 0 || reader->n_headers > 0;
	}
	if (unixbench_test_named(line->cell[0])) {
		*kind = ROW_TEST;
		return true;
	}
	if (count_parse(line->cell[0], COPIES_MOST, &copies) && copies) {
		bool by_copies = reader->n_rows && reader->by_copies;

		for (size_t i = 0; !reader->n_rows && i < reader->n_headers; i++)
			by_copies |= is_copies_word(reader->headers[i].cell[0]);
		*kind = ROW_COPIES;
		return by_copies && *reader->test;
	}
	/* A test that UnixBench does not have, among those that it has. */
	*kind = ROW_TEST;
	return reader->n_rows > 0 && !reader->by_copies && isalpha((unsigned char)*line->cell[0]);
}

static void add_row(struct reader *reader, const struct table_line *line, enum row_kind kind,
		    const struct import_line *at, const struct import_line *last)
{
	const struct unixbench_test *test = unixbench_test_named(line->cell[0]);
	struct row *row;

	if (reader->found) {
		*reader->found |= kind == ROW_TEST || kind == ROW_COPIES;
		return;
	}
	if (!reader->n_rows) {
		take_headings(reader, line->count);
		if (!reader->header_line)
			reader->header_line = at->number;
	}
	if (line->count > reader->columns)
		reader->columns = line->count;
	row = new_row(reader, kind, at->number);
	if (!row)
		return;
	row->is_partial = contains_word(line->cell[0], "Partial");
	if (kind == ROW_COPIES)
		count_parse(line->cell[0], COPIES_MOST, &row->copies);
	snprintf(row->label, sizeof(row->label), "%s", test ? test->label : line->cell[0]);
	for (size_t k = 1; k < line->count; k++) {
		struct cell *cell = &row->cell[k];
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
			snprintf(reader->test, sizeof(reader->test), "%s", test->label);
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
	if (reader->n_rows)
		table_end(reader);
	reader->n_headers = 0;
	reader->header_line = 0;
	snprintf(reader->heading, sizeof(reader->heading), "%s", text);
	snprintf(reader->said, sizeof(reader->said), "%.*s", NAME_BYTES - 1, text + blanks);
	for (size_t length = strlen(reader->said);
	     length && strchr("-=+| ", reader->said[length - 1]); length--)
		reader->said[length - 1] = '\0';
}

static void take_heading(struct reader *reader, const struct table_line *line,
			 const struct import_line *at)
{
	size_t most = sizeof(reader->headers) / sizeof(reader->headers[0]);

	if (reader->n_rows) {
		table_end(reader);
		reader->header_line = 0;
	}
	if (!reader->header_line)
		reader->header_line = at->number;
	if (reader->n_headers == most) {
		/* only the last ones stand over the columns */
		memmove(&reader->headers[0], &reader->headers[1],
			(most - 1) * sizeof(reader->headers[0]));
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
		       table_cell_number(after, &number, &unit) &&
		       (!after[strcspn(after, " ")] || *unit);
	}
	/* "|" at the end: a cell may still be to come */
	if (!text_ends(text, "|"))
		return false;
	if (text[0] == '|')
		return heading_goes_on(reader, text, next);
	if (reader->columns && table_split(text, false, &line) && line.count >= reader->columns)
		return false;
	if (!strchr(after, '|'))
		return true;
	return table_split(after, false, &rest) && table_cell_number(rest.cell[0], &number, &unit);
}

/* Puts what was wrapped together. Returns how many lines it was. */
static size_t unwrap(const struct reader *reader, size_t i, char text[LINE_BYTES])
{
	size_t count = 1;

	snprintf(text, LINE_BYTES, "%s", reader->lines.line[i].text);
	while (count < WRAPPED_MOST && goes_on(reader, text, i + count)) {
		if (!import_lines_join(&reader->lines, i, count + 1, text))
			break;
		count++;
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

static size_t read_at(struct reader *reader, size_t i)
{
	const struct import_line *at = &reader->lines.line[i];
	char text[LINE_BYTES];
	struct table_line line;
	enum row_kind kind;
	size_t count;

	if (!*at->text || table_is_border(at->text))
		return 1;
	count = unwrap(reader, i, text);
	if (table_split(text, false, &line)) {
		if (row_kind_of(reader, &line, &kind))
			add_row(reader, &line, kind, at, &reader->lines.line[i + count - 1]);
		else
			take_heading(reader, &line, at);
		return count;
	}
	if (table_split_label(text, &line) || (reader->n_rows && split_score(text, &line)) ||
	    ((!reader->n_rows || reader->by_copies) && all_numbers(text, &line))) {
		/* Numbers alone are rows below a word for copies. */
		if (!reader->n_rows && !reader->n_headers && *reader->heading) {
			struct table_line heading;

			if (table_split(reader->heading, true, &heading) &&
			    heading.count == line.count)
				take_heading(reader, &heading, at);
		}
		if (row_kind_of(reader, &line, &kind)) {
			add_row(reader, &line, kind, at, &reader->lines.line[i + count - 1]);
			return count;
		}
	}
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
		table_end(reader);
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
	free(reader.row);
	import_lines_free(&reader.lines);
	return 0;
}
