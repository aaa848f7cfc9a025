// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bench.c - see bench.h: one slot of every row in drawn order makes a block; blocks until every row
 * has what the plan wants.
 *
 * What was measured is read back from the record itself, never from counters beside it, so a
 * resumed run takes the same decisions as one that was never cut.
 */
#include "measure/bench.h"

#include "base/clock.h"
#include "base/sha256.h"
#include "base/signals.h"
#include "measure/evidence.h"
#include "measure/programs.h"
#include "measure/slot.h"
#include "measure/warden.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RERUN_SHARE	0.15 /* of a plan's slots */
#define ROW_FAILURES	2    /* a row that failed this often is given up */
#define PRECISION_SLOTS 6    /* smallest n with a 95 % interval */

/* One row of the plan while it is measured. */
struct row {
	size_t number;	    /* in the plan */
	size_t series;	    /* index in the run: series move when the run grows */
	int *cpu;	    /* per copy, NULL: not pinned */
	int (*pair)[2];	    /* per copy, NULL: free */
	double overhead_ns; /* of the last slot: wall time beyond slot and warm-up */
};

struct bench {
	const struct bench_request *request;
	const struct plan *plan;
	struct run *run;
	struct evidence *evidence;
	struct row *rows;
	size_t n_rows;
	uint64_t start_ns;	 /* of this session */
	double elapsed_before_s; /* of earlier sessions of a resumed run */
	bool over_budget;
};

static uint64_t row_slot_ns(const struct plan *plan, const struct plan_row *row)
{
	if (plan->classic && row->workload->classic_s)
		return (uint64_t)row->workload->classic_s * NS_PER_S;
	return plan->slot_ns;
}

static const struct plan_row *row_plan(const struct bench *bench, const struct row *row)
{
	return &bench->plan->rows[row->number];
}

static struct series *row_series(const struct bench *bench, const struct row *row)
{
	return &bench->run->series[row->series];
}

/* What the record says of a row. */
struct tally {
	uint32_t ok, failed, reruns;
};

static struct tally row_tally(const struct bench *bench, const struct row *row)
{
	const struct series *series = row_series(bench, row);
	struct tally tally = { 0 };

	for (size_t i = 0; i < series->n_slots; i++) {
		const struct slot *slot = &series->slots[i];

		tally.ok += slot->status == SLOT_OK;
		/* A failed re-run leaves the slot it was to replace in place. */
		tally.failed += slot->status == SLOT_FAILED && !slot->rerun;
		tally.reruns += slot->rerun;
	}
	return tally;
}

static int row_estimate(const struct bench *bench, const struct row *row, struct estimate *estimate)
{
	const struct series *series = row_series(bench, row);
	double *rates = malloc((series->n_slots + 1) * sizeof(*rates));
	size_t n = 0;
	int rc;

	if (!rates)
		return -ENOMEM;
	for (size_t i = 0; i < series->n_slots; i++) {
		if (series->slots[i].status == SLOT_OK)
			rates[n++] = series->slots[i].rate;
	}
	rc = estimate_rate(rates, n, 0.05, estimate);
	free(rates);
	return rc;
}

/* Relative half-width of the row's interval, NAN without one. */
static double row_half_width(const struct bench *bench, const struct row *row)
{
	struct estimate estimate;

	if (row_estimate(bench, row, &estimate) || estimate.reason || isnan(estimate.lo))
		return NAN;
	return (estimate.hi - estimate.lo) / 2 / estimate.value;
}

static bool row_is_finished(const struct bench *bench, const struct row *row)
{
	struct tally tally = row_tally(bench, row);

	if (row_plan(bench, row)->unsupported || tally.failed >= ROW_FAILURES)
		return true;
	if (tally.ok >= plan_row_slots(bench->plan, row_plan(bench, row)))
		return true;
	return bench->plan->precision > 0 && tally.ok >= PRECISION_SLOTS &&
	       row_half_width(bench, row) <= bench->plan->precision;
}

/* The last slot of the row in a block, NULL: none. */
static struct slot *row_slot(const struct bench *bench, const struct row *row, uint32_t block)
{
	struct series *series = row_series(bench, row);

	for (size_t i = series->n_slots; i-- > 0;) {
		if (series->slots[i].block == block)
			return &series->slots[i];
	}
	return NULL;
}

static double row_slot_cost_ns(const struct bench *bench, const struct row *row)
{
	return (double)(row_slot_ns(bench->plan, row_plan(bench, row)) + bench->plan->warmup_ns) +
	       row->overhead_ns;
}

