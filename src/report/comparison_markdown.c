// SPDX-License-Identifier: GPL-2.0-or-later
/* comparison_markdown.c - a comparison as a Markdown table, one line a row, and what it rests on.
 */
#include "report/comparison_forms.h"

#include "base/escape.h"
#include "report/blocks.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_COLUMNS 20

/* Escaped, and a character that Markdown would take for its own with a backslash. */
static int put_text(FILE *out, const char *text)
{
	size_t bytes = escape_text(text, NULL, 0) + 1;
	char *escaped = malloc(bytes);

	if (!escaped)
		return -ENOMEM;
	escape_text(text, escaped, bytes);
	for (const char *at = escaped; *at; at++) {
		if (strchr("|\\`*_<>[]#&", *at))
			fputc('\\', out);
		fputc(*at, out);
	}
	free(escaped);
	return 0;
}

static void print_cells(FILE *out, const char *a, const char *b, const struct estimate *log_ratio,
			const struct decision *decision, double p, double q)
{
	char change[CELL_BYTES], interval[CELL_BYTES], p_text[CELL_BYTES], q_text[CELL_BYTES];
	char verdict[CELL_BYTES];

	cell_change(log_ratio, NUMBER_COLUMNS, change);
	cell_interval(log_ratio, NUMBER_COLUMNS, interval);
	cell_p(p, p_text);
	cell_p(q, q_text);
	cell_verdict(log_ratio, decision, ", trivial", verdict);
	fprintf(out, " | %s | %s | %s | %s | %s | %s | %s |\n", a, b, change, interval, p_text,
		q_text, verdict);
}

static int print_row(FILE *out, const struct comparison_test *test, bool with_copies)
{
	char a[CELL_BYTES], b[CELL_BYTES], name[TEST_NAME_BYTES];
	int rc;

	cell_value(test->a, test->a_spread, test->a_n, NUMBER_COLUMNS, a);
	cell_value(test->b, test->b_spread, test->b_n, NUMBER_COLUMNS, b);
	fputs("| ", out);
	rc = put_text(out, test_name(test->test, name));
	if (!rc && test->label) {
		fputc(' ', out);
		rc = put_text(out, test->label);
	}
	if (with_copies)
		fprintf(out, ", %u", test->copies);
	print_cells(out, a, b, &test->log_ratio, &test->decision, test->p, test->q);
	return rc;
}

static void print_index(FILE *out, const struct comparison_index *index, bool with_copies)
{
	char a[CELL_BYTES], b[CELL_BYTES];

	cell_index(index->a, NUMBER_COLUMNS, a);
	cell_index(index->b, NUMBER_COLUMNS, b);
	fprintf(out, "| index of %u", index->tests);
	if (with_copies)
		fprintf(out, ", %u", index->copies);
	print_cells(out, a, b, &index->log_ratio, &index->decision, NAN, NAN);
}

struct sink {
	FILE *out;
	int rc;
};

static void print_text(struct paragraph *line, void *context)
{
	struct sink *sink = context;

	/* no wrapping: a newline in Markdown is a space */
	fputs("\n", sink->out);
	if (line->text && !sink->rc)
		sink->rc = put_text(sink->out, line->text);
	fputs("\n", sink->out);
	line->length = 0;
}

static void add_sides(struct paragraph *line, const struct comparison *comparison)
{
	if (!comparison_is_of_one_run(comparison)) {
		paragraph_add_side(line, "A", &comparison->a);
		paragraph_add(line, ", ");
		paragraph_add_side(line, "B", &comparison->b);
		paragraph_add(line, ": ");
	}
	paragraph_add_design(line, comparison);
	paragraph_add(line, "; ");
	paragraph_add_percent(line, 1 - comparison->alpha);
	paragraph_add(line, " intervals, margin ");
	paragraph_add_percent(line, comparison->margin);
	paragraph_add(line, "; higher is better");
}

static int print_table(const struct comparison *comparison, FILE *out)
{
	bool with_copies = has_several_copies(comparison);
	int rc = 0;

	fputs("| test | A | B | B/A | interval, % | p | q | verdict |\n"
	      "|---|--:|--:|--:|--:|--:|--:|---|\n",
	      out);
	for (size_t i = 0; !rc && i < comparison->n_tests; i++) {
		if (!comparison->tests[i].is_one_sided)
			rc = print_row(out, &comparison->tests[i], with_copies);
	}
	for (size_t i = 0; !rc && i < comparison->n_indexes; i++)
		print_index(out, &comparison->indexes[i], with_copies);
	return rc;
}

/* As code, by its indentation: nothing in it is Markdown. */
static void print_code(struct paragraph *line, void *out)
{
	fprintf(out, "    %s\n", line->text ? line->text : "");
	line->length = 0;
}

int comparison_markdown(const struct comparison *comparison, FILE *out)
{
	struct sink sink = { out, 0 };
	struct paragraph line = { 0 };
	int rc = print_table(comparison, out);

	add_sides(&line, comparison);
	print_text(&line, &sink);
	if (comparison_is_of_one_run(comparison))
		each_side(comparison, &line, print_text, &sink);
	each_reason(comparison, &line, print_text, &sink);
	for (size_t i = 0; i < json_array_size(comparison->warnings); i++) {
		paragraph_add(&line, "warning: ");
		paragraph_add_outside(&line,
				      json_string_value(json_array_get(comparison->warnings, i)));
		print_text(&line, &sink);
	}
	if (json_array_size(comparison->differences))
		fputc('\n', out);
	each_difference(comparison, &line, print_code, out);
	if (line.failed || sink.rc)
		rc = -ENOMEM;
	paragraph_free(&line);
	return rc;
}
