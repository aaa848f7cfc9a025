// SPDX-License-Identifier: GPL-2.0-or-later
/* measure_run.c - see measure_run.h. */
#include "cmd/measure_run.h"
#include "base/clock.h"
#include "base/signals.h"
#include "cmd/output.h"
#include "cmd/progress.h"
#include "cmd/runs.h"
#include "cmd/version.h"
#include "compare/comparison.h"
#include "measure/ab.h"
#include "measure/ab_sides.h"
#include "measure/bench.h"
#include "measure/environment.h"
#include "measure/programs.h"
#include "measure/scratch.h"
#include "report/comparison.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

int measure_check_output(const struct measurement *measurement, struct error *err)
{
	int rc = output_check_stdout(err);

	if (!rc && measurement->output)
		rc = output_check(measurement->output, err);
	return rc;
}

/* External programs of the plan's tests, each once, NULL-terminated; NULL: no memory. */
static const char **plan_tools(const struct plan *plan)
{
	const char **tools = calloc(1, sizeof(*tools));
	size_t count = 0;

	for (size_t i = 0; tools && i < plan->n_rows; i++) {
		const char *const *tool = plan->rows[i].workload->tools;

		for (; tool && *tool; tool++) {
			const char **grown;
			bool known = false;

			for (size_t j = 0; j < count; j++)
				known |= !strcmp(tools[j], *tool);
			if (known)
				continue;
			grown = realloc(tools, (count + 2) * sizeof(*tools));
			if (!grown) {
				free(tools);
				return NULL;
			}
			tools = grown;
			tools[count++] = *tool;
			tools[count] = NULL;
		}
	}
	return tools;
}

json_t *measure_environment(const struct plan *plan, const char *program_dir)
{
	const char **tools = plan_tools(plan);
	struct environment_request request = {
		.root = "", .dir = plan->dir, .program_dir = program_dir, .tools = tools
	};
	json_t *environment = tools ? environment_collect(&request) : NULL;

	free(tools);
	return environment;
}

/* 24 bits that tell apart the runs of a second, and put them into their order: steps of 60 ns. */
static uint32_t bits_of_second(const struct timespec *now)
{
	return (uint32_t)(((uint64_t)now->tv_nsec << 24) / NS_PER_S);
}

int measure_begin(const struct measurement *measurement, const char *command, struct error *err)
{
	struct run *run = measurement->run;
	struct utsname name;
	struct timespec now;

	run->status = RUN_RUNNING;
	clock_gettime(CLOCK_REALTIME, &now);
	run->created_s = (uint64_t)now.tv_sec;
	run->elapsed_s = 0;
	run_make_id(run, bits_of_second(&now));
	run->seed = measurement->plan->seed;
	run->tool = strdup("onproc " ONPROC_VERSION);
	run->command = command ? strdup(command) : NULL;
	run->host = strdup(uname(&name) ? "" : name.nodename);
	run->plan = plan_to_json(measurement->plan);
	run->environment = measure_environment(measurement->plan, measurement->program_dir);
	run->warnings = run->environment ? environment_warnings(run->environment) : NULL;
	if (!run->plan)
		return error_set(err, -EILSEQ, "%s: the path is not UTF-8", measurement->plan->dir);
	if (!run->tool || !run->host || !run->warnings)
		return error_set(err, -ENOMEM, "no memory for the run");
	return 0;
}

/* How long a comparison takes depends on what it finds. */
static void announce_sides(const struct measurement *measurement, size_t rows)
{
	const struct plan *plan = measurement->plan;
	char text[24];

	if (plan->sides->blocks)
		verb_note(measurement->verb, "run %s: %zu %s, %" PRIu32 " %s each",
			  measurement->run->id, rows, rows == 1 ? "row" : "rows",
			  plan->sides->blocks, plan->sides->blocks == 1 ? "block" : "blocks");
	if (plan->sides->blocks && plan->sides->blocks < AB_BLOCKS_LEAST)
		verb_note(measurement->verb,
			  "fewer than %d blocks give a ratio, but no interval and no verdict",
			  AB_BLOCKS_LEAST);
	if (!plan->sides->blocks)
		verb_note(measurement->verb, "run %s: %zu %s, until each is decided, at most %s",
			  measurement->run->id, rows, rows == 1 ? "row" : "rows",
			  duration_text(plan->budget_ns, text, sizeof(text)));
}