/* Slots of the plan, or as many of them as its time allows at their present cost. */
static double slots_expected(const struct bench *bench)
{
	double planned = 0, cost_ns = 0;

	for (size_t i = 0; i < bench->n_rows; i++) {
		const struct row *row = &bench->rows[i];
		double slots;

		if (row_plan(bench, row)->unsupported)
			continue;
		slots = plan_row_slots(bench->plan, row_plan(bench, row));
		planned += slots;
		cost_ns += slots * row_slot_cost_ns(bench, row);
	}
	if (bench->plan->budget_ns && cost_ns > (double)bench->plan->budget_ns)
		planned *= (double)bench->plan->budget_ns / cost_ns;
	return planned;
}

static bool rerun_is_due(const struct bench *bench, const struct row *row, uint32_t block)
{
	const struct slot *slot = row_slot(bench, row, block);
	double reruns = 0;

	if (bench->plan->classic || !slot || slot->status != SLOT_OK || slot->rerun ||
	    !slot->evidence || !evidence_is_external(slot->evidence))
		return false;
	for (size_t i = 0; i < bench->n_rows; i++)
		reruns += row_tally(bench, &bench->rows[i]).reruns;
	return reruns + 1 <= fmax(1, RERUN_SHARE * slots_expected(bench));
}

static double elapsed_s(const struct bench *bench)
{
	return bench->elapsed_before_s +
	       (double)(clock_raw_ns() - bench->start_ns) / (double)NS_PER_S;
}

static void progress_report(const struct bench *bench, const struct row *next)
{
	struct bench_progress progress = {
		.test = row_plan(bench, next)->workload->id,
		.copies = row_plan(bench, next)->copies,
		.elapsed_ns = (uint64_t)(elapsed_s(bench) * (double)NS_PER_S),
		.worst_half_width = NAN,
	};
	double left_ns = 0;

	if (!bench->request->progress)
		return;
	for (size_t i = 0; i < bench->n_rows; i++) {
		const struct row *row = &bench->rows[i];
		struct tally tally = row_tally(bench, row);
		uint32_t wanted = plan_row_slots(bench->plan, row_plan(bench, row));
		double half_width = row_half_width(bench, row);

		if (row_plan(bench, row)->unsupported)
			continue;
		progress.total += wanted;
		progress.done += tally.ok < wanted ? tally.ok : wanted;
		if (!row_is_finished(bench, row))
			left_ns += (wanted - tally.ok) * row_slot_cost_ns(bench, row);
		if (!isnan(half_width) && !(half_width <= progress.worst_half_width)) {
			progress.worst_half_width = half_width;
			progress.worst_test = row_plan(bench, row)->workload->id;
		}
	}
	if (bench->plan->budget_ns) {
		double most_ns = (double)bench->plan->budget_ns - (double)progress.elapsed_ns;

		left_ns = fmax(0, fmin(left_ns, most_ns));
	}
	progress.left_ns = (uint64_t)left_ns;
	bench->request->progress(&progress, bench->request->context);
}

static bool budget_allows(struct bench *bench, const struct row *row)
{
	double after_ns = elapsed_s(bench) * (double)NS_PER_S + row_slot_cost_ns(bench, row);

	if (!bench->plan->budget_ns || after_ns <= (double)bench->plan->budget_ns)
		return true;
	bench->over_budget = true;
	return false;
}

static uint32_t next_ordinal(const struct run *run)
{
	uint32_t ordinal = 0;

	for (size_t i = 0; i < run->n_series; i++)
		ordinal += (uint32_t)run->series[i].n_slots;
	return ordinal;
}

/* Measures one slot of a row and writes it into the record and the journal. */
static int row_measure(struct bench *bench, struct row *row, uint32_t block, bool rerun,
		       struct error *err)
{
	const struct slot_request request = {
		.workload = row_plan(bench, row)->workload,
		.param = row_plan(bench, row)->param,
		.copies = row_plan(bench, row)->copies,
		.slot_ns = row_slot_ns(bench->plan, row_plan(bench, row)),
		.warmup_ns = bench->plan->warmup_ns,
		.cpu = row->cpu,
		.pair = (const int(*)[2])row->pair,
		.dir = bench->plan->dir,
		.program_dir = bench->request->program_dir,
		.evidence = bench->evidence,
	};
	uint32_t ordinal = next_ordinal(bench->run);
	uint64_t started_ns = clock_raw_ns();
	struct slot_result result;
	struct slot *slot, *before;
	struct error failure = { 0 };
	int rc;

