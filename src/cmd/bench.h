/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bench.h - what the parts of `onproc bench` share. */
#ifndef ONPROC_CMD_BENCH_H
#define ONPROC_CMD_BENCH_H

#include "cmd/options.h"
#include "cmd/selection.h"
#include "measure/plan.h"

#define NOT_GIVEN UINT64_MAX /* a count or a time that was not typed */

struct bench_options {
	struct option_list copies, params;
	const char *default_copies;
	uint64_t slots, slot_ns, passes, budget_ns, seed;
	const char *warmup; /* a time, or a number of runs of a command */
	double precision;   /* 0: not given */
	bool quick, classic;
	const char *pin, *dir, *suite, *topology, *output;
	bool plan, list, json;
	uint64_t groups, loops; /* of messaging */
	bool pipe, thread;
	const char *threads, *hold, *think, *readers, *kinds, *sensor; /* of lock: bench_lock.h */
	/* A command to measure; cmd_b: that of side B. */
	const char *cmd, *cmd_b, *name, *metric, *adapter, *prepare, *cleanup, *shell;
	uint64_t timeout_ns;
	bool ignore_failure;
};

/* What was not typed. */
#define BENCH_OPTIONS_DEFAULTS                                                                     \
	.slots = NOT_GIVEN, .slot_ns = NOT_GIVEN, .passes = NOT_GIVEN, .budget_ns = NOT_GIVEN,     \
	.seed = NOT_GIVEN, .groups = NOT_GIVEN, .loops = NOT_GIVEN, .timeout_ns = NOT_GIVEN

/* What a verb has on its way to a plan. */
struct planning {
	struct selection selection;
	struct topology *topology;
	struct plan plan;
	char *dir;
};

void planning_free(struct planning *planning); /* safe on a zeroed or half-filled one */

/*
 * The plan that the options ask for, with the rows that cannot run and why. dir: absolute. -EINVAL
 * for what was typed wrong. To be freed in any case.
 */
int bench_plan(const struct bench_options *options, const struct selection *selection,
	       const struct topology *topology, const char *dir, struct plan *plan,
	       struct error *err);

/* As selection_make() for what was typed; a command alone selects no test. */
int bench_selection(const struct bench_options *options, char *const *names, int count,
		    struct selection *selection, struct error *err);

/* Why a row cannot run, to be freed; NULL: it can. Errors are not about the test. */
int bench_unsupported(const struct plan_row *row, const struct topology *topology, const char *dir,
		      char **reason, struct error *err);

/* --list and --plan, as a table or as a document. */
int bench_list_tests(const struct selection *selection, const struct topology *topology,
		     const char *dir, bool json, struct error *err);
int bench_show_plan(const struct plan *plan, const struct topology *topology, bool json,
		    struct error *err);

/* A seed for an order; without random numbers yet, at boot, the time is as good as any. */
uint64_t bench_drawn_seed(void);

/* Rows that would run. */
size_t bench_plan_running(const struct plan *plan);

#endif
