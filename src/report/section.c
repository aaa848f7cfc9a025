// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * section.c - the table of one copy count: a row per test, its modes, the index.
 *
 * Columns: name 16, baseline 8, rate 10, unit 6, interval 23, index 9, ratio 8: 80 together. A cell
 * that is wider than its column gets a line of its own before its row.
 */
#include "report/blocks.h"
#include "report/report.h"
#include "store/lock_summary.h"
#include "workload/workload.h"

#include <math.h>
#include <string.h>

#define NAME_COLUMNS	 16
#define BASELINE_COLUMNS 8
#define RATE_COLUMNS	 9
#define UNIT_COLUMNS	 5
#define INTERVAL_COLUMNS 22
#define INDEX_COLUMNS	 8
#define RATIO_COLUMNS	 7
#define LEAD_COLUMNS	 (NAME_COLUMNS + BASELINE_COLUMNS) /* of a row without baseline */
#define RATIO_HALF_WIDTH 0.1				   /* two decimals, see format_number() */
#define ONE_DECIMAL	 1.0				   /* likewise */
#define NUMBER_BYTES	 16
#define LONG_UNIT	 "*" /* stands for a unit too long for its column */

/* Numbers of a row, as text; "" where there is none. */
struct row {
	char baseline[NUMBER_BYTES];
	char rate[NUMBER_BYTES];
	char unit[NUMBER_BYTES];
	char interval[INTERVAL_COLUMNS + 1];
	char index[NUMBER_BYTES];
	char ratio[NUMBER_BYTES];
};

/* What the print functions share. */
struct section {
	const struct run *run;
	const struct series *const *series; /* run->n_series of them, in the order to print */
	uint32_t copies, first_copies;
	struct paragraph *line;
	FILE *out;
	const char
		*last_reason; /* why the row before has no interval: said once, not in each row */
	bool has_ratio;	      /* to the first copy count, in some row: there is a column for it */
};

/*
 * Half-width for the number of digits: NAN where no interval says how many there are; 0, all
 * digits, for what was imported, which is to be seen as it was printed.
 */
static double half_width(const struct run *run, double lo, double hi)
{
	if (isfinite(lo) && isfinite(hi))
		return (hi - lo) / 2;
	return run->status == RUN_IMPORTED ? 0 : NAN;
}

/* The same for an index: an imported one has the one decimal that its tool prints. */
static double index_width(const struct run *run, double width)
{
	return run->status == RUN_IMPORTED ? ONE_DECIMAL : width;
}

static double estimate_width(const struct run *run, const struct estimate *estimate)
{
	return half_width(run, estimate->lo, estimate->hi);
}

static void set_interval(char cell[INTERVAL_COLUMNS + 1], double lo, double hi)
{
	char low[NUMBER_BYTES], high[NUMBER_BYTES];

	format_number(lo, (hi - lo) / 2, RATE_COLUMNS, low, sizeof(low));
	format_number(hi, (hi - lo) / 2, RATE_COLUMNS, high, sizeof(high));
	snprintf(cell, INTERVAL_COLUMNS + 1, "[%*.*s, %*.*s]", RATE_COLUMNS, RATE_COLUMNS, low,
		 RATE_COLUMNS, RATE_COLUMNS, high);
}

/* The interval, or the reason why there is none: in its cell where it fits, else in *reason. */
static void set_interval_or_reason(struct row *row, double lo, double hi, const char *why,
				   const char **reason)
{
	*reason = NULL;
	if (isfinite(lo) && isfinite(hi)) {
		set_interval(row->interval, lo, hi);
		return;
	}
	if (!why)
		why = "no interval";
	if (strlen(why) > INTERVAL_COLUMNS) {
		*reason = why;
		why = "no interval";
	}
	snprintf(row->interval, sizeof(row->interval), "%s", why);
}

/* "x1.93": at most two decimals, and no more than both intervals support (shares of the values). */
static void set_ratio(struct row *row, double ratio, double share, double first_share)
{
	double width = ratio * hypot(share, first_share);

	if (width < RATIO_HALF_WIDTH)
		width = RATIO_HALF_WIDTH;
	row->ratio[0] = 'x';
	format_number(ratio, width, RATIO_COLUMNS - 1, row->ratio + 1, sizeof(row->ratio) - 1);
}

