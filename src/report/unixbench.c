// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * unixbench.c - a run in the report shape of UnixBench 6, for the parsers that exist.
 *
 * They find sections by a rule of exactly 72 dashes, blocks of a section by empty lines, the
 * version by "BYTE UNIX Benchmarks (Version [0-9.]+)", copies by "running N parallel cop", scores
 * by the six words at the end of a line, the index by the last word after "System Benchmarks Index
 * Score". So what is ours stands on the first line behind the version and in the lines below it,
 * where none of them looks.
 */
#include "report/blocks.h"
#include "report/report.h"
#include "stats/classic.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SCORE_BYTES  400 /* the longest "%.1f" of a double has 311 characters */
#define INDEX_TESTS  12
#define FEW_DIGITS   4	  /* significant digits of a score below SMALL_SCORE */
#define SMALL_SCORE  10.0 /* one decimal, as there, would change it by more than 0.5 % */
#define SECTION_RULE "------------------------------------------------------------------------"

/* Which suite a form belongs to: version 5's file copies and system calls have the same labels. */
enum form { FORM_ALL, FORM_6, FORM_5 };

static const struct label {
	const char *name, *label;
	enum { SYSTEM, MISC } category; /* only the first has an index */
	bool in_index;
	enum form form;
} labels[] = {
	{ "dhry2reg", "Dhrystone 2 using register variables", SYSTEM, true },
	{ "whetstone-double", "Double-Precision Whetstone", SYSTEM, true },
	{ "execl", "Execl Throughput", SYSTEM, true },
	{ "fstime", "File Copy 1024 bufsize 2000 maxblocks", SYSTEM, true, FORM_6 },
	{ "fstime5", "File Copy 1024 bufsize 2000 maxblocks", SYSTEM, true, FORM_5 },
	{ "fsbuffer", "File Copy 256 bufsize 500 maxblocks", SYSTEM, true, FORM_6 },
	{ "fsbuffer5", "File Copy 256 bufsize 500 maxblocks", SYSTEM, true, FORM_5 },
	{ "fsdisk", "File Copy 4096 bufsize 8000 maxblocks", SYSTEM, true, FORM_6 },
	{ "fsdisk5", "File Copy 4096 bufsize 8000 maxblocks", SYSTEM, true, FORM_5 },
	{ "fstime-r", "File Read 1024 bufsize 2000 maxblocks", SYSTEM, false },
	{ "fsbuffer-r", "File Read 256 bufsize 500 maxblocks", SYSTEM, false },
	{ "fsdisk-r", "File Read 4096 bufsize 8000 maxblocks", SYSTEM, false },
	{ "fstime-w", "File Write 1024 bufsize 2000 maxblocks", SYSTEM, false },
	{ "fsbuffer-w", "File Write 256 bufsize 500 maxblocks", SYSTEM, false },
	{ "fsdisk-w", "File Write 4096 bufsize 8000 maxblocks", SYSTEM, false },
	{ "pipe", "Pipe Throughput", SYSTEM, true },
	{ "context1", "Pipe-based Context Switching", SYSTEM, true },
	{ "spawn", "Process Creation", SYSTEM, true },
	{ "shell1", "Shell Scripts (1 concurrent)", SYSTEM, true },
	{ "shell16", "Shell Scripts (16 concurrent)", SYSTEM, false },
	{ "shell8", "Shell Scripts (8 concurrent)", SYSTEM, true },
	{ "syscall", "System Call Overhead", SYSTEM, true, FORM_6 },
	{ "syscall5", "System Call Overhead", SYSTEM, true, FORM_5 },
	{ "double", "Arithmetic Test (double)", MISC, false },
	{ "float", "Arithmetic Test (float)", MISC, false },
	{ "int", "Arithmetic Test (int)", MISC, false },
	{ "long", "Arithmetic Test (long)", MISC, false },
	{ "short", "Arithmetic Test (short)", MISC, false },
	{ "arithoh", "Arithoh", MISC, false },
	{ "C", "C Compiler Throughput (cc)", MISC, false },
	{ "dc", "Dc: sqrt(2) to 99 decimal places", MISC, false },
	{ "sysexec", "Exec System Call Overhead", MISC, false },
	{ "grep", "Grep a large file (system's grep)", MISC, false },
	{ "hanoi", "Recursion Test -- Tower of Hanoi", MISC, false },
};