	progress_report(bench, row);
	rc = slot_run(&request, &result, &failure);
	if (rc == -EINTR || signal_stop) {
		free(result.counts);
		json_decref(result.evidence);
		return error_set(err, -EINTR, "interrupted");
	}
	before = rerun ? row_slot(bench, row, block) : NULL;
	if (before && !rc)
		before->status = SLOT_REPLACED;
	slot = series_add_slot(row_series(bench, row), row_plan(bench, row)->copies);
	if (!slot) {
		free(result.counts);
		json_decref(result.evidence);
		return error_errno(err, -ENOMEM, "a slot of the record");
	}
	slot->block = block;
	slot->ordinal = ordinal;
	slot->rerun = rerun;
	if (rc) {
		slot->status = SLOT_FAILED;
		slot->rate = NAN;
		slot->start_ns = (uint64_t)(bench->elapsed_before_s * (double)NS_PER_S) +
				 (started_ns - bench->start_ns);
		slot->error = strdup(failure.text);
		if (!slot->error)
			return error_errno(err, -ENOMEM, "a slot of the record");
	} else {
		slot->status = SLOT_OK;
		slot->rate = result.rate;
		slot->length_ns = result.length_ns;
		slot->start_ns = (uint64_t)(bench->elapsed_before_s * (double)NS_PER_S) +
				 (result.start_ns - bench->start_ns);
		free(slot->counts);
		slot->counts = result.counts;
		slot->evidence = result.evidence;
		row->overhead_ns = (double)(clock_raw_ns() - started_ns) -
				   (double)(request.slot_ns + request.warmup_ns);
	}
	bench->run->elapsed_s = elapsed_s(bench);
	if (!bench->request->journal)
		return 0;
	return journal_append(bench->request->journal, bench->run, err);
}

/* One block over rows[0 … count-1] in the order of its seed. *any: a row still wanted slots. */
static int block_measure(struct bench *bench, struct row *rows, size_t count, uint32_t block,
			 bool *any, struct error *err)
{
	size_t *order = malloc(count * sizeof(*order));
	int rc = 0;

	if (!order)
		return error_errno(err, -ENOMEM, "the order of a block");
	plan_block_order(bench->plan->seed, block, order, count);
	*any = false;
	for (size_t i = 0; i < count && !rc; i++) {
		struct row *row = &rows[order[i]];

		if (row_slot(bench, row, block)) {
			*any = true;
			continue;
		}
		if (row_is_finished(bench, row) || !budget_allows(bench, row))
			continue;
		*any = true;
		rc = row_measure(bench, row, block, false, err);
	}
	for (size_t i = 0; i < count && !rc; i++) {
		struct row *row = &rows[order[i]];

		if (rerun_is_due(bench, row, block) && budget_allows(bench, row))
			rc = row_measure(bench, row, block, true, err);
	}
	free(order);
	return rc;
}

static int rows_measure(struct bench *bench, struct row *rows, size_t count, struct error *err)
{
	bool any = true;
	int rc = 0;

	for (uint32_t block = 0; any && !rc; block++)
		rc = block_measure(bench, rows, count, block, &any, err);
	return rc;
}

static json_t *params_json(const struct plan_row *row)
{
	json_t *params = json_object();

	for (int i = 0; i < workload_param_count(row->workload); i++)
		json_object_set_new(params, row->workload->params[i].name,
				    json_integer((json_int_t)row->param[i]));
	return params;
}

/* A new series for a row, described by its workload. */
static int series_describe(const struct bench *bench, const struct plan_row *row,
			   struct series *series, struct error *err)
{
	const struct workload *workload = row->workload;
	char hash[SHA256_HEX_BYTES], program[PATH_MAX], program_hash[SHA256_HEX_BYTES];
	struct error unused;

	workload_hash(workload, row->param, hash);
	series->copies = row->copies;
	series->baseline = workload->baseline;
	series->test = strdup(workload->id);
	series->title = strdup(workload->title);
	series->unit = strdup(workload->unit);
	series->content_hash = strdup(hash);
	series->params = params_json(row);
	if (workload->note)
		series->note = strdup(workload->note);
	if (row->unsupported)
		series->reason = strdup(row->unsupported);
	if (!program_path(bench->request->program_dir, workload, program, sizeof(program),
			  &unused) &&
	    !sha256_file(program, program_hash))
		series->program_hash = strdup(program_hash);
	if (!series->test || !series->title || !series->unit || !series->content_hash ||
	    !series->params || (workload->note && !series->note) ||
	    (row->unsupported && !series->reason))
		return error_errno(err, -ENOMEM, "a series of the record");
	return 0;
}

