// SPDX-License-Identifier: GPL-2.0-or-later
/* command_path.c - see command_path.h. */
#include "measure/command_path.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define KEY_BYTES   128
#define INDEX_MAX   1000000
#define NESTED_MOST 64 /* steps of a path */
#define KEY_STOP    ".[]+\" "

enum step_kind {
	STEP_END,  /* of the path, or a "+" that begins another */
	STEP_KEY,  /* name, ["name"] */
	STEP_ITEM, /* [3] */
	STEP_ALL,  /* [*] */
	STEP_BAD,
};

struct step {
	enum step_kind kind;
	char key[KEY_BYTES];
	size_t item;
};

/* Bytes at *at up to one of stop, as the step's key. */
static void take_key(const char **at, const char *stop, struct step *step)
{
	size_t length = strcspn(*at, stop);

	step->kind = length && length < sizeof(step->key) ? STEP_KEY : STEP_BAD;
	if (step->kind == STEP_KEY) {
		memcpy(step->key, *at, length);
		step->key[length] = '\0';
		*at += length;
	}
}

static void take_bracket(const char **at, struct step *step)
{
	const char *from = *at + 1;

	step->kind = STEP_BAD;
	if (*from == '*') {
		step->kind = STEP_ALL;
		from++;
	} else if (*from == '"') {
		from++;
		take_key(&from, "\"", step);
		if (*from != '"')
			step->kind = STEP_BAD;
		else
			from++;
	} else if (*from >= '0' && *from <= '9') {
		step->kind = STEP_ITEM;
		for (step->item = 0; *from >= '0' && *from <= '9'; from++) {
			step->item = step->item * 10 + (size_t)(*from - '0');
			if (step->item > INDEX_MAX)
				step->kind = STEP_BAD;
		}
	}
	if (*from != ']')
		step->kind = STEP_BAD;
	else if (step->kind != STEP_BAD)
		*at = from + 1;
}

/* The step at *at, which moves behind it unless it is bad. */
static void take_step(const char **at, bool first, struct step *step)
{
	*step = (struct step){ .kind = STEP_END };
	if (!first && (!**at || **at == '+'))
		return;
	if (**at == '[') {
		take_bracket(at, step);
		return;
	}
	if (!first) {
		if (**at != '.') {
			step->kind = STEP_BAD;
			return;
		}
		(*at)++;
	}
	take_key(at, KEY_STOP, step);
}

int path_check(const char *path, struct error *err)
{
	const char *at = path;
	struct step step = { .kind = STEP_END };

	for (int steps = 0; steps <= NESTED_MOST; steps++) {
		bool first = step.kind == STEP_END;

		take_step(&at, first, &step);
		if (step.kind == STEP_BAD)
			return error_set(err, -EINVAL,
					 "json:%.200s: at \"%.40s\": expected a path as "
					 "\"jobs[0].write.bw_bytes\", \"jobs[*].x\" or \"a.x+b.x\"",
					 path, at);
		if (step.kind == STEP_END && !*at)
			return 0;
		if (step.kind == STEP_END)
			at++;
	}
	return error_set(err, -EINVAL, "json:%.200s: expected at most %d steps", path, NESTED_MOST);
}

/* Where in a path a value was looked for. */
struct search {
	const char *path;
	char *why;
	size_t bytes;
};

static int not_there(const struct search *search, const char *end, const char *what)
{
	int length = end - search->path < 200 ? (int)(end - search->path) : 200;

	snprintf(search->why, search->bytes, "%.*s: %s", length, search->path, what);
	return -ENOMSG;
}

/* Adds what lies from `at` on in value to *sum; *end is where the path stopped. */
static int add_value(const struct search *search, const char *at, bool first, const json_t *value,
		     double *sum, const char **end)
{
	struct step step;

	take_step(&at, first, &step);
	*end = at;
	switch (step.kind) {
	case STEP_END:
		if (!json_is_number(value))
			return not_there(search, at, "expected a number");
		*sum += json_number_value(value);
		return 0;
	case STEP_KEY:
		value = json_object_get(value, step.key);
		if (!value)
			return not_there(search, at, "no such member");
		return add_value(search, at, false, value, sum, end);
	case STEP_ITEM:
		value = json_array_get(value, step.item);
		if (!value)
			return not_there(search, at, "no such element");
		return add_value(search, at, false, value, sum, end);
	case STEP_ALL:
		if (!json_array_size(value))
			return not_there(search, at, "expected an array that is not empty");
		for (size_t i = 0; i < json_array_size(value); i++) {
			int rc = add_value(search, at, false, json_array_get(value, i), sum, end);

			if (rc)
				return rc;
		}
		return 0;
	case STEP_BAD:
		break;
	}
	return not_there(search, at, "expected a path");
}

int path_value(const char *path, const json_t *document, double *value, char *why, size_t bytes)
{
	const struct search search = { path, why, bytes };
	const char *at = path;
	int rc;

	*value = 0;
	do {
		rc = add_value(&search, at, true, document, value, &at);
	} while (!rc && *at++ == '+');
	return rc;
}
