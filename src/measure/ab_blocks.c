// SPDX-License-Identifier: GPL-2.0-or-later
/* ab_blocks.c - see ab_blocks.h. */
#include "measure/ab_blocks.h"

#include "measure/evidence.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* Slots of one block: those of the last attempts lie at the end. */
static bool in_block(const struct slot *slot, uint32_t block)
{
	return slot->block == block;
}

static bool is_marked(const struct slot *slot)
{
	return slot->evidence && evidence_is_external(slot->evidence);
}

struct block_state block_state(const struct block_series *row, uint32_t block)
{
	struct block_state state = { 0 };

	for (int side = 0; side < 2; side++) {
		const struct series *series = row->side[side];

		for (size_t i = 0; i < series->n_slots; i++) {
			const struct slot *slot = &series->slots[i];

			if (!in_block(slot, block))
				continue;
			state.slots++;
			state.was_repeated |= slot->rerun;
			state.has_failed |= slot->status == SLOT_FAILED && !slot->rerun;
			if (slot->status != SLOT_OK)
				continue;
			state.ok[side]++;
			state.is_external |= is_marked(slot);
		}
	}
	return state;
}

bool block_is_complete(const struct block_state *state)
{
	return state->ok[SIDE_A] == 2 && state->ok[SIDE_B] == 2;
}

void block_set(const struct block_series *row, uint32_t block, bool rerun, enum slot_status from,
	       enum slot_status to)
{
	for (int side = 0; side < 2; side++) {
		for (size_t i = 0; i < row->side[side]->n_slots; i++) {
			struct slot *slot = &row->side[side]->slots[i];

			if (in_block(slot, block) && slot->rerun == rerun && slot->status == from)
				slot->status = to;
		}
	}
}

/* What one block adds up to. */
struct tally {
	uint32_t ok[2];
	double log_sum[2];
	bool has_failed, was_repeated;
};

/* One per block from 0, n of them. *tallies to be freed. 0 or -ENOMEM. */
static int blocks_tally(const struct block_series *row, struct tally **tallies, size_t *n)
{
	struct tally *tally;

	*n = 0;
	for (int side = 0; side < 2; side++) {
		for (size_t i = 0; i < row->side[side]->n_slots; i++) {
			if (row->side[side]->slots[i].block >= *n)
				*n = (size_t)row->side[side]->slots[i].block + 1;
		}
	}
	tally = calloc(*n + 1, sizeof(*tally));
	if (!tally)
		return -ENOMEM;
	for (int side = 0; side < 2; side++) {
		for (size_t i = 0; i < row->side[side]->n_slots; i++) {
			const struct slot *slot = &row->side[side]->slots[i];
			struct tally *of = &tally[slot->block];

			of->was_repeated |= slot->rerun;
			of->has_failed |= slot->status == SLOT_FAILED && !slot->rerun;
			if (slot->status != SLOT_OK)
				continue;
			of->ok[side]++;
			of->log_sum[side] += log(slot->rate);
		}
	}
	*tallies = tally;
	return 0;
}

static bool tally_is_complete(const struct tally *tally)
{
	return tally->ok[SIDE_A] == 2 && tally->ok[SIDE_B] == 2;
}

/* Differences of the complete ones, into d with room for all. Returns their number. */
static size_t tallies_differences(const struct tally *tally, size_t blocks, double *d)
{
	size_t n = 0;

	for (size_t i = 0; i < blocks; i++) {
		if (tally_is_complete(&tally[i]))
			d[n++] = (tally[i].log_sum[SIDE_B] - tally[i].log_sum[SIDE_A]) / 2;
	}
	return n;
}

int block_differences(const struct block_series *row, double **d, size_t *n)
{
	struct tally *tally;
	size_t blocks;

	if (blocks_tally(row, &tally, &blocks))
		return -ENOMEM;
	*d = malloc((blocks + 1) * sizeof(**d));
	if (*d)
		*n = tallies_differences(tally, blocks, *d);
	free(tally);
	return *d ? 0 : -ENOMEM;
}

