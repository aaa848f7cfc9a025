// SPDX-License-Identifier: GPL-2.0-or-later
/* import.c - onproc import: runs from files into the database. */
#include "store/import.h"
#include "cmd/output.h"
#include "cmd/runs.h"
#include "cmd/verbs.h"

#include <errno.h>
#include <string.h>

/* A run of this id that is stored already: the same again is fine, another one is kept. */
static int check_known(struct store *store, const struct run *run, struct error *err)
{
	json_t *was = NULL, *is = NULL;
	struct run known;
	char id[RUN_ID_BYTES];
	int rc;

	if (store_resolve(store, run->id, id, NULL) || strcmp(id, run->id) != 0)
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

static int keep_run(struct store *store, struct run *run, struct error *err)
{
	int rc;

	if (run_summarise(run))
		return error_set(err, -ENOMEM, "no memory to summarise run %s", run->id);
	rc = check_known(store, run, err);
	if (!rc)
		rc = store_save(store, run, err);
	if (!rc)
		puts(run->id);
	return rc;
}

/* What of the file was not sound, or had to be guessed. */
static void say_warnings(const char *path, const struct run *run)
{
	for (size_t i = 0; i < json_array_size(run->warnings); i++) {
		const char *text = json_string_value(json_array_get(run->warnings, i));

		if (text && !strncmp(text, IMPORT_WARNING, strlen(IMPORT_WARNING)))
			verb_note("import", "%s: run %s: %s", path, run->id,
				  text + strlen(IMPORT_WARNING));
	}
}

/* A file may hold several runs; what can be kept of it is. */
static enum exit_code keep_file(struct store *store, const char *path)
{
	enum exit_code code = EXIT_OK;
	struct run *runs = NULL;
	struct error err = { 0 };
	size_t count = 0;

	if (import_file(path, &runs, &count, &err))
		return verb_failed("import", &err);
	for (size_t i = 0; i < count; i++) {
		if (keep_run(store, &runs[i], &err)) {
			error_context(&err, "%s", path);
			code = verb_failed("import", &err);
		} else {
			say_warnings(path, &runs[i]);
		}
	}
	import_free(runs, count);
	return code;
}

static enum exit_code import(const struct verb_call *call)
{
	enum exit_code code = EXIT_OK;
	struct store *store = NULL;
	struct error err = { 0 };

	if (store_open(call->db, &store, &err))
		return verb_failed("import", &err);
	for (int i = 0; i < call->operands; i++) {
		enum exit_code kept = keep_file(store, call->operand[i]);

		code = kept ? kept : code;
	}
	store_close(store);
	if (output_finish(&err))
		code = verb_failed("import", &err);
	return code;
}

const struct verb verb_import = {
	.name = "import",
	.operands = "FILE...",
	.summary = "store runs from files",
	.description =
		"Reads each FILE (- is standard input), checks all of it, stores its runs and "
		"prints their ids. Its content says what a file is: a run that onproc export "
		"wrote; "
		"a report of UnixBench 3 to 6 as text, on a console or in a mail, its HTML, CSV or "
		".log; JSON of fio, hyperfine or Google Benchmark; text of hackbench or perf "
		"bench; "
		"a table of UnixBench results in a mail, each column a run.\n\n"
		"Of another tool's file all that is sound is imported; what is not, and what had "
		"to "
		"be guessed, is said on stderr with its line and kept as a warning of the run. A "
		"document of onproc is read whole or not at all. The other files are read all the "
		"same. A stored run is never replaced by a different one of the same id.",
	.examples = "onproc import run1.json run2.json\tprints two ids, one a line\n"
		    "onproc import mail.txt\tone run for each column of the table in it",
	.complete = "file",
	.min_operands = 1,
	.max_operands = -1,
	.run = import,
};
