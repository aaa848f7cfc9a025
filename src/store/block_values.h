/* SPDX-License-Identifier: GPL-2.0-or-later */
/* block_values.h - what a series measured in each block, for what is computed block by block. */
#ifndef ONPROC_STORE_BLOCK_VALUES_H
#define ONPROC_STORE_BLOCK_VALUES_H

#include "store/record.h"

/* ln(rate) of a block, or what is made of it: ln(B/A) of a paired one. */
struct block_value {
	uint32_t block;
	double value;
};

struct block_values {
	struct block_value *value; /* ascending by block */
	size_t count;
};

/*
 * ln(rate) of the slots that count and have a rate, each with its block: two slots of one block
 * (the repetition of one that failed, or a side of a pair) stay two. 0 or -ENOMEM; to be freed in
 * any case.
 */
int block_values_of_slots(const struct series *series, struct block_values *values);

/* Neighbours of one block become their mean. */
void block_values_merge(struct block_values *values);

/* One value for each block: both of the above. */
int block_values_of(const struct series *series, struct block_values *values);

void block_values_free(struct block_values *values);

/* Of one block of merged ones; NAN: it has none. */
double block_value_in(const struct block_values *values, uint32_t block);

#endif