/* What a resumed run need not measure again. */
static size_t slots_done(const struct run *run)
{
	size_t done = 0;

	for (size_t i = 0; i < run->n_series; i++) {
		for (size_t j = 0; j < run->series[i].n_slots; j++)
			done += run->series[i].slots[j].status == SLOT_OK;
	}
	return done;
}

static void announce_slots(const struct measurement *measurement, size_t rows, size_t slots)
{
	const struct plan *plan = measurement->plan;
	const char *most = plan->precision > 0 || plan->budget_ns ? "at most " : "";
	uint64_t estimate_ns = plan_estimate_ns(plan);
	size_t done = slots_done(measurement->run);
	char text[24];

	if (done && done <= slots) {
		estimate_ns =
			(uint64_t)((double)estimate_ns * (double)(slots - done) / (double)slots);
		verb_note(measurement->verb, "run %s: %s%zu of %zu slots left, about %s",
			  measurement->run->id, most, slots - done, slots,
			  duration_text(estimate_ns, text, sizeof(text)));
		return;
	}
	verb_note(measurement->verb, "run %s: %zu %s, %s%zu %s, about %s", measurement->run->id,
		  rows, rows == 1 ? "row" : "rows", most, slots, slots == 1 ? "slot" : "slots",
		  duration_text(estimate_ns, text, sizeof(text)));
}

static void sweep(const struct measurement *measurement)
{
	const char *dir = measurement->plan->dir;
	unsigned int swept = scratch_sweep(dir);

	if (swept)
		verb_note(measurement->verb, "%s: removed %u %s that killed runs had left", dir,
			  swept, swept == 1 ? "directory" : "directories");
}

void measure_announce(const struct measurement *measurement)
{
	const struct plan *plan = measurement->plan;
	size_t rows = 0, slots = 0;

	for (size_t i = 0; i < plan->n_rows; i++) {
		rows += !plan->rows[i].unsupported;
		slots += plan_row_slots(plan, &plan->rows[i]);
	}
	if (plan->sides)
		announce_sides(measurement, rows);
	else
		announce_slots(measurement, rows, slots);
	sweep(measurement);
}

int measure_more(struct measurement *measurement, struct error *err)
{
	struct run *run = measurement->run;
	struct progress progress;
	struct bench_request request = {
		.plan = measurement->plan,
		.topology = measurement->topology,
		.program_dir = measurement->program_dir,
		.journal = measurement->journal,
		.database = store_path(measurement->store),
		.progress = progress_show,
		.context = &progress,
	};
	int rc;

	run->status = RUN_RUNNING;
	progress_begin(&progress, measurement->verb);
	rc = measurement->plan->sides ? ab_run(&request, run, err) : bench_run(&request, run, err);
	progress_end(&progress);
	run->status = rc ? RUN_INTERRUPTED : RUN_COMPLETE;
	return rc;
}

/* The run into the store; its journal goes when nothing more needs it. */
static int save(struct measurement *measurement, struct error *err)
{
	struct journal *journal = measurement->journal;
	struct error left = { 0 };
	int rc = store_save(measurement->store, measurement->run, err);

	measurement->journal = NULL;
	if (rc || measurement->run->status != RUN_COMPLETE)
		journal_close(journal);
	else if (journal_finish(journal, &left))
		verb_note(measurement->verb, "%s", left.text);
	return rc;
}

enum exit_code measure_keep(struct measurement *measurement)
{
	const struct run *run = measurement->run;
	const char *path = store_path(measurement->store);
	enum exit_code code;
	struct error err = { 0 };

