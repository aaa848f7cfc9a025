// SPDX-License-Identifier: GPL-2.0-or-later
/* comparison_words.c - cells and words of a comparison in every form; see comparison_forms.h. */
#include "report/comparison_forms.h"

#include "report/blocks.h"
#include "report/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_DECIMALS	 3
#define UNKNOWN_DECIMALS 2   /* of a change without interval */
#define ONE_DECIMAL	 1.0 /* a half-width whose second digit is the first decimal */
#define LEAST_P		 0.001

void cell_value(double value, double spread, uint32_t n, int width, char cell[CELL_BYTES])
{
	double half_width = NAN;

	if (n > 1)
		half_width = 2 * value * spread / sqrt(n);
	else if (n == 1)
		half_width = 0;
	format_number(value, half_width, width, cell, CELL_BYTES);
}

void cell_index(double value, int width, char cell[CELL_BYTES])
{
	format_number(value, ONE_DECIMAL, width, cell, CELL_BYTES);
}

static double percent_of(double log_ratio)
{
	return 100 * expm1(log_ratio);
}

/* Decimals up to the `digits`th digit of the interval's half-width. */
static int decimals_of(const struct estimate *log_ratio, int digits)
{
	double half_width = (percent_of(log_ratio->hi) - percent_of(log_ratio->lo)) / 2;
	double decimals;

	if (!isfinite(half_width))
		return UNKNOWN_DECIMALS;
	if (!(half_width > 0))
		return MOST_DECIMALS;
	decimals = digits - 1 - floor(log10(half_width));
	return decimals < 0 ? 0 : decimals > MOST_DECIMALS ? MOST_DECIMALS : (int)decimals;
}

static void set_percent(double percent, int decimals, char text[CELL_BYTES])
{
	if (fabs(percent) >= 1e6)
		snprintf(text, CELL_BYTES, "%+.0e", percent);
	else
		snprintf(text, CELL_BYTES, "%+.*f", decimals, percent);
}

void cell_change(const struct estimate *log_ratio, int width, char cell[CELL_BYTES])
{
	size_t length;

	if (!isfinite(log_ratio->value)) {
		snprintf(cell, CELL_BYTES, "-");
		return;
	}
	for (int decimals = decimals_of(log_ratio, 2); decimals >= 0; decimals--) {
		set_percent(percent_of(log_ratio->value), decimals, cell);
		if (cell[0] == '-' && strtod(cell, NULL) == 0)
			cell[0] = '+'; /* never "-0.00" */
		length = strlen(cell);
		cell[length] = '%';
		cell[length + 1] = '\0';
		if ((int)length < width)
			return;
	}
}

/* Decimals that show on which side of 0 each end lies: the verdict must be seen in them. */
static int decimals_of_ends(const struct estimate *log_ratio)
{
	int decimals = decimals_of(log_ratio, 2);
	double nearest = fmin(fabs(percent_of(log_ratio->lo)), fabs(percent_of(log_ratio->hi)));

	while (decimals < MOST_DECIMALS && nearest > 0 && nearest < 0.5 * pow(10, -decimals))
		decimals++;
	return decimals;
}

void cell_interval(const struct estimate *log_ratio, int width, char cell[CELL_BYTES])
{
	char lo[CELL_BYTES], hi[CELL_BYTES];

	if (!isfinite(log_ratio->lo) || !isfinite(log_ratio->hi)) {
		snprintf(cell, CELL_BYTES, isfinite(log_ratio->value) ? "no interval" : "-");
		return;
	}
	for (int decimals = decimals_of_ends(log_ratio); decimals >= 0; decimals--) {
		set_percent(percent_of(log_ratio->lo), decimals, lo);
		set_percent(percent_of(log_ratio->hi), decimals, hi);
		if (snprintf(cell, CELL_BYTES, "[%.20s,%.20s]", lo, hi) <= width)
			return;
	}
}

void cell_p(double p, char cell[CELL_BYTES])
{
	if (!isfinite(p))
		snprintf(cell, CELL_BYTES, "-");
	else if (p < LEAST_P)
		snprintf(cell, CELL_BYTES, "<.001");
	else
		snprintf(cell, CELL_BYTES, "%.3f", p);
}

