/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench.h - runs a plan: blocks in drawn order, slots, re-runs on external evidence, journal after
 * every slot, stopping by precision or budget.
 */
#ifndef ONPROC_MEASURE_BENCH_H
#define ONPROC_MEASURE_BENCH_H

#include "base/error.h"
#include "measure/plan.h"
#include "store/record.h"
#include "store/store.h"

#define BENCH_ROW_FAILURES 2 /* slots: a row that failed this often is given up */

/* What a live line shows; called between slots only, never while one is measured. */
struct bench_progress {
	const char *test;
	uint32_t copies;
	size_t done, total; /* slots */
	uint64_t elapsed_ns, left_ns;
	double worst_half_width; /* widest relative half-width of a row so far, NAN: none yet */
	const char *worst_test;
	/* Of a comparison of two sides; verdicts NULL: of none. */
	uint32_t block;	       /* that is being measured, from 1 */
	uint32_t look, look_n; /* the next look of its row, and the blocks it needs; look 0: none */
	const char *verdicts;  /* "pipe better, syscall ?" */
};

struct bench_request {
	const struct plan *plan;
	const struct topology *topology;
	const char *program_dir;
	struct journal *journal; /* NULL: none */
	const char *database;	 /* beside which the sides of a comparison are noted; NULL: not */
	void (*progress)(const struct bench_progress *progress, void *context);
	void *context;
};

/*
 * Measures what the plan asks for and run does not yet hold (so a resumed run goes on). A slot that
 * fails is recorded with its reason, tried once more in the next block, and the rest goes on. 0
 * when the plan is complete; -EINTR when a signal ended it (all measured slots are in run); other
 * errors end it too.
 */
int bench_run(const struct bench_request *request, struct run *run, struct error *err);

#endif
