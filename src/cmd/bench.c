// SPDX-License-Identifier: GPL-2.0-or-later
/* bench.c - onproc bench: measures this machine. */
#include "cmd/bench.h"
#include "base/clock.h"
#include "cmd/measure_run.h"
#include "cmd/plan_options.h"
#include "cmd/verbs.h"
#include "measure/scratch.h"

#include <errno.h>
#include <stdlib.h>

#define AT(member) .offset = offsetof(struct bench_options, member)

static const struct option options[] = {
	{ "copies", 'c', OPTION_STRINGS, "LIST",
	  "copies at once: counts and ranges as 1,2,4..16,all; a..b*2 doubles; may be repeated",
	  "1,all", AT(copies) },
	{ "slots", 0, OPTION_COUNT, "N", "slots of each test and copy count", "12", .min = 1,
	  .max = 1000000, AT(slots) },
	SLOT_TIME_OPTION,
	WARMUP_OPTION,
	{ "quick", 0, OPTION_FLAG, NULL, "7 slots of 500ms after 150ms", AT(quick) },
	{ "classic", 0, OPTION_FLAG, NULL,
	  "UnixBench 6's own plan: its times and passes, the worst third dropped", AT(classic) },
	{ "iterations", 'i', OPTION_COUNT, "N",
	  "with --classic UnixBench's -i, otherwise the same as --slots", .min = 1, .max = 1000000,
	  AT(passes) },
	{ "precision", 0, OPTION_PERCENT, "SHARE",
	  "measure a row until its interval is within this share of its value, as 1%",
	  AT(precision) },
	{ "time", 0, OPTION_DURATION, "TIME", "end after this time with what is there by then",
	  .min = NS_PER_S, .max = 30ull * 24 * 3600 * NS_PER_S, AT(budget_ns) },
	SEED_OPTION,
	PIN_OPTION,
	DIR_OPTION,
	{ "suite", 0, OPTION_STRING, "SUITE", "whose index is printed, and what runs without TEST",
	  "unixbench6", .complete = "suite", AT(suite) },
	{ "plan", 0, OPTION_FLAG, NULL, "print what would run and for how long; run nothing",
	  AT(plan) },
	{ "list", 0, OPTION_FLAG, NULL, "list the tests; run nothing", AT(list) },
	{ "json", 0, OPTION_FLAG, NULL, "print a JSON document instead of the table", AT(json) },
	OUTPUT_OPTION,
	TEST_OPTIONS,
	COMMAND_OPTIONS,
	{ "topology", 0, OPTION_STRING, "SOURCE",
	  "with --plan: another machine, as \"synthetic:pack:2 core:4 pu:2\" or xml:FILE",
	  AT(topology) },
	{ NULL },
};

static const struct bench_options defaults = {
	.default_copies = "1,all",
	BENCH_OPTIONS_DEFAULTS,
};

/* What was typed wrong is usage, whatever else failed is the machine. */
static enum exit_code plan_failed(const struct error *err)
{
	return err->code == -EINVAL ? usage_failed("bench", err) : verb_failed("bench", err);
}

static enum exit_code shown(int rc, const struct error *err)
{
	return rc ? verb_failed("bench", err) : EXIT_OK;
}

static enum exit_code show_plan(const struct plan *plan, const struct topology *topology, bool json)
{
	struct error err = { 0 };
	enum exit_code code = shown(bench_show_plan(plan, topology, json, &err), &err);

	if (code || bench_plan_running(plan))
		return code;
	verb_note("bench", "none of the tests can run here");
	return EXIT_INCONCLUSIVE;
}

static enum exit_code bench(const struct verb_call *call)
{
	const struct bench_options *typed = call->values;
	struct planning made = { 0 };
	enum exit_code code;
	struct error err = { 0 };

	if (typed->topology && !typed->plan)
		error_set(&err, -EINVAL,
			  "--topology is only for --plan: no machine can be borrowed");
	else if (typed->plan && typed->list)
		error_set(&err, -EINVAL, "--plan and --list: give one of them");
	else if (typed->output && (typed->plan || typed->list))
		error_set(&err, -EINVAL, "--output is for a run: --plan and --list print");
	else if (!bench_selection(typed, call->operand, call->operands, &made.selection, &err) &&
		 !scratch_find(typed->dir, &made.dir, &err))
		topology_open(typed->topology, &made.topology, &err);
	if (!err.code && !typed->list)
		bench_plan(typed, &made.selection, made.topology, made.dir, &made.plan, &err);
	if (err.code)
		code = plan_failed(&err);
	else if (typed->list)
		code = shown(bench_list_tests(call->operands ? &made.selection : NULL,
					      made.topology, made.dir, typed->json, &err),
			     &err);
	else if (typed->plan)
		code = show_plan(&made.plan, made.topology, typed->json);
	else
		code = measure_plan("bench", call, &made.plan, made.topology, typed->json,
				    typed->output);
	planning_free(&made);
	return code;
}

const struct verb verb_bench = {
	.name = "bench",
	.operands = "[TEST...]",
	.summary = "measure this machine",
	.description =
		"Runs tests at one or more copy counts, prints a table with an interval for every "
		"rate, and stores the run. TEST is the name of a test, of a group or of a suite, "
		"as "
		"in UnixBench; without one the twelve index tests of UnixBench 6 run, at one copy "
		"and at one copy for each CPU.\n\n"
		"A test is measured in short slots, spread over the whole run in an order drawn "
		"from "
		"the seed. A slot during which something else used the machine is marked and "
		"measured once more; both stay in the record. A run that was interrupted keeps "
		"what "
		"it has, and onproc resume goes on with it.",
	.examples = "onproc bench --quick\tthe index in two to three minutes\n"
		    "onproc bench pipe context1 -c 1..8*2\ttwo tests at 1, 2, 4 and 8 copies\n"
		    "onproc bench messaging -g 20 -p\tas perf bench sched messaging -g 20 -p\n"
		    "onproc bench --cmd 'make -j4' --prepare 'make clean'\truns of a command\n"
		    "onproc bench --plan -c all\twhat would run, and for how long",
	.complete = "test",
	.max_operands = -1,
	.options = options,
	.values_bytes = sizeof(struct bench_options),
	.defaults = &defaults,
	.run = bench,
};
