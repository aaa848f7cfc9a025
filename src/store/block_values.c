// SPDX-License-Identifier: GPL-2.0-or-later
/* block_values.c - see block_values.h. */
#include "store/block_values.h"

#include "store/score.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

static int compare_blocks(const void *left, const void *right)
{
	const struct block_value *a = left, *b = right;

	return (a->block > b->block) - (a->block < b->block);
}

int block_values_of_slots(const struct series *series, struct block_values *values)
{
	values->count = 0;
	values->value = malloc((series->n_slots + 1) * sizeof(*values->value));
	if (!values->value)
		return -ENOMEM;
	for (size_t i = 0; i < series->n_slots; i++) {
		const struct slot *slot = &series->slots[i];

		if (slot_counts(slot) && slot->rate > 0 && isfinite(slot->rate))
			values->value[values->count++] =
				(struct block_value){ slot->block, log(slot->rate) };
	}
	qsort(values->value, values->count, sizeof(*values->value), compare_blocks);
	return 0;
}

void block_values_merge(struct block_values *values)
{
	size_t merged = 0;

	for (size_t i = 0; i < values->count;) {
		uint32_t block = values->value[i].block;
		double sum = 0;
		size_t n = 0;

		for (; i < values->count && values->value[i].block == block; i++, n++)
			sum += values->value[i].value;
		values->value[merged++] = (struct block_value){ block, sum / (double)n };
	}
	values->count = merged;
}

int block_values_of(const struct series *series, struct block_values *values)
{
	int rc = block_values_of_slots(series, values);

	if (!rc)
		block_values_merge(values);
	return rc;
}

void block_values_free(struct block_values *values)
{
	free(values->value);
	values->value = NULL;
	values->count = 0;
}

double block_value_in(const struct block_values *values, uint32_t block)
{
	const struct block_value key = { .block = block };
	const struct block_value *found =
		bsearch(&key, values->value, values->count, sizeof(key), compare_blocks);

	return found ? found->value : NAN;
}
