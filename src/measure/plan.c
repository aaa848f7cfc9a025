// SPDX-License-Identifier: GPL-2.0-or-later
/* plan.c - order, size and cost of a plan; see plan.h. Its JSON is in plan_json.c. */
#include "measure/plan.h"
#include "base/clock.h"
#include "base/rng.h"

#include <stdlib.h>

/*
 * What a slot costs beside warm-up and window: warden, programs, evidence, scratch directory; and
 * per copy its start and end. Measured on 2 CPUs: 40 to 60 ms and 0.6 to 1 ms.
 */
#define SLOT_COST_NS (50 * NS_PER_MS)
#define COPY_COST_NS (1 * NS_PER_MS)

void plan_block_order(uint64_t seed, uint32_t block, size_t *order, size_t count)
{
	struct rng rng = { seed };

	for (uint32_t i = 0; i < block; i++)
		rng_next(&rng);
	rng.state = rng_next(&rng);
	for (size_t i = 0; i < count; i++)
		order[i] = i;
	rng_shuffle(&rng, order, count);
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
	*plan = (struct plan){ 0 };
}
