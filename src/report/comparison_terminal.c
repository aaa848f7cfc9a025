// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * comparison_terminal.c - a comparison for reading: a table, then everything that it rests on.
 *
 * Columns: name 16, A 9, B 9, change 7, interval 14, p 6, q 6, verdict 13: 80 together. One copy
 * count or two: a table each; more (a sweep): a table per test with a row for each count. Tests
 * that one side alone has are named below the tables only.
 */
#include "report/comparison_forms.h"

#include "report/blocks.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NAME_COLUMNS	 16
#define VALUE_COLUMNS	 8
#define CHANGE_COLUMNS	 6
#define INTERVAL_COLUMNS 13
#define P_COLUMNS	 5
#define TABLES_BY_COPIES 2 /* most copy counts that have a table each */

struct table {
	const struct comparison *comparison;
	const struct comparison_test **rows; /* in the order to print */
	size_t n_rows;
	bool by_test;
	struct paragraph *line;
	FILE *out;
};

static void print_line(struct paragraph *line, void *out)
{
	paragraph_print(line, out, 4);
}

static int by_copies(const void *left, const void *right)
{
	const struct comparison_test *a = *(const struct comparison_test *const *)left;
	const struct comparison_test *b = *(const struct comparison_test *const *)right;

	if (a->copies != b->copies)
		return a->copies < b->copies ? -1 : 1;
	return (a > b) - (a < b);
}

static int by_test(const void *left, const void *right)
{
	const struct comparison_test *a = *(const struct comparison_test *const *)left;
	const struct comparison_test *b = *(const struct comparison_test *const *)right;
	int order = strcmp(a->test, b->test);

	return order ? order : by_copies(left, right);
}

static int sort_rows(struct table *table)
{
	size_t n = 0, counts = 1;

	table->rows =
		calloc(table->comparison->n_tests + 1, sizeof(const struct comparison_test *));
	if (!table->rows)
		return -ENOMEM;
	for (size_t i = 0; i < table->comparison->n_tests; i++) {
		if (!table->comparison->tests[i].is_one_sided)
			table->rows[n++] = &table->comparison->tests[i];
	}
	table->n_rows = n;
	qsort(table->rows, n, sizeof(const struct comparison_test *), by_copies);
	for (size_t i = 1; i < n; i++)
		counts += table->rows[i]->copies != table->rows[i - 1]->copies;
	table->by_test = counts > TABLES_BY_COPIES;
	if (table->by_test)
		qsort(table->rows, n, sizeof(const struct comparison_test *), by_test);
	return 0;
}

/* "20261130-142233-1a2b3c of build1, by onproc 0.1.0, kernel 6.12.0" */
static void add_run(struct paragraph *line, const struct comparison_side *side)
{
	const struct run *run = side->record;
	const char *kernel = NULL;

	paragraph_add_outside(line, side->run);
	if (run) {
		kernel = json_string_value(json_object_get(run->environment, "kernel_release"));
		paragraph_add(line, " of ");
		paragraph_add_outside(line, run->host);
		paragraph_add(line, ", by ");
		paragraph_add_outside(line, run->tool);
	}
	if (kernel) {
		paragraph_add(line, ", kernel ");
		paragraph_add_outside(line, kernel);
	}
}

static void print_side(const struct table *table, const char *letter,
		       const struct comparison_side *side)
{
	struct paragraph *line = table->line;

	if (!strcmp(side->name, side->run)) {
		paragraph_add(line, "%s ", letter);
	} else {
		paragraph_add_side(line, letter, side);
		paragraph_add(line, ": ");
	}
	if (side->letter) {
		paragraph_add(line, "side %s", side->letter);
		if (paragraph_add_what(line, side, " ("))
			paragraph_add(line, ")");
		paragraph_add(line, " of ");
	}
	if (strcmp(side->name, side->run) != 0)
		paragraph_add(line, "run ");
	add_run(line, side);
	print_line(line, table->out);
}

static void print_sides(const struct table *table)
{
	const struct comparison *comparison = table->comparison;

	if (!comparison_is_of_one_run(comparison)) {
		print_side(table, "A", &comparison->a);
		print_side(table, "B", &comparison->b);
		return;
	}
	paragraph_add(table->line, "Run ");
	add_run(table->line, &comparison->a);
	print_line(table->line, table->out);
	each_side(comparison, table->line, print_line, table->out);
}

