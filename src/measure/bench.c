// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bench.c - see bench.h: one slot of every row in drawn order makes a block; blocks until every row
 * has what the plan wants.
 */
#include "measure/bench.h"

#include "base/clock.h"
#include "measure/evidence.h"
#include "measure/session.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define RERUN_SHARE	0.15 /* of a plan's slots */
#define PRECISION_SLOTS 6    /* smallest n with a 95 % interval */

static struct series *row_series(const struct session *session, const struct session_row *row)
{
	return session_series(session, row, 0);
}

/* What the record says of a row. */
struct tally {
	uint32_t ok, failed, reruns;
};

static struct tally row_tally(const struct session *session, const struct session_row *row)
{
	const struct series *series = row_series(session, row);
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

static int row_estimate(const struct session *session, const struct session_row *row,
			struct estimate *estimate)
{
	const struct series *series = row_series(session, row);
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
static double row_half_width(const struct session *session, const struct session_row *row)
{
	struct estimate estimate;

	if (row_estimate(session, row, &estimate) || estimate.reason || isnan(estimate.lo))
		return NAN;
	return (estimate.hi - estimate.lo) / 2 / estimate.value;
}

static bool row_is_finished(const struct session *session, const struct session_row *row)
{
	struct tally tally = row_tally(session, row);

	if (row->plan->unsupported || tally.failed >= BENCH_ROW_FAILURES)
		return true;
	if (tally.ok >= plan_row_slots(session->plan, row->plan))
		return true;
	return session->plan->precision > 0 && tally.ok >= PRECISION_SLOTS &&
	       row_half_width(session, row) <= session->plan->precision;
}

/* The last slot of the row in a block, NULL: none. */
static struct slot *row_slot(const struct session *session, const struct session_row *row,
			     uint32_t block)
{
	struct series *series = row_series(session, row);

	for (size_t i = series->n_slots; i-- > 0;) {
		if (series->slots[i].block == block)
			return &series->slots[i];
	}
	return NULL;
}

/* The slot of a block that its re-run replaces. */
static struct slot *row_replaced(const struct session *session, const struct session_row *row,
				 uint32_t block)
{
	struct series *series = row_series(session, row);

	for (size_t i = series->n_slots; i-- > 0;) {
		if (series->slots[i].block == block && !series->slots[i].rerun)
			return &series->slots[i];
	}
	return NULL;
}

/* Slots of the plan, or as many of them as its time allows at their present cost. */
static double slots_expected(const struct session *session)
{
	double planned = 0, cost_ns = 0;

	for (size_t i = 0; i < session->n_rows; i++) {
		const struct session_row *row = &session->rows[i];
		double slots;

		if (row->plan->unsupported)
			continue;
		slots = plan_row_slots(session->plan, row->plan);
		planned += slots;
		cost_ns += slots * session_slot_cost_ns(session, row);
	}
	if (session->plan->budget_ns && cost_ns > (double)session->plan->budget_ns)
		planned *= (double)session->plan->budget_ns / cost_ns;
	return planned;
}

static bool rerun_is_due(const struct session *session, const struct session_row *row,
			 uint32_t block)
{
	const struct slot *slot = row_slot(session, row, block);
	double reruns = 0;

	if (session->plan->classic || !slot || slot->status != SLOT_OK || slot->rerun ||
	    !slot->evidence || !evidence_is_external(slot->evidence))
		return false;
	for (size_t i = 0; i < session->n_rows; i++)
		reruns += row_tally(session, &session->rows[i]).reruns;
	return reruns + 1 <= fmax(1, RERUN_SHARE * slots_expected(session));
}

static void progress_report(const struct session *session, const struct session_row *next)
{
	struct bench_progress progress = {
		.test = next->plan->workload->id,
		.copies = next->plan->copies,
		.elapsed_ns = (uint64_t)(session_elapsed_s(session) * (double)NS_PER_S),
		.worst_half_width = NAN,
	};
	double left_ns = 0;

	if (!session->request->progress)
		return;
	for (size_t i = 0; i < session->n_rows; i++) {
		const struct session_row *row = &session->rows[i];
		struct tally tally = row_tally(session, row);
		uint32_t wanted = plan_row_slots(session->plan, row->plan);
		double half_width = row_half_width(session, row);

		if (row->plan->unsupported)
			continue;
		progress.total += wanted;
		progress.done += tally.ok < wanted ? tally.ok : wanted;
		if (!row_is_finished(session, row))
			left_ns += (wanted - tally.ok) * session_slot_cost_ns(session, row);
		if (!isnan(half_width) && !(half_width <= progress.worst_half_width)) {
			progress.worst_half_width = half_width;
			progress.worst_test = row->plan->workload->id;
		}
	}
	progress.left_ns = (uint64_t)session_left_ns(session, left_ns);
	session->request->progress(&progress, session->request->context);
}

static bool budget_allows(struct session *session, const struct session_row *row)
{
	return session_allows(session, session_slot_cost_ns(session, row));
}

/* Measures one slot of a row and writes it into the record and the journal. */
static int row_measure(struct session *session, struct session_row *row, uint32_t block, bool rerun,
		       struct error *err)
{
	const struct session_slot which = { .block = block, .rerun = rerun };
	struct slot *slot, *before;
	int rc;

	progress_report(session, row);
	rc = session_measure(session, row, &which, &slot, err);
	if (rc)
		return rc;
	before = rerun && slot->status == SLOT_OK ? row_replaced(session, row, block) : NULL;
	if (before)
		before->status = SLOT_REPLACED;
	return session_journal(session, err);
}

/* One block over rows[0 … count-1] in the order of its seed. *any: a row still wanted slots. */
static int block_measure(struct session *session, struct session_row *rows, size_t count,
			 uint32_t block, bool *any, struct error *err)
{
	size_t *order = malloc(count * sizeof(*order));
	int rc = 0;

	if (!order)
		return error_errno(err, -ENOMEM, "the order of a block");
	plan_block_order(session->plan->seed, block, order, count);
	*any = false;
	for (size_t i = 0; i < count && !rc; i++) {
		struct session_row *row = &rows[order[i]];

		if (row_slot(session, row, block)) {
			*any = true;
			continue;
		}
		if (row_is_finished(session, row) || !budget_allows(session, row))
			continue;
		*any = true;
		rc = row_measure(session, row, block, false, err);
	}
	for (size_t i = 0; i < count && !rc; i++) {
		struct session_row *row = &rows[order[i]];

		if (rerun_is_due(session, row, block) && budget_allows(session, row))
			rc = row_measure(session, row, block, true, err);
	}
	free(order);
	return rc;
}

static int rows_measure(struct session *session, struct session_row *rows, size_t count,
			struct error *err)
{
	bool any = true;
	int rc = 0;

	for (uint32_t block = 0; any && !rc; block++)
		rc = block_measure(session, rows, count, block, &any, err);
	return rc;
}

int bench_run(const struct bench_request *request, struct run *run, struct error *err)
{
	struct session session;
	int rc = session_open(&session, request, run, err);

	if (rc)
		goto out;
	if (session.plan->classic) {
		for (size_t i = 0; i < session.n_rows && !rc; i++)
			rc = rows_measure(&session, &session.rows[i], 1, err);
	} else {
		rc = rows_measure(&session, session.rows, session.n_rows, err);
	}
	run->elapsed_s = session_elapsed_s(&session);
	if (!rc)
		rc = session_conclude(&session, err);
out:
	session_close(&session);
	return rc;
}
