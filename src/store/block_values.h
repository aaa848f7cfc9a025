/* SPDX-License-Identifier: GPL-2.0-or-later */
/* block_values.h - what a series measured in each block, for what is computed block by block. */
#ifndef ONPROC_STORE_BLOCK_VALUES_H
#define ONPROC_STORE_BLOCK_VALUES_H

#include "store/record.h"

struct block_value {
	uint32_t block;
	double log_rate;
};

struct block_values {
	struct block_value *value; /* ascending by block, one for each */
	size_t n;
};

/*
 * ln(rate) of the slots that count. Two slots of a test in one block (the repetition of one that
 * failed) count as their geometric mean. 0 or -ENOMEM; to be freed in any case.
 */
int block_values_of(const struct series *series, struct block_values *values);
void block_values_free(struct block_values *values);

/* Of one block; NAN: it has none. */
double block_value_in(const struct block_values *values, uint32_t block);

#endif
