// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * import_sched.c - text of hackbench and of `perf bench`, once or many times behind one another:
 * each time of the same arguments is a slot of one test.
 *
 * Times are seconds of a whole run, lower is better: they are inverted here, once, into runs per
 * second. Where perf counts operations, those per second are the rate, and its time has to agree.
 * What a run did is part of the test's id, so that runs of other arguments are other tests:
 * "hackbench/process-g10-f40-l100-s100@1", "perf-bench/sched-pipe-processes@1".
 */
#include "store/import_formats.h"
#include "store/import_lines.h"
#include "store/import_number.h"
#include "store/json_text.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT	      "hackbench or perf bench text"
#define HACKBENCH     "Running in "
#define OLD_HACKBENCH "Running with "
#define NAME_BYTES    160

/* The run of a benchmark that is being read. */
struct bench {
	char name[NAME_BYTES]; /* "hackbench/process-g10-f40", without version */
	char title[NAME_BYTES];
	size_t base;		     /* bytes of the name before what is said of one function */
	char said[NAME_BYTES];	     /* what perf said of its arguments */
	size_t line;		     /* where it began; 0: none */
	bool is_perf, has_result;    /* a header may have several results below it */
	bool has_arguments;	     /* hackbench's second line was seen */
	double operations, total_s;  /* of perf; NAN: not seen */
	double per_s;		     /* operations per second; NAN: not seen */
	bool is_time_zero;	     /* too short for perf's digits */
	struct printed printed_time; /* of total_s */
	char unit[16];		     /* of per_s */
};

struct reader {
	struct imported *imported;
	struct bench bench;
	bool has_run;
};

static struct run *run_of(struct reader *reader, size_t line)
{
	struct imported *imported = reader->imported;

	if (!reader->has_run) {
		if (!imported_begin(imported, reader->bench.is_perf ? "perf bench" : "hackbench",
				    FORMAT, line))
			return NULL;
		reader->has_run = true;
	}
	return &imported->runs[imported->count - 1];
}

static void add_slot(struct reader *reader, size_t line, double rate, double length_s,
		     const char *unit, const char *note)
{
	struct run *run = run_of(reader, line);
	char id[IMPORT_ID_BYTES];
	struct series *series;

	reader->bench.has_result = true;
	if (!run)
		return;
	snprintf(id, sizeof(id), "%.*s@1", (int)sizeof(id) - 4, reader->bench.name);
	series = run_find_series(run, id, 1, NULL);
	if (!series) {
		series = imported_series(reader->imported, run, id, reader->bench.title, unit, 1);
		if (!series)
			return;
		imported_text(reader->imported, &series->note, IMPORT_WARNING "%s", note);
		if (*reader->bench.said &&
		    json_object_set_new(series->params, "said", json_text(reader->bench.said)))
			reader->imported->no_memory = true;
	}
	if (!(rate > 0) || !isfinite(rate)) {
		imported_warn(reader->imported, line,
			      "a time of 0 has no rate: the run is left out");
		imported_slot(reader->imported, series, NAN, NAN, "its time is 0");
		return;
	}
	imported_slot(reader->imported, series, rate, length_s, NULL);
}

/* What perf said of the rate must be what it said of time and operations. */
static void check_operations(struct reader *reader)
{
	const struct bench *bench = &reader->bench;
	double computed = bench->operations / bench->total_s;

	if (!isfinite(computed) || !isfinite(bench->per_s))
		return;
	if (fabs(computed - bench->per_s) >
	    1 + computed * (1e-4 + printed_relative(&bench->printed_time)))
		imported_warn(reader->imported, bench->line,
			      "%.0f operations in %.3f s are not %.0f a second, which are kept",
			      bench->operations, bench->total_s, bench->per_s);
}

