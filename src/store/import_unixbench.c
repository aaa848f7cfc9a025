// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * import_unixbench.c - text reports in the shape of UnixBench 3 to 6, such as `onproc show --format
 * unixbench` writes, as files, on consoles and in mails.
 *
 * A report is a banner with the version, lines about the machine, and sections. A section is a line
 * with its times, a line with the number of copies, score lines, and a table per category that ends
 * in its score. Any part may be missing: people send what they find worth sending. Every line is
 * first known by its own shape (import_unixbench_line.h); columns overflow on big machines, so that
 * is read from the end of the line. Where no shape fits, mail programs may have wrapped the line:
 * it is tried together with the next ones. A line inside of a section that still fits no shape was
 * cut, or does not belong there; it is warned of and left out.
 */
#include "store/import_formats.h"
#include "store/import_lines.h"
#include "store/import_unixbench_line.h"
#include "store/import_unixbench_report.h"
#include "store/json_text.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define FORMAT	     "UnixBench text report"
#define WRAPPED_MOST 3	 /* lines that one line was made into */
#define HEADER_MOST  200 /* lines that are kept of what is said of the machine */
#define STRANGE_MOST 3	 /* lines in a row that fit no shape: the table is over */
#define SAID_BYTES   200
#define DAY_S	     86400

/* Where in a report we are. */
enum place {
	OUTSIDE,   /* before a banner, or after a table */
	IN_HEADER, /* after a banner: lines about the machine */
	IN_SCORES, /* after the line with the copies, or score lines */
	IN_TABLE,  /* rows, up to the score */
};

struct reader {
	struct report report;
	struct import_lines lines;
	enum place place;
	char said[SAID_BYTES]; /* the last lines that are none of a report, as before a table */
	size_t said_line;      /* of the last of them */
	size_t strange;	       /* lines in a row that fit no shape */
	bool has_scores, is_blank_behind_scores;
	bool has_table;	 /* the section has a table of the category with the index */
	bool is_system;	 /* the table at hand is of that category */
	bool is_partial; /* it says so */
	bool has_rule;	 /* the table's "=====" has passed */
	size_t table_line, section_line;
};

/* Of a section that ended: what it lacks. */
static void section_end(struct reader *reader)
{
	struct imported *imported = reader->report.imported;

	if (reader->place == IN_TABLE)
		imported_warn(imported, reader->table_line,
			      "the table has no index score at its end");
	else if (reader->has_scores && !reader->has_table && reader->section_line)
		imported_warn(imported, reader->section_line, "the section has no index table");
	else if (!reader->has_scores && !reader->has_table && reader->section_line)
		imported_warn(imported, reader->section_line, "the section has no results");
	reader->place = OUTSIDE;
	reader->has_scores = false;
	reader->has_table = false;
	reader->section_line = 0;
	reader->is_blank_behind_scores = false;
}

static struct run *current(struct reader *reader)
{
	struct imported *imported = reader->report.imported;

	return reader->report.is_open ? &imported->runs[imported->count - 1] : NULL;
}

static void read_banner(struct reader *reader, const struct unixbench_line *line, size_t number)
{
	struct report *report = &reader->report;
	bool is_known;
	struct run *run;

	section_end(reader);
	unixbench_end(report);
	report->version = UNIXBENCH_UNKNOWN;
	is_known = unixbench_version(report, line->text);
	/* The console's own banner says the version and no more; the report has the other one. */
	if (line->is_console)
		return;
	run = unixbench_begin(report, number, *line->unit ? line->unit : NULL);
	if (!is_known)
		imported_warn(report->imported, number,
			      "expected a version of UnixBench from 3 to 6 after \"Version\"");
	reader->place = IN_HEADER;
	if (run && json_object_set_new(run->environment, "report_header", json_array()))
		report->imported->no_memory = true;
}

/* Words between " -- " become members; what a line lacks stays unset. */
static void header_os(struct reader *reader, struct run *run, const char *text)
{
	static const char *const names[] = { NULL, "kernel_release", "kernel_version" };

	for (size_t i = 0; text && i < sizeof(names) / sizeof(names[0]); i++) {
		const char *next = strstr(text, " -- ");
		char part[LINE_BYTES];

		snprintf(part, sizeof(part), "%.*s",
			 (int)(next ? (size_t)(next - text) : strlen(text)), text);
		if (names[i] && json_object_set_new(run->environment, names[i], json_text(part)))
			reader->report.imported->no_memory = true;
		text = next ? next + 4 : NULL;
	}
}

/* "System -- Linux HOST RELEASE VERSION…", as uname -a prints it. */
static void header_uname(struct reader *reader, struct run *run, const char *text)
{
	char copy[LINE_BYTES], *words[4];

	snprintf(copy, sizeof(copy), "%s", text);
	if (words_split(copy, words, 4) != 4)
		return;
	imported_text(reader->report.imported, &run->host, "%s", words[1]);
	if (json_object_set_new(run->environment, "kernel_release", json_text(words[2])) ||
	    json_object_set_new(run->environment, "kernel_version", json_text(words[3])))
		reader->report.imported->no_memory = true;
}

static void read_header(struct reader *reader, const char *text)
{
	struct imported *imported = reader->report.imported;
	struct run *run = current(reader);
	json_t *kept = run ? json_object_get(run->environment, "report_header") : NULL;
	char word[LINE_BYTES], zone[DATE_ZONE_BYTES];

	if (!kept)
		return;
	if (json_array_size(kept) < HEADER_MOST && json_array_append_new(kept, json_text(text)))
		imported->no_memory = true;
	if (text_begins(text, "System: ") && !run->host) {
		text += strlen("System: ");
		imported_text(imported, &run->host, "%.*s", (int)strcspn(text, ":"), text);
	} else if (text_begins(text, "System -- ") && !run->host) {
		header_uname(reader, run, text + strlen("System -- "));
	} else if (text_begins(text, "OS: ")) {
		header_os(reader, run, text + strlen("OS: "));
	} else if (text_begins(text, "Machine: ")) {
		text += strlen("Machine: ");
		snprintf(word, sizeof(word), "%.*s", (int)strcspn(text, " "), text);
		if (json_object_set_new(run->environment, "machine", json_text(word)))
			imported->no_memory = true;
	} else if (text_begins(text, "Start Benchmark Run: ")) {
		text += strlen("Start Benchmark Run: ");
		run->created_s = date_parse(text, 0);
		if (date_zone(text, zone))
			imported_detail(imported, run, "zone", json_string(zone));
	}
}

/* "Benchmark Run: <date> hh:mm:ss - hh:mm:ss" */
static void read_times(struct reader *reader, const struct unixbench_line *line, size_t number)
{
	struct report *report = &reader->report;
	int from, to;

	section_end(reader);
	/* After the header of a report, or alone; but not of a report that is complete. */
	unixbench_run(report, number);
	report->has_section = false;
	report->section_start_s = 0;
	report->section_s = NAN;
	reader->section_line = number;
	reader->place = IN_SCORES;
	if (!clock_parse(line->unit, &from) || !clock_parse(line->time, &to)) {
		imported_warn(report->imported, number,
			      "expected \"Benchmark Run: DATE hh:mm:ss - hh:mm:ss\"");
		return;
	}
	report->section_s = to >= from ? to - from : to - from + DAY_S;
	report->section_start_s = date_parse(line->text, from);
}

static void read_copies(struct reader *reader, const struct unixbench_line *line, size_t number)
{
	struct report *report = &reader->report;
	struct run *run;

	if (reader->place == IN_TABLE || reader->has_scores || reader->has_table)
		section_end(reader);
	if (!reader->section_line)
		reader->section_line = number;
	unixbench_section(report, number, line->copies);
	run = current(reader);
	if (run && line->has_cpus && line->cpus &&
	    json_object_set_new(run->environment, "cpus_online", json_integer(line->cpus)))
		report->imported->no_memory = true;
	reader->place = IN_SCORES;
}

/* Something of a section, with no line before that would begin one: it begins here. */
static void begin_section_unless(struct reader *reader, bool is_inside, size_t number)
{
	struct report *report = &reader->report;
	struct run *run;

	if (is_inside)
		return;
	/* Without a banner each table is a run of its own. */
	if (report->is_open && report->has_section)
		unixbench_end(report);
	unixbench_section(report, number, 0);
	run = current(reader);
	/* "Before the patch:" */
	for (size_t end = strlen(reader->said); end && strchr(": ", reader->said[end - 1]); end--)
		reader->said[end - 1] = '\0';
	if (run && *reader->said)
		imported_detail(report->imported, run, "label", json_text(reader->said));
	reader->said[0] = '\0';
}

static void read_score(struct reader *reader, const struct unixbench_line *line, size_t number)
{
	/* The same test again, in what names no copies: a second report, sent without the rest. */
	const struct series *there =
		reader->section_line ? NULL : unixbench_find(&reader->report, line->label);
	bool is_again = there && there->estimate.value != line->value.value;
	char note[96];

	if (reader->place == IN_TABLE)
		section_end(reader);
	if (reader->place == IN_HEADER)
		reader->section_line = number;
	begin_section_unless(reader,
			     (reader->place == IN_SCORES || reader->place == IN_HEADER) &&
				     !is_again && reader->report.is_open,
			     number);
	snprintf(note, sizeof(note), "%s s, %u samples", line->time, line->samples);
	unixbench_result(&reader->report, number, line->label, &line->value, line->unit, note);
	reader->place = IN_SCORES;
	reader->has_scores = true;
	reader->is_blank_behind_scores = false;
}

static void read_table(struct reader *reader, const struct unixbench_line *line, size_t number)
{
	bool is_system = !*line->label || text_begins(line->label, "System Benchmarks");
	bool is_another = !reader->has_table || !is_system;

	if (reader->place == IN_TABLE) {
		imported_warn(reader->report.imported, reader->table_line,
			      "the table has no index score at its end");
		reader->place = IN_SCORES;
	}
	/* A category's second table is of another section. */
	begin_section_unless(reader,
			     reader->report.is_open && is_another &&
				     (reader->section_line || reader->has_scores),
			     number);
	if (is_system)
		reader->has_table = true;
	reader->is_system = is_system;
	reader->is_partial = line->is_partial;
	reader->has_rule = false;
	reader->table_line = number;
	reader->place = IN_TABLE;
}

static void read_index(struct reader *reader, const struct unixbench_line *line, size_t number)
{
	if (reader->place != IN_TABLE && !reader->report.is_open)
		return;
	if (reader->is_system || reader->place != IN_TABLE)
		unixbench_score(&reader->report, number, &line->value,
				reader->is_partial || line->is_partial, line->is_sum);
	if (!line->is_sum)
		reader->place = OUTSIDE;
}

static void take(struct reader *reader, const struct unixbench_line *line, size_t number)
{
	reader->strange = 0;
	switch (line->shape) {
	case LINE_BANNER:
		read_banner(reader, line, number);
		break;
	case LINE_TIMES:
		read_times(reader, line, number);
		break;
	case LINE_COPIES:
		read_copies(reader, line, number);
		break;
	case LINE_SCORE:
		read_score(reader, line, number);
		break;
	case LINE_NO_SCORE:
		if (reader->place == IN_SCORES || reader->place == IN_HEADER)
			unixbench_no_result(&reader->report, number, line->label,
					    "the report has no measured results");
		break;
	case LINE_TABLE:
		read_table(reader, line, number);
		break;
	case LINE_ROW:
		unixbench_row(&reader->report, number, line->label,
			      line->has_baseline ? &line->baseline : NULL,
			      line->has_value ? &line->value : NULL,
			      line->has_index ? &line->index : NULL);
		break;
	case LINE_RULE:
		reader->has_rule = true;
		break;
	case LINE_INDEX:
		read_index(reader, line, number);
		break;
	case LINE_OTHER:
		break;
	}
}

/* Lines right behind one another say one thing together. */
static void remember(struct reader *reader, const struct import_line *line)
{
	size_t used = strlen(reader->said);

	if (!used || reader->said_line + 1 != line->number || used > SAID_BYTES / 2)
		used = 0;
	snprintf(reader->said + used, SAID_BYTES - used, "%s%.*s", used ? " " : "",
		 SAID_BYTES / 2 - 2, line->text);
	reader->said_line = line->number;
}

/* A line of no shape: of the header, prose, or damaged. */
static void take_other(struct reader *reader, const struct import_line *line)
{
	struct imported *imported = reader->report.imported;

	/* "INDEX VALUES" stands over the tables of the versions before 5 */
	if (line->text[strspn(line->text, "-=_* ")] == '\0' || !strcmp(line->text, "INDEX VALUES"))
		return;
	if (reader->place == IN_HEADER) {
		read_header(reader, line->text);
		remember(reader, line);
		return;
	}
	if (reader->place == IN_SCORES && reader->is_blank_behind_scores) {
		section_end(reader);
	} else if (reader->place != OUTSIDE) {
		imported_warn(imported, line->number, "expected %s, found \"%.80s\"%s",
			      reader->place == IN_SCORES
				      ? "\"LABEL VALUE UNIT (SECONDS s, N samples)\""
			      : reader->has_rule ? "the index score of the table"
						 : "\"LABEL BASELINE RESULT INDEX\"",
			      line->text, line->is_cut ? ": the file ends here" : "");
		if (++reader->strange >= STRANGE_MOST)
			section_end(reader);
	}
	remember(reader, line);
}

static void take_blank(struct reader *reader)
{
	if (reader->place == IN_SCORES && reader->has_scores)
		reader->is_blank_behind_scores = true;
}

/*
 * Is what is at i part of one line, whole only with the next ones? What the last of them says alone
 * must not be stolen from it, unless it makes a label that is known.
 */
static size_t try_wrapped(struct reader *reader, size_t i, struct unixbench_line *line)
{
	bool in_table = reader->place == IN_TABLE;
	char text[LINE_BYTES];

	for (size_t count = 2; count <= WRAPPED_MOST; count++) {
		struct unixbench_line last;

		if (!import_lines_join(&reader->lines, i, count, text))
			return 0;
		if (!unixbench_line_read(text, in_table, line) || line->shape == LINE_RULE ||
		    line->shape == LINE_BANNER)
			continue;
		if ((line->shape == LINE_SCORE || line->shape == LINE_ROW) &&
		    unixbench_test_of(line->label))
			return count;
		if (!unixbench_line_read(reader->lines.line[i + count - 1].text, in_table, &last))
			return count;
		return 0;
	}
	return 0;
}

/* A line outside of a report may be wrapped too, but most are prose. */
static bool may_be_wrapped(const struct reader *reader, const char *text)
{
	size_t bytes;

	return reader->place == IN_SCORES || reader->place == IN_TABLE ||
	       strstr(text, "BASELINE") || strstr(text, "Benchmark Run:") ||
	       strstr(text, "Index Score") || unixbench_test_at(text, &bytes);
}

static size_t read_at(struct reader *reader, size_t i)
{
	const struct import_line *at = &reader->lines.line[i];
	struct unixbench_line line;
	size_t count = 1;

	if (!*at->text) {
		take_blank(reader);
		return 1;
	}
	if (unixbench_line_read(at->text, reader->place == IN_TABLE, &line)) {
		take(reader, &line, at->number);
		return 1;
	}
	if (may_be_wrapped(reader, at->text))
		count = try_wrapped(reader, i, &line);
	else
		count = 0;
	/* A section begins here, whatever its times are. */
	if (!count && text_begins(at->text, "Benchmark Run:")) {
		line = (struct unixbench_line){ .shape = LINE_TIMES };
		count = 1;
	}
	if (count)
		take(reader, &line, at->number);
	else
		take_other(reader, at);
	return count ? count : 1;
}

/* The heading of an index table, or a score line, without anything of a report round it. */
static bool has_table_or_scores(const struct import_source *source)
{
	struct unixbench_line line;
	struct import_lines lines;
	char text[LINE_BYTES];
	bool has = false;

	if (!source_has(source, "BASELINE") && !source_has(source, " samples)"))
		return false;
	if (import_lines_make(source, &lines, NULL))
		return false;
	for (size_t i = 0; !has && i < lines.count; i++) {
		const char *at = lines.line[i].text;

		if (!strstr(at, "BASELINE") && !strstr(at, "samples)"))
			continue;
		has = unixbench_line_read(at, false, &line) ||
		      (import_lines_join(&lines, i, 2, text) &&
		       unixbench_line_read(text, false, &line));
	}
	import_lines_free(&lines);
	return has;
}

bool import_unixbench_recognise(const struct import_source *source)
{
	if (source_has(source, "BYTE UNIX Benchmarks (Version ") ||
	    source_has(source, "Based on the Byte") ||
	    source_has(source, "parallel copies of tests") ||
	    source_has(source, "parallel copy of tests") || source_has(source, "Benchmark Run: "))
		return true;
	return has_table_or_scores(source);
}

int import_unixbench_read(const struct import_source *source, struct imported *imported,
			  struct error *err)
{
	struct reader reader = { .report = { .imported = imported, .format = FORMAT } };
	int rc = import_lines_make(source, &reader.lines, err);

	if (rc)
		return rc;
	reader.report.section_s = NAN;
	for (size_t i = 0; i < reader.lines.count && !imported->no_memory;)
		i += read_at(&reader, i);
	section_end(&reader);
	unixbench_free(&reader.report);
	import_lines_free(&reader.lines);
	return 0;
}