	if (!save(measurement, &err)) {
		verb_note(measurement->verb, "stored as %s in %s", run->id, path);
		return EXIT_OK;
	}
	code = verb_failed(measurement->verb, &err);
	verb_note(measurement->verb,
		  "run %s is kept in its journal beside %s; onproc resume %s stores it", run->id,
		  path, run->id);
	return code;
}

/* What is shown of a measurement: the run, or the comparison of its sides. */
struct shown {
	const struct measurement *measurement;
	const struct comparison *comparison; /* NULL: the run */
	bool json;
};

static int write_shown(const void *what, FILE *out)
{
	const struct shown *shown = what;
	const char *form = shown->json ? "json" : "table";

	if (!shown->comparison)
		return output_form_find(form)(shown->measurement->run, out);
	return comparison_form_find(shown->json ? "json" : "terminal")(shown->comparison, out);
}

/* A closed stdout does not cost the file, nor the other way round. */
static enum exit_code show_one(const struct measurement *measurement,
			       const struct comparison *comparison)
{
	struct shown shown = { measurement, comparison, measurement->json };
	const struct output output = { write_shown, &shown, measurement->run->id };
	enum exit_code code = EXIT_OK;
	struct error err = { 0 };

	if (output_write("-", &output, &err))
		code = verb_failed(measurement->verb, &err);
	shown.json = true;
	if (measurement->output && output_write(measurement->output, &output, &err))
		code = verb_failed(measurement->verb, &err);
	return code;
}

static enum exit_code show(const struct measurement *measurement)
{
	const struct comparison_request request = { 0 }; /* as the plan has it */
	struct comparison comparison = { 0 };
	enum exit_code code;
	struct error err = { 0 };

	if (!measurement->plan->sides)
		return show_one(measurement, NULL);
	if (comparison_of_sides(measurement->run, &request, &comparison, &err)) {
		/* measured, but without a block to compare: what failed is told of the rows */
		return err.code == -ENOTSUP ? EXIT_OK : verb_failed(measurement->verb, &err);
	}
	code = show_one(measurement, &comparison);
	comparison_free(&comparison);
	return code;
}

/* Of one side, NULL: of a run without sides. */
static const struct series *series_of(struct run *run, const struct plan_row *row, const char *side)
{
	json_t *params = plan_row_params(row);
	const struct series *series =
		run_find_series_with(run, row->workload->id, params, row->copies, side);

	json_decref(params);
	return series;
}

static bool has_result(struct run *run, const struct plan_row *row, const char *side)
{
	const struct series *series = series_of(run, row, side);

	return series && !series->reason && series->estimate.n;
}

static bool has_reason(struct run *run, const struct plan_row *row, const char *side)
{
	const struct series *series = series_of(run, row, side);

	return series && series->reason;
}

/*
 * The side without result, rather the one that says why: without a block neither has one. NULL with
 * *is_missing false: there is none.
 */
static const char *missing_side(const struct measurement *measurement, const struct plan_row *row,
				bool *is_missing)
{
	const char *missing = NULL;

	*is_missing = false;
	for (int i = 0; i < 2; i++) {
		const char *side = measurement->plan->sides ? side_letters[i] : NULL;

		if (has_result(measurement->run, row, side))
			continue;
		if (!*is_missing || has_reason(measurement->run, row, side))
			missing = side;
		*is_missing = true;
	}
	return missing;
}

/* "pipe, 2 copies: why", for a row that was asked for and has no result. */
static void say_missing(const struct measurement *measurement, const struct plan_row *row,
			const char *side)
{
	const struct series *series = series_of(measurement->run, row, side);
	const char *why = row->unsupported;

	if (!why && series)
		why = series->reason;
	verb_note(measurement->verb, "%s, %" PRIu32 " %s%s%s: %s", row->workload->id, row->copies,
		  row->copies == 1 ? "copy" : "copies", side ? ", side " : "", side ? side : "",
		  why ? why : "no slot gave a result");
}

static bool in_suite(const struct plan *plan, const struct workload *workload)
{
	const struct workload_group *suite = plan->suite ? workload_group_find(plan->suite) : NULL;

	for (size_t i = 0; suite && suite->tests[i]; i++) {
		if (workload->baseline > 0 && workload_find(suite->tests[i]) == workload)
			return true;
	}
	return false;
}