/* perf prints time, then rates: which of them there are is known at the end of its text. */
static void bench_end(struct reader *reader)
{
	struct bench *bench = &reader->bench;
	size_t line = bench->line;

	if (!line)
		return;
	if (bench->is_perf && isfinite(bench->per_s)) {
		check_operations(reader);
		add_slot(reader, line, bench->per_s, bench->total_s, bench->unit,
			 "a rate as printed");
	} else if (bench->is_perf && isfinite(bench->total_s) && bench->operations > 0) {
		add_slot(reader, line, bench->operations / bench->total_s, bench->total_s, "ops/s",
			 "operations by the time that they took");
	} else if (bench->is_perf && isfinite(bench->total_s)) {
		add_slot(reader, line, 1 / bench->total_s, bench->total_s, "1/s",
			 "times in s, inverted");
	} else if (bench->is_time_zero) {
		add_slot(reader, line, NAN, NAN, "1/s", "times in s, inverted");
	}
	if (!bench->has_result)
		imported_warn(reader->imported, line, "%s has no time", bench->title);
	bench->line = 0;
}

static struct bench *bench_begin(struct reader *reader, size_t line, bool is_perf)
{
	bench_end(reader);
	reader->bench = (struct bench){
		.line = line, .is_perf = is_perf, .operations = NAN, .total_s = NAN, .per_s = NAN
	};
	return &reader->bench;
}

static void name_add(struct bench *bench, const char *more)
{
	size_t used = strlen(bench->name);

	for (; *more && used + 1 < sizeof(bench->name); more++) {
		if (isalnum((unsigned char)*more) || strchr("._+", *more))
			bench->name[used++] = *more;
		else if (used && bench->name[used - 1] != '-' && bench->name[used - 1] != '/')
			bench->name[used++] = '-';
	}
	bench->name[used] = '\0';
}

/* The number before the word, as in "10 groups". false: none. */
static bool number_before(const char *text, const char *word, uint32_t *number)
{
	const char *at = strstr(text, word);
	const char *from = at;
	char digits[16];

	if (!at || at == text)
		return false;
	while (from > text && isdigit((unsigned char)from[-1]))
		from--;
	snprintf(digits, sizeof(digits), "%.*s", (int)((at - from) % 16), from);
	return count_parse(digits, 999999999, number);
}

/* "Running in process mode with 10 groups using 40 file descriptors each (== 400 tasks)" */
static bool read_hackbench(struct reader *reader, const struct import_line *line)
{
	uint32_t groups, descriptors, tasks;
	struct bench *bench;
	const char *mode;

	if (!text_begins(line->text, HACKBENCH) || !strstr(line->text, " mode with "))
		return false;
	mode = line->text + strlen(HACKBENCH);
	bench = bench_begin(reader, line->number, false);
	snprintf(bench->title, sizeof(bench->title), "hackbench");
	snprintf(bench->said, sizeof(bench->said), "%.*s", (int)sizeof(bench->said) - 1,
		 line->text);
	snprintf(bench->name, sizeof(bench->name), "hackbench/%.*s", (int)(strcspn(mode, " ") % 16),
		 mode);
	if (!number_before(line->text, " groups", &groups) ||
	    !number_before(line->text, " file descriptors", &descriptors)) {
		imported_warn(reader->imported, line->number,
			      "expected \"Running in MODE mode with N groups using N file "
			      "descriptors each\"");
		return true;
	}
	snprintf(bench->name + strlen(bench->name), sizeof(bench->name) - strlen(bench->name),
		 "-g%u-f%u", groups, descriptors);
	if (number_before(line->text, " tasks)", &tasks) && tasks != (uint64_t)groups * descriptors)
		imported_warn(reader->imported, line->number,
			      "%u groups of %u descriptors are not %u tasks", groups, descriptors,
			      tasks);
	return true;
}

/* "Running with 10*40 (== 400) tasks.", as older ones say it */
static bool read_old_hackbench(struct reader *reader, const struct import_line *line)
{
	uint32_t groups, tasks;
	struct bench *bench;

	if (!text_begins(line->text, OLD_HACKBENCH) || !strstr(line->text, ") tasks"))
		return false;
	bench = bench_begin(reader, line->number, false);
	snprintf(bench->title, sizeof(bench->title), "hackbench");
	snprintf(bench->said, sizeof(bench->said), "%.*s", (int)sizeof(bench->said) - 1,
		 line->text);
	snprintf(bench->name, sizeof(bench->name), "hackbench/old");
	if (number_before(line->text, "*", &groups) && number_before(line->text, ") tasks", &tasks))
		snprintf(bench->name, sizeof(bench->name), "hackbench/g%u-t%u", groups, tasks);
	else
		imported_warn(reader->imported, line->number,
			      "expected \"Running with N*N (== N) tasks\"");
	return true;
}

