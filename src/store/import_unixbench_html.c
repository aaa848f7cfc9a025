// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * import_unixbench_html.c - the HTML report of UnixBench 5 and 6.
 *
 * Of HTML it knows what that report is made of: headings, paragraphs and the cells of table rows;
 * other tags are passed over. Values in it are not escaped, so that a "<" that begins no tag is
 * text.
 */
#include "store/import_formats.h"
#include "store/import_lines.h"
#include "store/import_unixbench_report.h"
#include "store/json_text.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define BANNER	   "BYTE UNIX Benchmarks (Version "
#define FORMAT	   "UnixBench HTML report"
#define CELLS_MOST 8
#define CELL_BYTES 320
#define TAG_BYTES  16
#define TAG_MOST   4096 /* bytes up to its end: else the "<" is text */
#define ROW_CELLS  7	/* Test, Score, Unit, Time, Iters., Baseline, Index */
#define DAY_S	   86400

struct html {
	struct report report;
	const char *at, *end;
	size_t line;
	char cell[CELLS_MOST][CELL_BYTES]; /* of the row, or the text of a block in the first */
	size_t cells;
	size_t row_line;
	bool in_row, is_system;
	bool has_rows, has_score; /* of the section */
	char date[CELL_BYTES];
	uint32_t copies, cpus; /* of a section whose times are still to come; 0: none */
	size_t section_line;
};

static struct run *current(struct html *html)
{
	struct imported *imported = html->report.imported;

	return html->report.is_open ? &imported->runs[imported->count - 1] : NULL;
}

static void end_section(struct html *html)
{
	if (html->has_rows && !html->has_score)
		imported_warn(html->report.imported, html->row_line,
			      "the section ends without its index score");
	html->has_rows = false;
	html->has_score = false;
}

/* The section that a heading announced, once something of it is seen. */
static void begin_section(struct html *html)
{
	struct run *run;

	if (!html->copies)
		return;
	unixbench_section(&html->report, html->section_line, html->copies);
	run = current(html);
	if (run && html->cpus &&
	    json_object_set_new(run->environment, "cpus_online", json_integer(html->cpus)))
		html->report.imported->no_memory = true;
	html->copies = 0;
}

/* "Benchmark Run: 8 CPUs; 1 parallel process" */
static void read_heading_of_run(struct html *html, const char *text)
{
	const char *semicolon = strchr(text, ';');
	char word[16];

	end_section(html);
	snprintf(word, sizeof(word), "%.*s", (int)(strcspn(text, " ") % 15), text);
	if (!count_parse(word, 1000000, &html->cpus))
		html->cpus = 0;
	html->copies = 0;
	html->section_line = html->row_line;
	if (semicolon) {
		semicolon += 1 + strspn(semicolon + 1, " ");
		snprintf(word, sizeof(word), "%.*s", (int)(strcspn(semicolon, " ") % 15),
			 semicolon);
		if (count_parse(word, 1000000, &html->copies) && html->copies)
			return;
	}
	html->copies = 0;
	imported_warn(html->report.imported, html->row_line,
		      "expected \"Benchmark Run: N CPUs; N parallel processes\"");
}

/* "05:55:46 - 06:29:32; 33m 46s" */
static void read_times(struct html *html, const char *text)
{
	const char *dash = strstr(text, " - ");
	int from, to;

	if (!dash || !clock_parse(text, &from) || !clock_parse(dash + 3, &to)) {
		imported_warn(html->report.imported, html->row_line,
			      "expected \"Time: hh:mm:ss - hh:mm:ss\"");
	} else {
		html->report.section_s = to >= from ? to - from : to - from + DAY_S;
		html->report.section_start_s = date_parse(html->date, from);
	}
	begin_section(html);
}

/* A heading or a paragraph. */
static void read_block(struct html *html, const char *text)
{
	const char *version = strstr(text, BANNER);
	const char *on;
	bool is_known;

	if (version) {
		end_section(html);
		unixbench_end(&html->report);
		html->report.version = UNIXBENCH_UNKNOWN;
		is_known = unixbench_version(&html->report, version + strlen(BANNER));
		unixbench_begin(&html->report, html->row_line, NULL);
		if (!is_known)
			imported_warn(html->report.imported, html->row_line,
				      "expected a version of UnixBench from 3 to 6");
	} else if (text_begins(text, "Benchmark of ")) {
		/* the last one: a name may hold it too */
		for (on = strstr(text, " on "); on && strstr(on + 1, " on ");)
			on = strstr(on + 1, " on ");
		snprintf(html->date, sizeof(html->date), "%s", on ? on + 4 : "");
	} else if (text_begins(text, "Benchmark Run: ")) {
		read_heading_of_run(html, text + strlen("Benchmark Run: "));
	} else if (text_begins(text, "Time: ")) {
		read_times(html, text + strlen("Time: "));
	} else if (text_begins(text, "System Benchmarks")) {
		html->is_system = true;
	} else if (strstr(text, " Benchmarks")) {
		html->is_system = false;
	}
}