/* A row of a section. */
struct entry {
	const struct label *label;
	const struct series *series;
};

/* What the functions below share. */
struct shape {
	const struct run *run;
	enum form form; /* FORM_5 or FORM_6: which suite the report is of */
	struct paragraph *line;
	FILE *out;
};

/* The suite that was planned; without one (imports) that of the tests. */
static enum form suite_form(const struct run *run)
{
	const char *suite = json_string_value(json_object_get(run->plan, "suite"));

	if (suite)
		return !strcmp(suite, "unixbench5") ? FORM_5 : FORM_6;
	for (size_t i = 0; i < run->n_series; i++)
		if (run->series[i].test && !strncmp(run->series[i].test, "unixbench5/", 11))
			return FORM_5;
	return FORM_6;
}

/* The label of a test of UnixBench, NULL for any other. */
static const struct label *find_label(const struct shape *shape, const struct series *series)
{
	const char *name = series->test ? strchr(series->test, '/') : NULL;

	if (!name || strncmp(series->test, "unixbench", 9) != 0)
		return NULL;
	name++;
	for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++) {
		size_t length = strlen(labels[i].name);

		if (strncmp(name, labels[i].name, length) != 0 ||
		    (name[length] != '@' && name[length]))
			continue;
		return labels[i].form == FORM_ALL || labels[i].form == shape->form ? &labels[i]
										   : NULL;
	}
	return NULL;
}

static bool has_result(const struct series *series)
{
	return isfinite(series->estimate.value) && series->estimate.value > 0;
}

static int compare_labels(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;

	return strcmp(a->label->label, b->label->label);
}

/* Rows with a result at a copy count, sorted by label. Returns their number. */
static size_t section_entries(const struct shape *shape, uint32_t copies, struct entry *entries)
{
	size_t n = 0;

	for (size_t i = 0; i < shape->run->n_series; i++) {
		const struct series *series = &shape->run->series[i];
		const struct label *label = find_label(shape, series);

		if (label && series->copies == copies && has_result(series))
			entries[n++] = (struct entry){ label, series };
	}
	qsort(entries, n, sizeof(*entries), compare_labels);
	return n;
}

static bool counts_in_index(const struct entry *entry)
{
	return entry->label->in_index && entry->series->baseline > 0;
}

static void score_text(double score, char text[SCORE_BYTES])
{
	int decimals = 1;

	if (score < SMALL_SCORE)
		decimals = FEW_DIGITS - 1 - (int)floor(log10(score));
	snprintf(text, SCORE_BYTES, "%.*f", decimals, score);
}

static void print_outside(const struct shape *shape, const char *outside)
{
	paragraph_add_outside(shape->line, outside);
	fputs(shape->line->text ? shape->line->text : "", shape->out);
	shape->line->length = 0;
}

/* Mean length of the slots that count, in seconds. */
static double mean_seconds(const struct series *series)
{
	double sum_ns = 0;
	size_t n = 0;

	for (size_t i = 0; i < series->n_slots; i++) {
		if (series->slots[i].status != SLOT_OK)
			continue;
		sum_ns += (double)series->slots[i].length_ns;
		n++;
	}
	return n ? sum_ns / (double)n / 1e9 : 0;
}

static bool run_is_classic(const struct run *run)
{
	return json_is_true(json_object_get(run->plan, "classic"));
}

/* UnixBench counts the passes that it kept. */
static size_t samples(const struct run *run, const struct series *series)
{
	size_t n = series->estimate.n;

	return run_is_classic(run) ? classic_kept(n) : n;
}