/* "Each sender will pass 100 messages of 100 bytes" */
static bool read_messages(struct reader *reader, const struct import_line *line)
{
	struct bench *bench = &reader->bench;
	uint32_t messages, bytes;

	if (!text_begins(line->text, "Each sender will pass ") || !bench->line)
		return false;
	if (number_before(line->text, " messages", &messages) &&
	    number_before(line->text, " bytes", &bytes) && !bench->has_arguments)
		snprintf(bench->name + strlen(bench->name),
			 sizeof(bench->name) - strlen(bench->name), "-l%u-s%u", messages, bytes);
	bench->has_arguments = true;
	return true;
}

/* "Time: 0.308": the last digits of a file that ends in it may be missing. */
static bool read_time(struct reader *reader, const struct import_line *line)
{
	struct printed time;

	if (!text_begins(line->text, "Time: ") || !reader->bench.line || reader->bench.is_perf)
		return false;
	if (!printed_parse(line->text + strlen("Time: "), &time) ||
	    (line->is_cut && time.half > 0.00051)) {
		imported_warn(reader->imported, line->number,
			      "expected \"Time: SECONDS\", found \"%.60s\"", line->text);
		reader->bench.has_result = true;
		return true;
	}
	add_slot(reader, line->number, 1 / time.value, time.value, "1/s", "times in s, inverted");
	return true;
}

/* "# Running 'sched/messaging' benchmark:", in older ones without quotes */
static bool read_perf(struct reader *reader, const struct import_line *line)
{
	const char *name, *end = strstr(line->text, " benchmark");
	char text[NAME_BYTES];
	struct bench *bench;
	size_t length;

	if (!text_begins(line->text, "# Running ") || !end)
		return false;
	name = line->text + strlen("# Running ");
	name += *name == '\'';
	if (end <= name)
		return false;
	length = (size_t)(end - name);
	length -= name[length - 1] == '\'';
	snprintf(text, sizeof(text), "%.*s", (int)(length < NAME_BYTES ? length : 0), name);
	bench = bench_begin(reader, line->number, true);
	snprintf(bench->title, sizeof(bench->title), "perf bench %.100s", text);
	snprintf(bench->name, sizeof(bench->name), "perf-bench/");
	name_add(bench, text);
	bench->base = strlen(bench->name);
	return true;
}

/* "function 'x86-64-movsq' (…)": one of several that a benchmark of memory runs by itself. */
static void begin_function(struct reader *reader, const char *text, size_t line)
{
	struct bench *bench = &reader->bench, next = *bench;
	char word[64];

	if (isfinite(bench->per_s)) {
		bench_end(reader);
		next.line = line;
		next.said[0] = '\0';
		next.per_s = NAN;
		next.total_s = NAN;
		next.has_result = false;
		*bench = next;
	}
	bench->name[bench->base] = '\0';
	text += strlen("function '");
	snprintf(word, sizeof(word), "-%.*s", (int)(strcspn(text, "'") % 60), text);
	name_add(bench, word);
}

/* "# Executed 1000000 pipe operations between two processes": what it did, for the id. */
static bool read_said(struct reader *reader, const struct import_line *line)
{
	struct bench *bench = &reader->bench;
	const char *text = line->text + 1 + strspn(line->text + 1, " ");
	uint32_t groups;
	struct printed number;
	char word[32];

	if (line->text[0] != '#' || !bench->line || !bench->is_perf)
		return false;
	if (text_begins(text, "function '"))
		begin_function(reader, text, line->number);
	snprintf(bench->said + strlen(bench->said), sizeof(bench->said) - strlen(bench->said),
		 "%s%s", *bench->said ? "; " : "", text);
	if (text_begins(text, "Executed ")) {
		text += strlen("Executed ");
		snprintf(word, sizeof(word), "%.*s", (int)(strcspn(text, " ") % 31), text);
		if (printed_parse(word, &number))
			bench->operations = number.value;
		if (strstr(text, "threads"))
			name_add(bench, "-threads");
		else if (strstr(text, "processes"))
			name_add(bench, "-processes");
	} else if (number_before(text, " groups", &groups)) {
		snprintf(word, sizeof(word), "-%s-g%u",
			 strstr(text, "threads") ? "thread" : "process", groups);
		name_add(bench, word);
	}
	return true;
}

