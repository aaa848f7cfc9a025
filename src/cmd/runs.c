// SPDX-License-Identifier: GPL-2.0-or-later
/* runs.c - see runs.h. */
#include "cmd/runs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A killed run is in no database, but it is not lost. */
static int say_cut_off(const struct store *store, const char *name, struct error *err)
{
	char(*ids)[RUN_ID_BYTES] = NULL;
	size_t count = 0, length = strlen(name);

	if (!journal_orphans(store, &ids, &count, NULL)) {
		for (size_t i = 0; i < count; i++) {
			if (strncmp(ids[i], name, length) != 0)
				continue;
			error_set(err, -ENOENT,
				  "run %s was cut off; onproc resume %s goes on with it", ids[i],
				  ids[i]);
			break;
		}
	}
	free(ids);
	return -ENOENT;
}

int runs_load(struct store *store, const char *name, struct run *run, struct error *err)
{
	char id[RUN_ID_BYTES];
	int rc;

	run_init(run);
	rc = store_resolve(store, name, id, err);
	if (rc == -ENOENT)
		rc = say_cut_off(store, name, err);
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
