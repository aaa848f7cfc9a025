// SPDX-License-Identifier: GPL-2.0-or-later
/* import_unixbench_report.c - see import_unixbench_report.h. */
#include "store/import_unixbench_report.h"

#include "stats/index.h"
#include "store/json_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INDEX_TESTS_4 10   /* of UnixBench 4.1 */
#define INDEX_TESTS_3 6	   /* of UnixBench 3 */
#define ARITHMETIC    1e-9 /* of a comparison of computed numbers */
#define COPIES_MOST   1000000u

static struct run *run_of(const struct report *report)
{
	return &report->imported->runs[report->imported->count - 1];
}

bool unixbench_version(struct report *report, const char *text)
{
	size_t length = strcspn(text, ") ");

	/* "4.1-wht.2" is one, "61.2" is none */
	if (text[0] < '3' || text[0] > '6' || text[1] != '.')
		return false;
	if (length >= sizeof(report->version_text))
		length = sizeof(report->version_text) - 1;
	report->version = (enum unixbench_version)(text[0] - '0');
	snprintf(report->version_text, sizeof(report->version_text), "%.*s", (int)length, text);
	return true;
}

struct run *unixbench_begin(struct report *report, size_t line, const char *tool)
{
	struct run *run;
	char name[64];

	unixbench_end(report);
	snprintf(name, sizeof(name), "UnixBench%s%s", report->version ? " " : "",
		 report->version ? report->version_text : "");
	run = imported_begin(report->imported, tool ? tool : name, report->format, line);
	report->is_open = run != NULL;
	report->has_section = false;
	report->first_series = 0;
	report->n_scores = 0;
	report->copies_are_known = false;
	return run;
}

struct run *unixbench_run(struct report *report, size_t line)
{
	return report->is_open ? run_of(report) : unixbench_begin(report, line, NULL);
}

static bool has_copies(const struct run *run, uint32_t copies)
{
	for (size_t i = 0; i < run->n_series; i++)
		if (run->series[i].copies == copies)
			return true;
	return false;
}

/* UnixBench repeats a section for a repeated -c: a run of its own on the same machine. */
static void split(struct report *report, size_t line)
{
	size_t before = report->imported->count - 1;
	const struct run *first;
	struct run *run;

	run = unixbench_begin(report, line, report->imported->runs[before].tool);
	if (!run)
		return;
	first = &report->imported->runs[before];
	if (first->host)
		imported_text(report->imported, &run->host, "%s", first->host);
	json_decref(run->environment);
	run->environment = json_deep_copy(first->environment);
	if (!run->environment) {
		report->imported->no_memory = true;
		return;
	}
	json_object_del(json_object_get(run->environment, "imported"), "scores");
	imported_detail(report->imported, run, "line", json_integer((json_int_t)line));
}

static void take_times(struct report *report, struct run *run)
{
	if (!run->n_series) {
		if (!run->created_s)
			run->created_s = report->section_start_s;
		run->elapsed_s = report->section_s;
	} else if (run->created_s && report->section_start_s >= run->created_s) {
		run->elapsed_s =
			(double)(report->section_start_s - run->created_s) + report->section_s;
	} else {
		run->elapsed_s = NAN;
	}
	report->section_start_s = 0;
	report->section_s = NAN;
}

void unixbench_section(struct report *report, size_t line, uint32_t copies)
{
	struct run *run = unixbench_run(report, line);

	if (!run)
		return;
	report->copies = copies && copies <= COPIES_MOST ? copies : 1;
	if (has_copies(run, report->copies)) {
		split(report, line);
		if (!report->is_open)
			return;
		run = run_of(report);
	}
	report->copies_are_known |= copies > 0;
	report->has_section = true;
	report->first_series = run->n_series;
	take_times(report, run);
}

static struct run *section_run(struct report *report, size_t line)
{
	/* The versions before 5 knew nothing of copies. */
	if (!report->is_open || !report->has_section)
		unixbench_section(report, line, report->version && report->version < UNIXBENCH_5);
	return report->is_open && !report->imported->no_memory ? run_of(report) : NULL;
}

struct series *unixbench_find(struct report *report, const char *label)
{
	struct run *run;

	if (!report->is_open)
		return NULL;
	run = run_of(report);
	for (size_t i = report->first_series; i < run->n_series; i++)
		if (!strcmp(run->series[i].title, label))
			return &run->series[i];
	return NULL;
}

static struct report_row *row_of(struct report *report, const struct series *series)
{
	return &report->row[series - run_of(report)->series];
}

