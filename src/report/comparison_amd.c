// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * comparison_amd.c - a comparison in the shape that AMD's scheduler reviewers use: normalised to
 * side A, with the change and each side's coefficient of variation.
 */
#include "report/comparison_forms.h"

#include "report/blocks.h"

#include <errno.h>
#include <math.h>

#define RULE "==================================================================\n"

#define NAME_COLUMNS 20
#define SIDE_COLUMNS 27 /* "1.00 [  -0.00]( 2.08)" and room before it */

static void print(struct paragraph *line, void *out)
{
	paragraph_print(line, out, 4);
}

static void add_cell(struct paragraph *line, double log_ratio, double spread)
{
	char change[CELL_BYTES], variation[CELL_BYTES];

	if (!isfinite(log_ratio)) {
		paragraph_add(line, " %*s", SIDE_COLUMNS, "-");
		return;
	}
	snprintf(change, sizeof(change), "%.2f", 100 * expm1(log_ratio));
	snprintf(variation, sizeof(variation), "-");
	if (isfinite(spread))
		snprintf(variation, sizeof(variation), "%.2f", 100 * spread);
	paragraph_add(line, " %*.2f [%6s](%5s)", SIDE_COLUMNS - 16, exp(log_ratio), change,
		      variation);
}

static void print_cells(struct paragraph *line, FILE *out, const struct estimate *log_ratio,
			double a_spread, double b_spread)
{
	if (paragraph_columns(line) > NAME_COLUMNS)
		paragraph_print(line, out, 4);
	paragraph_pad(line, NAME_COLUMNS);
	add_cell(line, isfinite(log_ratio->value) ? 0 : NAN, a_spread);
	add_cell(line, log_ratio->value, b_spread);
	paragraph_print(line, out, 4);
}

static void print_box(const struct comparison *comparison, struct paragraph *line, FILE *out)
{
	fputs(RULE, out);
	paragraph_add(line, "Test          : onproc, ");
	paragraph_add_side(line, "A", &comparison->a);
	paragraph_add(line, ", ");
	paragraph_add_side(line, "B", &comparison->b);
	print(line, out);
	paragraph_add(line, "Units         : normalized rate");
	print(line, out);
	paragraph_add(line, "Interpretation: higher is better");
	print(line, out);
	paragraph_add(line, "Statistic     : Hodges-Lehmann estimate; ");
	paragraph_add_design(line, comparison);
	print(line, out);
	fputs(RULE, out);
	paragraph_add(line, "Test:");
	paragraph_pad(line, NAME_COLUMNS);
	paragraph_add(line, " %*s %*s", SIDE_COLUMNS, "A[pct imp](CV)", SIDE_COLUMNS,
		      "B[pct imp](CV)");
	print(line, out);
}

int comparison_amd(const struct comparison *comparison, FILE *out)
{
	struct paragraph line = { 0 };
	int rc;

	print_box(comparison, &line, out);
	for (size_t i = 0; i < comparison->n_tests; i++) {
		const struct comparison_test *test = &comparison->tests[i];

		if (test->is_one_sided)
			continue;
		paragraph_add_row(&line, test, true);
		print_cells(&line, out, &test->log_ratio, test->a_spread, test->b_spread);
	}
	for (size_t i = 0; i < comparison->n_indexes; i++) {
		const struct comparison_index *index = &comparison->indexes[i];

		paragraph_add_index(&line, index, true);
		print_cells(&line, out, &index->log_ratio, NAN, NAN);
	}
	each_reason(comparison, &line, print, out);
	rc = line.failed ? -ENOMEM : 0;
	paragraph_free(&line);
	return rc;
}
