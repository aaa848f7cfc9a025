// SPDX-License-Identifier: GPL-2.0-or-later
/* runs.c - see runs.h. */
#include "cmd/runs.h"

#include <errno.h>
#include <stdlib.h>

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

int runs_load_rates(struct store *store, const char *name, struct run *run, struct error *err)
{
	run_init(run);
	return store_load_rates(store, name, run, err);
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
