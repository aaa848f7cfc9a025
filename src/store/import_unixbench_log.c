// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * import_unixbench_log.c - the .log of UnixBench: every pass of every copy. Each pass is a slot.
 *
 * A test is "LABEL -- N copies" below a line of "#", its passes "#### Pass N". In a pass each copy
 * has its count, either as "# COUNT0: n", "# COUNT1: base", "# COUNT2: unit", "# TIME: s" and "#
 * elapsed: s", or as the program wrote it: "COUNT|n|base|unit" and "TIME|s". A copy's last line of
 * a kind counts: the file tests write one for each of their phases. base 1 is per second, 60 per
 * minute, 0 says that the count is a rate already. A pass is the sum of the counts over the mean of
 * the times, as UnixBench computes it.
 */
#include "stats/classic.h"
#include "store/import_formats.h"
#include "store/import_lines.h"
#include "store/import_unixbench_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT	   "UnixBench log"
#define PASS	   "#### Pass "
#define UNIT_BYTES 32

/* What a copy wrote of one pass. */
struct copy {
	double count, base, time_s, elapsed_s; /* NAN: none */
	bool failed;
};

struct log {
	struct report report;
	char label[UNIXBENCH_LABEL_BYTES];
	uint32_t copies;
	bool has_test, in_pass;
	size_t pass_line, test_line;
	struct copy *copy; /* of the pass; more than copies where each wrote several lines */
	size_t n_copies, room;
	char unit[UNIT_BYTES];
	size_t series; /* of the test in the run */
	bool has_series;
	double score; /* the printed one; NAN: none */
	double score_half;
	size_t score_line;
};

static struct copy *add_copy(struct log *log)
{
	if (log->n_copies == log->room) {
		size_t room = log->room ? 2 * log->room : 16;
		struct copy *grown = reallocarray(log->copy, room, sizeof(*grown));

		if (!grown) {
			log->report.imported->no_memory = true;
			return NULL;
		}
		log->copy = grown;
		log->room = room;
	}
	log->copy[log->n_copies] = (struct copy){ NAN, NAN, NAN, NAN, false };
	return &log->copy[log->n_copies++];
}

static struct copy *last_copy(struct log *log)
{
	return log->n_copies ? &log->copy[log->n_copies - 1] : add_copy(log);
}

static struct run *current(struct log *log)
{
	struct imported *imported = log->report.imported;

	return &imported->runs[imported->count - 1];
}

/* The series of the test, made at its first pass. NULL: no memory, or the test is there already. */
static struct series *series_of_test(struct log *log)
{
	const struct unixbench_test *test = unixbench_test_of(log->label);
	struct report *report = &log->report;

	if (!log->has_series) {
		if (!report->is_open || !report->has_section || report->copies != log->copies ||
		    unixbench_find(report, log->label))
			unixbench_section(report, log->test_line, log->copies);
		unixbench_no_result(report, log->test_line, log->label, "no pass of it is whole");
		if (report->imported->no_memory || !unixbench_find(report, log->label))
			return NULL;
		log->series = current(log)->n_series - 1;
		log->has_series = true;
		imported_text(report->imported, &current(log)->series[log->series].unit, "%s",
			      *log->unit ? log->unit
			      : test	 ? test->unit
					 : "");
	}
	return &current(log)->series[log->series];
}

static bool copy_is_whole(const struct copy *copy)
{
	return !copy->failed && isfinite(copy->count) && isfinite(copy->base) &&
	       (copy->base == 0 || isfinite(copy->time_s) || isfinite(copy->elapsed_s));
}

/*
 * The copies of the pass, each by its last line. Copies write in turn, each as many lines. false:
 * lines are missing.
 */
static bool settle_copies(struct log *log)
{
	size_t lines = log->n_copies / log->copies;

	if (!lines || log->n_copies % log->copies)
		return false;
	for (uint32_t i = 0; i < log->copies; i++)
		log->copy[i] = log->copy[i * lines + lines - 1];
	log->n_copies = log->copies;
	return true;
}

static void fail_slot(struct log *log, const char *reason)
{
	struct series *series = series_of_test(log);

	imported_warn(log->report.imported, log->pass_line, "%s: this pass of %s is left out",
		      reason, log->label);
	if (series)
		imported_slot(log->report.imported, series, NAN, NAN, reason);
}

