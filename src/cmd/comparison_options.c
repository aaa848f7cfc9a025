// SPDX-License-Identifier: GPL-2.0-or-later
/* comparison_options.c - see comparison_options.h. */
#include "cmd/comparison_options.h"

#include "cmd/runs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int add_run(struct store *store, const char *name, struct operand_runs *loaded,
		   struct error *err)
{
	struct run *grown = reallocarray(loaded->runs, loaded->count + 1, sizeof(*grown));
	int rc;

	if (!grown)
		return error_set(err, -ENOMEM, "no memory for runs");
	loaded->runs = grown;
	rc = runs_load_rates(store, name, &grown[loaded->count], err);
	loaded->count++;
	for (size_t i = 0; !rc && i + 1 < loaded->count; i++) {
		if (!strcmp(loaded->runs[i].id, loaded->runs[loaded->count - 1].id))
			rc = error_set(err, -EINVAL, "%s: run %s is in the list already", name,
				       loaded->runs[i].id);
	}
	return rc;
}

/* All runs of a tag. *tagged 0: it is none. */
static int add_tagged(struct store *store, const char *name, struct operand_runs *loaded,
		      size_t *tagged, struct error *err)
{
	char(*ids)[RUN_ID_BYTES] = NULL;
	int rc = store_tagged(store, name, &ids, tagged, err);

	for (size_t i = 0; !rc && i < *tagged; i++)
		rc = add_run(store, ids[i], loaded, err);
	free(ids);
	return rc;
}

static int add_list(struct store *store, const char *typed, struct operand_runs *loaded,
		    struct error *err)
{
	char *copy = strdup(typed), *rest = copy, *name;
	int rc = copy ? 0 : error_set(err, -ENOMEM, "no memory for runs");

	while (!rc && (name = strsep(&rest, ","))) {
		size_t tagged = 0;

		rc = add_tagged(store, name, loaded, &tagged, err);
		if (!rc && !tagged)
			rc = add_run(store, name, loaded, err);
	}
	free(copy);
	return rc;
}

/* Bytes before the side of "RUN:A"; *side NULL: there is none. No id and no tag has a colon. */
static int split_side(const char *typed, size_t *bytes, const char **side, struct error *err)
{
	static const char *const letters[] = { "A", "B" };
	const char *colon = strrchr(typed, ':');

	*side = NULL;
	*bytes = colon ? (size_t)(colon - typed) : strlen(typed);
	for (size_t i = 0; colon && i < 2; i++) {
		if (!strcmp(colon + 1, letters[i]))
			*side = letters[i];
	}
	if (!colon || (*side && *bytes))
		return 0;
	return error_set(err, -EINVAL, "%s: expected a run, or one side of it as RUN:A or RUN:B",
			 typed);
}

int operand_check(const char *typed, struct error *err)
{
	const char *side;
	size_t bytes;

	return split_side(typed, &bytes, &side, err);
}

int operand_load(struct store *store, const char *typed, bool several, struct operand_runs *loaded,
		 struct error *err)
{
	char(*ids)[RUN_ID_BYTES] = NULL;
	size_t tagged = 0, bytes;
	int rc;

	*loaded = (struct operand_runs){ 0 };
	rc = split_side(typed, &bytes, &loaded->side, err);
	if (rc)
		return rc;
	loaded->typed = strndup(typed, bytes);
	if (!loaded->typed)
		return error_set(err, -ENOMEM, "no memory for runs");
	rc = store_tagged(store, loaded->typed, &ids, &tagged, err);
	free(ids);
	if (rc)
		return rc;
	if (tagged)
		loaded->name = loaded->typed;
	rc = several ? add_list(store, loaded->typed, loaded, err)
		     : add_run(store, loaded->typed, loaded, err);
	if (rc)
		return rc;
	loaded->list = calloc(loaded->count + 1, sizeof(const struct run *));
	if (!loaded->list)
		return error_set(err, -ENOMEM, "no memory for runs");
	for (size_t i = 0; i < loaded->count; i++)
		loaded->list[i] = &loaded->runs[i];
	return 0;
}

void operand_free(struct operand_runs *loaded)
{
	for (size_t i = 0; i < loaded->count; i++)
		run_free(&loaded->runs[i]);
	free(loaded->runs);
	free(loaded->list);
	free(loaded->typed);
	*loaded = (struct operand_runs){ 0 };
}

const char **comparison_tests(const struct comparison_options *typed)
{
	const char **tests = calloc(typed->tests.count + 1, sizeof(*tests));

	for (size_t i = 0; tests && i < typed->tests.count; i++)
		tests[i] = typed->tests.values[i];
	return tests;
}
