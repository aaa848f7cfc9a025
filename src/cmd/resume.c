// SPDX-License-Identifier: GPL-2.0-or-later
/* resume.c - onproc resume: goes on with a run that was interrupted or killed. */
#include "base/signals.h"
#include "cmd/measure_run.h"
#include "cmd/runs.h"
#include "cmd/verbs.h"
#include "measure/programs.h"
#include "measure/scratch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

struct resume_options {
	bool json;
	const char *output;
};

static const struct option options[] = {
	{ .name = "json",
	  .kind = OPTION_FLAG,
	  .help = "print a JSON document instead of the table",
	  .offset = offsetof(struct resume_options, json) },
	{ .name = "output",
	  .kind = OPTION_STRING,
	  .argument = "FILE",
	  .help = "write the JSON document to a file as well",
	  .complete = "file",
	  .offset = offsetof(struct resume_options, output) },
	{ .name = NULL },
};

static int check_host(const struct run *run, struct error *err)
{
	struct utsname name;

	if (uname(&name) || !run->host || strcmp(run->host, name.nodename) != 0)
		return error_set(err, -EXDEV,
				 "run %s was begun on %s, this is %s: a run is of one machine",
				 run->id, run->host ? run->host : "an unknown host", name.nodename);
	return 0;
}

/* What may differ between the halves of a run, with what a reader must then know. */
static const struct {
	const char *member, *warning;
} halves[] = {
	{ "boot_id", "resumed after a reboot: slots of two boots are in one interval" },
	{ "kernel_release", "resumed under another kernel than it was begun with" },
	{ "programs", "resumed with other workload programs than it was begun with" },
};

static int warn_of_changes(struct run *run, const json_t *now, struct error *err)
{
	if (!run->warnings)
		run->warnings = json_array();
	for (size_t i = 0; i < sizeof(halves) / sizeof(halves[0]); i++) {
		const json_t *was = json_object_get(run->environment, halves[i].member);
		const json_t *is = json_object_get(now, halves[i].member);

		if (!was || !is || json_equal(was, is))
			continue;
		verb_note("resume", "%s", halves[i].warning);
		if (json_array_append_new(run->warnings, json_string(halves[i].warning)))
			return error_set(err, -ENOMEM, "no memory for the run");
	}
	return 0;
}

static int check_environment(struct measurement *measurement, struct error *err)
{
	json_t *now = measure_environment(measurement->plan, measurement->program_dir);
	int rc;

	if (!now)
		return error_set(err, -ENOMEM, "no memory for the environment");
	rc = warn_of_changes(measurement->run, now, err);
	json_decref(now);
	return rc;
}

/* The run and its plan from the journal; refuses what would mix two machines or two workloads. */
static int reopen(struct measurement *measurement, const char *name, struct plan *plan,
		  struct error *err)
{
	char *dir = NULL;
	int rc;

	rc = journal_reopen(measurement->store, name, measurement->run, &measurement->journal, err);
	if (!rc)
		rc = check_host(measurement->run, err);
	if (!rc && plan_from_json(measurement->run->plan, plan, err))
		rc = error_context(err, "run %s", measurement->run->id);
	if (!rc && plan->sides)
		rc = runs_refuse_left_side(store_path(measurement->store), measurement->run->id,
					   err);
	if (!rc)
		rc = scratch_find(plan->dir, &dir, err);
	if (!rc)
		rc = check_environment(measurement, err);
	free(dir);
	return rc;
}

static enum exit_code resume(const struct verb_call *call)
{
	const struct resume_options *typed = call->values;
	const char *name = call->operands ? call->operand[0] : NULL;
	struct topology *topology = NULL;
	struct plan plan = { 0 };
	struct run run;
	struct measurement measurement = {
		.verb = "resume",
		.plan = &plan,
		.run = &run,
		.json = typed->json,
		.output = typed->output,
	};
	enum exit_code code;
	struct error err = { 0 };

	if (name && !strcmp(name, "last"))
		name = NULL;
	signals_install();
	run_init(&run);
	if (measure_check_output(&measurement, &err) ||
	    programs_find(measurement.program_dir, sizeof(measurement.program_dir), &err) ||
	    store_open(call->db, &measurement.store, &err) ||
	    reopen(&measurement, name, &plan, &err) || topology_open(NULL, &topology, &err)) {
		code = verb_failed("resume", &err);
	} else {
		measurement.topology = topology;
		code = measure_run(&measurement);
	}
	if (measurement.journal)
		journal_close(measurement.journal);
	if (measurement.store)
		store_close(measurement.store);
	if (topology)
		topology_close(topology);
	plan_free(&plan);
	run_free(&run);
	return code;
}

const struct verb verb_resume = {
	.name = "resume",
	.operands = "[RUN]",
	.summary = "go on with a run that was interrupted or killed",
	.description =
		"Finishes the plan of a run with the same seed, so that the result is the one that "
		"the whole run would have given. Without RUN the newest is taken. A run of another "
		"host, or of tests that do other work in this version, is refused; after a reboot "
		"it goes on, with a warning in the record. A run of onproc ab that could not put "
		"the machine back tries it again at its end, also where nothing else is left to "
		"do.",
	.complete = "orphan",
	.max_operands = 1,
	.options = options,
	.values_bytes = sizeof(struct resume_options),
	.run = resume,
};