static struct series *add_series(struct report *report, struct run *run, const char *label,
				 const char *unit)
{
	const struct unixbench_test *test = unixbench_test_of(label);
	char id[IMPORT_ID_BYTES];
	struct series *series;

	if (run->n_series >= report->room_rows) {
		size_t room = 2 * run->n_series + 16;
		struct report_row *grown = reallocarray(report->row, room, sizeof(*grown));

		if (!grown) {
			report->imported->no_memory = true;
			return NULL;
		}
		report->row = grown;
		report->room_rows = room;
	}
	unixbench_test_id(report->version, label, id);
	series = imported_series(report->imported, run, id, label,
				 unit	? unit
				 : test ? test->unit
					: "",
				 report->copies);
	if (!series)
		return NULL;
	*row_of(report, series) = (struct report_row){ .index = NAN };
	/* The versions before 5 have their own sets of tests with a baseline, in the table. */
	if (test && (report->version == UNIXBENCH_UNKNOWN || report->version >= UNIXBENCH_5))
		series->baseline = test->baseline;
	return series;
}

struct series *unixbench_result(struct report *report, size_t line, const char *label,
				const struct printed *value, const char *unit, const char *note)
{
	struct run *run = section_run(report, line);
	bool is_full = run && run->n_series >= IMPORT_SERIES_MOST;
	struct series *series = run && !is_full ? unixbench_find(report, label) : NULL;

	if (!run)
		return NULL;
	if (series) {
		if (series->estimate.value != value->value)
			imported_warn(report->imported, line,
				      "%s is there again with another result; the first is kept",
				      label);
		return NULL;
	}
	series = add_series(report, run, label, unit);
	if (!series)
		return NULL;
	if (note)
		imported_text(report->imported, &series->note, IMPORT_WARNING "%s", note);
	if (value->value > 0) {
		imported_rate(series, value->value);
		row_of(report, series)->relative = printed_relative(value);
	} else {
		imported_text(report->imported, &series->reason, "the report gives it no score");
	}
	return series;
}

void unixbench_no_result(struct report *report, size_t line, const char *label, const char *reason)
{
	struct run *run = section_run(report, line);
	struct series *series;

	if (!run || unixbench_find(report, label))
		return;
	series = add_series(report, run, label, NULL);
	if (series)
		imported_text(report->imported, &series->reason, "%s", reason);
}

struct series *unixbench_index(struct report *report, size_t line, const char *label,
			       const struct printed *index)
{
	const struct unixbench_test *test = unixbench_test_of(label);
	struct printed rate;
	char note[96];

	if (!test || !(test->baseline > 0)) {
		imported_warn(report->imported, line,
			      "%s has no baseline: an index says nothing of its rate", label);
		return NULL;
	}
	rate.value = index->value * (test->baseline / INDEX_OF_BASELINE);
	rate.half = index->half * (test->baseline / INDEX_OF_BASELINE);
	if (!isfinite(rate.value))
		return NULL;
	snprintf(note, sizeof(note), "from the index %.10g: rate = index x %g / 10", index->value,
		 test->baseline);
	return unixbench_result(report, line, label, &rate, NULL, note);
}

/* The printed index of a row, against what baseline and result give. */
static void check_index(struct report *report, size_t line, const struct series *series,
			const struct printed *index, double computed)
{
	double allowed = index->half + computed * row_of(report, series)->relative;

	if (index->value > 0 && isfinite(computed) &&
	    !(fabs(index->value - computed) <= allowed * (1 + ARITHMETIC) + computed * ARITHMETIC))
		imported_warn(report->imported, line,
			      "the index %.1f of %s does not follow from its result, which gives "
			      "%.1f",
			      index->value, series->title, computed);
}

/* UnixBench 3 has no factor 10, and other baselines: kept in a note, outside of our indexes. */
static void row_of_version_3(struct report *report, size_t line, struct series *series,
			     const struct printed *baseline, const struct printed *index)
{
	double computed = series->estimate.value / baseline->value;
	char *note = series->note;

	if (!isfinite(computed))
		return;
	row_of(report, series)->index = computed;
	series->note = NULL;
	imported_text(report->imported, &series->note, "%s%sindex %.1f over the baseline %g",
		      note ? note : IMPORT_WARNING, note ? "; " : "", computed, baseline->value);
	free(note);
	if (index)
		check_index(report, line, series, index, computed);
}