static void add_slot(struct log *log, double sum, double time_s, double base)
{
	struct series *series = series_of_test(log);
	double rate = base > 0 ? sum / (time_s / base) : sum;
	struct slot *slot;

	if (!series)
		return;
	slot = imported_slot(log->report.imported, series, rate, time_s, NULL);
	if (!slot || slot->status != SLOT_OK)
		return;
	slot->counts = calloc(log->copies + 1, sizeof(*slot->counts));
	if (!slot->counts) {
		log->report.imported->no_memory = true;
		return;
	}
	for (uint32_t i = 0; i < log->copies; i++)
		slot->counts[i] = log->copy[i].count;
	free(series->reason);
	series->reason = NULL;
}

static void pass_end(struct log *log)
{
	double sum = 0, time_s = 0;

	if (!log->in_pass)
		return;
	log->in_pass = false;
	if (log->report.imported->no_memory)
		return;
	if (!settle_copies(log)) {
		fail_slot(log, "not every copy has its count");
		return;
	}
	for (uint32_t i = 0; i < log->copies; i++) {
		const struct copy *copy = &log->copy[i];

		if (!copy_is_whole(copy) || copy->base != log->copy[0].base) {
			fail_slot(log, copy->failed ? "a copy failed"
						    : "a copy has no count, time base or time");
			return;
		}
		sum += copy->count;
		time_s += isfinite(copy->time_s) ? copy->time_s : copy->elapsed_s;
	}
	add_slot(log, sum, time_s / log->copies, log->copy[0].base);
}

/* The printed score against the passes, by UnixBench's own rule for them. */
static void check_score(struct log *log)
{
	const struct series *series = log->has_series ? series_of_test(log) : NULL;
	size_t n = 0, room = series ? series->n_slots + 1 : 1;
	double *count = calloc(room, sizeof(*count)), *rate = calloc(room, sizeof(*rate));
	double computed;

	if (!count || !rate)
		log->report.imported->no_memory = true;
	for (size_t i = 0; count && rate && series && i < series->n_slots; i++) {
		const struct slot *slot = &series->slots[i];

		if (slot->status != SLOT_OK)
			continue;
		rate[n] = slot->rate;
		for (uint32_t k = 0; k < slot->copies; k++)
			count[n] += slot->counts[k];
		n++;
	}
	if (n && isfinite(log->score) && !classic_score(count, rate, n, &computed, NULL) &&
	    !(fabs(computed - log->score) <= log->score_half + 1e-6 * computed))
		imported_warn(log->report.imported, log->score_line,
			      "the printed score %.1f of %s is not that of its %zu whole passes, "
			      "%.1f, which is kept",
			      log->score, log->label, n, computed);
	free(count);
	free(rate);
}

static void test_end(struct log *log)
{
	pass_end(log);
	if (log->has_test && !log->has_series && !log->report.imported->no_memory)
		imported_warn(log->report.imported, log->test_line, "%s has no passes", log->label);
	else if (log->has_test && isnan(log->score))
		imported_warn(log->report.imported, log->test_line, "%s ends without its score",
			      log->label);
	log->has_test = false;
}

/* "LABEL -- N copies", where the last "--" counts: a label may have one. */
static bool read_test(struct log *log, const struct import_line *line)
{
	const char *dashes = NULL, *next = line->text;
	char number[16];
	size_t length, digits;
	uint32_t copies;

	while ((next = strstr(next, " -- ")) != NULL) {
		dashes = next;
		next += 4;
	}
	if (!dashes || line->text[0] == '#')
		return false;
	digits = strcspn(dashes + 4, " ");
	snprintf(number, sizeof(number), "%.*s", (int)(digits < 15 ? digits : 15), dashes + 4);
	if (!count_parse(number, 1000000, &copies) || !copies ||
	    (strcmp(dashes + 4 + digits, " copies") != 0 &&
	     strcmp(dashes + 4 + digits, " copy") != 0))
		return false;
	length = (size_t)(dashes - line->text);
	if (!length || length >= sizeof(log->label))
		return false;
	test_end(log);
	memcpy(log->label, line->text, length);
	log->label[length] = '\0';
	log->copies = copies;
	log->has_test = true;
	log->has_series = false;
	log->test_line = line->number;
	log->score = NAN;
	log->unit[0] = '\0';
	return true;
}

