// SPDX-License-Identifier: GPL-2.0-or-later
/* export.c - onproc export: a run as a document, to stdout or a file. */
#include "cmd/output.h"
#include "cmd/runs.h"
#include "cmd/verbs.h"

#include <errno.h>

struct export_options {
	bool json, csv, unixbench;
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
	{ .name = "unixbench",
	  .kind = OPTION_FLAG,
	  .help = "a report in the shape of UnixBench 6",
	  .offset = offsetof(struct export_options, unixbench) },
	OUTPUT_FILE_ROW(offsetof(struct export_options, output)),
	{ .name = NULL },
};

/* NULL: more than one was asked for. */
static output_form form_of(const struct export_options *typed)
{
	if (typed->json + typed->csv + typed->unixbench > 1)
		return NULL;
	return output_form_find(typed->csv ? "csv" : typed->unixbench ? "unixbench" : "json");
}

static enum exit_code export_run(const struct verb_call *call)
{
	const struct export_options *typed = call->values;
	output_form form = form_of(typed);
	struct store *store = NULL;
	struct error err = { 0 };
	enum exit_code code = EXIT_OK;
	struct run run;
	int rc;

	if (!form) {
		error_set(&err, -EINVAL, "--json, --csv and --unixbench: give one of them");
		return usage_failed("export", &err);
	}
	run_init(&run);
	rc = store_open_existing(call->db, &store, &err);
	if (!rc)
		rc = runs_load(store, call->operand[0], &run, &err);
	if (!rc)
		rc = output_file(typed->output ? typed->output : "-", &run, form, &err);
	run_free(&run);
	store_close(store);
	if (rc)
		code = verb_failed("export", &err);
	/* a run without any result of UnixBench has no such report */
	return rc == -ENODATA ? EXIT_INCONCLUSIVE : code;
}

const struct verb verb_export = {
	.name = "export",
	.operands = "RUN",
	.summary = "write a stored run as JSON, CSV or UnixBench's report",
	.description = "Writes a run with all its slots: as JSON, which onproc import reads on "
		       "another machine, or as CSV with a line for each slot; or the report in "
		       "the shape of UnixBench 6. RUN is named as in onproc show.",
	.examples = "onproc export last --output run.json\tto a file, whole or not at all",
	.complete = "run",
	.min_operands = 1,
	.max_operands = 1,
	.options = options,
	.values_bytes = sizeof(struct export_options),
	.run = export_run,
};
