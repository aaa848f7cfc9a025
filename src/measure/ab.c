// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ab.c - see ab.h.
 *
 * Rounds: in each, every row that is not finished measures one block, in an order drawn for the
 * round; then blocks with external evidence are repeated, when what disturbed them may be over.
 */
#include "measure/ab.h"

#include "base/clock.h"
#include "base/signals.h"
#include "measure/ab_blocks.h"
#include "measure/ab_sides.h"
#include "measure/ab_switch.h"
#include "measure/command.h"
#include "measure/session.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS_OF_BLOCK 4
#define MARKED_P       0.05
#define VERDICTS_BYTES 512

struct ab {
	struct session session;
	struct ab_switch change;
	const struct sides *sides;
};

static struct block_series row_blocks(const struct ab *ab, const struct session_row *row)
{
	return (struct block_series){ { session_series(&ab->session, row, SIDE_A),
					session_series(&ab->session, row, SIDE_B) } };
}

static int standing_of(const struct ab *ab, const struct session_row *row,
		       struct row_standing *standing, struct error *err)
{
	const struct block_series blocks = row_blocks(ab, row);
	int rc = row_standing(&blocks, ab->sides, ab->session.plan->precision, standing);

	if (rc)
		return error_set(err, rc, "%s: a rate that cannot be compared, or no memory",
				 row->plan->workload->id);
	standing->is_finished |= row->plan->unsupported != NULL;
	return 0;
}

/* "pipe better, syscall ?": what the last look of each row said. */
static void verdicts_add(const struct session_row *row, const struct row_standing *standing,
			 char *text, size_t bytes)
{
	const char *word = "?";
	size_t used = strlen(text);
	char name[64];

	if (standing->is_given_up)
		word = "failed";
	else if (standing->was_looked_at)
		word = verdict_name(standing->result.decision.verdict);
	if (!strcmp(word, "inconclusive"))
		word = "?";
	snprintf(text + used, bytes - used, "%s%s %s", used ? ", " : "",
		 workload_name(row->plan->workload, name, sizeof(name)), word);
}

static double block_cost_ns(const struct ab *ab, const struct session_row *row)
{
	return SLOTS_OF_BLOCK * session_slot_cost_ns(&ab->session, row);
}

/* Blocks that a row needs at least until its next look, or until its end. */
static double blocks_left(const struct ab *ab, const struct row_standing *standing)
{
	double wanted = ab->sides->blocks ? ab->sides->blocks : (double)standing->look.n;

	return fmax(0, wanted - (double)standing->complete);
}

static int progress_report(const struct ab *ab, const struct session_row *next, uint32_t block,
			   struct error *err)
{
	const struct session *session = &ab->session;
	char verdicts[VERDICTS_BYTES] = "";
	struct bench_progress progress = {
		.test = next->plan->workload->id,
		.copies = next->plan->copies,
		.elapsed_ns = (uint64_t)(session_elapsed_s(session) * (double)NS_PER_S),
		.worst_half_width = NAN,
		.block = block + 1,
		.verdicts = verdicts,
	};
	double left_ns = 0;

	if (!session->request->progress)
		return 0;
	for (size_t i = 0; i < session->n_rows; i++) {
		const struct session_row *row = &session->rows[i];
		struct row_standing standing;
		double half_width;
		int rc;

		if (row->plan->unsupported)
			continue;
		rc = standing_of(ab, row, &standing, err);
		if (rc)
			return rc;
		if (row == next && standing.look.number) {
			progress.look = standing.look.number;
			progress.look_n = (uint32_t)standing.look.n;
		}
		verdicts_add(row, &standing, verdicts, sizeof(verdicts));
		if (!standing.is_finished)
			left_ns += blocks_left(ab, &standing) * block_cost_ns(ab, row);
		half_width = (standing.result.log_ratio.hi - standing.result.log_ratio.lo) / 2;
		if (standing.was_looked_at && !isnan(half_width) &&
		    !(half_width <= progress.worst_half_width)) {
			progress.worst_half_width = half_width;
			progress.worst_test = row->plan->workload->id;
		}
	}
	progress.left_ns = (uint64_t)session_left_ns(session, left_ns);
	session->request->progress(&progress, session->request->context);
	return 0;
}

