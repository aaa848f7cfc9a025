/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lock_run.h - a copy of a lock test while it runs: its threads, its lock, what they measured. */
#ifndef ONPROC_WORKLOAD_LOCK_RUN_H
#define ONPROC_WORKLOAD_LOCK_RUN_H

#include "workload/lock_histogram.h"
#include "workload/lock_kinds.h"
#include "workload/ticks.h"
#include "workload/work.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#define LONG_WAIT_NS 50000

/* One thread; nobody else writes here while it runs. */
struct lock_worker {
	_Alignas(LOCK_LINE) pthread_t thread;
	struct lock_run *run;
	struct page_counter *counter;
	union lock_node node;
	uint64_t random, value;
	uint64_t reads, writes; /* of its life */
	uint64_t long_waits;	/* in the window, as all that follows */
	bool has_crossed;	/* a wait of it was under way when the window ended … */
	uint64_t crossed_ticks; /* … since then */
	bool is_wrong;		/* it found what the lock protects in change */
	struct lock_histogram read_waits, write_waits; /* in ticks */
};

/* What only the owner of the lock may write: equal while the lock is free or held by readers. */
struct lock_protected {
	_Alignas(LOCK_LINE) _Atomic uint64_t first;
	_Alignas(LOCK_LINE) _Atomic uint64_t last;
};

/* The process at an edge of the window, without its main thread. */
struct lock_snapshot {
	uint64_t ops, yields, cpu_ns, voluntary, involuntary;
};

struct lock_run {
	union lock_memory lock;
	struct lock_protected protected;
	_Alignas(LOCK_LINE) _Atomic uint32_t gate; /* futex word: 1 lets the threads begin */
	_Atomic uint32_t running;		   /* threads; futex word */
	_Alignas(LOCK_LINE) const struct lock_kind *kind;
	struct page *page;
	bool has_counter, is_pair, was_left; /* left: threads still wait for the lock at the end */
	uint32_t threads, started;
	uint32_t readers; /* of 2^32 turns, how many read, less 1; 0: none */
	uint64_t hold_turns, think_turns;
	uint64_t long_ticks;
	double turn_ns, stamp_ns;
	struct ticks_pair begin, end;
	struct lock_snapshot before, after;
	struct lock_worker *worker;
};

/* Starts the threads of a run, which wait at its gate. 0 or a negative errno; started says how many
 * there are. */
int lock_workers_start(struct lock_run *run);

/* Waits until they have ended, at most for patience_ns. Sets was_left. */
void lock_workers_join(struct lock_run *run, uint64_t patience_ns);

/* Writes what the run measured into the report of the copy. After the threads have ended. */
void lock_report_write(const struct lock_run *run, struct page_report *report);

#endif
