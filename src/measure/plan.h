/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan.h - what will be measured, in which order, and for how long.
 *
 * A plan is tests × copy counts, measured in blocks: a block holds one slot of every (test,
 * copies), in an order drawn from the seed. Recorded in the run as JSON, so that `resume` continues
 * the same plan.
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

#define PLAN_SLOTS	     12 /* first n whose interval shrugs off one outlier */
#define PLAN_SLOT_NS	     1000000000ull
#define PLAN_WARMUP_NS	     250000000ull
#define PLAN_QUICK_SLOTS     7
#define PLAN_QUICK_SLOT_NS   500000000ull
#define PLAN_QUICK_WARMUP_NS 150000000ull
#define PLAN_PRECISION_SLOTS 140		/* most with a precision: a look of stats/looks.h */
#define PLAN_PARAMS	     16			/* parameters of a workload, as PAGE_PARAMS */
#define PLAN_SEED_MAX	     ((1ull << 53) - 1) /* every reader of JSON takes it exactly */

struct instrument;
struct sides;

/* One (test, copies) of a plan. */
struct plan_row {
	const struct workload *workload;
	const struct instrument *instrument; /* the plan's, where the row is its command; or NULL */
	int64_t param[PLAN_PARAMS];
	uint32_t copies;
	char *unsupported; /* reason in words: the row is recorded and not run; NULL: runs */
	bool by_name;	   /* asked for by its own name, not as a member of a group or suite */
};

struct plan {
	struct plan_row *rows;
	size_t n_rows;
	uint64_t seed;
	uint32_t slots; /* per row; with `precision` the most */
	uint64_t slot_ns, warmup_ns;
	double precision;   /* ends a row whose interval's half-width is below it; 0: off */
	uint64_t budget_ns; /* of the whole run, 0: none */
	bool classic;	    /* UnixBench 6's own durations, passes and drop-the-worst-third */
	uint32_t classic_i; /* its -i, 0: default passes */
	struct pin pin;
	char *dir;		       /* parent of the scratch directories */
	char *suite;		       /* whose index is printed; NULL: none */
	struct instrument *instrument; /* a command to measure (command.h); NULL: none */
	struct sides *sides; /* compared in blocks ABBA or BAAB (ab_sides.h); NULL: one side */
};

/* The largest count, and the most counts of a list: 10,000 of 12 tests take three weeks. */
#define COPIES_MAX	  1000000
#define COPIES_MAX_COUNTS 10000

/*
 * "1,2,4..16,all", "1..8*2": a list of counts and ranges, "a..b" every integer, "a..b*k" times k
 * each. all is the value of "all", also as the end of a range. Result sorted, without repeats, to
 * be freed. -EINVAL says which part and what was expected; counts are 1 … COPIES_MAX.
 */
int copies_parse(const char *text, uint32_t all, uint32_t **counts, size_t *n, struct error *err);

/* Estimated wall time in ns, from slot and warm-up times and a start-up cost per slot. */
uint64_t plan_estimate_ns(const struct plan *plan);

/*
 * Order of count rows in a block (numbered from 0), into order: each block has a generator of its
 * own, drawn from the plan's seed, so that a resumed run goes on in the order that the whole would
 * have had.
 */
void plan_block_order(uint64_t seed, uint32_t block, size_t *order, size_t count);

/*
 * Does a row's attempt at a block begin with side B: BAAB instead of ABBA? Drawn afresh for every
 * block, row and attempt by the block's generator, behind what orders the rows.
 */
bool plan_block_begins_with_b(uint64_t seed, uint32_t block, size_t row, size_t rows,
			      uint32_t attempt);

/* Content hash of what an iteration of the row does; hex has room for SHA256_HEX_BYTES. */
void plan_row_hash(const struct plan_row *row, char *hex);

/* Its parameters as a series has them: a new object; NULL: no memory. */
json_t *plan_row_params(const struct plan_row *row);

/* Passes of UnixBench 6 for a test: its own or those of its `-i`. 0: not its test. */
uint32_t plan_classic_passes(const struct workload *workload, uint32_t classic_i);

/* Slots of a row, by the plan's kind; 0 for a row that does not run. */
uint32_t plan_row_slots(const struct plan *plan, const struct plan_row *row);

/*
 * {"suite":…,"suite_tests":[ids],"seed":…,"slots":…,"slot_ns":…,"warmup_ns":…,"precision":null|share,
 *  "budget_ns":null|ns,"classic":false,"classic_i":0,"pin":"none|spread|compact"|[CPUs],"dir":…,
 *  "rows":[{"test":id,"content_hash":…,"params":{…},"copies":…,"by_name":…,"unsupported":null|reason}]}
 * and only where there is one, "command" (see command.h), and "design":"abba" with
 * "sides" (see ab_sides.h) and "looks", whether looks end it. A new object; NULL: no memory.
 */
json_t *plan_to_json(const struct plan *plan);

/*
 * Reads plan_to_json()'s object and checks every member: -EINVAL with its path and what was
 * expected, -ESTALE when a test is unknown here or its content hash is another one, so that its
 * slots would not be of one kind. plan is zeroed first and to be freed in any case.
 */
int plan_from_json(const json_t *object, struct plan *plan, struct error *err);
void plan_free(struct plan *plan); /* safe on a zeroed or half-filled plan */

#endif