/* What stands in the line is the lead of the row; the numbers follow in their columns. */
static void print_row(const struct section *section, const struct row *row)
{
	struct paragraph *line = section->line;
	size_t lead = row->baseline[0] ? NAME_COLUMNS : LEAD_COLUMNS;

	if (paragraph_columns(line) > lead)
		paragraph_print(line, section->out, 4);
	paragraph_pad(line, lead);
	if (row->baseline[0])
		paragraph_add(line, "%*s", BASELINE_COLUMNS, row->baseline);
	paragraph_add(line, " %*s %-*s %*s %*s %*s", RATE_COLUMNS, row->rate, UNIT_COLUMNS,
		      row->unit, INTERVAL_COLUMNS, row->interval, INDEX_COLUMNS, row->index,
		      RATIO_COLUMNS, row->ratio);
	paragraph_print(line, section->out, 4);
}

/* Words that belong to the row above, or to the name in the line. */
static void print_reason(const struct section *section, const char *before, const char *reason)
{
	paragraph_pad(section->line, NAME_COLUMNS + 1);
	paragraph_add(section->line, "%s", before);
	paragraph_add_outside(section->line, reason);
	paragraph_print(section->line, section->out, NAME_COLUMNS + 1);
}

/* Why there is no interval, where that did not fit into the cell. */
static void print_no_interval(struct section *section, const char *reason)
{
	if (reason && (!section->last_reason || strcmp(reason, section->last_reason) != 0))
		print_reason(section, "no interval: ", reason);
	if (reason)
		section->last_reason = reason;
}

static void print_column_names(const struct section *section)
{
	struct row row = { "baseline", "rate", "unit", "95 % interval", "index", "" };

	if (section->has_ratio)
		snprintf(row.ratio, sizeof(row.ratio), "scaling");
	paragraph_add(section->line, "test");
	print_row(section, &row);
}

/* The unit, or "*" for one that does not fit: it follows the row. */
static void set_unit(const struct section *section, const struct series *series, struct row *row)
{
	struct paragraph unit = { 0 };

	paragraph_add_outside(&unit, series->unit);
	snprintf(row->unit, sizeof(row->unit), "%s",
		 unit.text && unit.length <= UNIT_COLUMNS ? unit.text : LONG_UNIT);
	section->line->failed |= unit.failed;
	paragraph_free(&unit);
}

/* Does each mode have a placement of its own? */
static bool placements_tell_modes_apart(const struct series *series)
{
	for (size_t i = 0; i < series->n_modes; i++) {
		if (!series->modes[i].placement[0])
			return false;
		for (size_t k = 0; k < i; k++)
			if (!strcmp(series->modes[i].placement, series->modes[k].placement))
				return false;
	}
	return true;
}

/* Modes ascend by their rate. */
static const char *mode_speed(size_t i, size_t n)
{
	static const char *const of_2[] = { "slower", "faster" };
	static const char *const of_3[] = { "slowest", "middle", "fastest" };

	return n == 2 ? of_2[i] : n == 3 ? of_3[i] : "of some";
}

/* "83 % same-cpu"; "83 % faster" where placements are not known or the same. */
static void add_mode(struct paragraph *line, const struct series *series, size_t i)
{
	paragraph_add(line, "%.0f %%" PARAGRAPH_STAY, series->modes[i].share * 100);
	if (placements_tell_modes_apart(series))
		paragraph_add_outside(line, series->modes[i].placement);
	else
		paragraph_add(line, "%s", mode_speed(i, series->n_modes));
}

static void print_modes(struct section *section, const struct series *series, const char *unit)
{
	for (size_t i = 0; i < series->n_modes; i++) {
		const struct estimate *estimate = &series->modes[i].estimate;
		struct row row = { 0 };
		const char *reason;

		paragraph_add(section->line, "  ");
		add_mode(section->line, series, i);
		format_number(estimate->value, estimate_width(section->run, estimate), RATE_COLUMNS,
			      row.rate, sizeof(row.rate));
		snprintf(row.unit, sizeof(row.unit), "%s", unit);
		set_interval_or_reason(&row, estimate->lo, estimate->hi, estimate->reason, &reason);
		print_row(section, &row);
		print_no_interval(section, reason);
	}
}

static bool has_result(const struct series *series)
{
	return isfinite(series->estimate.value);
}

static void print_no_result(const struct section *section, const struct series *series)
{
	if (paragraph_columns(section->line) > NAME_COLUMNS)
		paragraph_print(section->line, section->out, 4);
	print_reason(section, "no result: ", series->reason ? series->reason : "not measured");
}