/* A test asked for by its name, or one that the index rests on, has no result. */
static bool is_incomplete(const struct measurement *measurement)
{
	const struct plan *plan = measurement->plan;
	bool incomplete = false;

	for (size_t i = 0; i < plan->n_rows; i++) {
		const struct plan_row *row = &plan->rows[i];
		const char *side;
		bool is_missing;

		side = missing_side(measurement, row, &is_missing);
		if (!is_missing)
			continue;
		if (!row->by_name && !in_suite(plan, row->workload))
			continue;
		say_missing(measurement, row, side);
		incomplete = true;
	}
	return incomplete;
}

/* A precision was asked for, and a row did not reach it before its slots or the time ended. */
static bool is_imprecise(const struct measurement *measurement)
{
	const struct run *run = measurement->run;
	double asked = measurement->plan->precision;
	bool imprecise = false;

	if (measurement->plan->sides) /* there it is asked of the ratios */
		asked = 0;
	for (size_t i = 0; asked > 0 && i < run->n_series; i++) {
		const struct series *series = &run->series[i];
		double half_width = estimate_half_width(&series->estimate);
		const char *copies = series->copies == 1 ? "copy" : "copies";

		if (series->reason || half_width <= asked)
			continue;
		if (isnan(half_width))
			verb_note(measurement->verb, "%s, %u %s: no interval, %.3g %% asked for",
				  series->test, series->copies, copies, 100 * asked);
		else
			verb_note(measurement->verb, "%s, %u %s: within %.3g %%, %.3g %% asked for",
				  series->test, series->copies, copies, 100 * half_width,
				  100 * asked);
		imprecise = true;
	}
	return imprecise;
}

enum exit_code measure_run(struct measurement *measurement)
{
	const char *verb = measurement->verb;
	struct run *run = measurement->run;
	enum exit_code code = EXIT_OK, shown;
	struct error err = { 0 };
	int measured;

	measure_announce(measurement);
	measured = measure_more(measurement, &err);
	if (measured && measured != -EINTR)
		code = verb_failed(verb, &err);
	if (run_summarise(run)) {
		error_set(&err, -ENOMEM, "no memory to summarise the run");
		code = verb_failed(verb, &err);
	}
	shown = measure_keep(measurement);
	code = shown ? shown : code;
	shown = show(measurement);
	code = shown ? shown : code;
	if (run->status == RUN_INTERRUPTED)
		verb_note(verb, "not finished: onproc resume %s goes on with it", run->id);
	if (code)
		return code;
	if (measured)
		return EXIT_INTERRUPTED;
	code = is_incomplete(measurement) ? EXIT_INCONCLUSIVE : EXIT_OK;
	return is_imprecise(measurement) ? EXIT_INCONCLUSIVE : code;
}

enum exit_code measure_plan(const char *verb, const struct verb_call *call, const struct plan *plan,
			    const struct topology *topology, bool json, const char *output)
{
	struct run run;
	struct measurement measurement = {
		.verb = verb,
		.plan = plan,
		.topology = topology,
		.run = &run,
		.json = json,
		.output = output,
	};
	enum exit_code code;
	struct error err = { 0 };

	signals_install();
	run_init(&run);
	if (measure_check_output(&measurement, &err) ||
	    programs_find(measurement.program_dir, sizeof(measurement.program_dir), &err) ||
	    store_open(call->db, &measurement.store, &err)) {
		code = verb_failed(verb, &err);
		goto out;
	}
	runs_mention_orphans(verb, measurement.store, false);
	if (measure_begin(&measurement, call->command, &err) ||
	    journal_create(measurement.store, &run, &measurement.journal, &err)) {
		code = verb_failed(verb, &err);
		goto out;
	}
	code = measure_run(&measurement);
out:
	if (measurement.journal)
		journal_close(measurement.journal);
	if (measurement.store)
		store_close(measurement.store);
	run_free(&run);
	return code;
}