static void print_scores(const struct run *run, const struct entry *entries, size_t n,
			 struct paragraph *line, FILE *out)
{
	char score[SCORE_BYTES];

	for (size_t i = 0; i < n; i++) {
		const struct series *series = entries[i].series;

		score_text(series->estimate.value, score);
		paragraph_add(line, "%-40s %12s ", entries[i].label->label, score);
		paragraph_add_outside(line, series->unit);
		paragraph_pad(line, 40 + 1 + 12 + 1 + 5);
		fprintf(out, "%s (%.1f s, %zu samples)\n", line->text ? line->text : "",
			mean_seconds(series), samples(run, series));
		line->length = 0;
	}
	fputc('\n', out);
}

static void print_index_row(const struct entry *entry, FILE *out)
{
	const struct series *series = entry->series;
	char score[SCORE_BYTES], baseline[SCORE_BYTES] = "---", index[SCORE_BYTES] = "---";

	score_text(series->estimate.value, score);
	if (counts_in_index(entry)) {
		snprintf(baseline, sizeof(baseline), "%.1f", series->baseline);
		snprintf(index, sizeof(index), "%.1f",
			 10 * series->estimate.value / series->baseline);
	}
	fprintf(out, "%-40s %12s %12s %8s\n", entry->label->label, baseline, score, index);
}

/* The score that the imported report printed; NAN: there is none. */
static double printed_score(const struct run *run, uint32_t copies)
{
	for (size_t i = 0; run->status == RUN_IMPORTED && i < run->n_scores; i++) {
		if (run->scores[i].copies == copies)
			return run->scores[i].value;
	}
	return NAN;
}

static void print_index(const struct run *run, uint32_t copies, const struct entry *entries,
			size_t n, FILE *out)
{
	double score = printed_score(run, copies);
	double sum = 0;
	size_t counted = 0;
	bool is_partial;

	for (size_t i = 0; i < n; i++) {
		const struct series *series = entries[i].series;

		if (!counts_in_index(&entries[i]))
			continue;
		sum += log(series->estimate.value / series->baseline);
		counted++;
	}
	if (!counted)
		return;
	is_partial = counted != INDEX_TESTS;
	fprintf(out, "System Benchmarks %-22s %12s %12s %8s\n",
		is_partial ? "Partial Index" : "Index Values", "BASELINE", "RESULT", "INDEX");
	for (size_t i = 0; i < n; i++)
		if (entries[i].label->category == SYSTEM)
			print_index_row(&entries[i], out);
	fprintf(out, "%-66s %8s\n", "", "========");
	fprintf(out, "System Benchmarks Index Score%-37s %8.1f\n\n",
		is_partial ? " (Partial Only)" : "",
		isfinite(score) ? score : 10 * exp(sum / (double)counted));
}

/* "Wed Apr 17 2024 03:47:33", or "03:47:33" alone. */
static void print_time(uint64_t unix_s, bool with_date, FILE *out)
{
	time_t seconds = (time_t)unix_s;
	struct tm utc;
	char text[64];

	if (!gmtime_r(&seconds, &utc) ||
	    !strftime(text, sizeof(text), with_date ? "%a %b %d %Y %H:%M:%S" : "%H:%M:%S", &utc))
		snprintf(text, sizeof(text), "unknown");
	fputs(text, out);
}

static void print_section(const struct shape *shape, uint32_t copies, const struct entry *entries,
			  size_t n)
{
	const struct run *run = shape->run;
	const json_t *online = json_object_get(run->environment, "cpus_online");
	const uint32_t cpus = count_cpus(json_string_value(online));
	const uint64_t elapsed_s =
		run->elapsed_s > 0 && run->elapsed_s < 1e9 ? (uint64_t)run->elapsed_s : 0;
	FILE *out = shape->out;

	fprintf(out, "%s\nBenchmark Run: ", SECTION_RULE);
	print_time(run->created_s, true, out);
	fputs(" - ", out);
	print_time(run->created_s + elapsed_s, false, out);
	if (cpus)
		fprintf(out, "\n%u %s in system; ", cpus, cpus == 1 ? "CPU" : "CPUs");
	else
		fputs("\nunknown CPUs in system; ", out);
	fprintf(out, "running %u parallel %s of tests\n\n", copies,
		copies == 1 ? "copy" : "copies");
	print_scores(run, entries, n, shape->line, out);
	print_index(run, copies, entries, n, out);
}

