// SPDX-License-Identifier: GPL-2.0-or-later
/* export.c - onproc export: a run as a document, to stdout or a file. */
#include "cmd/output.h"
#include "cmd/runs.h"
#include "cmd/verbs.h"

#include <errno.h>

struct export_options {
	bool json, csv;
	const char *output;
};

static const struct option options[] = {
	{ .name = "json",
	  .kind = OPTION_FLAG,
	  .help = "everything, as onproc import reads it; this is the default",
	  .offset = offsetof(struct export_options, json) },
	{ .name = "csv",
	  .kind = OPTION_FLAG,
	  .help = "a line for each slot",
	  .offset = offsetof(struct export_options, csv) },
	{ .name = "output",
	  .kind = OPTION_STRING,
	  .argument = "FILE",
	  .help = "write to a file, which appears once it is whole",
	  .fallback = "standard output",
	  .complete = "file",
	  .offset = offsetof(struct export_options, output) },
	{ .name = NULL },
};

static enum exit_code export(const struct verb_call *call) {
	const struct export_options *typed = call->values;
	output_form form = output_form_find(typed->csv ? "csv" : "json");
	struct store *store = NULL; struct run run; struct error err = { 0 }; int rc;

	if (typed->json &&
	    typed->csv){ error_set(&err, -EINVAL, "--json and --csv: give one of them");
			 return usage_failed("export", &err); }
run_init(&run);
rc = store_open_existing(call->db, &store, &err);
if (!rc)
	rc = runs_load(store, call->operand[0], &run, &err);
if (!rc)
	rc = output_file(typed->output ? typed->output : "-", &run, form, &err);
run_free(&run);
if (store)
	store_close(store);
return rc ? verb_failed("export", &err) : EXIT_OK;
}

const struct verb verb_export = {
	.name = "export",
	.operands = "RUN",
	.summary = "write a stored run as JSON or CSV",
	.description = "Writes a run with all its slots: as JSON, which onproc import reads on "
		       "another machine, or as CSV with a line for each slot. RUN is named as in "
		       "onproc show.",
	.examples = "onproc export last --output run.json\tto a file, whole or not at all",
	.complete = "run",
	.min_operands = 1,
	.max_operands = 1,
	.options = options,
	.values_bytes = sizeof(struct export_options),
	.run = export,
};
