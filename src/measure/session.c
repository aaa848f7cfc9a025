// SPDX-License-Identifier: GPL-2.0-or-later
/* session.c - see session.h. */
#include "measure/session.h"

#include "base/clock.h"
#include "base/sha256.h"
#include "base/signals.h"
#include "measure/ab_sides.h"
#include "measure/command.h"
#include "measure/command_slot.h"
#include "measure/programs.h"
#include "measure/slot.h"
#include "measure/warden.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Window and warm-up; a command takes what it takes, which the last slot tells. */
static uint64_t row_slot_ns(const struct plan *plan, const struct plan_row *row)
{
	if (row->instrument)
		return 0;
	if (plan->classic && row->workload->classic_s)
		return (uint64_t)row->workload->classic_s * NS_PER_S;
	return plan->slot_ns;
}

struct series *session_series(const struct session *session, const struct session_row *row,
			      int side)
{
	return &session->run->series[row->series[side]];
}

double session_elapsed_s(const struct session *session)
{
	return session->elapsed_before_s +
	       (double)(clock_raw_ns() - session->start_ns) / (double)NS_PER_S;
}

static uint64_t row_warmup_ns(const struct plan *plan, const struct plan_row *row)
{
	return row->instrument ? 0 : plan->warmup_ns;
}

double session_slot_cost_ns(const struct session *session, const struct session_row *row)
{
	return (double)(row_slot_ns(session->plan, row->plan) +
			row_warmup_ns(session->plan, row->plan)) +
	       row->overhead_ns;
}

bool session_allows(struct session *session, double cost_ns)
{
	double after_ns = session_elapsed_s(session) * (double)NS_PER_S + cost_ns;

	if (!session->plan->budget_ns || after_ns <= (double)session->plan->budget_ns)
		return true;
	session->over_budget = true;
	return false;
}

double session_left_ns(const struct session *session, double left_ns)
{
	double most_ns =
		(double)session->plan->budget_ns - session_elapsed_s(session) * (double)NS_PER_S;

	return session->plan->budget_ns ? fmax(0, fmin(left_ns, most_ns)) : left_ns;
}

static uint32_t next_ordinal(const struct run *run)
{
	uint32_t ordinal = 0;

	for (size_t i = 0; i < run->n_series; i++)
		ordinal += (uint32_t)run->series[i].n_slots;
	return ordinal;
}

/* Moves what was measured, or why nothing was, into a slot of the record. */
static int slot_fill(const struct session *session, struct slot *slot, struct slot_result *result,
		     uint64_t start_ns, const struct error *failure, struct error *err)
{
	slot->start_ns = (uint64_t)(session->elapsed_before_s * (double)NS_PER_S) +
			 (start_ns - session->start_ns);
	if (failure) {
		slot->status = SLOT_FAILED;
		slot->rate = NAN;
		slot->error = strdup(failure->text);
		return slot->error ? 0 : error_errno(err, -ENOMEM, "a slot of the record");
	}
	slot->status = SLOT_OK;
	slot->rate = result->rate;
	slot->length_ns = result->length_ns;
	free(slot->counts);
	slot->counts = result->counts;
	slot->evidence = result->evidence;
	return 0;
}

