/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench_lock.h - the rows of the lock tests: kinds × threads × hold × think × readers, each a row
 * of the plan with its own parameters.
 */
#ifndef ONPROC_CMD_BENCH_LOCK_H
#define ONPROC_CMD_BENCH_LOCK_H

#include "cmd/bench.h"

struct lock_row {
	int64_t param[PLAN_PARAMS];
	bool by_name; /* its kind was asked for, or is one that this onproc was built with */
};

struct lock_rows {
	struct lock_row *rows;
	size_t count;
};

/* Is it one of the tests that have such rows? */
bool lock_has_rows(const struct workload *workload);

/*
 * The rows of one of these tests. cpus: how many there are, for what was not typed. -EINVAL for
 * what was typed wrong. rows to be freed.
 */
int lock_rows_make(const struct bench_options *options, const struct workload *workload,
		   uint32_t cpus, struct lock_rows *rows, struct error *err);

/* Options of the lock tests without one of them: -EINVAL. */
int lock_options_check(const struct bench_options *options, const struct selection *selection,
		       struct error *err);

#endif