/* "Total time: 5.091 [sec]" */
static bool read_total(struct reader *reader, const struct import_line *line)
{
	struct bench *bench = &reader->bench;
	const char *text = line->text;
	char word[32];

	if (!text_begins(text, "Total time: ") || !bench->line)
		return false;
	text += strlen("Total time: ");
	snprintf(word, sizeof(word), "%.*s", (int)(strcspn(text, " ") % 31), text);
	if (!printed_parse(word, &bench->printed_time) || !strstr(text, "[sec]")) {
		imported_warn(reader->imported, line->number,
			      "expected \"Total time: SECONDS [sec]\", found \"%.60s\"",
			      line->text);
		return true;
	}
	if (bench->printed_time.value > 0)
		bench->total_s = bench->printed_time.value;
	else
		bench->is_time_zero = true;
	return true;
}

/* "196404 ops/sec", "Averaged 5678 operations/sec (+- 0.5%)", "12.3 GB/sec" */
static bool read_rate(struct reader *reader, const struct import_line *line)
{
	static const struct {
		const char *word, *unit;
		double factor;
	} rates[] = {
		{ "ops/sec", "ops/s", 1 },   { "operations/sec", "ops/s", 1 },
		{ "GB/sec", "B/s", 0x1p30 }, { "MB/sec", "B/s", 0x1p20 },
		{ "KB/sec", "B/s", 0x1p10 },
	};
	struct bench *bench = &reader->bench;
	char copy[LINE_BYTES], *words[16];
	struct printed number;
	size_t count;

	if (!bench->line || !bench->is_perf || isfinite(bench->per_s))
		return false;
	snprintf(copy, sizeof(copy), "%s", line->text);
	/* a thread of many, not the sum: "[thread 0] futexes: … [ 5678 ops/sec ]" */
	if (copy[0] == '[')
		return false;
	count = words_split(copy, words, 16);
	for (size_t i = 1; i < count; i++) {
		for (size_t k = 0; k < sizeof(rates) / sizeof(rates[0]); k++) {
			if (strcmp(words[i], rates[k].word) != 0 ||
			    !printed_parse(words[i - 1], &number) || !(number.value > 0))
				continue;
			bench->per_s = number.value * rates[k].factor;
			snprintf(bench->unit, sizeof(bench->unit), "%s", rates[k].unit);
			return true;
		}
	}
	return false;
}

bool import_sched_recognise(const struct import_source *source)
{
	return (source_has(source, HACKBENCH) && source_has(source, " mode with ")) ||
	       (source_has(source, OLD_HACKBENCH) && source_has(source, ") tasks")) ||
	       (source_has(source, "# Running ") && source_has(source, " benchmark"));
}

int import_sched_read(const struct import_source *source, struct imported *imported,
		      struct error *err)
{
	struct reader reader = { .imported = imported };
	struct import_lines lines;
	int rc = import_lines_make(source, &lines, err);

	if (rc)
		return rc;
	for (size_t i = 0; i < lines.count && !imported->no_memory; i++) {
		const struct import_line *line = &lines.line[i];

		if (!read_hackbench(&reader, line) && !read_old_hackbench(&reader, line) &&
		    !read_messages(&reader, line) && !read_time(&reader, line) &&
		    !read_perf(&reader, line) && !read_said(&reader, line) &&
		    !read_total(&reader, line))
			read_rate(&reader, line);
	}
	bench_end(&reader);
	import_lines_free(&lines);
	return 0;
}