int session_measure(struct session *session, struct session_row *row,
		    const struct session_slot *which, struct slot **measured, struct error *err)
{
	const struct slot_request request = {
		.workload = row->plan->workload,
		.instrument = row->plan->instrument,
		.param = row->plan->param,
		.copies = row->plan->copies,
		.slot_ns = row_slot_ns(session->plan, row->plan),
		.warmup_ns = row_warmup_ns(session->plan, row->plan),
		.cpu = row->cpu,
		.pair = (const int(*)[2])row->pair,
		.side = session->plan->sides ? side_letters[which->side] : NULL,
		.block = which->block,
		.environment = which->environment,
		.dir = session->plan->dir,
		.program_dir = session->request->program_dir,
		.evidence = session->evidence,
	};
	uint32_t ordinal = next_ordinal(session->run);
	uint64_t started_ns = clock_raw_ns();
	struct slot_result result;
	struct slot *slot;
	struct error failure = { 0 };
	int rc;

	*measured = NULL;
	rc = request.instrument ? command_slot_run(&request, &result, &failure)
				: slot_run(&request, &result, &failure);
	if (rc == -EINTR || signal_stop) {
		free(result.counts);
		json_decref(result.evidence);
		return error_set(err, -EINTR, "interrupted");
	}
	slot = series_add_slot(session_series(session, row, which->side), row->plan->copies);
	if (!slot) {
		free(result.counts);
		json_decref(result.evidence);
		return error_errno(err, -ENOMEM, "a slot of the record");
	}
	slot->block = which->block;
	slot->ordinal = ordinal;
	slot->rerun = which->rerun;
	if (!rc)
		row->overhead_ns = (double)(clock_raw_ns() - started_ns) -
				   (double)(request.slot_ns + request.warmup_ns);
	*measured = slot;
	return slot_fill(session, slot, &result, rc ? started_ns : result.start_ns,
			 rc ? &failure : NULL, err);
}

int session_journal(struct session *session, struct error *err)
{
	session->run->elapsed_s = session_elapsed_s(session);
	if (!session->request->journal)
		return 0;
	return journal_append(session->request->journal, session->run, err);
}

/* A new series for a row, described by its workload. */
static int series_describe(const struct session *session, const struct plan_row *row,
			   const char *side, struct series *series, struct error *err)
{
	const struct workload *workload = row->workload;
	char hash[SHA256_HEX_BYTES], program[PATH_MAX], program_hash[SHA256_HEX_BYTES];
	struct error unused;

	plan_row_hash(row, hash);
	series->copies = row->copies;
	series->baseline = workload->baseline;
	series->test = strdup(workload->id);
	series->title = strdup(workload->title);
	series->unit = strdup(workload->unit);
	series->content_hash = strdup(hash);
	series->params = plan_row_params(row);
	series->side = side ? strdup(side) : NULL;
	if (workload->note)
		series->note = strdup(workload->note);
	if (row->unsupported)
		series->reason = strdup(row->unsupported);
	if (!row->instrument &&
	    !program_path(session->request->program_dir, workload, program, sizeof(program),
			  &unused) &&
	    !sha256_file(program, program_hash))
		series->program_hash = strdup(program_hash);
	if (!series->test || !series->title || !series->unit || !series->content_hash ||
	    !series->params || (side && !series->side) || (workload->note && !series->note) ||
	    (row->unsupported && !series->reason))
		return error_errno(err, -ENOMEM, "a series of the record");
	return 0;
}

static int row_place(const struct session *session, struct session_row *row, struct error *err)
{
	const struct plan_row *plan = row->plan;

	if (plan->unsupported || plan->instrument)
		return 0;
	if (session->plan->pin.kind != PIN_NONE) {
		row->cpu = calloc(plan->copies, sizeof(*row->cpu));
		if (!row->cpu)
			return error_errno(err, -ENOMEM, "placing %u copies", plan->copies);
		if (topology_place(session->request->topology, &session->plan->pin, plan->copies,
				   row->cpu, err))
			return err->code;
	}
	if (plan->workload->pair != PAIR_FREE) {
		row->pair = calloc(plan->copies, sizeof(*row->pair));
		if (!row->pair)
			return error_errno(err, -ENOMEM, "placing %u copies", plan->copies);
		return topology_pairs(session->request->topology, plan->workload->pair,
				      plan->copies, row->pair, err);
	}
	return 0;
}

