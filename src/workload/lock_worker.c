// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lock_worker.c - the threads of the lock tests.
 *
 * Every wait is recorded, none sampled: two stamps of the cheapest clock, one before the call and
 * one after it, and an addition into a histogram of the thread's own after the unlock. The second
 * stamp and the look at the protected words lengthen the hold, the rest the think.
 */
#include "workload/lock_run.h"

#include "base/clock.h"
#include "base/futex.h"
#include "workload/lock_turns.h"
#include "workload/lock_yield.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>

#define STACK_BYTES ((size_t)256 * 1024)
#define PAIRS	    64 /* of lock and unlock between two looks at the stop word */

static bool is_stopped(const struct lock_run *run)
{
	return atomic_load_explicit(&run->page->stop, memory_order_relaxed) != 0;
}

/* xorshift64*; the upper half. */
static uint32_t draw(struct lock_worker *worker)
{
	uint64_t x = worker->random;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	worker->random = x;
	return (uint32_t)((x * 2685821657736338717u) >> 32);
}

static void write_turn(struct lock_worker *worker)
{
	struct lock_protected *protected = &worker->run->protected;
	uint64_t count = atomic_load_explicit(&protected->first, memory_order_relaxed);

	if (atomic_load_explicit(&protected->last, memory_order_relaxed) != count)
		worker->is_wrong = true;
	atomic_store_explicit(&protected->first, count + 1, memory_order_relaxed);
	worker->value = turns_run(worker->value, worker->run->hold_turns);
	if (atomic_load_explicit(&protected->first, memory_order_relaxed) != count + 1)
		worker->is_wrong = true;
	atomic_store_explicit(&protected->last, count + 1, memory_order_relaxed);
}

static void read_turn(struct lock_worker *worker)
{
	struct lock_protected *protected = &worker->run->protected;
	uint64_t count = atomic_load_explicit(&protected->last, memory_order_relaxed);

	if (atomic_load_explicit(&protected->first, memory_order_relaxed) != count)
		worker->is_wrong = true;
	worker->value = turns_run(worker->value, worker->run->hold_turns);
	if (atomic_load_explicit(&protected->first, memory_order_relaxed) != count ||
	    atomic_load_explicit(&protected->last, memory_order_relaxed) != count)
		worker->is_wrong = true;
}

/* A wait from one moment to another belongs to the window in which it ended. */
static void wait_record(struct lock_worker *worker, uint32_t phase, bool reads, uint64_t from,
			uint64_t to)
{
	/* Counters of two CPUs may differ by a few ticks. */
	uint64_t wait = to > from ? to - from : 0;

	if (phase == PAGE_WINDOW) {
		lock_histogram_add(reads ? &worker->read_waits : &worker->write_waits, wait);
		worker->long_waits += wait > worker->run->long_ticks;
	} else if (phase > PAGE_WINDOW && !worker->has_crossed) {
		worker->has_crossed = true;
		worker->crossed_ticks = from;
	}
}

static void turn(struct lock_worker *worker)
{
	struct lock_run *run = worker->run;
	const struct lock_kind *kind = run->kind;
	bool reads = run->readers && draw(worker) <= run->readers;
	uint64_t from, to;
	uint32_t phase;

	worker->value = turns_run(worker->value, run->think_turns);
	from = ticks_now(run->has_counter);
	atomic_store_explicit(&worker->counter->waiting_since, from, memory_order_relaxed);
	(reads ? kind->read_lock : kind->lock)(&run->lock, &worker->node);
	to = ticks_now(run->has_counter);
	atomic_store_explicit(&worker->counter->waiting_since, 0, memory_order_relaxed);
	phase = atomic_load_explicit(&run->page->phase, memory_order_relaxed);
	if (reads)
		read_turn(worker);
	else
		write_turn(worker);
	(reads ? kind->read_unlock : kind->unlock)(&run->lock, &worker->node);
	wait_record(worker, phase, reads, from, to);
	if (reads)
		worker->reads++;
	else
		worker->writes++;
	atomic_store_explicit(&worker->counter->count, worker->reads + worker->writes,
			      memory_order_relaxed);
}

static void pairs(struct lock_worker *worker)
{
	struct lock_run *run = worker->run;
	const struct lock_kind *kind = run->kind;

	for (int i = 0; i < PAIRS; i++) {
		kind->lock(&run->lock, &worker->node);
		kind->unlock(&run->lock, &worker->node);
	}
	worker->writes += PAIRS;
	atomic_store_explicit(&worker->counter->count, worker->writes, memory_order_relaxed);
}

static void *worker_main(void *argument)
{
	struct lock_worker *worker = argument;
	struct lock_run *run = worker->run;

	lock_yields_count(&worker->counter->yields);
	while (!atomic_load_explicit(&run->gate, memory_order_acquire))
		futex_wait(&run->gate, 0, NULL);
	while (!is_stopped(run)) {
		if (run->is_pair)
			pairs(worker);
		else
			turn(worker);
	}
	if (atomic_fetch_sub_explicit(&run->running, 1, memory_order_acq_rel) == 1)
		futex_wake_all(&run->running);
	return NULL;
}

/* Policy, nice, slice and affinity are inherited: nothing is set but the size of the stack. */
int lock_workers_start(struct lock_run *run)
{
	sigset_t all, before;
	pthread_attr_t attributes;
	int rc;

	rc = pthread_attr_init(&attributes);
	if (rc)
		return -rc;
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	/* Signals are the main thread's: none interrupts an owner of the lock. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	while (!rc && run->started < run->threads) {
		struct lock_worker *worker = &run->worker[run->started];

		worker->run = run;
		worker->counter = page_counter(run->page, 0, run->started);
		worker->random = (run->started + 1) * 0x9e3779b97f4a7c15u;
		if (run->kind->node_init)
			run->kind->node_init(&worker->node);
		atomic_fetch_add_explicit(&run->running, 1, memory_order_relaxed);
		rc = pthread_create(&worker->thread, &attributes, worker_main, worker);
		if (rc)
			atomic_fetch_sub_explicit(&run->running, 1, memory_order_relaxed);
		else
			run->started++;
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
	return -rc;
}

void lock_workers_join(struct lock_run *run, uint64_t patience_ns)
{
	const struct timespec look = { .tv_nsec = 100 * (long)NS_PER_MS };
	uint64_t deadline_ns = clock_raw_ns() + patience_ns;
	uint32_t running;

	atomic_store_explicit(&run->gate, 1, memory_order_release);
	futex_wake_all(&run->gate);
	while ((running = atomic_load_explicit(&run->running, memory_order_acquire))) {
		if (clock_raw_ns() > deadline_ns) {
			run->was_left = true;
			return;
		}
		futex_wait(&run->running, running, &look);
	}
	for (uint32_t i = 0; i < run->started; i++)
		pthread_join(run->worker[i].thread, NULL);
	run->started = 0;
}
