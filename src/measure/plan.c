// SPDX-License-Identifier: GPL-2.0-or-later
/* plan.c - order, size and cost of a plan; see plan.h. Its JSON is in plan_json.c. */
#include "measure/plan.h"
#include "base/clock.h"
#include "base/rng.h"
#include "measure/ab_sides.h"
#include "measure/command.h"

#include <stdlib.h>
#include <string.h>

/*
 * What a slot costs beside warm-up and window: warden, programs, evidence, scratch directory; and
 * per copy its start and end. Measured on 2 CPUs: 40 to 60 ms and 0.6 to 1 ms.
 */
#define SLOT_COST_NS (50 * NS_PER_MS)
#define COPY_COST_NS (1 * NS_PER_MS)

/* Each block has a generator of its own. */
static struct rng block_rng(uint64_t seed, uint32_t block)
{
	struct rng rng = { seed };

	for (uint32_t i = 0; i < block; i++)
		rng_next(&rng);
	return (struct rng){ rng_next(&rng) };
}

void plan_block_order(uint64_t seed, uint32_t block, size_t *order, size_t count)
{
	struct rng rng = block_rng(seed, block);

	for (size_t i = 0; i < count; i++)
		order[i] = i;
	rng_shuffle(&rng, order, count);
}

bool plan_block_begins_with_b(uint64_t seed, uint32_t block, size_t row, size_t rows,
			      uint32_t attempt)
{
	struct rng rng = block_rng(seed, block);
	uint64_t drawn = 0;

	/* rows draws order the rows, at most; each attempt draws once for every row. */
	for (size_t i = 0; i <= rows + attempt * rows + row; i++)
		drawn = rng_next(&rng);
	return drawn >> 63;
}

void plan_row_hash(const struct plan_row *row, char *hex)
{
	if (row->instrument)
		memcpy(hex, row->instrument->hash, SHA256_HEX_BYTES);
	else
		workload_hash(row->workload, row->param, hex);
}

uint32_t plan_classic_passes(const struct workload *workload, uint32_t classic_i)
{
	uint32_t passes = (uint32_t)workload->classic_passes;
	uint32_t third = (classic_i + 1) / 3;

	if (!passes || !classic_i)
		return passes;
	if (passes == 10) /* its "long" tests */
		return classic_i;
	return third ? third : 1;
}

uint32_t plan_row_slots(const struct plan *plan, const struct plan_row *row)
{
	if (row->unsupported)
		return 0;
	if (plan->classic)
		return plan_classic_passes(row->workload, plan->classic_i);
	return plan->slots;
}

static uint64_t row_slot_ns(const struct plan *plan, const struct plan_row *row)
{
	uint64_t ns = SLOT_COST_NS + row->copies * COPY_COST_NS;

	if (plan->classic)
		return ns + (uint64_t)row->workload->classic_s * NS_PER_S;
	return ns + plan->warmup_ns + plan->slot_ns;
}

uint64_t plan_estimate_ns(const struct plan *plan)
{
	uint64_t whole_ns = 0;

	for (size_t i = 0; i < plan->n_rows; i++) {
		const struct plan_row *row = &plan->rows[i];
		uint64_t row_ns;

		if (__builtin_mul_overflow(plan_row_slots(plan, row), row_slot_ns(plan, row),
					   &row_ns) ||
		    __builtin_add_overflow(whole_ns, row_ns, &whole_ns))
			whole_ns = UINT64_MAX;
	}
	if (plan->budget_ns && plan->budget_ns < whole_ns)
		return plan->budget_ns;
	return whole_ns;
}

void plan_free(struct plan *plan)
{
	for (size_t i = 0; i < plan->n_rows; i++)
		free(plan->rows[i].unsupported);
	free(plan->rows);
	free(plan->dir);
	free(plan->suite);
	pin_free(&plan->pin);
	instrument_free(plan->instrument);
	sides_free(plan->sides);
	*plan = (struct plan){ 0 };
}
