// SPDX-License-Identifier: GPL-2.0-or-later
/* history.c - see history.h. */
#include "report/history.h"

#include "report/blocks.h"
#include "report/comparison_forms.h"
#include "report/csv_cells.h"
#include "report/report.h"
#include "report/sparkline.h"
#include "stats/order.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SPARKLINE_COLUMNS 60
#define NUMBER_COLUMNS	  12

static void add_date(struct paragraph *line, uint64_t created_s)
{
	time_t seconds = (time_t)created_s;
	char text[32] = "?";
	struct tm utc;

	if (gmtime_r(&seconds, &utc))
		strftime(text, sizeof(text), "%Y-%m-%d", &utc);
	paragraph_add(line, "%s", text);
}

static double median_of(const double *values, size_t n, double *scratch)
{
	memcpy(scratch, values, n * sizeof(*scratch));
	order_sort(scratch, n);
	return order_median(scratch, n);
}

/* The line of levels: "1001 lps × 12, then 972 lps × 12". */
static void print_levels(const struct history_series *series, const double *values, double *scratch,
			 struct paragraph *line, FILE *out)
{
	size_t from = 0;

	for (size_t i = 0; i <= series->n_changes; i++) {
		size_t to = i < series->n_changes ? series->changes[i].at : series->n_points;
		double level = median_of(values + from, to - from, scratch);
		char number[CELL_BYTES];

		format_number(level, level / 100, NUMBER_COLUMNS, number, sizeof(number));
		paragraph_add(line, "%s%s ", i ? ", then " : "median ", number);
		paragraph_add_outside(line, series->unit);
		paragraph_add(line, " of %zu", to - from);
		from = to;
	}
	paragraph_print(line, out, 4);
}

static void print_circumstances(const struct history_point *before,
				const struct history_point *after, struct paragraph *line,
				FILE *out)
{
	bool is_any = false;

	for (size_t i = 0; i < CIRCUMSTANCES; i++) {
		const char *a = before->circumstance[i], *b = after->circumstance[i];

		if (a && b ? !strcmp(a, b) : a == b)
			continue;
		is_any = true;
		for (int side = 0; side < 2; side++) {
			paragraph_add(line, "    %s %s: ", side ? "+" : "-",
				      history_circumstances[i]);
			paragraph_add_outside(line, side ? b : a);
			paragraph_print(line, out, 8);
		}
	}
	if (!is_any) {
		paragraph_add(line, "    kernel, configuration, flags and tool are the same on "
				    "both sides");
		paragraph_print(line, out, 4);
	}
}

static void print_change(const struct history_series *series, const struct change *change,
			 struct paragraph *line, FILE *out)
{
	const struct history_point *before = &series->points[change->at - 1];
	const struct history_point *after = &series->points[change->at];
	char ratio[CELL_BYTES], interval[CELL_BYTES];

	cell_change(&change->log_ratio, NUMBER_COLUMNS, ratio);
	cell_interval(&change->log_ratio, 2 * NUMBER_COLUMNS, interval);
	paragraph_add(line, "  %s: %s %s, p %.3f, between ", change_state_name(change->state),
		      ratio, interval, change->p);
	add_date(line, before->created_s);
	paragraph_add(line, " %s and ", before->run);
	add_date(line, after->created_s);
	paragraph_add(line, " %s", after->run);
	paragraph_print(line, out, 4);
	print_circumstances(before, after, line, out);
}

static int print_series(const struct history_series *series, bool unicode, struct paragraph *line,
			FILE *out)
{
	double *values = malloc(2 * (series->n_points + 1) * sizeof(*values)), *scratch;
	char spark[SPARKLINE_COLUMNS * SPARKLINE_BYTES + 1];

	if (!values)
		return -ENOMEM;
	scratch = values + series->n_points + 1;
	for (size_t i = 0; i < series->n_points; i++)
		values[i] = series->points[i].value;
	paragraph_add_outside(line, series->test);
	if (series->label) {
		paragraph_add(line, " (");
		paragraph_add_outside(line, series->label);
		paragraph_add(line, ")");
	}
	paragraph_add(line, ", ");
	paragraph_add_copies(line, series->copies);
	paragraph_add(line, ", %s: ", series->fingerprint);
	paragraph_add_outside(line, series->machine);
	paragraph_print(line, out, 4);
	sparkline(values, series->n_points, SPARKLINE_COLUMNS, unicode, scratch, spark);
	fprintf(out, "  %s\n", spark);
	paragraph_add(line, "  %zu %s, ", series->n_points, series->n_points == 1 ? "run" : "runs");
	add_date(line, series->points[0].created_s);
	paragraph_add(line, " to ");
	add_date(line, series->points[series->n_points - 1].created_s);
	paragraph_add(line, "; ");
	print_levels(series, values, scratch, line, out);
	for (size_t i = 0; i < series->n_changes; i++)
		print_change(series, &series->changes[i], line, out);
	free(values);
	return 0;
}

int report_history(const struct history *history, bool unicode, FILE *out)
{
	struct paragraph line = { 0 };
	int rc = 0;

	for (size_t i = 0; !rc && i < history->n_series; i++) {
		if (i)
			fputc('\n', out);
		rc = print_series(&history->series[i], unicode, &line, out);
	}
	if (history->undated || history->without_result) {
		paragraph_add(&line, "left out: %zu without a date, %zu without a result",
			      history->undated, history->without_result);
		paragraph_print(&line, out, 4);
	}
	if (line.failed)
		rc = -ENOMEM;
	paragraph_free(&line);
	return rc;
}

/* "confirmed" at the first point of a new level, else nothing. */
static const char *state_at(const struct history_series *series, size_t point)
{
	for (size_t i = 0; i < series->n_changes; i++) {
		if (series->changes[i].at == point)
			return change_state_name(series->changes[i].state);
	}
	return NULL;
}

static int put_point(const struct history_series *series, size_t at, FILE *out)
{
	const struct history_point *point = &series->points[at];
	int rc = csv_put_text(out, series->fingerprint);

	fputc(',', out);
	rc = rc ? rc : csv_put_text(out, series->test);
	fprintf(out, ",%u,", series->copies);
	rc = rc ? rc : csv_put_text(out, series->unit);
	fputc(',', out);
	rc = rc ? rc : csv_put_text(out, point->run);
	fprintf(out, ",%" PRIu64 ",", point->created_s);
	csv_put_number(out, point->value);
	fputc(',', out);
	csv_put_number(out, point->lo);
	fputc(',', out);
	csv_put_number(out, point->hi);
	fputc(',', out);
	rc = rc ? rc : csv_put_text(out, state_at(series, at));
	for (size_t i = 0; i < CIRCUMSTANCES; i++) {
		fputc(',', out);
		rc = rc ? rc : csv_put_text(out, point->circumstance[i]);
	}
	fputs("\r\n", out);
	return rc;
}

int report_history_csv(const struct history *history, FILE *out)
{
	int rc = 0;

	fputs("fingerprint,test,copies,unit,run,created_s,value,lo,hi,change", out);
	for (size_t i = 0; i < CIRCUMSTANCES; i++)
		fprintf(out, ",%s", history_circumstances[i]);
	fputs("\r\n", out);
	for (size_t i = 0; !rc && i < history->n_series; i++) {
		const struct history_series *series = &history->series[i];

		for (size_t k = 0; !rc && k < series->n_points; k++)
			rc = put_point(series, k, out);
	}
	return rc;
}