static void print_header(const struct table *table)
{
	const struct comparison *comparison = table->comparison;

	print_sides(table);
	paragraph_add_percent(table->line, 1 - comparison->alpha);
	paragraph_add(table->line, " intervals, margin ");
	paragraph_add_percent(table->line, comparison->margin);
	if (comparison->design != DESIGN_UNPAIRED) {
		paragraph_add(table->line, ", ");
		paragraph_add_design(table->line, comparison);
	}
	paragraph_add(table->line, "; higher is better");
	paragraph_print(table->line, table->out, 4);
}

static void print_footer(const struct table *table)
{
	if (table->comparison->design != DESIGN_UNPAIRED)
		return;
	paragraph_add_design(table->line, table->comparison);
	paragraph_print(table->line, table->out, 4);
}

static void print_heading(const struct table *table, const struct comparison_test *test)
{
	fputc('\n', table->out);
	if (table->by_test)
		paragraph_add_test_id(table->line, test->test);
	else
		paragraph_add_copies(table->line, test->copies);
	if (paragraph_columns(table->line) > NAME_COLUMNS)
		paragraph_print(table->line, table->out, 4);
	paragraph_pad(table->line, NAME_COLUMNS);
	paragraph_add(table->line, " %*s %*s %*s %*s %*s %*s %s", VALUE_COLUMNS, "A", VALUE_COLUMNS,
		      "B", CHANGE_COLUMNS, "B/A", INTERVAL_COLUMNS, "interval, %", P_COLUMNS, "p",
		      P_COLUMNS, "q", "verdict");
	paragraph_print(table->line, table->out, 4);
}

/* The line holds the name. */
static void print_cells(const struct table *table, const char *a, const char *b,
			const struct estimate *log_ratio, const struct decision *decision, double p,
			double q)
{
	char change[CELL_BYTES], interval[CELL_BYTES], p_text[CELL_BYTES], q_text[CELL_BYTES];
	char verdict[CELL_BYTES];
	struct paragraph *line = table->line;

	cell_change(log_ratio, CHANGE_COLUMNS, change);
	cell_interval(log_ratio, INTERVAL_COLUMNS, interval);
	cell_p(p, p_text);
	cell_p(q, q_text);
	cell_verdict(log_ratio, decision, " triv.", verdict);
	if (paragraph_columns(line) > NAME_COLUMNS)
		paragraph_print(line, table->out, 4);
	paragraph_pad(line, NAME_COLUMNS);
	paragraph_add(line, " %*s %*s %*s %*s %*s %*s %s", VALUE_COLUMNS, a, VALUE_COLUMNS, b,
		      CHANGE_COLUMNS, change, INTERVAL_COLUMNS, interval, P_COLUMNS, p_text,
		      P_COLUMNS, q_text, verdict);
	paragraph_print(line, table->out, 4);
}

static void print_row(const struct table *table, const struct comparison_test *test)
{
	char a[CELL_BYTES], b[CELL_BYTES];

	cell_value(test->a, test->a_spread, test->a_n, VALUE_COLUMNS, a);
	cell_value(test->b, test->b_spread, test->b_n, VALUE_COLUMNS, b);
	if (table->by_test)
		paragraph_add_copies(table->line, test->copies);
	else
		paragraph_add_compared(table->line, test);
	print_cells(table, a, b, &test->log_ratio, &test->decision, test->p, test->q);
}

static void print_index(const struct table *table, const struct comparison_index *index)
{
	char a[CELL_BYTES], b[CELL_BYTES];

	cell_index(index->a, VALUE_COLUMNS, a);
	cell_index(index->b, VALUE_COLUMNS, b);
	paragraph_add_index(table->line, index, table->by_test);
	print_cells(table, a, b, &index->log_ratio, &index->decision, NAN, NAN);
}

static void print_indexes(const struct table *table, uint32_t copies)
{
	for (size_t i = 0; i < table->comparison->n_indexes; i++) {
		const struct comparison_index *index = &table->comparison->indexes[i];

		if (!copies || index->copies == copies)
			print_index(table, index);
	}
}

static bool is_of_table(const struct table *table, const struct comparison_test *a,
			const struct comparison_test *b)
{
	return table->by_test ? !strcmp(a->test, b->test) : a->copies == b->copies;
}