void unixbench_row(struct report *report, size_t line, const char *label,
		   const struct printed *baseline, const struct printed *result,
		   const struct printed *index)
{
	struct run *run = section_run(report, line);
	struct series *series = run ? unixbench_find(report, label) : NULL;

	if (!run)
		return;
	if (!series && result)
		series = unixbench_result(report, line, label, result, NULL, NULL);
	if (!series) {
		imported_warn(report->imported, line, "%s has a row but no result", label);
		return;
	}
	if (row_of(report, series)->has_row) {
		imported_warn(report->imported, line, "%s is in the table twice", label);
		return;
	}
	row_of(report, series)->has_row = true;
	if (result && isfinite(series->estimate.value) &&
	    fabs(result->value - series->estimate.value) >
		    2 * result->half + ARITHMETIC * result->value)
		imported_warn(report->imported, line,
			      "the table gives %s %.1f, its score line %.1f, which is kept", label,
			      result->value, series->estimate.value);
	if (!baseline || !(baseline->value > 0))
		return;
	if (report->version == UNIXBENCH_3) {
		row_of_version_3(report, line, series, baseline, index);
		return;
	}
	if (!(series->baseline > 0))
		series->baseline = baseline->value;
	else if (fabs(baseline->value - series->baseline) > baseline->half)
		imported_warn(report->imported, line,
			      "the baseline %g of %s is not UnixBench's %g, which is used",
			      baseline->value, label, series->baseline);
	if (index)
		check_index(report, line, series, index,
			    index_of_rate(series->estimate.value, series->baseline));
}

void unixbench_score(struct report *report, size_t line, const struct printed *number,
		     bool is_partial, bool is_sum)
{
	struct printed_score *grown;

	if (!section_run(report, line))
		return;
	grown = reallocarray(report->score, report->n_scores + 1, sizeof(*grown));
	if (!grown) {
		report->imported->no_memory = true;
		return;
	}
	report->score = grown;
	grown[report->n_scores++] = (struct printed_score){ .line = line,
							    .copies = report->copies,
							    .number = *number,
							    .is_partial = is_partial,
							    .is_sum = is_sum };
}

/* What the rows of a copy count give, and how far their digits leave it open. */
struct computed {
	double value, allowed;
	uint32_t rows;
};

/* UnixBench 3: arithmetic mean, or its sum. */
static struct computed compute_3(const struct report *report, uint32_t copies, bool sum)
{
	struct run *run = run_of(report);
	struct computed computed = { 0 };
	double divisor;

	for (size_t i = 0; i < run->n_series; i++) {
		if (run->series[i].copies != copies || isnan(report->row[i].index))
			continue;
		computed.value += report->row[i].index;
		computed.allowed += report->row[i].index * report->row[i].relative;
		computed.rows++;
	}
	divisor = sum || !computed.rows ? 1 : computed.rows;
	computed.value /= divisor;
	computed.allowed /= divisor;
	return computed;
}

static bool is_in_index(const struct report *report, const struct series *series)
{
	const struct unixbench_test *test = unixbench_test_of(series->title);

	if (!(series->baseline > 0) || !isfinite(series->estimate.value))
		return false;
	/* Baselines of other categories ("grep": 1) are none of the system's index. */
	if (report->version == UNIXBENCH_4)
		return report->row[series - run_of(report)->series].has_row;
	return test && test->baseline > 0;
}

static struct computed compute(const struct report *report, uint32_t copies)
{
	struct run *run = run_of(report);
	struct computed computed = { 0 };
	double log_sum = 0, open = 0;

	for (size_t i = 0; i < run->n_series; i++) {
		const struct series *series = &run->series[i];

		if (series->copies != copies || !is_in_index(report, series))
			continue;
		log_sum += log(series->estimate.value) - log(series->baseline);
		open += report->row[i].relative;
		computed.rows++;
	}
	if (!computed.rows)
		return computed;
	computed.value = INDEX_OF_BASELINE * exp(log_sum / computed.rows);
	computed.allowed = computed.value * open / computed.rows;
	return computed;
}

static void check_score(struct report *report, const struct printed_score *score)
{
	bool is_3 = report->version == UNIXBENCH_3;
	struct computed computed = is_3 ? compute_3(report, score->copies, score->is_sum)
					: compute(report, score->copies);
	uint32_t full = report->version == UNIXBENCH_4 ? INDEX_TESTS_4
			: is_3			       ? INDEX_TESTS_3
						       : UNIXBENCH_INDEX_TESTS;

	if (!computed.rows) {
		imported_warn(report->imported, score->line,
			      "the index score %.1f has no rows in the file", score->number.value);
		return;
	}
	if (!(fabs(computed.value - score->number.value) <=
	      score->number.half + computed.allowed + computed.value * ARITHMETIC))
		imported_warn(
			report->imported, score->line,
			"the printed index score %.1f is not that of its %u rows, %.1f, which "
			"is kept",
			score->number.value, computed.rows, computed.value);
	else if (!score->is_partial && computed.rows < full)
		imported_warn(report->imported, score->line,
			      "the index score rests on %u of %u tests, and does not say so",
			      computed.rows, full);
}

