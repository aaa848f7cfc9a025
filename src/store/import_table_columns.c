// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * import_table_columns.c - see import_table_columns.h.
 *
 * Whether a column has results or indexes is said by units, by the words over it, or by the row of
 * the index score, which only one of them gives; else by what is possible at all.
 */
#include "store/import_table_columns.h"

#include "stats/index.h"
#include "store/json_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCORE_NEAR  0.01 /* of the printed score: the reading of a column that it fits */
#define INDEX_LEAST 100	 /* a lower index of a machine of today is no result but an index */

/* What a word over a column makes of it. */
static enum column_kind kind_of_word(const char *word)
{
	static const struct {
		const char *word;
		enum column_kind kind;
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
void table_name_column(struct table_column *column, const char *heading)
{
	char copy[LINE_BYTES], *words[16];
	size_t count;

	snprintf(copy, sizeof(copy), "%s", heading);
	count = words_split(copy, words, 16);
	for (size_t i = 0; i < count; i++) {
		enum column_kind kind = kind_of_word(words[i]);
		size_t used = strlen(column->name);

		if (kind == KIND_UNKNOWN)
			snprintf(column->name + used, TABLE_NAME_BYTES - used, "%s%s",
				 used ? " " : "", words[i]);
		else if (column->kind == KIND_UNKNOWN || kind == KIND_ASIDE)
			column->kind = kind;
	}
}

/* The results of a column as the index score that they would give, and how many they are. */
static double score_of(const struct table *table, size_t column, bool are_indexes, size_t *n)
{
	double sum = 0;

	*n = 0;
	for (size_t i = 0; i < table->n_rows; i++) {
		const struct table_row *row = &table->row[i];
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
static const struct table_row *score_row(const struct table *table, size_t column, size_t *at)
{
	for (size_t i = 0; i < table->n_rows; i++) {
		const struct table_row *row = &table->row[i];

		if (row->kind != ROW_SCORE)
			continue;
		for (size_t k = column; k < table->columns; k++) {
			if (k > column && table->column[k].kind != KIND_INDEX)
				break;
			if (!row->cell[k].has)
				continue;
			*at = k;
			return row;
		}
	}
	return NULL;
}

static bool has_units(const struct table *table, size_t column)
{
	for (size_t i = 0; i < table->n_rows; i++)
		if (table->row[i].kind == ROW_TEST && *table->row[i].cell[column].unit)
			return true;
	return false;
}

/* A column that repeats UnixBench's baselines. */
static bool is_baseline(const struct table *table, size_t column)
{
	size_t same = 0;

	for (size_t i = 0; i < table->n_rows; i++) {
		const struct table_row *row = &table->row[i];
		const struct unixbench_test *test = unixbench_test_of(row->label);

		if (row->kind != ROW_TEST || !row->cell[column].has || !test)
			continue;
		if (row->cell[column].number.value != test->baseline)
			return false;
		same++;
	}
	return same > 0;
}

static void decide_kind(struct table *table, size_t column)
{
	struct table_column *about = &table->column[column];
	double as_results, as_indexes;
	const struct table_row *score;
	size_t n, at = 0;

	/* What a patch is compared with is called so too. */
	if (about->kind == KIND_BASELINE && !is_baseline(table, column)) {
		about->kind = KIND_UNKNOWN;
		if (!*about->name)
			snprintf(about->name, sizeof(about->name), "baseline");
	}
	if (about->kind != KIND_UNKNOWN && about->kind != KIND_SCORE)
		return;
	if (has_units(table, column)) {
		about->kind = KIND_RESULT;
		return;
	}
	if (is_baseline(table, column)) {
		about->kind = KIND_BASELINE;
		return;
	}
	if (table->by_copies) {
		about->kind = KIND_INDEX;
		about->is_guess = true;
		return;
	}
	as_results = score_of(table, column, false, &n);
	as_indexes = score_of(table, column, true, &n);
	score = score_row(table, column, &at);
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

static void add_cell(const struct table *table, struct report *report, const struct table_row *row,
		     size_t column, const char *label)
{
	const struct table_cell *cell = &row->cell[column];

	if (!cell->has)
		imported_warn(report->imported, row->line,
			      "%s has no number in the column \"%.60s\"", label,
			      table->column[column].name);
	else if (table->column[column].kind == KIND_INDEX)
		unixbench_index(report, row->line, label, &cell->number);
	else
		unixbench_result(report, row->line, label, &cell->number,
				 *cell->unit ? cell->unit : NULL, NULL);
}

/* A column becomes a run. */
static void add_run(const struct table *table, struct report *report, size_t column)
{
	const struct table_row *score;
	struct run *run;
	size_t at;

	run = unixbench_begin(report, table->line, NULL);
	if (!run)
		return;
	if (*table->column[column].name)
		imported_detail(report->imported, run, "label",
				json_text(table->column[column].name));
	if (*table->text)
		imported_detail(report->imported, run, "text", json_text(table->text));
	if (table->column[column].is_guess)
		imported_warn(report->imported, table->line,
			      "nothing says whether the column \"%.60s\" has results or indexes: "
			      "taken as %s",
			      table->column[column].name,
			      table->column[column].kind == KIND_INDEX ? "indexes" : "results");
	for (size_t i = 0; i < table->n_rows && !report->imported->no_memory; i++) {
		const struct table_row *row = &table->row[i];

		if (row->kind == ROW_COPIES) {
			unixbench_section(report, row->line, row->copies);
			add_cell(table, report, row, column, table->test);
		} else if (row->kind == ROW_TEST) {
			add_cell(table, report, row, column, row->label);
		} else if (row->kind == ROW_UNKNOWN) {
			imported_warn(report->imported, row->line,
				      "\"%.60s\" is no test of UnixBench: its row is left out",
				      row->label);
		}
	}
	score = score_row(table, column, &at);
	if (score)
		unixbench_score(report, score->line, &score->cell[at].number, score->is_partial,
				false);
	else if (!table->by_copies)
		imported_warn(report->imported, table->line,
			      "the column \"%.60s\" has no index score",
			      table->column[column].name);
	unixbench_end(report);
}

void table_to_runs(struct table *table, struct report *report)
{
	bool has_results = false;

	for (size_t k = 1; k < table->columns && table->n_rows; k++)
		decide_kind(table, k);
	for (size_t k = 1; k < table->columns; k++)
		has_results |= table->column[k].kind == KIND_RESULT;
	for (size_t k = 1; k < table->columns && table->n_rows; k++) {
		bool is_beside = table->column[k].kind == KIND_INDEX && has_results && k > 1 &&
				 table->column[k - 1].kind == KIND_RESULT;

		if (table->column[k].kind == KIND_RESULT ||
		    (table->column[k].kind == KIND_INDEX && !is_beside))
			add_run(table, report, k);
	}
	table->n_rows = 0;
	table->columns = 0;
	table->by_copies = false;
	table->line = 0;
}

struct table_row *table_add_row(struct table *table, enum table_row_kind kind, size_t line)
{
	struct table_row *row;

	if (table->n_rows == table->room_rows) {
		size_t room = table->room_rows ? 2 * table->room_rows : 16;
		struct table_row *grown = reallocarray(table->row, room, sizeof(*grown));

		if (!grown)
			return NULL;
		table->row = grown;
		table->room_rows = room;
	}
	row = &table->row[table->n_rows++];
	memset(row, 0, sizeof(*row));
	row->kind = kind;
	row->line = line;
	return row;
}
