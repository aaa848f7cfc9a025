// SPDX-License-Identifier: GPL-2.0-or-later
/* show.c - onproc show: one run, in the form asked for. */
#include "cmd/output.h"
#include "cmd/runs.h"
#include "cmd/verbs.h"

#include <errno.h>

struct show_options {
	const char *format;
};

static const struct option options[] = {
	{ .name = "format",
	  .kind = OPTION_CHOICE,
	  .argument = "FORM",
	  .help = "form of the report",
	  .fallback = "table",
	  .choices = output_form_names,
	  .offset = offsetof(struct show_options, format) },
	{ .name = NULL },
};

static const struct show_options defaults = { .format = "table" };

static enum exit_code show(const struct verb_call *call)
{
	const struct show_options *typed = call->values;
	struct store *store = NULL;
	struct run run;
	struct error err = { 0 };
	enum exit_code code = EXIT_OK;
	int rc;

	run_init(&run);
	rc = store_open_existing(call->db, &store, &err);
	if (!rc)
		rc = runs_load(store, call->operands ? call->operand[0] : "last", &run, &err);
	if (!rc)
		rc = output_run(&run, output_form_find(typed->format), &err);
	run_free(&run);
	if (store)
		store_close(store);
	if (rc)
		code = verb_failed("show", &err);
	return rc == -ENODATA ? EXIT_INCONCLUSIVE : code;
}

const struct verb verb_show = {
	.name = "show",
	.operands = "[RUN]",
	.summary = "show a stored run",
	.description =
		"Prints a run as its table, in the report shape of UnixBench 6, as JSON or as CSV. "
		"RUN is an id or the beginning of one, last (the default), or last~N for the N-th "
		"run before the last.",
	.examples = "onproc show\tthe newest run\n"
		    "onproc show last~1 --format unixbench\tthe one before, for tools that read "
		    "UnixBench",
	.complete = "run",
	.max_operands = 1,
	.options = options,
	.values_bytes = sizeof(struct show_options),
	.defaults = &defaults,
	.run = show,
};