/* All looks that n blocks allow, until one ends the row. */
static int looks(const struct sides *sides, const double *d, size_t n, double precision,
		 struct row_standing *standing)
{
	double margin = log1p(sides->margin);
	int rc = 0;

	for (unsigned int number = 1; number <= LOOKS_MAX; number++) {
		rc = look_get(number, sides->alpha, &standing->look);
		if (rc || standing->look.n > n)
			return rc;
		rc = look_at(&standing->look, d, n, margin, precision, &standing->result);
		if (rc)
			return rc;
		standing->was_looked_at = true;
		if (standing->result.end == LOOK_GOES_ON)
			continue;
		standing->is_finished = true;
		standing->look = (struct look){ 0 };
		return 0;
	}
	standing->look = (struct look){ 0 };
	return 0;
}

/* All of alpha at once, over what is there. */
static int fixed(const struct sides *sides, const double *d, size_t n,
		 struct row_standing *standing)
{
	const struct look all = { .number = 1, .n = n, .alpha = sides->alpha };

	standing->is_finished = n >= sides->blocks;
	if (!n)
		return 0;
	standing->was_looked_at = true;
	return look_at(&all, d, n, log1p(sides->margin), 0, &standing->result);
}

int row_standing(const struct block_series *row, const struct sides *sides, double precision,
		 struct row_standing *standing)
{
	struct tally *tally = NULL;
	double *d = NULL;
	size_t blocks;
	int rc;

	*standing = (struct row_standing){ 0 };
	rc = blocks_tally(row, &tally, &blocks);
	if (rc)
		return rc;
	d = malloc((blocks + 1) * sizeof(*d));
	if (!d) {
		rc = -ENOMEM;
		goto out;
	}
	standing->complete = tallies_differences(tally, blocks, d);
	for (size_t i = 0; i < blocks; i++) {
		standing->failed += tally[i].has_failed;
		standing->repeated += tally[i].was_repeated;
	}
	/* A share is so near to a difference of logarithms that the sooner end does not matter. */
	rc = sides->blocks ? fixed(sides, d, standing->complete, standing)
			   : looks(sides, d, standing->complete, precision, standing);
	standing->is_given_up = standing->failed >= AB_FAILURES;
	standing->is_finished |= standing->is_given_up;
out:
	free(tally);
	free(d);
	return rc;
}

void marked_add(struct marked *marked, const struct block_series *row)
{
	for (int side = 0; side < 2; side++) {
		for (size_t i = 0; i < row->side[side]->n_slots; i++) {
			const struct slot *slot = &row->side[side]->slots[i];

			if (slot->status == SLOT_FAILED)
				continue;
			marked->slots[side]++;
			marked->marked[side] += is_marked(slot);
		}
	}
}

/* ln of the probability of k marks on side B among n, when each is as likely on a slot of either.
 */
static double log_binomial(uint32_t k, uint32_t n, double share)
{
	return lgamma(n + 1.0) - lgamma(k + 1.0) - lgamma(n - k + 1.0) + k * log(share) +
	       (n - k) * log1p(-share);
}

void marked_test(struct marked *marked)
{
	uint32_t n = marked->marked[SIDE_A] + marked->marked[SIDE_B];
	uint32_t slots = marked->slots[SIDE_A] + marked->slots[SIDE_B];
	double share, seen, sum = 0;

	marked->p = 1;
	if (!n || !marked->slots[SIDE_A] || !marked->slots[SIDE_B])
		return;
	share = (double)marked->slots[SIDE_B] / (double)slots;
	seen = log_binomial(marked->marked[SIDE_B], n, share);
	for (uint32_t k = 0; k <= n; k++) {
		double one = log_binomial(k, n, share);

		/* As likely as what was seen, or less; the margin is for rounding. */
		if (one <= seen + 1e-9)
			sum += exp(one);
	}
	marked->p = sum < 1 ? sum : 1;
}
