// SPDX-License-Identifier: GPL-2.0-or-later
/* import.c - onproc import: documents that export wrote, into the database. */
#include "cmd/output.h"
#include "cmd/runs.h"
#include "cmd/verbs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Reads one document; "-" is standard input. The text names the file. */
static int read_document(const char *path, json_t **document, struct error *err)
{
	bool is_stdin = !strcmp(path, "-");
	FILE *file = is_stdin ? stdin : fopen(path, "re");
	json_error_t where = { 0 };

	if (!file)
		return error_errno(err, -errno, "%s: opening it", path);
	errno = 0;
	*document = json_loadf(file, JSON_REJECT_DUPLICATES, &where);
	if (!*document && ferror(file))
		error_errno(err, errno ? -errno : -EIO, "%s: reading it", path);
	else if (!*document)
		error_set(err, -EINVAL, "%s:%d:%d: expected a JSON document: %s", path, where.line,
			  where.column, where.text);
	if (!is_stdin)
		fclose(file);
	return *document ? 0 : err->code;
}

/* A run of this id that is stored already: the same again is fine, another one is kept. */
static int check_known(struct store *store, const struct run *run, struct error *err)
{
	json_t *was = NULL, *is = NULL;
	struct run known;
	char id[RUN_ID_BYTES];
	int rc;

	if (store_resolve(store, run->id, id, NULL) || strcmp(id, run->id))
		return 0;
	rc = runs_load(store, id, &known, err);
	if (!rc) {
		was = run_to_json(&known, true);
		is = run_to_json(run, true);
		if (!was || !is)
			rc = error_set(err, -ENOMEM, "no memory to compare run %s", id);
		else if (!json_equal(was, is))
			rc = error_set(
				err, -EEXIST,
				"another run %s is stored already; onproc rm %s would remove it",
				id, id);
	}
	json_decref(was);
	json_decref(is);
	run_free(&known);
	return rc;
}

static int import_file(struct store *store, const char *path, struct error *err)
{
	json_t *document = NULL;
	struct run run;
	int rc;

	run_init(&run);
	rc = read_document(path, &document, err);
	if (rc)
		goto out;
	rc = run_from_json(document, &run, err);
	if (!rc && run_summarise(&run))
		rc = error_set(err, -ENOMEM, "no memory to summarise the run");
	if (!rc)
		rc = check_known(store, &run, err);
	if (!rc)
		rc = store_save(store, &run, err);
	if (rc) {
		error_context(err, "%s", path);
		goto out;
	}
	puts(run.id);
out:
	json_decref(document);
	run_free(&run);
	return rc;
}

static enum exit_code import(const struct verb_call *call)
{
	enum exit_code code = EXIT_OK;
	struct store *store = NULL;
	struct error err = { 0 };

	if (store_open(call->db, &store, &err))
		return verb_failed("import", &err);
	for (int i = 0; i < call->operands; i++) {
		if (import_file(store, call->operand[i], &err))
			code = verb_failed("import", &err);
	}
	store_close(store);
	if (output_finish(&err))
		code = verb_failed("import", &err);
	return code;
}

const struct verb verb_import = {
	.name = "import",
	.operands = "FILE...",
	.summary = "store runs from files that onproc export wrote",
	.description =
		"Reads each FILE (- is standard input), checks all of it, stores the run and "
		"prints its id. What is wrong with a file is said with the place in it, and "
		"the other files are read all the same. A stored run is never replaced by a "
		"different one of the same id.",
	.examples = "onproc import run1.json run2.json\tprints two ids, one a line",
	.complete = "file",
	.min_operands = 1,
	.max_operands = -1,
	.run = import,
};
