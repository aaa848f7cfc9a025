// SPDX-License-Identifier: GPL-2.0-or-later
/* rm.c - onproc rm: removes runs, and the journals that were left of them. */
#include "cmd/runs.h"
#include "cmd/verbs.h"
#include "measure/ab_note.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef char run_id[RUN_ID_BYTES];

/*
 * What a name means before anything is removed: after that "last" is another run. A name that is in
 * no database stays as it is: a killed run is only in its journal.
 */
static int name_resolve(struct store *store, const char *name, run_id id, struct error *err)
{
	int rc = store_resolve(store, name, id, err);

	if (rc != -ENOENT || !run_id_is_valid(name))
		return rc;
	snprintf(id, RUN_ID_BYTES, "%s", name);
	return 0;
}

static bool is_among(const run_id *ids, size_t count, const run_id id)
{
	for (size_t i = 0; i < count; i++) {
		if (!strcmp(ids[i], id))
			return true;
	}
	return false;
}

static int remove_run(struct store *store, const char *id, struct error *err)
{
	int rc = store_remove(store, id, err);

	if (rc == -ENOENT) {
		struct error left = { 0 };
		int removed = journal_remove(store, id, &left);

		if (removed != -ENOENT) {
			*err = left;
			rc = removed;
		}
	}
	/* Whoever removes the run knows how the machine is set; its note may be all that is left.
	 */
	if (!rc || rc == -ENOENT)
		rc = ab_note_forget(store_path(store), id) ? 0 : rc;
	return rc;
}

static enum exit_code rm(const struct verb_call *call)
{
	run_id *ids = calloc((size_t)call->operands, sizeof(*ids));
	enum exit_code code = EXIT_OK;
	struct store *store = NULL;
	struct error err = { 0 };
	size_t count = 0;

	if (!ids) {
		error_set(&err, -ENOMEM, "no memory for the names");
		return verb_failed("rm", &err);
	}
	if (store_open_existing(call->db, &store, &err)) {
		free(ids);
		return verb_failed("rm", &err);
	}
	for (int i = 0; i < call->operands; i++) {
		if (name_resolve(store, call->operand[i], ids[count], &err))
			code = verb_failed("rm", &err);
		else if (!is_among(ids, count, ids[count]))
			count++;
	}
	for (size_t i = 0; i < count; i++) {
		if (remove_run(store, ids[i], &err))
			code = verb_failed("rm", &err);
	}
	free(ids);
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
