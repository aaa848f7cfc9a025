// SPDX-License-Identifier: GPL-2.0-or-later
/* ab_sides.c - see ab_sides.h. How a machine is switched between them is in ab_switch.c. */
#include "measure/ab_sides.h"

#include "measure/plan_member.h"
#include "measure/utf8.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_BYTES 60

const char *const side_letters[2] = { "A", "B" };

static int no_memory(struct error *err)
{
	return error_set(err, -ENOMEM, "no memory for the sides");
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

int side_parse(const char *text, struct side *side, struct error *err)
{
	const char *colon = strchr(text, ':');
	size_t length = colon ? (size_t)(colon - text) : strlen(text);
	const char *setup = colon ? colon + 1 : "";

	setup += strspn(setup, " \t\n");
	while (length && (text[length - 1] == ' ' || text[length - 1] == '\t'))
		length--;
	if (!length || length > NAME_BYTES || !text_is_utf8(text))
		return error_set(err, -EINVAL,
				 "\"%.200s\": expected \"NAME: SETUP\" or \"NAME\", with a name of "
				 "1 to %d bytes of UTF-8",
				 text, NAME_BYTES);
	free(side->name);
	free(side->setup);
	side->name = strndup(text, length);
	side->setup = *setup ? strdup(setup) : NULL;
	return side->name && (side->setup || !*setup) ? 0 : no_memory(err);
}

static bool has_all(const struct variables *variables, const struct variables *of)
{
	for (size_t i = 0; i < of->count; i++) {
		bool found = false;

		for (size_t j = 0; j < variables->count && !found; j++)
			found = !strcmp(of->entry[i], variables->entry[j]);
		if (!found)
			return false;
	}
	return true;
}

bool sides_are_equal(const struct sides *sides)
{
	const struct side *a = &sides->side[SIDE_A], *b = &sides->side[SIDE_B];

	return same_text(a->setup, b->setup) && has_all(&a->variables, &b->variables) &&
	       has_all(&b->variables, &a->variables);
}

const char *sides_restore(const struct sides *sides)
{
	return sides->restore ? sides->restore : sides->side[SIDE_A].setup;
}

static json_t *side_to_json(const struct side *side)
{
	json_t *environment = json_array();

	for (size_t i = 0; environment && i < side->variables.count; i++) {
		if (json_array_append_new(environment, json_string(side->variables.entry[i]))) {
			json_decref(environment);
			environment = NULL;
		}
	}
	return json_pack("{s:s?, s:s?, s:o}", "name", side->name, "setup", side->setup,
			 "environment", environment);
}

json_t *sides_to_json(const struct sides *sides)
{
	return json_pack(
		"{s:o, s:o, s:s?, s:s?, s:o, s:f, s:f}", "A", side_to_json(&sides->side[SIDE_A]),
		"B", side_to_json(&sides->side[SIDE_B]), "check", sides->check, "restore",
		sides->restore, "blocks", sides->blocks ? json_integer(sides->blocks) : json_null(),
		"margin", sides->margin, "alpha", sides->alpha);
}

static int get_side(const json_t *object, const char *letter, struct side *side, struct error *err)
{
	const json_t *value = json_object_get(object, letter), *environment, *entry;
	struct place place;
	size_t i;
	int rc;

	snprintf(place.text, sizeof(place.text), "plan.sides.%s", letter);
	if (!json_is_object(value))
		return error_set(err, -EINVAL, "%s: expected an object", place.text);
	rc = plan_get_text(value, &place, "name", &side->name, err);
	if (!rc)
		rc = plan_get_text(value, &place, "setup", &side->setup, err);
	environment = json_object_get(value, "environment");
	if (!rc && !json_is_array(environment))
		rc = plan_expected(&place, "environment", "an array", err);
	if (rc)
		return rc;
	json_array_foreach(environment, i, entry)
	{
		if (!json_is_string(entry) || !variable_is_assignment(json_string_value(entry)) ||
		    variable_is_own(json_string_value(entry)))
			return plan_expected(&place, "environment",
					     "texts NAME=VALUE, none of them onproc's own", err);
		if (variables_put(&side->variables, json_string_value(entry)))
			return no_memory(err);
	}
	return 0;
}

static int get_share(const json_t *object, const struct place *place, const char *member,
		     double *share, struct error *err)
{
	const json_t *value = json_object_get(object, member);

	*share = json_number_value(value);
	if (json_is_number(value) && *share > 0 && *share < 1)
		return 0;
	return plan_expected(place, member, "a share between 0 and 1", err);
}

static int get_blocks(const json_t *object, const struct place *place, uint32_t *blocks,
		      struct error *err)
{
	if (json_is_null(json_object_get(object, "blocks")))
		return 0;
	return plan_get_count32(object, place, "blocks", 1, AB_BLOCKS_MAX, blocks, err);
}

int sides_from_json(const json_t *object, struct sides **read, struct error *err)
{
	static const struct place place = { "plan.sides" };
	struct sides *sides;
	int rc = 0;

	*read = NULL;
	if (!json_is_object(object))
		return error_set(err, -EINVAL, "%s: expected an object", place.text);
	sides = calloc(1, sizeof(*sides));
	if (!sides)
		return no_memory(err);
	for (int i = 0; i < 2 && !rc; i++)
		rc = get_side(object, side_letters[i], &sides->side[i], err);
	if (!rc)
		rc = plan_get_text(object, &place, "check", &sides->check, err);
	if (!rc)
		rc = plan_get_text(object, &place, "restore", &sides->restore, err);
	if (!rc)
		rc = get_blocks(object, &place, &sides->blocks, err);
	if (!rc)
		rc = get_share(object, &place, "margin", &sides->margin, err);
	if (!rc)
		rc = get_share(object, &place, "alpha", &sides->alpha, err);
	if (rc) {
		sides_free(sides);
		return rc;
	}
	*read = sides;
	return 0;
}

void sides_free(struct sides *sides)
{
	if (!sides)
		return;
	for (int i = 0; i < 2; i++) {
		free(sides->side[i].name);
		free(sides->side[i].setup);
		variables_free(&sides->side[i].variables);
	}
	free(sides->check);
	free(sides->restore);
	free(sides);
}
