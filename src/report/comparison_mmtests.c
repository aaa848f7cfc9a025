// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * comparison_mmtests.c - a comparison in the shape of mmtests' comparison tables.
 *
 * A row has the estimate of each side and its change to the first; stars stand around a change
 * whose interval does not hold 0. The estimate is the Hodges-Lehmann one and not mmtests' Hmean, so
 * the row says "HLest".
 */
#include "report/comparison_forms.h"

#include "report/blocks.h"

#include <errno.h>
#include <math.h>

#define STATISTIC_COLUMNS 9
#define NAME_COLUMNS	  16
#define VALUE_COLUMNS	  11
#define CHANGE_COLUMNS	  7
#define CELL_COLUMNS	  (VALUE_COLUMNS + 1 + 1 + CHANGE_COLUMNS + 1 + 1)

static void print(struct paragraph *line, void *out)
{
	paragraph_print(line, out, 4);
}

/* Above its column; a name that is wider stands on a line of its own, and its letter above. */
static void add_name_of_side(struct paragraph *line, const char *letter, const char *name,
			     FILE *out)
{
	struct paragraph alone = { 0 };
	size_t columns;

	paragraph_add_outside(&alone, name);
	columns = paragraph_columns(&alone);
	if (columns >= CELL_COLUMNS) {
		paragraph_free(&alone);
		paragraph_add(&alone, "%s ", letter);
		paragraph_add_outside(&alone, name);
		print(&alone, out);
		paragraph_add(&alone, "%s", letter);
		columns = paragraph_columns(&alone);
		name = letter;
	}
	paragraph_free(&alone);
	paragraph_add(line, "%*s", (int)(CELL_COLUMNS - columns), "");
	paragraph_add_outside(line, name);
	paragraph_add(line, " ");
}

/* The line holds the name. */
static void print_cells(struct paragraph *line, FILE *out, const char *a, const char *b,
			const struct estimate *log_ratio)
{
	bool is_significant = log_ratio->lo > 0 || log_ratio->hi < 0;
	char change[CELL_BYTES];

	if (isfinite(log_ratio->value))
		snprintf(change, sizeof(change), "%*.2f%%", CHANGE_COLUMNS - 1 + 1,
			 100 * expm1(log_ratio->value));
	else
		snprintf(change, sizeof(change), "%*s ", CHANGE_COLUMNS - 1 + 1, "-");
	if (paragraph_columns(line) > STATISTIC_COLUMNS + NAME_COLUMNS)
		paragraph_print(line, out, 4);
	paragraph_pad(line, STATISTIC_COLUMNS + NAME_COLUMNS);
	paragraph_add(line, "%*s (%*.2f%%) %*s %s%s%s", VALUE_COLUMNS, a, CHANGE_COLUMNS, 0.0,
		      VALUE_COLUMNS, b, is_significant ? "*" : "(", change,
		      is_significant ? "*" : ")");
	paragraph_print(line, out, 4);
}

int comparison_mmtests(const struct comparison *comparison, FILE *out)
{
	char a[CELL_BYTES], b[CELL_BYTES];
	struct paragraph line = { 0 };
	int rc;

	paragraph_pad(&line, STATISTIC_COLUMNS + NAME_COLUMNS - 1);
	add_name_of_side(&line, "A", comparison->a.name, out);
	add_name_of_side(&line, "B", comparison->b.name, out);
	paragraph_print(&line, out, 4);
	for (size_t i = 0; i < comparison->n_tests; i++) {
		const struct comparison_test *test = &comparison->tests[i];

		if (test->is_one_sided)
			continue;
		cell_value(test->a, test->a_spread, test->a_n, VALUE_COLUMNS, a);
		cell_value(test->b, test->b_spread, test->b_n, VALUE_COLUMNS, b);
		paragraph_add(&line, "HLest");
		paragraph_pad(&line, STATISTIC_COLUMNS);
		paragraph_add_row(&line, test, true);
		print_cells(&line, out, a, b, &test->log_ratio);
	}
	for (size_t i = 0; i < comparison->n_indexes; i++) {
		const struct comparison_index *index = &comparison->indexes[i];

		cell_index(index->a, VALUE_COLUMNS, a);
		cell_index(index->b, VALUE_COLUMNS, b);
		paragraph_add(&line, "Gmean");
		paragraph_pad(&line, STATISTIC_COLUMNS);
		paragraph_add_index(&line, index, true);
		print_cells(&line, out, a, b, &index->log_ratio);
	}
	paragraph_add(&line, "higher is better; ");
	paragraph_add_design(&line, comparison);
	print(&line, out);
	each_reason(comparison, &line, print, out);
	rc = line.failed ? -ENOMEM : 0;
	paragraph_free(&line);
	return rc;
}