static void keep_printed_scores(struct report *report)
{
	json_t *scores = json_array();

	for (size_t i = 0; i < report->n_scores; i++) {
		const struct printed_score *score = &report->score[i];
		json_t *object =
			json_pack("{s:I,s:f,s:I,s:b}", "copies", (json_int_t)score->copies,
				  "printed", score->number.value, "line", (json_int_t)score->line,
				  "partial", (int)score->is_partial);

		if (!score->is_sum && json_array_append_new(scores, object))
			report->imported->no_memory = true;
		else if (score->is_sum)
			json_decref(object);
	}
	imported_detail(report->imported, run_of(report), "scores", scores);
}

/* The versions before 5 have indexes of their own, which nothing else knows. */
static void add_old_score(struct report *report, uint32_t copies)
{
	bool is_3 = report->version == UNIXBENCH_3;
	struct computed computed =
		is_3 ? compute_3(report, copies, false) : compute(report, copies);
	/* variants of 4.1 have more */
	uint32_t full = is_3 ? INDEX_TESTS_3 : INDEX_TESTS_4;
	struct run *run = run_of(report);
	struct score *grown;

	if (!computed.rows || !isfinite(computed.value) || !(computed.value > 0))
		return;
	grown = reallocarray(run->scores, run->n_scores + 1, sizeof(*grown));
	if (!grown) {
		report->imported->no_memory = true;
		return;
	}
	run->scores = grown;
	grown[run->n_scores] = (struct score){
		.copies = copies,
		.suite = strdup(is_3 ? "unixbench3" : "unixbench4"),
		.value = computed.value,
		.lo = NAN,
		.hi = NAN,
		.level = NAN,
		.tests = computed.rows,
		.tests_full = full > computed.rows ? full : computed.rows,
	};
	if (!grown[run->n_scores].suite) {
		report->imported->no_memory = true;
		return;
	}
	run->n_scores++;
}

static bool has_slots(const struct run *run)
{
	for (size_t i = 0; i < run->n_series; i++)
		if (run->series[i].n_slots)
			return true;
	return false;
}

/* Which suite, and with passes by which rule: what a plan of our own says. */
static void set_plan(struct report *report, struct run *run)
{
	run->plan = json_pack("{s:s}", "suite",
			      report->version == UNIXBENCH_6 ? "unixbench6" : "unixbench5");
	if (!run->plan ||
	    (has_slots(run) && json_object_set_new(run->plan, "classic", json_true())))
		report->imported->no_memory = true;
}

static void say_what_is_unknown(struct report *report, struct run *run)
{
	const char *copies = report->copies_are_known ? "" : "1 copy";
	const char *version = report->version ? "" : "UnixBench 5";

	if (!*copies && !*version)
		return;
	imported_warn(report->imported, 0, "the file does not say %s%s%s: taken as %s%s%s",
		      *version ? "which version of UnixBench it is of" : "",
		      *version && *copies ? " or " : "", *copies ? "how many copies ran" : "",
		      version, *version && *copies ? " and " : "", copies);
	if (*copies) {
		imported_detail(report->imported, run, "copies", json_null());
		imported_detail(report->imported, run, "copies_reason",
				json_string("the file does not say"));
	}
}

void unixbench_end(struct report *report)
{
	struct run *run;

	if (!report->is_open)
		return;
	report->is_open = false;
	run = run_of(report);
	if (!run->n_series || report->imported->no_memory)
		return;
	say_what_is_unknown(report, run);
	imported_zone_unknown(report->imported, run);
	if (report->version && report->version < UNIXBENCH_5)
		for (size_t i = 0; i < run->n_series; i++)
			if (!i || run->series[i].copies != run->series[i - 1].copies)
				add_old_score(report, run->series[i].copies);
	if (!report->version || report->version >= UNIXBENCH_5)
		set_plan(report, run);
	if (run_summarise(run)) {
		report->imported->no_memory = true;
		return;
	}
	for (size_t i = 0; !has_slots(run) && i < run->n_scores; i++)
		run->scores[i].reason = IMPORT_NO_SLOTS;
	for (size_t i = 0; i < report->n_scores; i++)
		check_score(report, &report->score[i]);
	keep_printed_scores(report);
}

void unixbench_free(struct report *report)
{
	unixbench_end(report);
	free(report->row);
	free(report->score);
	report->row = NULL;
	report->score = NULL;
}