/* A row about the machine. */
static void read_machine(struct html *html, const char *name, const char *value)
{
	static const char *const os[] = { "kernel_release", "kernel_version" };
	struct run *run = current(html);
	const char *next = value;
	char part[CELL_BYTES];

	if (!run)
		return;
	if (!strcmp(name, "System:") && !run->host)
		imported_text(html->report.imported, &run->host, "%.*s", (int)strcspn(value, ":"),
			      value);
	if (!strcmp(name, "Machine:")) {
		snprintf(part, sizeof(part), "%.*s", (int)strcspn(value, " :"), value);
		if (json_object_set_new(run->environment, "machine", json_text(part)))
			html->report.imported->no_memory = true;
	}
	for (size_t i = 0; !strcmp(name, "OS:") && i < 2; i++) {
		next = strstr(next, " -- ");
		if (!next)
			break;
		next += 4;
		value = strstr(next, " -- ");
		snprintf(part, sizeof(part), "%.*s",
			 (int)(value ? (size_t)(value - next) : strlen(next)), next);
		if (json_object_set_new(run->environment, os[i], json_text(part)))
			html->report.imported->no_memory = true;
	}
}

static void read_result(struct html *html)
{
	const char *label = html->cell[0], *time = html->cell[3], *samples = html->cell[4];
	struct printed value, baseline, index;
	bool has_baseline = printed_parse(html->cell[5], &baseline);
	bool has_index = printed_parse(html->cell[6], &index);
	char note[2 * CELL_BYTES];

	if (!strcmp(label, "Test"))
		return;
	if (!*label || !printed_parse(html->cell[1], &value)) {
		imported_warn(html->report.imported, html->row_line,
			      "expected the score of %.60s, found \"%.40s\"", label, html->cell[1]);
		return;
	}
	snprintf(note, sizeof(note), "%.40s, %.20s samples", time, samples);
	unixbench_result(&html->report, html->row_line, label, &value,
			 *html->cell[2] ? html->cell[2] : NULL, note);
	html->has_rows |= has_baseline && html->is_system;
	if (has_baseline)
		unixbench_row(&html->report, html->row_line, label, &baseline, &value,
			      has_index ? &index : NULL);
}

static void read_row(struct html *html)
{
	const char *last = html->cells ? html->cell[html->cells - 1] : "";
	struct printed score;

	if (html->cells < 2)
		return;
	if (html->cells == ROW_CELLS) {
		begin_section(html);
		read_result(html);
	} else if (strstr(html->cell[0], "Index Score")) {
		if (!printed_parse(last, &score) || !score.has_decimals)
			imported_warn(html->report.imported, html->row_line,
				      "expected the index score, found \"%.40s\"", last);
		else if (html->is_system)
			unixbench_score(&html->report, html->row_line, &score,
					strstr(html->cell[0], "Partial") != NULL, false);
		html->has_score |= html->is_system;
	} else if (html->cells == 2) {
		read_machine(html, html->cell[0], last);
	} else if (strcmp(last, "") != 0 && html->cells > 3) {
		imported_warn(html->report.imported, html->row_line,
			      "expected a row of %d cells, found %zu", ROW_CELLS, html->cells);
	}
}

static void trim_cell(char *cell)
{
	size_t blanks = strspn(cell, " "), length = strlen(cell);

	while (length > blanks && cell[length - 1] == ' ')
		length--;
	cell[length] = '\0';
	memmove(cell, cell + blanks, length - (blanks < length ? blanks : length) + 1);
}

/* What was gathered, and room for the next. */
static void flush(struct html *html)
{
	for (size_t i = 0; i < html->cells; i++)
		trim_cell(html->cell[i]);
	if (html->in_row)
		read_row(html);
	else if (html->cells && *html->cell[0])
		read_block(html, html->cell[0]);
	html->in_row = false;
	html->cells = 0;
}

