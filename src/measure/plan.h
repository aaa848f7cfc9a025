/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan.h - what will be measured, in which order, and for how long.
 *
 * A plan is tests × copy counts, measured in blocks: a block holds one slot of every (test, copies), in an
 * order drawn from the seed. Recorded in the run as JSON, so that `resume` continues the same plan.
 */
#ifndef ONPROC_MEASURE_PLAN_H
#define ONPROC_MEASURE_PLAN_H

#include "base/error.h"
#include "measure/topology.h"
#include "workload/workload.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PLAN_SLOTS         12 /* first n whose interval shrugs off one outlier (STATISTICS section 3) */
#define PLAN_SLOT_NS       1000000000ull
#define PLAN_WARMUP_NS     250000000ull
#define PLAN_QUICK_SLOTS   7
#define PLAN_QUICK_SLOT_NS 500000000ull
#define PLAN_QUICK_WARMUP_NS 150000000ull

/* One (test, copies) of a plan. */
struct plan_row {
	const struct workload *workload;
	int64_t param[16];
	uint32_t copies;
	char *unsupported; /* reason in words: the row is recorded and not run; NULL: runs */
};

struct plan {
	struct plan_row *rows;
	size_t n_rows;
	uint64_t seed;
	uint32_t slots;      /* per row; with `precision` the most */
	uint64_t slot_ns, warmup_ns;
	double precision;    /* stop a row when its interval's half-width is below this share; 0: off */
	uint64_t budget_ns;  /* of the whole run, 0: none */
	bool classic;        /* UnixBench 6's own durations, passes and drop-the-worst-third */
	uint32_t classic_i;  /* its -i, 0: default passes */
	struct pin pin;
	char *dir;           /* parent of the scratch directories */
	char *suite;         /* whose index is printed; NULL: none */
};

/*
 * "1,2,4..16,all", "1..8*2": a list of counts and ranges, "a..b" every integer, "a..b*k" times k each. all is the value
 * of "all". Result sorted, without repeats, to be freed. -EINVAL says which part and what was expected; counts are
 * 1 … 1,000,000.
 */
int copies_parse(const char *text, uint32_t all, uint32_t **counts, size_t *n, struct error *err);

/* Estimated wall time in ns, from slot and warm-up times and a start-up cost per slot. */
uint64_t plan_estimate_ns(const struct plan *plan);

json_t *plan_to_json(const struct plan *plan);
int plan_from_json(const json_t *object, struct plan *plan, struct error *err);
void plan_free(struct plan *plan);

#endif