/* Measures one slot of a block. *failed: it is in the record as such. */
static int slot_of_block(struct ab *ab, struct session_row *row, uint32_t block, int side,
			 bool rerun, bool *failed, struct error *err)
{
	const struct session_slot which = {
		.side = side,
		.block = block,
		.rerun = rerun,
		.environment = ab->sides->side[side].variables.entry,
	};
	struct slot *slot;
	int rc;

	if (signal_stop)
		return error_set(err, -EINTR, "interrupted");
	rc = progress_report(ab, row, block, err);
	if (!rc)
		rc = switch_to(&ab->change, side, err);
	if (!rc)
		rc = session_measure(&ab->session, row, &which, &slot, err);
	if (rc)
		return rc;
	*failed = slot->status == SLOT_FAILED;
	return 0;
}

/*
 * One attempt at a block. The slots of an attempt that does not come to its end do not count, and
 * those that it was to replace then count again.
 */
static int block_attempt(struct ab *ab, struct session_row *row, uint32_t block, struct error *err)
{
	struct block_series blocks = row_blocks(ab, row);
	const struct block_state before = block_state(&blocks, block);
	bool repeats = block_is_complete(&before), rerun = before.slots > 0, failed = false;
	bool begins_with_b = plan_block_begins_with_b(ab->session.plan->seed, block, row->number,
						      ab->session.n_rows, before.slots);
	struct error ignored;
	int rc = 0;

	/* What a killed onproc, or an earlier attempt, left of the block. */
	block_set(&blocks, block, false, SLOT_OK, SLOT_REPLACED);
	block_set(&blocks, block, true, SLOT_OK, SLOT_REPLACED);
	for (int i = 0; i < SLOTS_OF_BLOCK && !rc && !failed; i++) {
		bool is_inner = i == 1 || i == 2;

		rc = slot_of_block(ab, row, block, is_inner != begins_with_b ? SIDE_B : SIDE_A,
				   rerun, &failed, err);
		if (!rc)
			rc = session_journal(&ab->session, err);
	}
	if (!rc && !failed)
		return 0;
	blocks = row_blocks(ab, row);
	block_set(&blocks, block, rerun, SLOT_OK, SLOT_REPLACED);
	if (repeats)
		block_set(&blocks, block, false, SLOT_REPLACED, SLOT_OK);
	if (rc) {
		session_journal(&ab->session, &ignored);
		return rc;
	}
	return session_journal(&ab->session, err);
}

static bool budget_allows(struct ab *ab, const struct session_row *row)
{
	return session_allows(&ab->session, block_cost_ns(ab, row));
}

/* Blocks repeated so far against those measured: at most a share of what a row comes to. */
static int repeat_is_due(const struct ab *ab, const struct session_row *row, uint32_t block,
			 bool *due, struct error *err)
{
	const struct block_series blocks = row_blocks(ab, row);
	const struct block_state state = block_state(&blocks, block);
	double complete = 0, repeated = 0;

	*due = false;
	if (!block_is_complete(&state) || state.was_repeated || !state.is_external)
		return 0;
	for (size_t i = 0; i < ab->session.n_rows; i++) {
		struct row_standing standing;
		int rc = standing_of(ab, &ab->session.rows[i], &standing, err);

		if (rc)
			return rc;
		complete += (double)standing.complete;
		repeated += standing.repeated;
	}
	*due = repeated + 1 <= fmax(1, AB_RERUN_SHARE * complete);
	return 0;
}

/* One block of every row that wants one. *any: a row still wanted blocks. */
static int round_measure(struct ab *ab, uint32_t block, const size_t *order, bool *any,
			 struct error *err)
{
	int rc = 0;

	*any = false;
	for (size_t i = 0; i < ab->session.n_rows && !rc; i++) {
		struct session_row *row = &ab->session.rows[order[i]];
		const struct block_series blocks = row_blocks(ab, row);
		const struct block_state state = block_state(&blocks, block);
		struct row_standing standing;

		if (state.has_failed || block_is_complete(&state)) {
			*any = true;
			continue;
		}
		rc = standing_of(ab, row, &standing, err);
		if (rc || standing.is_finished || !budget_allows(ab, row))
			continue;
		*any = true;
		rc = block_attempt(ab, row, block, err);
	}
	for (size_t i = 0; i < ab->session.n_rows && !rc; i++) {
		struct session_row *row = &ab->session.rows[order[i]];
		bool due;

		rc = repeat_is_due(ab, row, block, &due, err);
		if (!rc && due && budget_allows(ab, row))
			rc = block_attempt(ab, row, block, err);
	}
	return rc;
}