static bool same_text(const char *a, const char *b)
{
	return (!a && !b) || (a && b && !strcmp(a, b));
}

/* The same test at the first copy count; NULL where there is no ratio to it. */
static const struct series *find_first(const struct section *section, const struct series *series)
{
	for (size_t i = 0; i < section->run->n_series; i++) {
		const struct series *first = &section->run->series[i];

		if (first->copies == section->first_copies && first->copies != series->copies &&
		    same_text(first->test, series->test) && same_text(first->side, series->side))
			return has_result(first) && first->n_modes <= 1 ? first : NULL;
	}
	return NULL;
}

static void print_series(struct section *section, const struct series *series)
{
	const struct estimate *estimate = &series->estimate;
	const struct series *first = find_first(section, series);
	const bool has_modes = series->n_modes > 1;
	/* With several modes the interval over all slots would describe none of them. */
	const double width = has_modes ? NAN : estimate_width(section->run, estimate);
	struct row row = { 0 };
	const char *reason = NULL;

	paragraph_add_test(section->line, series);
	if (!has_result(series)) {
		print_no_result(section, series);
		return;
	}
	format_number(series->baseline > 0 ? series->baseline : NAN, 0, BASELINE_COLUMNS - 1,
		      row.baseline, sizeof(row.baseline));
	format_number(estimate->value, width, RATE_COLUMNS, row.rate, sizeof(row.rate));
	set_unit(section, series, &row);
	if (has_modes)
		snprintf(row.interval, sizeof(row.interval), "%zu modes:", series->n_modes);
	else
		set_interval_or_reason(&row, estimate->lo, estimate->hi, estimate->reason, &reason);
	if (isfinite(series->index))
		format_number(series->index,
			      index_width(section->run, width * series->index / estimate->value),
			      INDEX_COLUMNS, row.index, sizeof(row.index));
	if (first && !has_modes)
		set_ratio(&row, estimate->value / first->estimate.value, width / estimate->value,
			  estimate_width(section->run, &first->estimate) / first->estimate.value);
	print_row(section, &row);
	if (!strcmp(row.unit, LONG_UNIT))
		print_reason(section, LONG_UNIT " ", series->unit);
	print_no_interval(section, reason);
	if (has_modes)
		print_modes(section, series, row.unit);
}

/* Has every test of the index here a result at the first copy count too? */
static bool has_same_tests(const struct section *section)
{
	const struct run *run = section->run;

	for (size_t i = 0; i < run->n_series; i++) {
		const struct series *series = &run->series[i];
		bool is_there = false;

		if (series->copies != section->copies || !(series->baseline > 0) ||
		    !has_result(series))
			continue;
		for (size_t k = 0; k < run->n_series && !is_there; k++)
			is_there = run->series[k].copies == section->first_copies &&
				   same_text(run->series[k].test, series->test) &&
				   has_result(&run->series[k]);
		if (!is_there)
			return false;
	}
	return true;
}

/* The score at the first copy count; NULL where there is no ratio to it: indexes of other tests
 * have none. */
static const struct score *find_first_score(const struct section *section,
					    const struct score *score)
{
	for (size_t i = 0; i < section->run->n_scores; i++) {
		const struct score *first = &section->run->scores[i];

		if (first->copies == section->first_copies && first->copies != score->copies &&
		    same_text(first->suite, score->suite) && first->tests == score->tests)
			return isfinite(first->value) && has_same_tests(section) ? first : NULL;
	}
	return NULL;
}

/* Does a test, by id or by name, have a result at the section's copy count? */
static bool test_has_result(const struct section *section, const char *test)
{
	char name_bytes[TEST_NAME_BYTES], other[TEST_NAME_BYTES];
	const char *name = test_name(test, name_bytes);

	for (size_t i = 0; i < section->run->n_series; i++) {
		const struct series *series = section->series[i];

		if (series->copies == section->copies && series->test && has_result(series) &&
		    !strcmp(test_name(series->test, other), name))
			return true;
	}
	return false;
}

static void add_if_missing(const struct section *section, const char *test, const char **separator)
{
	if (!test || test_has_result(section, test))
		return;
	paragraph_add(section->line, "%s", *separator);
	paragraph_add_test_id(section->line, test);
	*separator = ", ";
}

/* Tests of the suite without a result: as the plan names them, else as this onproc knows the suite.
 */