static void add_char(struct html *html, char c)
{
	char *cell;
	size_t used;

	if (!html->cells) {
		if (html->in_row)
			return; /* between the cells */
		html->cells = 1;
		html->cell[0][0] = '\0';
		html->row_line = html->line;
	}
	cell = html->cell[html->cells - 1];
	used = strlen(cell);
	if (c == '\n' || c == '\r' || c == '\t' || c == '\0')
		c = ' ';
	if (c == ' ' && (!used || cell[used - 1] == ' '))
		return;
	if (used + 1 < CELL_BYTES) {
		cell[used] = c;
		cell[used + 1] = '\0';
	}
}

/* "&amp;" and the like; an "&" that begins none is text. */
static void add_entity(struct html *html)
{
	static const struct {
		const char *name;
		char is;
	} entities[] = { { "&amp;", '&' },  { "&lt;", '<' },   { "&gt;", '>' },
			 { "&quot;", '"' }, { "&nbsp;", ' ' }, { "&#160;", ' ' } };

	for (size_t i = 0; i < sizeof(entities) / sizeof(entities[0]); i++) {
		size_t length = strlen(entities[i].name);

		if ((size_t)(html->end - html->at) >= length &&
		    !memcmp(html->at, entities[i].name, length)) {
			add_char(html, entities[i].is);
			html->at += length;
			return;
		}
	}
	add_char(html, *html->at++);
}

/* The name of a tag, in lower case; html->at moves behind it. false: "<" is text. */
static bool take_tag(struct html *html, char name[TAG_BYTES])
{
	const char *at = html->at + 1, *close;
	size_t used = 0, left = (size_t)(html->end - html->at);

	if (at < html->end && *at == '/')
		name[used++] = *at++;
	if (at == html->end || !(isalpha((unsigned char)*at) || *at == '!'))
		return false;
	close = memchr(html->at, '>', left < TAG_MOST ? left : TAG_MOST);
	if (!close)
		return false;
	for (; at < close && used + 1 < TAG_BYTES && (isalnum((unsigned char)*at) || *at == '!');
	     at++)
		name[used++] = (char)tolower((unsigned char)*at);
	name[used] = '\0';
	for (at = html->at; at < close; at++)
		html->line += *at == '\n';
	html->at = close + 1;
	return true;
}

static bool is_block(const char *tag)
{
	static const char *const blocks[] = { "h1", "h2", "h3",	  "h4",	   "p",	   "div",
					      "br", "hr", "body", "table", "title" };

	tag += *tag == '/';
	for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++)
		if (!strcmp(tag, blocks[i]))
			return true;
	return false;
}

static void take(struct html *html, const char *tag)
{
	if (!strcmp(tag, "td") || !strcmp(tag, "th")) {
		if (!html->in_row) {
			flush(html);
			html->in_row = true;
			html->row_line = html->line;
		}
		if (html->cells < CELLS_MOST)
			html->cells++;
		html->cell[html->cells - 1][0] = '\0';
	} else if (!strcmp(tag, "tr")) {
		flush(html);
		html->in_row = true;
		html->row_line = html->line;
	} else if (!strcmp(tag, "/tr") || !strcmp(tag, "/table") ||
		   (is_block(tag) && !html->in_row)) {
		flush(html);
	}
}

static void read_all(struct html *html)
{
	char tag[TAG_BYTES];

	while (html->at < html->end && !html->report.imported->no_memory) {
		if (*html->at == '<' && take_tag(html, tag)) {
			take(html, tag);
			continue;
		}
		html->line += *html->at == '\n';
		if (*html->at == '&')
			add_entity(html);
		else
			add_char(html, *html->at++);
	}
	/* A row that does not end was cut. */
	if (html->in_row && html->cells)
		imported_warn(html->report.imported, html->line, "the file ends in a row");
	else
		flush(html);
}

bool import_unixbench_html_recognise(const struct import_source *source)
{
	return source_has(source, BANNER) &&
	       (source_has(source, "<td>") || source_has(source, "<html") ||
		source_has(source, "<HTML") || source_has(source, "<TD>"));
}

int import_unixbench_html_read(const struct import_source *source, struct imported *imported,
			       struct error *err)
{
	struct html html = {
		.report = { .imported = imported, .format = FORMAT, .section_s = NAN },
		.at = source->bytes,
		.end = source->bytes + source->count,
		.line = 1,
	};

	(void)err;
	read_all(&html);
	end_section(&html);
	unixbench_free(&html.report);
	return 0;
}
