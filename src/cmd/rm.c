// SPDX-License-Identifier: GPL-2.0-or-later
/* rm.c - onproc rm: removes runs, and the journals that were left of them. */
#include "cmd/runs.h"
#include "cmd/verbs.h"

#include <errno.h>

/* -ENOENT when no journal was left. */
static int remove_journal(const struct store *store, const char *name, struct error *err)
{
	struct journal *journal = NULL;
	char id[RUN_ID_BYTES];
	struct run run;
	int rc;

	run_init(&run);
	rc = runs_find_orphan(store, name, id, err);
	if (!rc)
		rc = journal_reopen(store, id, &run, &journal, err);
	if (!rc)
		rc = journal_finish(journal, err);
	run_free(&run);
	return rc;
}

static int remove_run(struct store *store, const char *name, struct error *err)
{
	char id[RUN_ID_BYTES];
	int rc, left;

	rc = store_resolve(store, name, id, err);
	if (rc == -ENOENT) {
		/* a killed run is only in its journal */
		struct error none = { 0 };

		left = remove_journal(store, name, &none);
		if (left && left != -ENOENT)
			*err = none;
		return left == -ENOENT ? rc : left;
	}
	if (!rc)
		rc = store_remove(store, id, err);
	if (!rc) {
		left = remove_journal(store, id, err);
		rc = left == -ENOENT ? 0 : left;
	}
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
