// SPDX-License-Identifier: GPL-2.0-or-later
/* selection.c - see selection.h. */
#include "cmd/selection.h"
#include "cmd/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NAME_BYTES 64

void selection_names(bool (*each)(const char *name, void *context), void *context)
{
	char name[NAME_BYTES];

	for (size_t i = 0; workload_table[i]; i++) {
		if (!each(workload_name(workload_table[i], name, sizeof(name)), context))
			return;
	}
	for (const struct preset *preset = presets; preset->workload.id; preset++) {
		if (!each(workload_name(&preset->workload, name, sizeof(name)), context))
			return;
	}
	for (const struct workload_group *group = workload_groups; group->name; group++) {
		if (!each(group->name, context))
			return;
	}
}

struct names {
	char **name;
	size_t count, room;
};

static bool keep_name(const char *name, void *context)
{
	struct names *names = context;

	if (names->count + 1 >= names->room) {
		size_t room = names->room ? names->room * 2 : 128;
		char **grown = realloc(names->name, room * sizeof(*grown));

		if (!grown)
			return false;
		names->name = grown;
		names->room = room;
	}
	names->name[names->count] = strdup(name);
	if (!names->name[names->count])
		return false;
	names->name[++names->count] = NULL;
	return true;
}

static int unknown_test(const char *word, const char *what, bool only_suites, struct error *err)
{
	struct names names = { 0 };
	const char *nearest = NULL;

	if (only_suites) {
		for (const struct workload_group *group = workload_groups; group->name; group++) {
			if (group->is_suite && !keep_name(group->name, &names))
				break;
		}
	} else {
		selection_names(keep_name, &names);
	}
	if (names.count)
		nearest = near_name(word, (const char *const *)names.name);
	if (nearest)
		error_set(err, -EINVAL, "%s: unknown %s; did you mean %s?", word, what, nearest);
	else
		error_set(err, -EINVAL, "%s: unknown %s; onproc bench --list shows all", word,
			  what);
	for (size_t i = 0; i < names.count; i++)
		free(names.name[i]);
	free(names.name);
	return -EINVAL;
}

static int add(struct selection *selection, const struct workload *workload, bool by_name,
	       struct error *err)
{
	struct chosen *grown;

	for (size_t i = 0; i < selection->count; i++) {
		if (selection->tests[i].workload == workload) {
			selection->tests[i].by_name |= by_name;
			return 0;
		}
	}
	grown = realloc(selection->tests, (selection->count + 1) * sizeof(*grown));
	if (!grown)
		return error_set(err, -ENOMEM, "no memory for the list of tests");
	selection->tests = grown;
	selection->tests[selection->count++] = (struct chosen){ workload, by_name };
	return 0;
}

static int add_group(struct selection *selection, const struct workload_group *group,
		     struct error *err)
{
	for (size_t i = 0; group->tests[i]; i++) {
		const struct workload *workload = workload_find(group->tests[i]);
		int rc;

		if (!workload)
			return error_set(err, -ENOENT, "%s: its test %s is not in this onproc",
					 group->name, group->tests[i]);
		rc = add(selection, workload, false, err);
		if (rc)
			return rc;
	}
	return 0;
}

static int add_name(struct selection *selection, const char *name, struct error *err)
{
	const struct workload_group *group = workload_group_find(name);
	const struct workload *workload = group ? NULL : workload_find(name);
	const struct preset *preset = preset_find(name);

	if (preset && selection->preset && selection->preset != preset)
		return error_set(err, -EINVAL, "%s: a run measures one command at most", name);
	if (preset) {
		selection->preset = preset;
		return 0;
	}
	if (group)
		return add_group(selection, group, err);
	if (workload)
		return add(selection, workload, true, err);
	return unknown_test(name, "test", false, err);
}

/* The first name of the suite's list of tests: "index" is unixbench6. */
static const char *first_name(const struct workload_group *suite)
{
	for (const struct workload_group *group = workload_groups; group->name; group++) {
		if (group->is_suite && group->tests == suite->tests)
			return group->name;
	}
	return suite->name;
}

static bool has_index_test(const struct workload_group *suite, const struct selection *selection)
{
	for (size_t i = 0; suite->tests[i]; i++) {
		const struct workload *member = workload_find(suite->tests[i]);

		for (size_t j = 0; member && j < selection->count; j++) {
			if (selection->tests[j].workload == member && member->baseline > 0)
				return true;
		}
	}
	return false;
}

static const char *suite_of(char *const *names, int count, const struct selection *selection)
{
	for (int i = 0; i < count; i++) {
		const struct workload_group *group = workload_group_find(names[i]);

		if (group && group->is_suite)
			return first_name(group);
	}
	for (const struct workload_group *group = workload_groups; group->name; group++) {
		if (group->is_suite && has_index_test(group, selection))
			return group->name;
	}
	return NULL;
}

int selection_make(char *const *names, int count, const char *suite, struct selection *selection,
		   struct error *err)
{
	const struct workload_group *group = workload_group_find(suite ? suite : DEFAULT_SUITE);
	int rc = 0;

	*selection = (struct selection){ 0 };
	if (!group || !group->is_suite)
		return unknown_test(suite ? suite : DEFAULT_SUITE, "suite", true, err);
	if (!count)
		rc = add_group(selection, group, err);
	for (int i = 0; !rc && i < count; i++)
		rc = add_name(selection, names[i], err);
	if (rc)
		return rc;
	if (suite || !count)
		selection->suite = first_name(group);
	else
		selection->suite = suite_of(names, count, selection);
	return 0;
}

void selection_free(struct selection *selection)
{
	free(selection->tests);
	*selection = (struct selection){ 0 };
}
