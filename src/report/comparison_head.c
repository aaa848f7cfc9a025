// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * comparison_head.c - what the sides of a comparison are, and how their environments differ, in the
 * words of all forms; see comparison_forms.h.
 */
#include "report/comparison_forms.h"

#include "compare/environment_diff.h"

#include <string.h>

#define SHOWN_BYTES 120 /* of a command or a variable; the record has it whole */

/* The beginning of a text from outside, cut before a character that does not fit whole. */
static void add_cut(struct paragraph *line, const char *text)
{
	char shown[SHOWN_BYTES + 1];
	size_t length = strlen(text);

	if (length <= SHOWN_BYTES) {
		paragraph_add_outside(line, text);
		return;
	}
	length = SHOWN_BYTES;
	while (length && ((unsigned char)text[length] & 0xc0) == 0x80)
		length--;
	memcpy(shown, text, length);
	shown[length] = '\0';
	paragraph_add_outside(line, shown);
	paragraph_add(line, "…");
}

static void add_command(struct paragraph *line, const char **separator, const char *verb,
			const char *command)
{
	if (!command)
		return;
	paragraph_add(line, "%s%s `", *separator, verb);
	add_cut(line, command);
	paragraph_add(line, "`");
	*separator = ", ";
}

static const json_t *side_of_plan(const struct comparison_side *side)
{
	const json_t *plan = side->record ? side->record->plan : NULL;

	return side->letter ? json_object_get(json_object_get(plan, "sides"), side->letter) : NULL;
}

/* Of two commands that of the side; one for both tells nothing apart. */
static const char *command_of_side(const struct comparison_side *side)
{
	const json_t *command = json_object_get(side->record->plan, "command");
	const char *of_b = json_string_value(json_object_get(command, "text_b"));

	if (!of_b || !strcmp(side->letter, "B"))
		return of_b;
	return json_string_value(json_object_get(command, "text"));
}

bool paragraph_add_what(struct paragraph *line, const struct comparison_side *side,
			const char *before)
{
	const json_t *of_plan = side_of_plan(side);
	const json_t *variables = json_object_get(of_plan, "environment");
	const char *separator = before;

	if (!of_plan)
		return false;
	add_command(line, &separator, "set by",
		    json_string_value(json_object_get(of_plan, "setup")));
	for (size_t i = 0; i < json_array_size(variables); i++) {
		const char *variable = json_string_value(json_array_get(variables, i));

		if (!variable)
			continue;
		paragraph_add(line, "%s%s", separator, i ? "" : "with ");
		add_cut(line, variable);
		separator = ", ";
	}
	add_command(line, &separator, "running", command_of_side(side));
	return separator != before;
}

void paragraph_add_side(struct paragraph *line, const char *letter,
			const struct comparison_side *side)
{
	paragraph_add(line, "%s", letter);
	if (!strcmp(side->name, letter))
		return;
	paragraph_add(line, " ");
	paragraph_add_outside(line, side->name);
}

bool comparison_is_of_one_run(const struct comparison *comparison)
{
	return comparison->design == DESIGN_ABBA;
}

void each_side(const struct comparison *comparison, struct paragraph *line,
	       void (*print)(struct paragraph *line, void *context), void *context)
{
	bool a_is_told, b_is_told;

	paragraph_add_side(line, "A", &comparison->a);
	a_is_told = paragraph_add_what(line, &comparison->a, ": ");
	print(line, context);
	paragraph_add_side(line, "B", &comparison->b);
	b_is_told = paragraph_add_what(line, &comparison->b, ": ");
	if (!a_is_told && !b_is_told && side_of_plan(&comparison->b))
		paragraph_add(line, ": as A, nothing is switched between them");
	print(line, context);
}

void each_difference(const struct comparison *comparison, struct paragraph *line,
		     void (*print)(struct paragraph *line, void *context), void *context)
{
	const json_t *differences = comparison->differences;
	size_t rows, programs = differences_of_programs(differences, &rows);

	for (size_t i = 0; i < json_array_size(differences); i++) {
		const json_t *difference = json_array_get(differences, i);
		const char *path = json_string_value(json_object_get(difference, "path"));

		for (int side = 0; side < 2 && !difference_is_of_program(difference); side++) {
			paragraph_add(line, side ? "+ " : "- ");
			paragraph_add_outside(line, path);
			paragraph_add(line, ": ");
			paragraph_add_json(line, json_object_get(difference, side ? "b" : "a"));
			print(line, context);
		}
	}
	if (!programs)
		return;
	paragraph_add(line, "%zu workload %s built differently", programs,
		      programs == 1 ? "program was" : "programs were");
	print(line, context);
}
