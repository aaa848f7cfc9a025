// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * import_unixbench.c - text reports in the shape of UnixBench 5 and 6, such as `onproc show
 * --format unixbench` writes.
 *
 * A report is a banner with the version, lines about the machine, and sections. A section is a line
 * with its times, a line with the number of copies, score lines, and a table per category that ends
 * in its score. Columns overflow on big machines, so a line is read from its end: the last words
 * are its numbers. Every line of a section must be one of these, and a section must be whole: a
 * report that was cut, were it in a number, is refused.
 */
#include "base/sha256.h"
#include "store/import.h"
#include "store/json_text.h"

#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BANNER	     "BYTE UNIX Benchmarks (Version "
#define MEASURED_BY  ") shape, measured by "
#define SECTION	     "Benchmark Run: "
#define INDEX_TESTS  12
#define RULE_DASHES  10 /* 72 in a report; a mail program may have cut them */
#define WORDS_MAX    8
#define NUMBER_BYTES 320    /* the longest "%.1f" of a double has 311 characters */
#define ROUNDING     0.0501 /* of a number printed with one decimal */
#define NO_SLOTS     "imported: no slots"

/* Test ids by the label of a report; five: of a report of version 5, where that differs. */
static const struct label {
	const char *label, *six, *five;
} labels[] = {
	{ "Dhrystone 2 using register variables", "unixbench6/dhry2reg@1" },
	{ "Double-Precision Whetstone", "unixbench6/whetstone-double@1" },
	{ "Execl Throughput", "unixbench6/execl@1" },
	{ "File Copy 1024 bufsize 2000 maxblocks", "unixbench6/fstime@1", "unixbench5/fstime5@1" },
	{ "File Copy 256 bufsize 500 maxblocks", "unixbench6/fsbuffer@1",
	  "unixbench5/fsbuffer5@1" },
	{ "File Copy 4096 bufsize 8000 maxblocks", "unixbench6/fsdisk@1", "unixbench5/fsdisk5@1" },
	{ "Pipe Throughput", "unixbench6/pipe@1" },
	{ "Pipe-based Context Switching", "unixbench6/context1@1" },
	{ "Process Creation", "unixbench6/spawn@1" },
	{ "System Call Overhead", "unixbench6/syscall@1", "unixbench5/syscall5@1" },
	{ "Shell Scripts (1 concurrent)", "unixbench6/shell1@1" },
	{ "Shell Scripts (8 concurrent)", "unixbench6/shell8@1" },
	{ "Shell Scripts (16 concurrent)", "unixbench6/shell16@1" },
	{ "File Read 1024 bufsize 2000 maxblocks", "unixbench6/fstime-r@1" },
	{ "File Read 256 bufsize 500 maxblocks", "unixbench6/fsbuffer-r@1" },
	{ "File Read 4096 bufsize 8000 maxblocks", "unixbench6/fsdisk-r@1" },
	{ "File Write 1024 bufsize 2000 maxblocks", "unixbench6/fstime-w@1" },
	{ "File Write 256 bufsize 500 maxblocks", "unixbench6/fsbuffer-w@1" },
	{ "File Write 4096 bufsize 8000 maxblocks", "unixbench6/fsdisk-w@1" },
	{ "Arithmetic Test (double)", "unixbench6/double@1" },
	{ "Arithmetic Test (float)", "unixbench6/float@1" },
	{ "Arithmetic Test (int)", "unixbench6/int@1" },
	{ "Arithmetic Test (long)", "unixbench6/long@1" },
	{ "Arithmetic Test (short)", "unixbench6/short@1" },
	{ "Arithoh", "unixbench6/arithoh@1" },
	{ "C Compiler Throughput", "unixbench6/C@1" },
	{ "Dc: sqrt(2) to 99 decimal places", "unixbench6/dc@1" },
	{ "Exec System Call Overhead", "unixbench6/sysexec@1" },
	{ "Grep a large file (system's grep)", "unixbench6/grep@1" },
	{ "Recursion Test -- Tower of Hanoi", "unixbench6/hanoi@1" },
};

/* The first INDEX_TESTS labels are those of the index. */
#define LABELS (sizeof(labels) / sizeof(labels[0]))

/* What the next line may be. */
enum state {
	IN_HEADER,     /* after a banner: lines about the machine, up to the first section */
	WANTS_COPIES,  /* after the line with the times */
	IN_SCORES,     /* score lines, then the first table or the end */
	IN_TABLE,      /* rows, up to the line of "=" */
	WANTS_INDEX,   /* the score line of a table */
	AFTER_TABLE,   /* another table, or the end of the section */
	BEFORE_BANNER, /* nothing yet */
};

struct reader {
	const struct import_source *source;
	struct imported *imported;
	struct error *err;
	locale_t numbers; /* the C locale: '.' is the decimal point */
	size_t line;	  /* number of the current one, from 1 */
	enum state state;
	struct run *run;	   /* of the current report */
	size_t first_series;	   /* of the current section */
	size_t scored;		   /* rows with an index in the current table */
	double log_sum, allowance; /* of their indexes; how far rounding may move the mean */
	char category[64];	   /* of the current table: "System Benchmarks" */
	char version[16];
	uint64_t section_start_s;
	double section_s;
};

/* A line without its end; words are cut off its right side. */
struct line {
	char *text;
	size_t length;
};

static int expected(const struct reader *reader, const char *what)
{
	return error_set(reader->err, -EINVAL, "%s:%zu: expected %s", reader->source->path,
			 reader->line, what);
}

static int no_memory(const struct reader *reader)
{
	return error_set(reader->err, -ENOMEM, "%s: no memory for its runs", reader->source->path);
}

static void trim_right(struct line *line)
{
	while (line->length && isspace((unsigned char)line->text[line->length - 1]))
		line->text[--line->length] = '\0';
}

/* Cuts the last word off the line, into a pointer to it. false: there is none. */
static bool cut_word(struct line *line, char **word)
{
	trim_right(line);
	if (!line->length)
		return false;
	while (line->length && !isspace((unsigned char)line->text[line->length - 1]))
		line->length--;
	*word = line->text + line->length;
	/* The blank before the word ends what is left. */
	trim_right(line);
	return true;
}

/* Digits, a point, at least one more digit: anything else was cut or is no number. */
static bool parse_number(const struct reader *reader, const char *text, double *number)
{
	size_t whole = strspn(text, "0123456789"), decimals;

	if (!whole || whole > NUMBER_BYTES || text[whole] != '.')
		return false;
	decimals = strspn(text + whole + 1, "0123456789");
	if (!decimals || decimals > NUMBER_BYTES || text[whole + 1 + decimals])
		return false;
	*number = strtod_l(text, NULL, reader->numbers);
	return isfinite(*number);
}

static bool parse_count(const char *text, uint32_t most, uint32_t *number)
{
	size_t digits = strspn(text, "0123456789");
	unsigned long value;

	if (!digits || digits > 9 || text[digits])
		return false;
	value = strtoul(text, NULL, 10);
	*number = (uint32_t)value;
	return value <= most;
}

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static bool ends(const struct line *line, const char *with)
{
	size_t length = strlen(with);

	return line->length >= length && !strcmp(line->text + line->length - length, with);
}

static const char *test_of_label(const struct reader *reader, const char *label, char *made,
				 size_t bytes)
{
	size_t used;

	for (size_t i = 0; i < LABELS; i++) {
		if (strcmp(label, labels[i].label) != 0)
			continue;
		return reader->version[0] == '5' && labels[i].five ? labels[i].five : labels[i].six;
	}
	/* UnixBench names the compiler behind it. */
	if (begins(label, "C Compiler Throughput ("))
		return "unixbench6/C@1";
	used = (size_t)snprintf(made, bytes, "imported/");
	for (; *label && used + 1 < bytes; label++) {
		if (isalnum((unsigned char)*label))
			made[used++] = (char)tolower((unsigned char)*label);
		else if (made[used - 1] != '-' && made[used - 1] != '/')
			made[used++] = '-';
	}
	if (made[used - 1] == '-')
		used--;
	made[used] = '\0';
	return made;
}

static bool in_index(const char *label)
{
	for (size_t i = 0; i < INDEX_TESTS; i++)
		if (!strcmp(label, labels[i].label))
			return true;
	return false;
}

static int warn(const struct reader *reader, const char *text)
{
	if (json_array_append_new(reader->run->warnings, json_string(text)))
		return no_memory(reader);
	return 0;
}

/* A series of the current section by its label. */
static struct series *section_series(const struct reader *reader, const char *label)
{
	for (size_t i = reader->first_series; i < reader->run->n_series; i++)
		if (!strcmp(reader->run->series[i].title, label))
			return &reader->run->series[i];
	return NULL;
}

/* A test of the index has its row in the table of the section: else the report was cut before it.
 */
static int section_end(const struct reader *reader)
{
	const struct run *run = reader->run;

	if (reader->state == BEFORE_BANNER || reader->state == IN_HEADER)
		return 0;
	if (reader->state == WANTS_COPIES)
		return expected(reader, "\"running N parallel copies of tests\"");
	if (reader->state == IN_TABLE)
		return expected(reader, "a row of the index table or its line of \"=\"");
	if (reader->state == WANTS_INDEX)
		return expected(reader, "the index score of the table");
	if (!run->series[reader->first_series].test)
		return expected(reader, "a score line");
	for (size_t i = reader->first_series; i < run->n_series; i++)
		if (in_index(run->series[i].title) && !(run->series[i].baseline > 0) &&
		    isfinite(run->series[i].estimate.value))
			return expected(reader, "the index table of this section");
	return 0;
}

static int report_end(struct reader *reader)
{
	int rc = section_end(reader);

	if (!rc && reader->run && !reader->run->n_series)
		rc = expected(reader, "a section (\"" SECTION "…\") in this report");
	return rc;
}

static int report_begin(struct reader *reader, const char *version, const char *rest)
{
	struct run *run = imported_add(reader->imported);
	size_t length = strspn(version, "0123456789.");

	if (!run)
		return no_memory(reader);
	reader->run = run;
	if (!length || length >= sizeof(reader->version) || version[length] != ')')
		return expected(reader, "a version in \"" BANNER "…)\"");
	snprintf(reader->version, sizeof(reader->version), "%.*s", (int)length, version);
	if (version[0] != '5' && version[0] != '6')
		return expected(reader, "a report of UnixBench 5 or 6");
	if (rest) {
		run->tool = strdup(rest);
	} else if (asprintf(&run->tool, "UnixBench %s", reader->version) < 0) {
		run->tool = NULL;
	}
	run->status = RUN_IMPORTED;
	run->warnings = json_array();
	run->environment = json_pack("{s:[]}", "report_header");
	if (!run->tool || !run->warnings || !run->environment)
		return no_memory(reader);
	reader->first_series = 0;
	reader->state = IN_HEADER;
	return 0;
}

static int read_banner(struct reader *reader, struct line *line)
{
	const char *version = strstr(line->text, BANNER) + strlen(BANNER);
	const char *tool = strstr(version, MEASURED_BY);
	int rc = report_end(reader);

	return rc ? rc : report_begin(reader, version, tool ? tool + strlen(MEASURED_BY) : NULL);
}

/* Words between " -- " become members; what a line lacks stays unset. */
static int header_os(const struct reader *reader, char *text)
{
	static const char *const names[] = { NULL, "kernel_release", "kernel_version" };
	char *part = text;

	for (size_t i = 0; part && i < sizeof(names) / sizeof(names[0]); i++) {
		char *next = strstr(part, " -- ");

		if (next) {
			*next = '\0';
			next += 4;
		}
		if (names[i] &&
		    json_object_set_new(reader->run->environment, names[i], json_text(part)))
			return no_memory(reader);
		part = next;
	}
	return 0;
}

static int read_header(struct reader *reader, struct line *line)
{
	json_t *kept = json_object_get(reader->run->environment, "report_header");
	char *text = line->text + strspn(line->text, " \t");

	if (json_array_append_new(kept, json_text(text)))
		return no_memory(reader);
	if (begins(text, "System: ") && !reader->run->host) {
		text += strlen("System: ");
		text[strcspn(text, ":")] = '\0';
		reader->run->host = strdup(text);
		return reader->run->host ? 0 : no_memory(reader);
	}
	if (begins(text, "OS: "))
		return header_os(reader, text + strlen("OS: "));
	if (begins(text, "Machine: ")) {
		text += strlen("Machine: ");
		text[strcspn(text, " ")] = '\0';
		if (json_object_set_new(reader->run->environment, "machine", json_text(text)))
			return no_memory(reader);
	}
	return 0;
}

/* "hh:mm:ss" into seconds of the day; false: none. */
static bool parse_clock(const char *text, int *seconds)
{
	static const char shape[] = "00:00:00";
	int part[3] = { 0 };

	for (size_t i = 0; i < sizeof(shape); i++) {
		if (shape[i] == '0' ? !isdigit((unsigned char)text[i]) : text[i] != shape[i])
			return false;
		if (shape[i] == '0')
			part[i / 3] = 10 * part[i / 3] + (text[i] - '0');
	}
	*seconds = part[0] * 3600 + part[1] * 60 + part[2];
	return part[0] < 24 && part[1] < 60 && part[2] <= 60;
}

/* Month by its English name; others ("5月") are not known. */
static int month_of(const char *name)
{
	static const char *const months[] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun",
					      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };

	for (int i = 0; i < 12; i++)
		if (begins(name, months[i]))
			return i;
	return -1;
}

/*
 * "Mon Nov 30 2026 14:22:33" as if it were UTC; 0: not understood. A report names no time zone, and
 * its weekday and month are in the language of its user.
 */
static uint64_t parse_date(struct line *line)
{
	char *clock = NULL, *year = NULL, *day = NULL, *month = NULL;
	uint32_t year_number, day_number;
	int seconds;

	if (!cut_word(line, &clock) || !cut_word(line, &year) || !cut_word(line, &day) ||
	    !cut_word(line, &month) || !parse_clock(clock, &seconds) ||
	    !parse_count(year, 9999, &year_number) || year_number < 1971 ||
	    !parse_count(day, 31, &day_number) || month_of(month) < 0)
		return 0;
	struct tm utc = { .tm_year = (int)year_number - 1900,
			  .tm_mon = month_of(month),
			  .tm_mday = (int)day_number,
			  .tm_sec = seconds };
	return (uint64_t)timegm(&utc);
}

/* "Benchmark Run: <date> hh:mm:ss - hh:mm:ss" */
static int read_section(struct reader *reader, struct line *line)
{
	struct line date = { line->text + strlen(SECTION), line->length - strlen(SECTION) };
	int rc, from = 0, to = 0;
	char *end, *dash;
	bool timed;

	if (reader->state == BEFORE_BANNER)
		return expected(reader, "\"" BANNER "…)\" before the first section");
	rc = section_end(reader);
	if (rc)
		return rc;
	timed = cut_word(&date, &end) && cut_word(&date, &dash) && !strcmp(dash, "-") &&
		parse_clock(end, &to);
	if (!timed)
		return expected(reader, "\"" SECTION "DATE hh:mm:ss - hh:mm:ss\"");
	dash = strrchr(date.text, ' ');
	if (!dash || !parse_clock(dash + 1, &from))
		return expected(reader, "\"" SECTION "DATE hh:mm:ss - hh:mm:ss\"");
	reader->section_s = to >= from ? to - from : to - from + 86400;
	reader->section_start_s = parse_date(&date);
	reader->first_series = reader->run->n_series;
	reader->state = WANTS_COPIES;
	return 0;
}

static bool has_copies(const struct run *run, uint32_t copies)
{
	for (size_t i = 0; i < run->n_series; i++)
		if (run->series[i].copies == copies)
			return true;
	return false;
}

/* UnixBench repeats a section for a repeated -c: the repetition is a run of its own on the same
 * machine. */
static int split_report(struct reader *reader)
{
	char banner[sizeof(reader->version) + 1];
	size_t before = reader->imported->count - 1;
	const struct run *first;
	int rc;

	snprintf(banner, sizeof(banner), "%s)", reader->version);
	rc = report_begin(reader, banner, NULL);
	if (rc)
		return rc;
	first = &reader->imported->runs[before];
	free(reader->run->tool);
	reader->run->tool = strdup(first->tool);
	reader->run->host = first->host ? strdup(first->host) : NULL;
	json_decref(reader->run->environment);
	reader->run->environment = json_deep_copy(first->environment);
	if (!reader->run->tool || !reader->run->environment || (first->host && !reader->run->host))
		return no_memory(reader);
	return 0;
}

/* "8 CPUs in system; running 1 parallel copy of tests" */
static int read_copies(struct reader *reader, struct line *line)
{
	static const char what[] = "\"N CPUs in system; running N parallel copies of tests\"";
	const char *running = strstr(line->text, "running ");
	char number[16], *after;
	uint32_t copies, cpus;
	struct series *series;
	struct run *run;
	size_t length;
	int rc = 0;

	if (!running)
		return expected(reader, what);
	running += strlen("running ");
	length = strcspn(running, " ");
	snprintf(number, sizeof(number), "%.*s", (int)(length < 15 ? length : 15), running);
	if (!parse_count(number, 1000000, &copies) || !copies ||
	    (!begins(running + length, " parallel copy of tests") &&
	     !begins(running + length, " parallel copies of tests")))
		return expected(reader, what);
	if (has_copies(reader->run, copies))
		rc = split_report(reader);
	if (rc)
		return rc;
	run = reader->run;
	/* All series of the section share the count: a place holder keeps it until the first score
	 * line. */
	series = run_add_series(run);
	if (!series)
		return no_memory(reader);
	series->copies = copies;
	if (!run->created_s && run->n_series == 1) {
		run->created_s = reader->section_start_s;
		run->elapsed_s = reader->section_s;
	} else if (run->created_s && reader->section_start_s >= run->created_s) {
		run->elapsed_s =
			(double)(reader->section_start_s - run->created_s) + reader->section_s;
	} else {
		run->elapsed_s = NAN;
	}
	after = line->text;
	after[strcspn(after, " ")] = '\0';
	if (parse_count(after, 1000000, &cpus) &&
	    json_object_set_new(run->environment, "cpus_online", json_integer(cpus)))
		return no_memory(reader);
	reader->state = IN_SCORES;
	return 0;
}

/* The next series of the section: the place holder, or another one beside it. */
static struct series *next_series(struct reader *reader)
{
	struct run *run = reader->run;
	struct series *first = &run->series[reader->first_series], *series;
	uint32_t copies = first->copies;

	if (!first->test)
		return first;
	series = run_add_series(run);
	if (series)
		series->copies = copies;
	return series;
}

/* "<label> <value> <unit> (<t> s, <n> samples)" */
static int read_score(struct reader *reader, struct line *line)
{
	static const char what[] = "\"LABEL VALUE UNIT (SECONDS s, N samples)\"";
	char *word, *count, *comma, *seconds, *unit, *value, made[96];
	double number, seconds_number;
	struct series *series;
	uint32_t samples;

	if (!ends(line, " samples)") || !cut_word(line, &word) || !cut_word(line, &count) ||
	    !cut_word(line, &comma) || strcmp(comma, "s,") != 0 || !cut_word(line, &seconds) ||
	    seconds[0] != '(' || !parse_number(reader, seconds + 1, &seconds_number) ||
	    !parse_count(count, 999999999, &samples) || !cut_word(line, &unit) ||
	    !cut_word(line, &value) || !parse_number(reader, value, &number) || !line->length)
		return expected(reader, what);
	if (reader->run->series[reader->first_series].test && section_series(reader, line->text))
		return expected(reader, "each test once in a section");
	series = next_series(reader);
	if (!series)
		return no_memory(reader);
	series->test = strdup(test_of_label(reader, line->text, made, sizeof(made)));
	series->title = strdup(line->text);
	series->unit = strdup(unit);
	series->params = json_object();
	if (asprintf(&series->note, "imported: %s s, %u samples", seconds + 1, samples) < 0)
		series->note = NULL;
	if (!series->test || !series->title || !series->unit || !series->params || !series->note)
		return no_memory(reader);
	series->estimate.reason = NO_SLOTS;
	series->first_result.reason = NO_SLOTS;
	if (number > 0)
		series->estimate.value = number;
	else
		series->reason = strdup("the report gives it no score");
	if (!(number > 0) && !series->reason)
		return no_memory(reader);
	series->first_result.value = series->estimate.value;
	return 0;
}

/* "System Benchmarks Index Values BASELINE RESULT INDEX", or "Partial Index" */
static bool is_table(const struct line *line)
{
	return strstr(line->text, " Index") && strstr(line->text, "BASELINE") &&
	       strstr(line->text, "RESULT") && ends(line, "INDEX");
}

static int table_begin(struct reader *reader, struct line *line)
{
	char *index = strstr(line->text, " Partial Index");

	if (!index)
		index = strstr(line->text, " Index Values");
	if (!index || index == line->text ||
	    (size_t)(index - line->text) >= sizeof(reader->category))
		return expected(reader, "\"CATEGORY Index Values BASELINE RESULT INDEX\"");
	if (!reader->run->series[reader->first_series].test)
		return expected(reader, "score lines before the index table");
	snprintf(reader->category, sizeof(reader->category), "%.*s", (int)(index - line->text),
		 line->text);
	reader->scored = 0;
	reader->log_sum = 0;
	reader->allowance = 0;
	reader->state = IN_TABLE;
	return 0;
}

/* "<label> <baseline> <result> <index>"; baseline and index are "---" for a test outside the index.
 */
static int read_row(struct reader *reader, struct line *line)
{
	static const char what[] = "\"LABEL BASELINE RESULT INDEX\" or a line of \"=\"";
	char *index, *result, *baseline;
	double baseline_number, result_number = 0, index_number;
	struct series *series;
	bool outside;

	if (!cut_word(line, &index))
		return expected(reader, what);
	if (!line->length && index[0] == '=' && !index[strspn(index, "=")]) {
		if (!reader->scored)
			return expected(reader, "a row with an index in the table");
		reader->state = WANTS_INDEX;
		return 0;
	}
	if (!cut_word(line, &result) || !cut_word(line, &baseline) || !line->length ||
	    (strcmp(result, "---") != 0 && !parse_number(reader, result, &result_number)))
		return expected(reader, what);
	outside = !strcmp(baseline, "---") && !strcmp(index, "---");
	if (!outside &&
	    (!parse_number(reader, baseline, &baseline_number) || !(baseline_number > 0)))
		return expected(reader, what);
	if (!outside && strcmp(index, "---") != 0 && !parse_number(reader, index, &index_number))
		return expected(reader, what);
	series = section_series(reader, line->text);
	if (!series)
		return expected(reader, "a test that has a score line in this section");
	if (result_number > 0 && !(fabs(result_number - series->estimate.value) <= 2 * ROUNDING))
		return expected(reader, "the result of the test's score line");
	if (outside)
		return 0;
	series->baseline = baseline_number;
	if (!strcmp(index, "---") || !(index_number > 0))
		return 0;
	if (isfinite(series->index))
		return expected(reader, "each test once in a table");
	series->index = index_number;
	reader->scored++;
	reader->log_sum += log(index_number);
	reader->allowance += ROUNDING / index_number;
	return 0;
}

/* Rounded as they are, the printed indexes must give the printed score. */
static int check_score(const struct reader *reader, double score)
{
	double n = (double)reader->scored, mean = exp(reader->log_sum / n);
	char text[160];

	if (fabs(mean - score) <= ROUNDING + mean * reader->allowance / n)
		return 0;
	snprintf(text, sizeof(text),
		 "imported: the index score %.1f is not the geometric mean of its rows, %.1f",
		 score, mean);
	return warn(reader, text);
}

/* "System Benchmarks Index Score <score>", "(Partial Only)" before it where rows are missing */
static int read_index(struct reader *reader, struct line *line)
{
	struct run *run = reader->run;
	struct score *grown, *score;
	char *word, *copy;
	double number;

	if (!cut_word(line, &word) || !begins(line->text, reader->category) ||
	    !begins(line->text + strlen(reader->category), " Index Score") ||
	    !parse_number(reader, word, &number) || !(number > 0))
		return expected(reader, "\"CATEGORY Index Score NUMBER\" with one decimal");
	/* The index of others (one test with the baseline 1) is nothing that could be compared. */
	reader->state = AFTER_TABLE;
	if (strcmp(reader->category, "System Benchmarks") != 0)
		return 0;
	grown = reallocarray(run->scores, run->n_scores + 1, sizeof(*grown));
	copy = strdup(reader->version[0] == '5' ? "unixbench5" : "unixbench6");
	if (grown)
		run->scores = grown;
	if (!grown || !copy) {
		free(copy);
		return no_memory(reader);
	}
	score = &run->scores[run->n_scores++];
	*score = (struct score){
		.copies = run->series[reader->first_series].copies,
		.suite = copy,
		.value = number,
		.lo = NAN,
		.hi = NAN,
		.level = NAN,
		.reason = NO_SLOTS,
		.tests = (uint32_t)reader->scored,
		.tests_full = INDEX_TESTS,
	};
	return check_score(reader, number);
}

static bool is_rule(const struct line *line)
{
	return line->length >= RULE_DASHES && strspn(line->text, "-") == line->length;
}

static int read_line(struct reader *reader, struct line *line)
{
	trim_right(line);
	if (strstr(line->text, BANNER))
		return read_banner(reader, line);
	if (begins(line->text, SECTION))
		return read_section(reader, line);
	if (!line->length || (is_rule(line) && reader->state != IN_TABLE &&
			      reader->state != WANTS_INDEX && reader->state != WANTS_COPIES))
		return 0;
	switch (reader->state) {
	case BEFORE_BANNER:
		return 0;
	case IN_HEADER:
		return read_header(reader, line);
	case WANTS_COPIES:
		return read_copies(reader, line);
	case IN_SCORES:
		return is_table(line) ? table_begin(reader, line) : read_score(reader, line);
	case IN_TABLE:
		return read_row(reader, line);
	case WANTS_INDEX:
		return read_index(reader, line);
	case AFTER_TABLE:
		if (is_table(line))
			return table_begin(reader, line);
		return expected(reader, "a section, a table of another category, or the end");
	}
	return 0;
}

static int read_lines(struct reader *reader)
{
	const char *at = reader->source->bytes, *end = at + reader->source->count;
	int rc = 0;

	while (!rc && at < end) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		size_t length = (size_t)((newline ? newline : end) - at);
		struct line line = { strndup(at, length), length };

		reader->line++;
		if (!line.text)
			return no_memory(reader);
		/* strndup() stops at a zero: so does the line, and what follows it is not text. */
		if (strlen(line.text) != length)
			rc = expected(reader, "text without zero bytes");
		else
			rc = read_line(reader, &line);
		free(line.text);
		at = newline ? newline + 1 : end;
	}
	return rc ? rc : report_end(reader);
}

/* The same file gives the same ids: importing it again replaces nothing by something else. */
static void make_ids(const struct reader *reader)
{
	char hex[SHA256_HEX_BYTES];
	struct sha256 sha;

	sha256_init(&sha);
	sha256_add(&sha, reader->source->bytes, reader->source->count);
	sha256_hex(&sha, hex);
	hex[6] = '\0';
	for (size_t i = 0; i < reader->imported->count; i++)
		run_make_id(&reader->imported->runs[i],
			    (uint32_t)strtoul(hex, NULL, 16) + (uint32_t)i);
}

bool import_unixbench_recognise(const struct import_source *source)
{
	return memmem(source->bytes, source->count, BANNER, strlen(BANNER)) ||
	       memmem(source->bytes, source->count, SECTION, strlen(SECTION));
}

int import_unixbench_read(const struct import_source *source, struct imported *imported,
			  struct error *err)
{
	struct reader reader = {
		.source = source,
		.imported = imported,
		.err = err,
		.state = BEFORE_BANNER,
	};
	int rc;

	reader.numbers = newlocale(LC_NUMERIC_MASK, "C", NULL);
	if (!reader.numbers)
		return no_memory(&reader);
	rc = read_lines(&reader);
	if (!rc && !imported->count)
		rc = expected(&reader, "\"" BANNER "…)\"");
	if (!rc)
		make_ids(&reader);
	freelocale(reader.numbers);
	return rc;
}
