// SPDX-License-Identifier: MIT
/*
 * stats.c - see stats.h.
 *
 * How a thread waited is not told to the lock: the lock's code counts into the thread's own
 * counters, and the difference over one wait goes into the row.
 */
#include "stats.h"

#include "thread.h"

#include <pthread.h>
#include <string.h>

#define PROBES 32

bool stats_on;

static struct stats_row rows[STATS_ROWS + 1];
static pthread_key_t at_end;
static uint64_t threads, alive, ended_ns, left_to_libc;

static __thread struct stat_thread counters __attribute__((tls_model("initial-exec")));
static __thread uint64_t born_ns __attribute__((tls_model("initial-exec")));

static void add(uint64_t *sum, uint64_t value)
{
	if (value)
		__atomic_fetch_add(sum, value, __ATOMIC_RELAXED);
}

static uint64_t load(const uint64_t *value)
{
	return __atomic_load_n(value, __ATOMIC_RELAXED);
}

/* ended_ns is kept as the sum of ends less the sum of births: modulo 2^64 it comes out right. */
static void thread_begins(void)
{
	born_ns = thread_now_ns();
	thread_stat = &counters;
	add(&threads, 1);
	add(&alive, 1);
	add(&ended_ns, -born_ns);
	pthread_setspecific(at_end, &counters);
}

static void thread_ends(void *unused)
{
	(void)unused;
	add(&alive, (uint64_t)-1);
	add(&ended_ns, thread_now_ns());
	/* What runs after this, other destructors, is counted but adds no thread. */
}

static struct stats_row *row_of(const void *lock, enum stats_kind kind, const void *caller)
{
	uint64_t hash = ((uintptr_t)lock >> 2) * 0x9e3779b97f4a7c15u;

	for (unsigned i = 0; i < PROBES; i++) {
		struct stats_row *row = &rows[((hash >> 40) + i) & (STATS_ROWS - 1)];
		const void *there = __atomic_load_n(&row->lock, __ATOMIC_RELAXED);

		if (!there && __atomic_compare_exchange_n(&row->lock, &there, lock, false,
							  __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
			__atomic_store_n(&row->kind, kind, __ATOMIC_RELAXED);
			__atomic_store_n(&row->caller, caller, __ATOMIC_RELAXED);
			return row;
		}
		if (there == lock)
			return row;
	}
	return &rows[STATS_ROWS];
}

static struct stats_row *row_for_caller(const void *lock, enum stats_kind kind, const void *caller)
{
	if (!born_ns)
		thread_begins();
	return row_of(lock, kind, caller);
}

void stats_acquired(const void *lock, enum stats_kind kind, const void *caller)
{
	add(&row_for_caller(lock, kind, caller)->acquired, 1);
}

void stats_wait_begin(struct stats_wait *wait, const void *lock, enum stats_kind kind,
		      const void *caller)
{
	wait->row = row_for_caller(lock, kind, caller);
	wait->before = counters;
	wait->since_ns = thread_now_ns();
}

static unsigned bucket_of(uint64_t ns)
{
	unsigned power, step, bucket;

	if (ns < STATS_STEPS)
		return (unsigned)ns;
	power = 63 - (unsigned)__builtin_clzll(ns);
	step = (unsigned)(ns >> (power - 3)) & (STATS_STEPS - 1);
	bucket = (power - 2) * STATS_STEPS + step;
	return bucket < STATS_BUCKETS ? bucket : STATS_BUCKETS - 1;
}

static uint64_t bucket_end(unsigned bucket)
{
	unsigned power = bucket / STATS_STEPS + 2;

	if (bucket < STATS_STEPS)
		return bucket;
	return ((uint64_t)(STATS_STEPS + bucket % STATS_STEPS + 1) << (power - 3)) - 1;
}

static void raise_to(uint64_t *most, uint64_t value)
{
	uint64_t there = load(most);

	while (there < value && !__atomic_compare_exchange_n(most, &there, value, true,
							     __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
}

void stats_wait_end(struct stats_wait *wait, bool got)
{
	struct stats_row *row = wait->row;
	uint64_t now_ns = thread_now_ns();
	uint64_t ns = now_ns > wait->since_ns ? now_ns - wait->since_ns : 0;
	const uint64_t *before = wait->before.count;
	const uint64_t *after = counters.count;

	add(&row->acquired, got);
	add(&row->waited, 1);
	add(&row->handed_over, after[STAT_GRANTED] - before[STAT_GRANTED]);
	add(&row->holder_off, after[STAT_OWNER_OFF] - before[STAT_OWNER_OFF]);
	add(&row->predecessor_off, after[STAT_PREDECESSOR_OFF] - before[STAT_PREDECESSOR_OFF]);
	add(&row->parks, after[STAT_PARKED] - before[STAT_PARKED]);
	add(&row->wait_ns, ns);
	add(&row->waits[bucket_of(ns)], 1);
	raise_to(&row->longest_ns, ns);
}

void stats_left_to_libc(void)
{
	add(&left_to_libc, 1);
}

void stats_open(void)
{
	stats_on = !pthread_key_create(&at_end, thread_ends);
}

void stats_forked(void)
{
	if (!stats_on)
		return;
	for (size_t i = 0; i <= STATS_ROWS; i++) {
		if (rows[i].lock || i == STATS_ROWS)
			memset(&rows[i], 0, sizeof(rows[i])); /* leaves untouched pages alone */
	}
	threads = 0;
	alive = 0;
	ended_ns = 0;
	left_to_libc = 0;
	if (born_ns)
		thread_begins();
}

struct stats_row *stats_rows(void)
{
	return rows;
}

void stats_totals(struct stats_totals *totals)
{
	totals->threads = load(&threads);
	totals->thread_ns = load(&ended_ns) + load(&alive) * thread_now_ns();
	totals->left_to_libc = load(&left_to_libc);
}

uint64_t stats_quantile_ns(const struct stats_row *row, double share)
{
	uint64_t all = 0, below = 0, longest_ns = load(&row->longest_ns);

	for (unsigned i = 0; i < STATS_BUCKETS; i++)
		all += load(&row->waits[i]);
	for (unsigned i = 0; i < STATS_BUCKETS; i++) {
		below += load(&row->waits[i]);
		if (below && (double)below >= share * (double)all)
			return bucket_end(i) < longest_ns ? bucket_end(i) : longest_ns;
	}
	return longest_ns;
}