static int row_place(struct bench *bench, struct row *row, struct error *err)
{
	const struct plan_row *plan = row_plan(bench, row);

	if (plan->unsupported)
		return 0;
	if (bench->plan->pin.kind != PIN_NONE) {
		row->cpu = calloc(plan->copies, sizeof(*row->cpu));
		if (!row->cpu)
			return error_errno(err, -ENOMEM, "placing %u copies", plan->copies);
		if (topology_place(bench->request->topology, &bench->plan->pin, plan->copies,
				   row->cpu, err))
			return err->code;
	}
	if (plan->workload->pair != PAIR_FREE) {
		row->pair = calloc(plan->copies, sizeof(*row->pair));
		if (!row->pair)
			return error_errno(err, -ENOMEM, "placing %u copies", plan->copies);
		return topology_pairs(bench->request->topology, plan->workload->pair, plan->copies,
				      row->pair, err);
	}
	return 0;
}

static int rows_prepare(struct bench *bench, struct error *err)
{
	bench->rows = calloc(bench->plan->n_rows, sizeof(*bench->rows));
	if (!bench->rows)
		return error_errno(err, -ENOMEM, "rows of the plan");
	bench->n_rows = bench->plan->n_rows;
	for (size_t i = 0; i < bench->n_rows; i++) {
		struct row *row = &bench->rows[i];
		struct series *series;
		int rc;

		row->number = i;
		series = run_find_series(bench->run, row_plan(bench, row)->workload->id,
					 row_plan(bench, row)->copies, NULL);
		if (!series) {
			series = run_add_series(bench->run);
			if (!series)
				return error_errno(err, -ENOMEM, "a series of the record");
			rc = series_describe(bench, row_plan(bench, row), series, err);
			if (rc)
				return rc;
		}
		row->series = (size_t)(series - bench->run->series);
		rc = row_place(bench, row, err);
		if (rc)
			return error_context(err, "%s, %u copies",
					     row_plan(bench, row)->workload->id,
					     row_plan(bench, row)->copies);
	}
	return 0;
}

/* A row that never worked has no result: its last failure says why. */
static int rows_conclude(struct bench *bench, struct error *err)
{
	for (size_t i = 0; i < bench->n_rows; i++) {
		struct row *row = &bench->rows[i];
		struct series *series = row_series(bench, row);
		const char *why = NULL;

		if (row_tally(bench, row).ok || series->reason)
			continue;
		for (size_t s = 0; s < series->n_slots; s++) {
			if (series->slots[s].error)
				why = series->slots[s].error;
		}
		if (!why && !bench->over_budget)
			continue;
		series->reason = strdup(why ? why : "the time budget ended before its first slot");
		if (!series->reason)
			return error_errno(err, -ENOMEM, "a series of the record");
	}
	if (bench->over_budget) {
		char text[128];

		snprintf(text, sizeof(text), "the time budget of %.0f s ended the plan early",
			 (double)bench->plan->budget_ns / (double)NS_PER_S);
		if (json_array_append_new(bench->run->warnings, json_string(text)))
			return error_errno(err, -ENOMEM, "warnings of the record");
	}
	return 0;
}

int bench_run(const struct bench_request *request, struct run *run, struct error *err)
{
	struct bench bench = { .request = request,
			       .plan = request->plan,
			       .run = run,
			       .start_ns = clock_raw_ns(),
			       .elapsed_before_s = run->elapsed_s };
	int rc;

	if (!run->warnings && !(run->warnings = json_array()))
		return error_errno(err, -ENOMEM, "warnings of the record");
	rc = warden_prepare(err);
	if (rc)
		return rc;
	rc = evidence_open("", &bench.evidence, err);
	if (rc)
		goto out;
	rc = rows_prepare(&bench, err);
	if (rc)
		goto out;
	if (request->journal) {
		rc = journal_append(request->journal, run, err);
		if (rc)
			goto out;
	}
	if (bench.plan->classic) {
		for (size_t i = 0; i < bench.n_rows && !rc; i++)
			rc = rows_measure(&bench, &bench.rows[i], 1, err);
	} else {
		rc = rows_measure(&bench, bench.rows, bench.n_rows, err);
	}
	run->elapsed_s = elapsed_s(&bench);
	if (!rc)
		rc = rows_conclude(&bench, err);
out:
	for (size_t i = 0; i < bench.n_rows; i++) {
		free(bench.rows[i].cpu);
		free(bench.rows[i].pair);
	}
	free(bench.rows);
	evidence_close(bench.evidence);
	return rc;
}