/* The series of a row and side, made if the run lacks it. */
static int row_series(struct session *session, struct session_row *row, int side, struct error *err)
{
	const char *letter = session->plan->sides ? side_letters[side] : NULL;
	json_t *params = plan_row_params(row->plan);
	struct series *series;
	int rc = 0;

	series = run_find_series_with(session->run, row->plan->workload->id, params,
				      row->plan->copies, letter);
	json_decref(params);
	if (!series) {
		series = run_add_series(session->run);
		if (!series)
			return error_errno(err, -ENOMEM, "a series of the record");
		rc = series_describe(session, row->plan, letter, series, err);
	}
	row->series[side] = (size_t)(series - session->run->series);
	return rc;
}

static int rows_prepare(struct session *session, struct error *err)
{
	session->rows = calloc(session->plan->n_rows, sizeof(*session->rows));
	if (!session->rows)
		return error_errno(err, -ENOMEM, "rows of the plan");
	session->n_rows = session->plan->n_rows;
	for (size_t i = 0; i < session->n_rows; i++) {
		struct session_row *row = &session->rows[i];
		int rc = 0;

		row->number = i;
		row->plan = &session->plan->rows[i];
		for (int side = 0; side < 2 && !rc; side++)
			rc = row_series(session, row, side, err);
		if (!rc && row_place(session, row, err))
			rc = error_context(err, "%s, %u copies", row->plan->workload->id,
					   row->plan->copies);
		if (rc)
			return rc;
	}
	return 0;
}

int session_open(struct session *session, const struct bench_request *request, struct run *run,
		 struct error *err)
{
	int rc;

	*session = (struct session){ .request = request,
				     .plan = request->plan,
				     .run = run,
				     .start_ns = clock_raw_ns(),
				     .elapsed_before_s = run->elapsed_s };
	if (!run->warnings && !(run->warnings = json_array()))
		return error_errno(err, -ENOMEM, "warnings of the record");
	rc = warden_prepare(err);
	if (!rc)
		rc = evidence_open("", &session->evidence, err);
	if (!rc)
		rc = rows_prepare(session, err);
	if (!rc && request->journal)
		rc = journal_append(request->journal, run, err);
	return rc;
}

void session_close(struct session *session)
{
	for (size_t i = 0; i < session->n_rows; i++) {
		free(session->rows[i].cpu);
		free(session->rows[i].pair);
	}
	free(session->rows);
	evidence_close(session->evidence);
	*session = (struct session){ 0 };
}

int session_warn(struct session *session, const char *text, struct error *err)
{
	size_t i;
	json_t *known;

	/* A run that is measured in several sessions is warned of a thing once. */
	json_array_foreach(session->run->warnings, i, known)
	{
		if (json_is_string(known) && !strcmp(json_string_value(known), text))
			return 0;
	}
	if (json_array_append_new(session->run->warnings, json_string(text)))
		return error_errno(err, -ENOMEM, "warnings of the record");
	return 0;
}

/* The last failure of a series without result; NULL: none failed. */
static int series_conclude(const struct session *session, struct series *series, struct error *err)
{
	const char *why = NULL;

	if (series->reason)
		return 0;
	for (size_t i = 0; i < series->n_slots; i++) {
		if (series->slots[i].status == SLOT_OK)
			return 0;
		if (series->slots[i].error)
			why = series->slots[i].error;
	}
	if (!why && !session->over_budget)
		return 0;
	series->reason = strdup(why ? why : "the time budget ended before its first slot");
	return series->reason ? 0 : error_errno(err, -ENOMEM, "a series of the record");
}

int session_conclude(struct session *session, struct error *err)
{
	char text[128];
	int rc = 0;

	for (size_t i = 0; i < session->n_rows && !rc; i++) {
		for (int side = 0; side < 2 && !rc; side++)
			rc = series_conclude(session,
					     session_series(session, &session->rows[i], side), err);
	}
	if (rc || !session->over_budget)
		return rc;
	snprintf(text, sizeof(text), "the time budget of %.0f s ended the plan early",
		 (double)session->plan->budget_ns / (double)NS_PER_S);
	return session_warn(session, text, err);
}
