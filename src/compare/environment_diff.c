// SPDX-License-Identifier: GPL-2.0-or-later
/* environment_diff.c - see environment_diff.h. */
#include "compare/environment_diff.h"

#include "compare/comparison_private.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define PATH_BYTES   256
#define DEPTH_MAX    8 /* of objects in an environment; a deeper one is compared as a whole */
#define REASON_END   "_reason"
#define REASON_BYTES (sizeof(REASON_END) - 1)
#define PROGRAMS     "programs."

/* Paths that differ between any two runs. */
static const char *const always_different[] = {
	"boot_id",  "uptime_s",	     "load_average", "cgroup_path", "filesystem.free_bytes",
	"imported", "report_header", NULL,
};

/* Members of a plan that change what a slot is. */
static const char *const plan_members[] = { "slot_ns", "warmup_ns", "classic", "pin", "dir", NULL };

static bool is_left_out(const char *path)
{
	size_t length = strlen(path);

	if (length > REASON_BYTES && !strcmp(path + length - REASON_BYTES, REASON_END))
		return true;
	for (size_t i = 0; always_different[i]; i++) {
		if (!strcmp(path, always_different[i]))
			return true;
	}
	return false;
}

static json_t *known(json_t *value)
{
	return value ? value : json_null();
}

static int add(json_t *differences, const char *path, json_t *a, json_t *b)
{
	return json_array_append_new(differences, json_pack("{s:s, s:O, s:O}", "path", path, "a",
							    known(a), "b", known(b)))
		       ? -ENOMEM
		       : 0;
}

static bool is_null(const json_t *value)
{
	return !value || json_is_null(value);
}

static int compare_values(json_t *differences, const char *path, json_t *a, json_t *b, int depth);

static int compare_member(json_t *differences, const char *path, const char *name, json_t *a,
			  json_t *b, int depth)
{
	char below[PATH_BYTES];

	if (snprintf(below, sizeof(below), "%s%s%s", path, *path ? "." : "", name) >=
	    (int)sizeof(below))
		return 0;
	return compare_values(differences, below, a, b, depth);
}

/* Members of either object: those of a in its order, then those of b alone. */
static int compare_objects(json_t *differences, const char *path, json_t *a, json_t *b, int depth)
{
	const char *name;
	json_t *value;
	int rc = 0;

	json_object_foreach(a, name, value)
	{
		if (!rc)
			rc = compare_member(differences, path, name, value,
					    json_object_get(b, name), depth);
	}
	json_object_foreach(b, name, value)
	{
		if (!rc && !json_object_get(a, name))
			rc = compare_member(differences, path, name, NULL, value, depth);
	}
	return rc;
}

static int compare_values(json_t *differences, const char *path, json_t *a, json_t *b, int depth)
{
	if (is_left_out(path) || (is_null(a) && is_null(b)) || json_equal(a, b))
		return 0;
	if (depth < DEPTH_MAX && json_is_object(a) && json_is_object(b))
		return compare_objects(differences, path, a, b, depth + 1);
	return add(differences, path, a, b);
}

static int compare_texts(json_t *differences, const char *path, const char *a, const char *b)
{
	json_t *a_text = a ? json_string(a) : NULL, *b_text = b ? json_string(b) : NULL;
	int rc = compare_values(differences, path, a_text, b_text, 0);

	json_decref(a_text);
	json_decref(b_text);
	return rc;
}

json_t *environment_differences(const struct run *a, const struct run *b)
{
	json_t *differences = json_array();
	int rc = differences ? 0 : -ENOMEM;

	rc = rc ? rc : compare_texts(differences, "tool", a->tool, b->tool);
	if (a->environment && b->environment)
		rc = rc ? rc : compare_objects(differences, "", a->environment, b->environment, 0);
	for (size_t i = 0; !rc && a->plan && b->plan && plan_members[i]; i++)
		rc = compare_member(differences, "plan", plan_members[i],
				    json_object_get(a->plan, plan_members[i]),
				    json_object_get(b->plan, plan_members[i]), 0);
	if (!rc)
		return differences;
	json_decref(differences);
	return NULL;
}

/* "onproc-work-ipc.sha256" of "programs.onproc-work-ipc.sha256"; NULL: of no program. */
static const char *program_of(const json_t *difference)
{
	const char *path = json_string_value(json_object_get(difference, "path"));

	if (!path || strncmp(path, PROGRAMS, strlen(PROGRAMS)) != 0)
		return NULL;
	return path + strlen(PROGRAMS);
}

bool difference_is_of_program(const json_t *difference)
{
	return program_of(difference);
}

static bool are_of_one(const char *a, const char *b)
{
	size_t length = strcspn(a, ".");

	return length == strcspn(b, ".") && !strncmp(a, b, length);
}

size_t differences_of_programs(const json_t *differences, size_t *rows)
{
	const char *before = NULL;
	size_t programs = 0;

	*rows = 0;
	for (size_t i = 0; i < json_array_size(differences); i++) {
		const char *program = program_of(json_array_get(differences, i));

		if (!program)
			continue;
		/* those of one program stand together */
		programs += !before || !are_of_one(before, program);
		before = program;
		++*rows;
	}
	return programs;
}

int environments_compare(struct comparison *comparison, const struct run *a, const struct run *b,
			 struct error *err)
{
	json_t *differences = environment_differences(a, b);
	size_t count, rows;
	int rc = 0;

	if (!differences)
		return comparison_no_memory(err);
	json_decref(comparison->differences);
	comparison->differences = differences;
	/* all programs are one member of the environment */
	count = differences_of_programs(differences, &rows) > 0;
	count += json_array_size(differences) - rows;
	if (!a->environment || !b->environment)
		rc = comparison_warn(comparison, "the environment of %s is not known",
				     a->environment   ? "B"
				     : b->environment ? "A"
						      : "both sides");
	if (!rc && count)
		rc = comparison_warn(comparison, "%zu %s of the environment %s between A and B",
				     count, count == 1 ? "member" : "members",
				     count == 1 ? "differs" : "differ");
	return rc ? comparison_no_memory(err) : 0;
}