static void print_tables(const struct table *table)
{
	size_t n = table->n_rows;

	for (size_t i = 0; i < n;) {
		const struct comparison_test *first = table->rows[i];

		print_heading(table, first);
		for (; i < n && is_of_table(table, first, table->rows[i]); i++)
			print_row(table, table->rows[i]);
		if (!table->by_test)
			print_indexes(table, first->copies);
	}
	if (table->by_test && table->comparison->n_indexes) {
		fputc('\n', table->out);
		print_indexes(table, 0);
	}
}

static void print_levels(const struct table *table)
{
	double least = 1, most = 0;

	for (size_t i = 0; i < table->comparison->n_tests; i++) {
		double level = table->comparison->tests[i].log_ratio.level;

		least = fmin(least, isnan(level) ? 1 : level);
		most = fmax(most, isnan(level) ? 0 : level);
	}
	if (most <= 0)
		return;
	paragraph_add(table->line, "levels reached by the intervals: %.4g", 100 * least);
	if (most > least)
		paragraph_add(table->line, " to %.4g", 100 * most);
	paragraph_add(table->line, " %%");
	paragraph_print(table->line, table->out, 4);
	paragraph_add(table->line,
		      "A and B are the centres of their slots, B/A that of the ratios of %s",
		      table->comparison->design == DESIGN_ABBA ? "blocks" : "pairs");
	paragraph_print(table->line, table->out, 4);
}

static void print_further(const struct table *table)
{
	const struct comparison *comparison = table->comparison;
	const char *unit = comparison_unit_words(comparison);
	bool with_copies = has_several_copies(comparison), is_first = true;

	for (size_t i = 0; i < comparison->n_tests; i++) {
		const struct comparison_test *test = &comparison->tests[i];
		double further = comparison_further_units(test);

		if (!(further > 0))
			continue;
		if (is_first)
			paragraph_add(table->line,
				      "inconclusive; further %s expected until a verdict: ", unit);
		else
			paragraph_add(table->line, ", ");
		paragraph_add_row(table->line, test, with_copies);
		paragraph_add(table->line, " %.*g", further < 1e6 ? 6 : 2, further);
		is_first = false;
	}
	if (!is_first)
		paragraph_print(table->line, table->out, 4);
}

static void print_partial(const struct table *table)
{
	for (size_t i = 0; i < table->comparison->n_indexes; i++) {
		const struct comparison_index *index = &table->comparison->indexes[i];

		if (index->tests >= index->tests_full && !index->reason)
			continue;
		paragraph_add(table->line, "index of ");
		paragraph_add_outside(table->line, index->suite);
		paragraph_add(table->line, " at ");
		paragraph_add_copies(table->line, index->copies);
		if (index->tests < index->tests_full)
			paragraph_add(table->line, ": partial, of %u of its %u tests", index->tests,
				      index->tests_full);
		if (index->reason)
			paragraph_add(table->line, ": %s", index->reason);
		paragraph_print(table->line, table->out, 4);
	}
}

static void print_texts(const struct table *table, const json_t *texts, const char *before)
{
	for (size_t i = 0; i < json_array_size(texts); i++) {
		paragraph_add(table->line, "%s", before);
		paragraph_add_outside(table->line, json_string_value(json_array_get(texts, i)));
		paragraph_print(table->line, table->out, 4);
	}
}

static void print_differences(const struct table *table)
{
	if (!json_array_size(table->comparison->differences))
		return;
	fputs("\nEnvironments, - A + B\n", table->out);
	each_difference(table->comparison, table->line, print_line, table->out);
}

int comparison_terminal(const struct comparison *comparison, FILE *out)
{
	struct paragraph line = { 0 };
	struct table table = { .comparison = comparison, .line = &line, .out = out };
	int rc = sort_rows(&table);

	if (rc)
		return rc;
	print_header(&table);
	print_tables(&table);
	fputc('\n', out);
	print_footer(&table);
	print_levels(&table);
	print_further(&table);
	print_partial(&table);
	each_reason(comparison, &line, print_line, out);
	print_texts(&table, comparison->notes, "");
	print_texts(&table, comparison->warnings, "warning: ");
	print_differences(&table);
	if (line.failed)
		rc = -ENOMEM;
	paragraph_free(&line);
	free(table.rows);
	return rc;
}