static double number_of(const char *text)
{
	struct printed number;
	char word[400];

	snprintf(word, sizeof(word), "%.*s", (int)strcspn(text, " |"), text);
	return printed_parse(word, &number) ? number.value : NAN;
}

static void take_unit(struct log *log, const char *text)
{
	if (!*log->unit)
		snprintf(log->unit, sizeof(log->unit), "%.*s", (int)strcspn(text, " |"), text);
}

/* "COUNT|n|base|unit" and "TIME|s", as the programs write them. */
static bool read_protocol(struct log *log, const char *text)
{
	struct copy *copy;

	if (text_begins(text, "COUNT|")) {
		copy = add_copy(log);
		if (!copy)
			return true;
		text += strlen("COUNT|");
		copy->count = number_of(text);
		text += strcspn(text, "|");
		copy->base = *text ? number_of(text + 1) : NAN;
		text += *text ? 1 + strcspn(text + 1, "|") : 0;
		if (*text)
			take_unit(log, text + 1);
		return true;
	}
	if (!text_begins(text, "TIME|"))
		return false;
	copy = last_copy(log);
	if (copy)
		copy->time_s = number_of(text + strlen("TIME|"));
	return true;
}

/* "# KEY: value" */
static bool read_key(struct log *log, const char *text)
{
	const char *value = strstr(text, ": ");
	struct copy *copy;

	if (!text_begins(text, "# ") || !value)
		return false;
	text += 2;
	value += 2;
	copy = text_begins(text, "COUNT0:") ? add_copy(log) : last_copy(log);
	if (!copy)
		return true;
	if (text_begins(text, "COUNT0:"))
		copy->count = number_of(value);
	else if (text_begins(text, "COUNT1:"))
		copy->base = number_of(value);
	else if (text_begins(text, "COUNT2:"))
		take_unit(log, value);
	else if (text_begins(text, "TIME"))
		copy->time_s = number_of(value);
	else if (text_begins(text, "elapsed:"))
		copy->elapsed_s = number_of(value);
	else if (text_begins(text, "status:"))
		copy->failed |= strcmp(value, "0") != 0;
	else if (text_begins(text, "ERROR:"))
		copy->failed = true;
	return true;
}

/* "score: X unit" below the passes, whose ">>>>" looks like the marks of a mail. */
static bool read_score(struct log *log, const struct import_line *line)
{
	struct printed number;
	char word[400];
	const char *text;

	if (!text_begins(line->text, "score: ") || !log->has_test)
		return false;
	pass_end(log);
	text = line->text + strlen("score: ");
	snprintf(word, sizeof(word), "%.*s", (int)strcspn(text, " "), text);
	if (!printed_parse(word, &number) || line->is_cut)
		return true;
	log->score = number.value;
	log->score_half = number.half;
	log->score_line = line->number;
	return true;
}

static void read_line(struct log *log, const struct import_line *line)
{
	if (read_test(log, line) || !log->has_test)
		return;
	if (text_begins(line->text, PASS)) {
		pass_end(log);
		log->in_pass = true;
		log->pass_line = line->number;
		log->n_copies = 0;
		return;
	}
	if (text_begins(line->text, "Results of ") || text_begins(line->text, "Sum of ") ||
	    text_begins(line->text, "*Dump score:") || text_begins(line->text, "Count score:")) {
		pass_end(log);
		return;
	}
	if (log->in_pass && line->is_cut) {
		/* whatever the last line says may be cut */
		imported_warn(log->report.imported, line->number, "the file ends in a pass");
		return;
	}
	if (log->in_pass && (read_protocol(log, line->text) || read_key(log, line->text)))
		return;
	if (read_score(log, line))
		check_score(log);
}

bool import_unixbench_log_recognise(const struct import_source *source)
{
	return source_has(source, PASS) &&
	       (source_has(source, "# COUNT0:") || source_has(source, "COUNT|"));
}

int import_unixbench_log_read(const struct import_source *source, struct imported *imported,
			      struct error *err)
{
	struct log log = { .report = { .imported = imported, .format = FORMAT, .section_s = NAN } };
	struct import_lines lines;
	int rc = import_lines_make(source, &lines, err);

	if (rc)
		return rc;
	for (size_t i = 0; i < lines.count && !imported->no_memory; i++)
		read_line(&log, &lines.line[i]);
	test_end(&log);
	unixbench_free(&log.report);
	free(log.copy);
	import_lines_free(&lines);
	return 0;
}