static int rounds_measure(struct ab *ab, struct error *err)
{
	size_t *order = malloc((ab->session.n_rows + 1) * sizeof(*order));
	bool any = true;
	int rc = 0;

	if (!order)
		return error_errno(err, -ENOMEM, "the order of a block");
	for (uint32_t block = 0; any && !rc && block < AB_BLOCKS_MAX; block++) {
		plan_block_order(ab->session.plan->seed, block, order, ab->session.n_rows);
		rc = round_measure(ab, block, order, &any, err);
	}
	free(order);
	return rc;
}

/* Evidence that depends on the side is an effect of the side, and not something from outside. */
static int warn_of_marks(struct ab *ab, struct error *err)
{
	struct marked marked = { 0 };
	char text[240];

	for (size_t i = 0; i < ab->session.n_rows; i++) {
		const struct block_series blocks = row_blocks(ab, &ab->session.rows[i]);

		marked_add(&marked, &blocks);
	}
	marked_test(&marked);
	if (marked.p > MARKED_P)
		return 0;
	snprintf(text, sizeof(text),
		 "external evidence marks %u of %u slots of side A and %u of %u of side B: it "
		 "depends on the side",
		 marked.marked[SIDE_A], marked.slots[SIDE_A], marked.marked[SIDE_B],
		 marked.slots[SIDE_B]);
	return session_warn(&ab->session, text, err);
}

static int warn_of_failures(struct ab *ab, struct error *err)
{
	int rc = 0;

	for (size_t i = 0; i < ab->session.n_rows && !rc; i++) {
		const struct session_row *row = &ab->session.rows[i];
		struct row_standing standing;
		char text[200];

		rc = standing_of(ab, row, &standing, err);
		if (rc || !standing.is_given_up)
			continue;
		snprintf(text, sizeof(text), "%.100s, %u %s: given up after %u blocks that failed",
			 row->plan->workload->id, row->plan->copies,
			 row->plan->copies == 1 ? "copy" : "copies", standing.failed);
		rc = session_warn(&ab->session, text, err);
	}
	return rc;
}

/* Sides of two names are to differ, even if by a slip their setups do not. */
static bool have_names(const struct sides *sides)
{
	const char *a = sides->side[SIDE_A].name, *b = sides->side[SIDE_B].name;

	return a && b && strcmp(a, b) != 0;
}

static bool is_aa(const struct plan *plan)
{
	const struct instrument *instrument = plan->instrument;
	bool same_command = !instrument || !instrument->text[SIDE_B] ||
			    !strcmp(instrument->text[SIDE_A], instrument->text[SIDE_B]);

	return same_command && sides_are_equal(plan->sides) && !have_names(plan->sides);
}

/* What was read back may be damaged: a block far away would take all memory. */
static int blocks_check(const struct run *run, struct error *err)
{
	for (size_t i = 0; i < run->n_series; i++) {
		const struct series *series = &run->series[i];

		for (size_t k = 0; k < series->n_slots; k++) {
			if (series->slots[k].block >= AB_BLOCKS_MAX)
				return error_set(err, -EUCLEAN,
						 "run %s, %s: slot %zu is of block %" PRIu32
						 ", expected fewer than %u",
						 run->id, series->test, k, series->slots[k].block,
						 AB_BLOCKS_MAX);
		}
	}
	return 0;
}

int ab_run(const struct bench_request *request, struct run *run, struct error *err)
{
	struct ab ab = { .sides = request->plan->sides, .change = { .side = -1 } };
	struct error restoring = { 0 };
	int rc = blocks_check(run, err);

	if (rc)
		return rc;
	rc = session_open(&ab.session, request, run, err);
	if (!rc)
		rc = switch_open(&ab.change, ab.sides, is_aa(request->plan), request->database,
				 run->id, err);
	if (!rc)
		rc = rounds_measure(&ab, err);
	run->elapsed_s = session_elapsed_s(&ab.session);
	if (!rc)
		rc = session_conclude(&ab.session, err);
	if (!rc)
		rc = warn_of_marks(&ab, err);
	if (!rc)
		rc = warn_of_failures(&ab, err);
	if (switch_close(&ab.change, &restoring)) {
		/* The worse of two troubles: the first is in what was measured, and shows there. */
		if (rc && rc != -EINTR)
			error_context(&restoring, "%.300s; and then", err->text);
		*err = restoring;
		rc = restoring.code;
	}
	session_close(&ab.session);
	return rc;
}
