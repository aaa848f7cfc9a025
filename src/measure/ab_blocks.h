/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ab_blocks.h - what the record says of the blocks of a row: two series, sides A and B.
 *
 * A block is complete when two slots of each side count in it (SLOT_OK). Slots of an attempt that
 * was cut off, or that a repeated block replaced, do not count (SLOT_REPLACED).
 */
#ifndef ONPROC_MEASURE_AB_BLOCKS_H
#define ONPROC_MEASURE_AB_BLOCKS_H

#include "base/error.h"
#include "measure/ab_sides.h"
#include "stats/looks.h"
#include "store/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define AB_FAILURES 2 /* a row with so many blocks that failed is given up */

/* Both series of a row, side A first. */
struct block_series {
	struct series *side[2];
};

struct block_state {
	uint32_t slots;	 /* ever measured in it, over all attempts */
	uint32_t ok[2];	 /* that count, per side */
	bool has_failed; /* a slot that was no re-run failed */
	bool was_repeated;
	bool is_external; /* one that counts has external evidence */
};

struct block_state block_state(const struct block_series *row, uint32_t block);
bool block_is_complete(const struct block_state *state);

/* Sets the state of every slot of a block that is in `from` to `to`. rerun: those of re-runs. */
void block_set(const struct block_series *row, uint32_t block, bool rerun, enum slot_status from,
	       enum slot_status to);

/* How a row stands. */
struct row_standing {
	size_t complete;   /* blocks */
	uint32_t failed;   /* blocks */
	uint32_t repeated; /* blocks */
	bool is_given_up;
	bool is_finished;	   /* decided, precise, all blocks asked for, or given up */
	struct look look;	   /* the next one; number 0: there is none */
	bool was_looked_at;	   /* result holds the last look */
	struct look_result result; /* with --blocks: of all blocks at full alpha */
};

/*
 * Of the blocks measured so far. precision: share, 0: none. 0 or -ENOMEM.
 */
int row_standing(const struct block_series *row, const struct sides *sides, double precision,
		 struct row_standing *standing);

/*
 * Differences (ln B1 + ln B2 - ln A1 - ln A2) / 2 of complete blocks in their order; *d to be
 * freed. 0 or -ENOMEM.
 */
int block_differences(const struct block_series *row, double **d, size_t *n);

/*
 * Slots of each side that external evidence marked, and how many there are; p is that of equal
 * rates, by the binomial distribution, two-sided.
 */
struct marked {
	uint32_t marked[2], slots[2];
	double p;
};
void marked_add(struct marked *marked, const struct block_series *row);
void marked_test(struct marked *marked);

#endif
