/* SPDX-License-Identifier: MIT */
/*
 * stats.h - what the locks of a program cost, lock by lock, when asked for by ONPROC_STATS.
 *
 * Off, each operation pays one load and a branch. On, each acquisition pays an atomic addition to
 * the lock's row, and one that waits pays two readings of the clock. A fixed table, allocated with
 * the library, has a row for each address; locks for which none is left share the row "others". A
 * lock that is made where a destroyed one lay continues its row.
 */
#ifndef ONPROC_PRELOAD_STATS_H
#define ONPROC_PRELOAD_STATS_H

#include "stat.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum stats_kind { STATS_MUTEX, STATS_RWLOCK, STATS_SPIN };

/* Waits by length: 8 steps per power of two, thus within 12.5 %, to 2^40 ns and longer. */
#define STATS_STEPS   8
#define STATS_BUCKETS (STATS_STEPS * 38)

#define STATS_ROWS 2048 /* a power of two */

struct stats_row {
	const void *lock;   /* NULL: free */
	const void *caller; /* of its first use */
	uint32_t kind;
	uint64_t acquired; /* all */
	uint64_t waited;   /* of them, those that met a held lock, and timed ones that gave up */
	uint64_t handed_over, holder_off, predecessor_off, parks;
	uint64_t wait_ns, longest_ns;
	uint64_t waits[STATS_BUCKETS];
};

struct stats_wait {
	struct stats_row *row;
	uint64_t since_ns;
	struct stat_thread before;
};

struct stats_totals {
	uint64_t threads;   /* that have used a lock of ours */
	uint64_t thread_ns; /* from their first use to their end, or to now */
	uint64_t left_to_libc;
};

extern bool stats_on __attribute__((visibility("hidden")));

/* Got without waiting. */
void stats_acquired(const void *lock, enum stats_kind kind, const void *caller);

/* Around what is got by waiting, or not in time. */
void stats_wait_begin(struct stats_wait *wait, const void *lock, enum stats_kind kind,
		      const void *caller);
void stats_wait_end(struct stats_wait *wait, bool got);

/* An operation on an object that is the C library's. */
void stats_left_to_libc(void);

void stats_open(void);

/* In a forked child: it counts for itself. */
void stats_forked(void);

/* The rows, STATS_ROWS of them and then the others; and the sums. */
struct stats_row *stats_rows(void);
void stats_totals(struct stats_totals *totals);

/* The wait that `share` of a row's waits do not exceed, as the upper end of its bucket. */
uint64_t stats_quantile_ns(const struct stats_row *row, double share);

#endif
