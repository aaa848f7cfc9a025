// SPDX-License-Identifier: GPL-2.0-or-later
/* rm.c - onproc rm: removes runs, and the journals that were left of them. */
#include "cmd/runs.h"
#include "cmd/verbs.h"
#include "measure/ab_note.h"

#include <errno.h>

static int remove_run(struct store *store, const char *name, struct error *err)
{
	char id[RUN_ID_BYTES];
	int rc;

	if (store_resolve(store, name, id, err))
		snprintf(id, sizeof(id), "%.*s", RUN_ID_BYTES - 1, name);
	rc = store_remove(store, name, err);

	/* a killed run is only in its journal; "last" names no journal */
	if (rc == -ENOENT && run_id_is_valid(name)) {
		struct error left = { 0 };
		int removed = journal_remove(store, name, &left);

		if (removed != -ENOENT) {
			*err = left;
			rc = removed;
		}
	}
	/* whoever removes the run knows how the machine is set */
	if (!rc)
		ab_note_forget(store_path(store), id);
	return rc;
}

static enum exit_code rm(const struct verb_call *call)
{
	enum exit_code code = EXIT_OK;
	struct store *store = NULL;
	struct error err = { 0 };

	if (store_open(call->db, &store, &err))
		return verb_failed("rm", &err);
	for (int i = 0; i < call->operands; i++) {
		if (remove_run(store, call->operand[i], &err))
			code = verb_failed("rm", &err);
	}
	store_close(store);
	return code;
}

const struct verb verb_rm = {
	.name = "rm",
	.operands = "RUN...",
	.summary = "remove stored runs",
	.description =
		"Removes each RUN from the database, with what was left of it to resume. RUN "
		"is named as in onproc show.",
	.complete = "run",
	.min_operands = 1,
	.max_operands = -1,
	.run = rm,
};
