// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * comparison_lkp.c - a comparison in the shape of the kernel test robot's mails.
 *
 * %stddev is that of the slots; the metric stands at the right: suite.test.copies.unit.
 */
#include "report/comparison_forms.h"

#include "report/blocks.h"

#include <errno.h>
#include <math.h>

#define VALUE_COLUMNS  10
#define SPREAD_COLUMNS 6 /* " ± 12%" */

static void print(struct paragraph *line, void *out)
{
	paragraph_print(line, out, 4);
}

/* " ±  2%", or blanks where it rounds to nothing or is not known. */
static void add_spread(struct paragraph *line, double spread)
{
	if (isfinite(spread) && spread >= 0.005)
		paragraph_add(line, " ±%3.0f%%", 100 * spread);
	else
		paragraph_add(line, "%*s", SPREAD_COLUMNS, "");
}

static void add_cells(struct paragraph *line, const char *a, double a_spread, const char *b,
		      double b_spread, const struct estimate *log_ratio)
{
	char change[CELL_BYTES] = "-";

	if (isfinite(log_ratio->value))
		snprintf(change, sizeof(change), "%+.1f%%", 100 * expm1(log_ratio->value));
	paragraph_add(line, "%*s", VALUE_COLUMNS, a);
	add_spread(line, a_spread);
	paragraph_add(line, " %10s %*s", change, VALUE_COLUMNS + 4, b);
	add_spread(line, b_spread);
	paragraph_add(line, "  ");
}

static void add_side(struct paragraph *line, const char *name)
{
	paragraph_add(line, "  ");
	paragraph_add_outside(line, name);
}

int comparison_lkp(const struct comparison *comparison, FILE *out)
{
	char a[CELL_BYTES], b[CELL_BYTES];
	struct paragraph line = { 0 };
	int rc;

	fputs("commit:\n", out);
	add_side(&line, comparison->a.name);
	print(&line, out);
	add_side(&line, comparison->b.name);
	print(&line, out);
	fputs("\n       %stddev     %change         %stddev\n"
	      "           \\          |                \\\n",
	      out);
	for (size_t i = 0; i < comparison->n_tests; i++) {
		const struct comparison_test *test = &comparison->tests[i];

		if (test->is_one_sided)
			continue;
		cell_value(test->a, test->a_spread, test->a_n, VALUE_COLUMNS, a);
		cell_value(test->b, test->b_spread, test->b_n, VALUE_COLUMNS, b);
		add_cells(&line, a, test->a_spread, b, test->b_spread, &test->log_ratio);
		paragraph_add(&line, "onproc.");
		paragraph_add_row(&line, test, true);
		paragraph_add(&line, ".");
		paragraph_add_outside(&line, test->unit);
		print(&line, out);
	}
	for (size_t i = 0; i < comparison->n_indexes; i++) {
		const struct comparison_index *index = &comparison->indexes[i];

		cell_index(index->a, VALUE_COLUMNS, a);
		cell_index(index->b, VALUE_COLUMNS, b);
		add_cells(&line, a, NAN, b, NAN, &index->log_ratio);
		paragraph_add(&line, "onproc.");
		paragraph_add_index(&line, index, true);
		print(&line, out);
	}
	fputc('\n', out);
	paragraph_add(&line, "higher is better; ");
	paragraph_add_design(&line, comparison);
	print(&line, out);
	each_reason(comparison, &line, print, out);
	rc = line.failed ? -ENOMEM : 0;
	paragraph_free(&line);
	return rc;
}