static void add_missing(const struct section *section, const struct score *score)
{
	const json_t *tests = json_object_get(section->run->plan, "suite_tests");
	const struct workload_group *group =
		score->suite && !tests ? workload_group_find(score->suite) : NULL;
	const char *separator = "; missing: ";

	for (size_t i = 0; i < json_array_size(tests); i++)
		add_if_missing(section, json_string_value(json_array_get(tests, i)), &separator);
	for (size_t i = 0; group && group->tests[i]; i++)
		add_if_missing(section, group->tests[i], &separator);
}

/* Which rows make the index rest on placement. */
static void add_rests_on(const struct section *section)
{
	for (size_t i = 0; i < section->run->n_series; i++) {
		const struct series *series = section->series[i];

		if (series->copies != section->copies || series->n_modes < 2 ||
		    !isfinite(series->index))
			continue;
		paragraph_add(section->line, "; rests on %zu modes of ", series->n_modes);
		paragraph_add_test(section->line, series);
		paragraph_add(section->line, " (");
		for (size_t k = 0; k < series->n_modes; k++) {
			paragraph_add(section->line, "%s", list_separator(k, series->n_modes));
			add_mode(section->line, series, k);
		}
		paragraph_add(section->line, ")");
	}
}

static void print_score(struct section *section, const struct score *score)
{
	const struct score *first = find_first_score(section, score);
	const double width = half_width(section->run, score->lo, score->hi);
	const bool is_partial = score->tests < score->tests_full;
	struct row row = { 0 };
	const char *reason;

	paragraph_add(section->line, "%s", is_partial ? "partial index score" : "index score");
	if (!isfinite(score->value)) {
		paragraph_print(section->line, section->out, 4);
		print_reason(section, "no result: ",
			     score->reason ? score->reason : "no row of the suite has one");
		return;
	}
	set_interval_or_reason(&row, score->lo, score->hi, score->reason, &reason);
	format_number(score->value, index_width(section->run, width), INDEX_COLUMNS, row.index,
		      sizeof(row.index));
	if (first)
		set_ratio(&row, score->value / first->value, width / score->value,
			  half_width(section->run, first->lo, first->hi) / first->value);
	print_row(section, &row);
	paragraph_add(section->line, "  ");
	paragraph_add_outside(section->line, score->suite);
	paragraph_add(section->line, ": %u of %u tests", score->tests, score->tests_full);
	if (is_partial)
		add_missing(section, score);
	if (score->rests_on_modes)
		add_rests_on(section);
	paragraph_print(section->line, section->out, 4);
	print_no_interval(section, reason);
}

static bool has_ratio(const struct section *section)
{
	for (size_t i = 0; i < section->run->n_series; i++) {
		const struct series *series = &section->run->series[i];

		if (series->copies == section->copies && has_result(series) &&
		    series->n_modes <= 1 && find_first(section, series))
			return true;
	}
	for (size_t i = 0; i < section->run->n_scores; i++) {
		const struct score *score = &section->run->scores[i];

		if (score->copies == section->copies && isfinite(score->value) &&
		    find_first_score(section, score))
			return true;
	}
	return false;
}

static bool is_all_cpus(const struct run *run, uint32_t copies)
{
	const json_t *allowed = json_object_get(run->environment, "cpus_allowed");

	/* Pinned to a list of CPUs they may all be on one. */
	return !json_is_array(json_object_get(run->plan, "pin")) &&
	       copies == count_cpus(json_string_value(allowed));
}

void report_section(const struct run *run, const struct series *const *series, uint32_t copies,
		    uint32_t first_copies, struct paragraph *line, FILE *out)
{
	struct section section = { run, series, copies, first_copies, line, out, NULL, false };

	section.has_ratio = copies != first_copies && has_ratio(&section);
	fputc('\n', out);
	paragraph_add_copies(line, copies);
	if (is_all_cpus(run, copies))
		paragraph_add(line, copies == 1 ? " (the only CPU)" : " (all CPUs)");
	if (section.has_ratio) {
		paragraph_add(line, "; scaling against ");
		paragraph_add_copies(line, first_copies);
	}
	paragraph_print(line, out, 0);
	print_column_names(&section);
	for (size_t i = 0; i < run->n_series; i++)
		if (series[i]->copies == copies && !lock_is_series(series[i]))
			print_series(&section, series[i]);
	for (size_t i = 0; i < run->n_scores; i++)
		if (run->scores[i].copies == copies)
			print_score(&section, &run->scores[i]);
}