void cell_verdict(const struct estimate *log_ratio, const struct decision *decision,
		  const char *trivial, char cell[CELL_BYTES])
{
	if (!isfinite(log_ratio->value))
		snprintf(cell, CELL_BYTES, "not compared");
	else
		snprintf(cell, CELL_BYTES, "%s%s", verdict_name(decision->verdict),
			 decision->trivial ? trivial : "");
}

bool has_several_copies(const struct comparison *comparison)
{
	uint32_t copies = 0;

	for (size_t i = 0; i < comparison->n_tests; i++) {
		const struct comparison_test *test = &comparison->tests[i];

		if (copies && test->copies != copies)
			return true;
		copies = test->copies;
	}
	return false;
}

void paragraph_add_compared(struct paragraph *line, const struct comparison_test *test)
{
	paragraph_add_test_id(line, test->test);
	if (!test->label)
		return;
	paragraph_add(line, " ");
	paragraph_add_outside(line, test->label);
}

void paragraph_add_row(struct paragraph *line, const struct comparison_test *test, bool with_copies)
{
	paragraph_add_compared(line, test);
	if (with_copies)
		paragraph_add(line, "-%u", test->copies);
}

void paragraph_add_index(struct paragraph *line, const struct comparison_index *index,
			 bool with_copies)
{
	paragraph_add(line, "index/%u", index->tests);
	if (with_copies)
		paragraph_add(line, "-%u", index->copies);
}

void paragraph_add_percent(struct paragraph *line, double share)
{
	paragraph_add(line, "%.4g%%", 100 * share);
}

void paragraph_add_design(struct paragraph *line, const struct comparison *comparison)
{
	switch (comparison->design) {
	case DESIGN_ABBA:
		paragraph_add(line, "%u %s ABBA", comparison->blocks,
			      comparison->blocks == 1 ? "block" : "blocks");
		break;
	case DESIGN_UNPAIRED:
		paragraph_add(line, "not interleaved: drift not controlled");
		break;
	case DESIGN_BOOT:
		paragraph_add(line, "%u %s a side, not interleaved", comparison->blocks,
			      comparison->blocks == 1 ? "boot" : "boots");
		break;
	}
}

const char *comparison_unit_words(const struct comparison *comparison)
{
	static const char *const words[] = {
		[DESIGN_ABBA] = "blocks",
		[DESIGN_UNPAIRED] = "slots a side",
		[DESIGN_BOOT] = "boots a side",
	};

	return words[comparison->design];
}

/* Was the reason told with an earlier row? */
static bool is_told(const struct comparison *comparison, size_t row)
{
	for (size_t i = 0; i < row; i++) {
		const char *reason = comparison->tests[i].reason;

		if (reason && !strcmp(reason, comparison->tests[row].reason))
			return true;
	}
	return false;
}

void each_reason(const struct comparison *comparison, struct paragraph *line,
		 void (*print)(struct paragraph *line, void *context), void *context)
{
	bool with_copies = has_several_copies(comparison);

	for (size_t i = 0; i < comparison->n_tests; i++) {
		const char *reason = comparison->tests[i].reason;
		const char *separator = ": ";

		if (!reason || is_told(comparison, i))
			continue;
		if (!isfinite(comparison->tests[i].log_ratio.value))
			paragraph_add(line, "not compared, ");
		paragraph_add_outside(line, reason);
		for (size_t k = i; k < comparison->n_tests; k++) {
			const struct comparison_test *test = &comparison->tests[k];

			if (!test->reason || strcmp(test->reason, reason) != 0)
				continue;
			paragraph_add(line, "%s", separator);
			paragraph_add_row(line, test, with_copies);
			separator = ", ";
		}
		print(line, context);
	}
}

void paragraph_add_json(struct paragraph *line, const json_t *value)
{
	char *text;

	if (json_is_string(value)) {
		paragraph_add_outside(line, json_string_value(value));
		return;
	}
	text = json_is_null(value)
		       ? NULL
		       : json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_SORT_KEYS);
	paragraph_add_outside(line, text);
	free(text);
}