static void print_member(const struct shape *shape, const char *before, const char *name)
{
	fputs(before, shape->out);
	print_outside(shape, json_string_value(json_object_get(shape->run->environment, name)));
}

/* The lines of the report that the run was imported from, or those that we know. */
static void print_machine(const struct shape *shape)
{
	const json_t *header = json_object_get(shape->run->environment, "report_header");

	for (size_t i = 0; i < json_array_size(header); i++) {
		fputs("   ", shape->out);
		print_outside(shape, json_string_value(json_array_get(header, i)));
		fputc('\n', shape->out);
	}
	if (json_array_size(header))
		return;
	fputs("   System: ", shape->out);
	print_outside(shape, shape->run->host);
	print_member(shape, ": GNU/Linux\n   OS: GNU/Linux -- ", "kernel_release");
	print_member(shape, " -- ", "kernel_version");
	print_member(shape, "\n   Machine: ", "arch");
	print_member(shape,
		     " (unknown)\n"
		     "   Language: C (charmap=\"ANSI_X3.4-1968\", collate=\"C\")\n"
		     "   CPU: ",
		     "cpu_model");
	fputs("\n   Run ", shape->out);
	print_outside(shape, shape->run->id);
	fputs(run_is_classic(shape->run) ? ": the worst third of the passes dropped; UTC\n"
					 : ": Hodges-Lehmann estimates, nothing dropped; UTC\n",
	      shape->out);
}

/* Why a test has no score, above the first section: no parser looks there. */
static void print_missing(const struct shape *shape)
{
	for (size_t i = 0; i < shape->run->n_series; i++) {
		const struct series *series = &shape->run->series[i];
		const struct label *label = find_label(shape, series);

		if (!label || has_result(series))
			continue;
		fprintf(shape->out, "   No result: %s, %u %s: ", label->label, series->copies,
			series->copies == 1 ? "copy" : "copies");
		print_outside(shape, series->reason ? series->reason : "not measured");
		fputc('\n', shape->out);
	}
}

static void print_header(const struct shape *shape)
{
	fprintf(shape->out, "   BYTE UNIX Benchmarks (Version %s) shape, measured by ",
		shape->form == FORM_5 ? "5.1.3" : "6.0.0");
	print_outside(shape, shape->run->tool);
	fputs("\n\n", shape->out);
	print_machine(shape);
	print_missing(shape);
	fputc('\n', shape->out);
}

/* The smallest copy count above `after` that has a row; 0: none. */
static uint32_t next_copies(const struct shape *shape, uint32_t after)
{
	uint32_t next = 0;

	for (size_t i = 0; i < shape->run->n_series; i++) {
		const struct series *series = &shape->run->series[i];

		if (series->copies > after && (!next || series->copies < next) &&
		    has_result(series) && find_label(shape, series))
			next = series->copies;
	}
	return next;
}

int report_unixbench(const struct run *run, FILE *out)
{
	struct paragraph line = { 0 };
	const struct shape shape = { run, suite_form(run), &line, out };
	uint32_t copies = next_copies(&shape, 0);
	struct entry *entries;
	int rc = 0;

	if (!copies)
		return -ENODATA;
	entries = calloc(run->n_series, sizeof(*entries));
	if (!entries)
		return -ENOMEM;
	print_header(&shape);
	for (; copies; copies = next_copies(&shape, copies)) {
		size_t n = section_entries(&shape, copies, entries);

		print_section(&shape, copies, entries, n);
	}
	if (line.failed)
		rc = -ENOMEM;
	paragraph_free(&line);
	free(entries);
	return rc;
}
