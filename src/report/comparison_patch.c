// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * comparison_patch.c - a comparison to paste into the text of a patch: at most 72 columns, so that
 * it survives being quoted. Lines that start with "# " are for machines and careful readers.
 *
 * Columns: name 16, A 9, B 9, change 8, interval 14, two spaces, verdict 13: 71 together.
 */
#include "report/comparison_forms.h"

#include "compare/environment_diff.h"
#include "report/blocks.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#define PATCH_COLUMNS	 72
#define NAME_COLUMNS	 16
#define VALUE_COLUMNS	 8
#define CHANGE_COLUMNS	 8
#define INTERVAL_COLUMNS 13

static void print(struct paragraph *line, FILE *out)
{
	paragraph_print_within(line, out, "", 2, PATCH_COLUMNS);
}

static void print_comment(struct paragraph *line, void *out)
{
	paragraph_print_within(line, out, "# ", 2, PATCH_COLUMNS);
}

static const json_t *member(const struct comparison_side *side, const char *name)
{
	return side->record ? json_object_get(side->record->environment, name) : NULL;
}

static void add_side(struct paragraph *line, const char *letter, const struct comparison_side *side)
{
	const char *kernel = json_string_value(member(side, "kernel_release"));

	if (!kernel || !strcmp(kernel, side->name)) {
		paragraph_add_side(line, letter, side);
		return;
	}
	paragraph_add(line, "%s ", letter);
	paragraph_add_outside(line, kernel);
	paragraph_add(line, " (");
	paragraph_add_outside(line, side->name);
	paragraph_add(line, ")");
}

static void add_machine(struct paragraph *line, const struct comparison_side *side)
{
	const json_t *topology = member(side, "topology");
	const char *model = json_string_value(member(side, "cpu_model"));
	const json_t *cores = json_object_get(topology, "cores");
	const json_t *threads = json_object_get(topology, "threads");

	if (model) {
		paragraph_add(line, paragraph_columns(line) ? "  " : "");
		paragraph_add_outside(line, model);
	}
	if (json_is_integer(cores) && json_is_integer(threads))
		paragraph_add(line, " %" JSON_INTEGER_FORMAT "c/%" JSON_INTEGER_FORMAT "t",
			      json_integer_value(cores), json_integer_value(threads));
}

static void add_member(struct paragraph *line, const struct comparison_side *side, const char *name,
		       const char *shown)
{
	const json_t *value = member(side, name);

	if (!value || json_is_null(value))
		return;
	paragraph_add(line, "%s%s ", paragraph_columns(line) ? ", " : "", shown);
	if (json_is_boolean(value))
		paragraph_add(line, "%s", json_is_true(value) ? "on" : "off");
	else
		paragraph_add_json(line, value);
}

static void print_header(const struct comparison *comparison, struct paragraph *line, FILE *out)
{
	paragraph_add(line, "onproc compare: ");
	paragraph_add_design(line, comparison);
	paragraph_add(line, ", ");
	paragraph_add_percent(line, 1 - comparison->alpha);
	paragraph_add(line, PARAGRAPH_STAY "CI, margin" PARAGRAPH_STAY);
	paragraph_add_percent(line, comparison->margin);
	paragraph_add(line, ", higher = better");
	print_comment(line, out);
	if (comparison_is_of_one_run(comparison)) {
		const char *kernel = json_string_value(member(&comparison->a, "kernel_release"));

		if (kernel)
			paragraph_add_outside(line, kernel);
	} else {
		add_side(line, "A", &comparison->a);
		paragraph_add(line, "  ");
		add_side(line, "B", &comparison->b);
	}
	add_machine(line, &comparison->b);
	if (paragraph_columns(line))
		print_comment(line, out);
	if (comparison->b.record && comparison->b.record->environment) {
		add_member(line, &comparison->b, "governor", "governor");
		add_member(line, &comparison->b, "preemption", "preemption");
		add_member(line, &comparison->b, "smt_active", "SMT");
		add_member(line, &comparison->b, "hypervisor", "hypervisor");
		if (paragraph_columns(line))
			print_comment(line, out);
	}
	if (comparison_is_of_one_run(comparison))
		each_side(comparison, line, print_comment, out);
}

/* Their paths: what they are says `compare` in the terminal. */
static void print_differences(const struct comparison *comparison, struct paragraph *line,
			      FILE *out)
{
	size_t count = json_array_size(comparison->differences), rows;
	const char *separator = "differs between A and B: ";

	for (size_t i = 0; i < count; i++) {
		const json_t *difference = json_array_get(comparison->differences, i);

		if (difference_is_of_program(difference))
			continue;
		paragraph_add(line, "%s", separator);
		paragraph_add_outside(line, json_string_value(json_object_get(difference, "path")));
		separator = ", ";
	}
	if (differences_of_programs(comparison->differences, &rows))
		paragraph_add(line, "%sworkload programs", separator);
	if (count)
		print_comment(line, out);
}

static void print_row(struct paragraph *line, FILE *out, const char *a, const char *b,
		      const char *change, const char *interval, const char *verdict)
{
	if (paragraph_columns(line) > NAME_COLUMNS)
		print(line, out);
	paragraph_pad(line, NAME_COLUMNS);
	paragraph_add(line, " %*s %*s %*s %*s  %s", VALUE_COLUMNS, a, VALUE_COLUMNS, b,
		      CHANGE_COLUMNS, change, INTERVAL_COLUMNS, interval, verdict);
	print(line, out);
}

static void print_cells(struct paragraph *line, FILE *out, const char *a, const char *b,
			const struct estimate *log_ratio, const struct decision *decision)
{
	char change[CELL_BYTES], interval[CELL_BYTES], verdict[CELL_BYTES];

	cell_change(log_ratio, CHANGE_COLUMNS, change);
	cell_interval(log_ratio, INTERVAL_COLUMNS, interval);
	cell_verdict(log_ratio, decision, " (triv)", verdict);
	print_row(line, out, a, b, change, interval, verdict);
}

int comparison_patch(const struct comparison *comparison, FILE *out)
{
	bool with_copies = has_several_copies(comparison);
	char a[CELL_BYTES], b[CELL_BYTES];
	struct paragraph line = { 0 };
	int rc;

	print_header(comparison, &line, out);
	paragraph_add(&line, "test");
	print_row(&line, out, "A", "B", "B/A", "CI, %", "verdict");
	for (size_t i = 0; i < comparison->n_tests; i++) {
		const struct comparison_test *test = &comparison->tests[i];

		if (test->is_one_sided)
			continue;
		cell_value(test->a, test->a_spread, test->a_n, VALUE_COLUMNS, a);
		cell_value(test->b, test->b_spread, test->b_n, VALUE_COLUMNS, b);
		paragraph_add_row(&line, test, with_copies);
		print_cells(&line, out, a, b, &test->log_ratio, &test->decision);
	}
	for (size_t i = 0; i < comparison->n_indexes; i++) {
		const struct comparison_index *index = &comparison->indexes[i];

		cell_index(index->a, VALUE_COLUMNS, a);
		cell_index(index->b, VALUE_COLUMNS, b);
		paragraph_add_index(&line, index, with_copies);
		print_cells(&line, out, a, b, &index->log_ratio, &index->decision);
	}
	each_reason(comparison, &line, print_comment, out);
	print_differences(comparison, &line, out);
	rc = line.failed ? -ENOMEM : 0;
	paragraph_free(&line);
	return rc;
}
