// SPDX-License-Identifier: GPL-2.0-or-later
/* runs.c - see runs.h. */
#include "cmd/runs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int runs_load(struct store *store, const char *name, struct run *run, struct error *err)
{
	char id[RUN_ID_BYTES];
	int rc;

	run_init(run);
	rc = store_resolve(store, name, id, err);
	if (!rc)
		rc = store_load(store, id, run, err);
	if (!rc && run_summarise(run))
		rc = error_set(err, -ENOMEM, "run %s: no memory", id);
	return rc;
}

void runs_mention_orphans(const char *verb, const struct store *store)
{
	char(*ids)[RUN_ID_BYTES] = NULL;
	size_t count = 0;

	/* a notice: what is wrong with the journals shows when one of them is used */
	if (!journal_orphans(store, &ids, &count, NULL)) {
		for (size_t i = 0; i < count; i++)
			verb_note(verb, "run %s was cut off; onproc resume %s goes on with it",
				  ids[i], ids[i]);
	}
	free(ids);
}

int runs_find_orphan(const struct store *store, const char *name, char id[RUN_ID_BYTES],
		     struct error *err)
{
	char(*ids)[RUN_ID_BYTES] = NULL;
	size_t count = 0, hits = 0;
	int rc;

	rc = journal_orphans(store, &ids, &count, err);
	for (size_t i = 0; !rc && i < count; i++) {
		if (name && strncmp(ids[i], name, strlen(name)))
			continue;
		if (!hits++ || (name && !strcmp(ids[i], name)))
			memcpy(id, ids[i], RUN_ID_BYTES);
	}
	free(ids);
	if (rc)
		return rc;
	if (!hits && name)
		return error_set(err, -ENOENT, "%s: no run of this name was cut off", name);
	if (!hits)
		return error_set(err, -ENOENT, "no run was cut off: there is nothing to resume");
	if (hits > 1 && name && strcmp(id, name))
		return error_set(err, -ENOTUNIQ, "%s: %zu runs that were cut off begin so", name,
				 hits);
	return 0;
}
