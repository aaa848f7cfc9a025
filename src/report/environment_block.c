// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * environment_block.c - machine, kernel and build in the fewest lines that explain a number.
 *
 * A table of lines, each made of members of the environment object; members that the record does
 * not hold are left out, unreadable ones say why. Everything else is in the JSON.
 */
#include "report/blocks.h"

#include <math.h>
#include <string.h>

#define LABEL_COLUMNS 12
#define REASON_BYTES  80

/* A line: members separated by spaces; the words before each say what it is. */
struct environment_line {
	const char *label;
	struct environment_item {
		const char *member, *before, *after;
	} item[8];
};

static const struct environment_line lines[] = {
	{ "cpu", { { "cpu_model", "", "" } } },
};

static void add_value(struct paragraph *line, const json_t *value);

static void add_list(struct paragraph *line, const json_t *array)
{
	for (size_t i = 0; i < json_array_size(array); i++) {
		paragraph_add(line, "%s", i ? ", " : "");
		add_value(line, json_array_get(array, i));
	}
}

static void add_object(struct paragraph *line, const json_t *object)
{
	const char *name, *separator = "";
	json_t *value;

	json_object_foreach((json_t *)object, name, value)
	{
		paragraph_add(line, "%s", separator);
		paragraph_add_outside(line, name);
		paragraph_add(line, " ");
		add_value(line, value);
		separator = ", ";
	}
}

static void add_value(struct paragraph *line, const json_t *value)
{
	switch (json_typeof(value)) {
	case JSON_STRING:
		paragraph_add_outside(line, json_string_value(value));
		break;
	case JSON_INTEGER:
		paragraph_add(line, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
		break;
	case JSON_REAL:
		paragraph_add(line, "%.6g", json_real_value(value));
		break;
	case JSON_TRUE:
		paragraph_add(line, "yes");
		break;
	case JSON_FALSE:
		paragraph_add(line, "no");
		break;
	case JSON_NULL:
		paragraph_add(line, "unknown");
		break;
	case JSON_ARRAY:
		add_list(line, value);
		break;
	case JSON_OBJECT:
		add_object(line, value);
		break;
	}
}

/* Why a member is null: NAME_reason beside it. */
static void add_unknown(struct paragraph *line, const json_t *environment, const char *member)
{
	char name[REASON_BYTES];
	const char *reason;

	snprintf(name, sizeof(name), "%s_reason", member);
	reason = json_string_value(json_object_get(environment, name));
	paragraph_add(line, "unknown");
	if (reason) {
		paragraph_add(line, " (");
		paragraph_add_outside(line, reason);
		paragraph_add(line, ")");
	}
}

static void print_line(const json_t *environment, const struct environment_line *shown,
		       struct paragraph *line, FILE *out)
{
	const char *separator = "";

	paragraph_add(line, "  %s", shown->label);
	paragraph_pad(line, LABEL_COLUMNS);
	for (const struct environment_item *item = shown->item; item->member; item++) {
		const json_t *value = json_object_get(environment, item->member);

		if (!value)
			continue;
		paragraph_add(line, "%s%s", separator, item->before);
		if (json_is_null(value))
			add_unknown(line, environment, item->member);
		else
			add_value(line, value);
		if (!json_is_null(value))
			paragraph_add(line, "%s", item->after);
		separator = ", ";
	}
	if (!*separator) { /* nothing known of it: not even the label */
		line->length = 0;
		return;
	}
	paragraph_print(line, out, LABEL_COLUMNS);
}

void report_environment(const struct run *run, struct paragraph *line, FILE *out)
{
	if (!run->environment)
		return;
	fprintf(out, "\nEnvironment\n");
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		print_line(run->environment, &lines[i], line, out);
}
