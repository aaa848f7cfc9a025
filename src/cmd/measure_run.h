/* SPDX-License-Identifier: GPL-2.0-or-later */
/* measure_run.h - what bench, ab and resume share: measuring a plan, keeping the run, showing it.
 */
#ifndef ONPROC_CMD_MEASURE_RUN_H
#define ONPROC_CMD_MEASURE_RUN_H

#include "cmd/options.h"
#include "measure/plan.h"
#include "measure/topology.h"
#include "store/store.h"

#include <limits.h>

struct measurement {
	const char *verb;
	const struct plan *plan;
	const struct topology *topology;
	char program_dir[PATH_MAX]; /* of the workload programs */
	struct store *store;
	struct journal *journal;
	struct run *run;
	bool json;	    /* the document on stdout instead of the table */
	const char *output; /* file for the document, NULL: none */
};

/*
 * Runs what the plan asks for and the run does not yet hold; stores the run; shows it. The journal
 * goes once the run is stored and complete, and stays otherwise. Returns the exit code, with
 * everything said on stderr.
 */
enum exit_code measure_run(struct measurement *measurement);

/* Makes the run of a plan that has measured nothing yet. command: as typed, or NULL. */
int measure_begin(const struct measurement *measurement, const char *command, struct error *err);

/* Steps of measure_run(), for who measures more than once. Says what is about to be measured. */
void measure_announce(const struct measurement *measurement);

/* What the plan asks for and the run does not yet hold; -EINTR and others as bench_run(). */
int measure_more(struct measurement *measurement, struct error *err);

/* Stores the run and says so; the journal goes where it is complete. */
enum exit_code measure_keep(struct measurement *measurement);

/* Before measuring: can the results be shown afterwards? */
int measure_check_output(const struct measurement *measurement, struct error *err);

/* The environment of the plan's tests; new reference, NULL: no memory. */
json_t *measure_environment(const struct plan *plan, const char *program_dir);

/* What bench and ab do with their plan: measures it whole, stores it, shows it. */
enum exit_code measure_plan(const char *verb, const struct verb_call *call, const struct plan *plan,
			    const struct topology *topology, bool json, const char *output);

#endif
