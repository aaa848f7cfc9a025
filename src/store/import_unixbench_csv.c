// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * import_unixbench_csv.c - the CSV of UnixBench: "Concurrency" and the labels of the first section,
 * then a row of scores for each section.
 *
 * Tests of the graphics run with one copy only, and the rows of more copies are shorter by them
 * without saying so: their columns are left out there. Any other row that is shorter or longer says
 * nothing that is sure.
 */
#include "store/import_formats.h"
#include "store/import_lines.h"
#include "store/import_unixbench_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT	     "UnixBench CSV"
#define FIRST	     "Concurrency,"
#define COLUMNS_MOST 256

/* A line in its fields, in place. */
struct fields {
	char *field[COLUMNS_MOST];
	size_t count;
};

static void split(char *text, struct fields *fields)
{
	char *field;

	fields->count = 0;
	while (fields->count < COLUMNS_MOST && (field = strsep(&text, ",")) != NULL) {
		size_t length = strlen(field);

		/* quotes round a label add nothing */
		if (length >= 2 && field[0] == '"' && field[length - 1] == '"') {
			field[length - 1] = '\0';
			field++;
		}
		fields->field[fields->count++] = field;
	}
}

static bool is_graphics(const char *label)
{
	return text_begins(label, "2D graphics") || text_begins(label, "3D graphics");
}

static size_t count_graphics(const struct fields *header)
{
	size_t count = 0;

	for (size_t i = 1; i < header->count; i++)
		count += is_graphics(header->field[i]);
	return count;
}

static void read_row(struct report *report, const struct fields *header, struct fields *row,
		     const struct import_line *line)
{
	bool without_graphics = row->count + count_graphics(header) == header->count;
	struct printed value;
	uint32_t copies;
	size_t at = 1;

	if (!count_parse(row->field[0], 1000000, &copies) || !copies) {
		imported_warn(report->imported, line->number,
			      "expected the number of copies, found \"%.40s\"", row->field[0]);
		return;
	}
	if (row->count != header->count && !without_graphics) {
		imported_warn(report->imported, line->number,
			      "expected %zu fields, found %zu: which test is missing is not sure",
			      header->count, row->count);
		return;
	}
	unixbench_section(report, line->number, copies);
	for (size_t i = 1; i < header->count && !report->imported->no_memory; i++) {
		const char *label = header->field[i];

		if (row->count != header->count && is_graphics(label))
			continue;
		if (!printed_parse(row->field[at], &value) ||
		    (line->is_cut && at + 1 == row->count && !value.has_decimals)) {
			imported_warn(report->imported, line->number,
				      "expected the score of %.60s, found \"%.40s\"", label,
				      row->field[at]);
			unixbench_no_result(report, line->number, label, "the file has no score");
		} else {
			unixbench_result(report, line->number, label, &value, NULL, NULL);
		}
		at++;
	}
}

/* Only 6 has this form of file (and what became 6, which says 5.1.3 elsewhere). */
static void begin(struct report *report, size_t line)
{
	unixbench_begin(report, line, "UnixBench 6");
	report->version = UNIXBENCH_6;
}

bool import_unixbench_csv_recognise(const struct import_source *source)
{
	const char *at = source->bytes;

	if (text_begins(at, "\xef\xbb\xbf"))
		at += 3;
	return text_begins(at, FIRST) || text_begins(at, "\"Concurrency\",");
}

int import_unixbench_csv_read(const struct import_source *source, struct imported *imported,
			      struct error *err)
{
	struct report report = { .imported = imported, .format = FORMAT, .section_s = NAN };
	struct fields header = { .count = 0 }, row;
	struct import_lines lines;
	int rc = import_lines_make(source, &lines, err);

	if (rc)
		return rc;
	for (size_t i = 0; i < lines.count && !imported->no_memory; i++) {
		struct import_line *line = &lines.line[i];

		if (!*line->text)
			continue;
		if (text_begins(line->text, FIRST) || text_begins(line->text, "\"Concurrency\",")) {
			/* Several files in one: each has its header. */
			begin(&report, line->number);
			split(line->text, &header);
			continue;
		}
		split(line->text, &row);
		read_row(&report, &header, &row, line);
	}
	unixbench_free(&report);
	import_lines_free(&lines);
	return 0;
}
