// SPDX-License-Identifier: GPL-2.0-or-later
/* operations.c - the table of what a thread may do, and the choice by the seed. */
#include "torture.h"

#include <stdio.h>

/* name, what it needs a lock of, how often (of the sum), needs, function */
const struct operation operations[] = {
	{ "mutex_lock", KIND_MUTEX, 400, NEEDS_NOTHING, mutex_lock },
	{ "mutex_trylock", KIND_MUTEX, 100, NEEDS_NOTHING, mutex_trylock },
	{ "mutex_timedlock_monotonic", KIND_MUTEX, 80, NEEDS_NOTHING, mutex_timedlock_monotonic },
	{ "mutex_timedlock_realtime", KIND_MUTEX, 80, NEEDS_NOTHING, mutex_timedlock_realtime },
	{ "checked_lock", KIND_CHECKED, 100, NEEDS_NOTHING, checked_lock },
	{ "checked_timedlock", KIND_CHECKED, 60, NEEDS_NOTHING, checked_timedlock },
	{ "checked_wrong_unlock", KIND_CHECKED, 30, NEEDS_NOTHING, checked_wrong_unlock },
	{ "spinlock_lock", KIND_SPINLOCK, 120, NEEDS_NOTHING, spinlock_lock },
	{ "spinlock_trylock", KIND_SPINLOCK, 60, NEEDS_NOTHING, spinlock_trylock },
	{ "osq", KIND_OSQ, 150, NEEDS_NOTHING, osq_enter },
	{ "rwsem_read", KIND_RWSEM, 200, NEEDS_NOTHING, rwsem_read },
	{ "rwsem_tryread", KIND_RWSEM, 50, NEEDS_NOTHING, rwsem_tryread },
	{ "rwsem_timedread", KIND_RWSEM, 60, NEEDS_NOTHING, rwsem_timedread },
	{ "rwsem_write", KIND_RWSEM, 100, NEEDS_NOTHING, rwsem_write },
	{ "rwsem_trywrite", KIND_RWSEM, 50, NEEDS_NOTHING, rwsem_trywrite },
	{ "rwsem_timedwrite", KIND_RWSEM, 60, NEEDS_NOTHING, rwsem_timedwrite },
	{ "rwsem_downgrade", KIND_RWSEM, 50, NEEDS_NOTHING, rwsem_downgrade },
	{ "cond_pair", KIND_COND, 120, NEEDS_NOTHING, cond_pair },
	{ "cond_pair_timed", KIND_COND, 60, NEEDS_NOTHING, cond_pair_timed },
	{ "cond_gate_wait", KIND_COND, 100, NEEDS_NOTHING, cond_gate_wait },
	{ "cond_gate_open", KIND_COND, 60, NEEDS_NOTHING, cond_gate_open },
	{ "seqlock_read", KIND_SEQLOCK, 150, NEEDS_NOTHING, seqlock_read },
	{ "seqlock_write", KIND_SEQLOCK, 60, NEEDS_NOTHING, seqlock_write },
	{ "seqlock_trywrite", KIND_SEQLOCK, 30, NEEDS_NOTHING, seqlock_trywrite },
	{ "latch_read", KIND_LATCH, 150, NEEDS_NOTHING, latch_read },
	{ "latch_write", KIND_LATCH, 60, NEEDS_NOTHING, latch_write },
	{ "freed_after_unlock", KIND_FREED, 60, NEEDS_NOTHING, freed_use },
	{ "fork", KIND_NONE, 1, NEEDS_FORK, fork_free },
	{ "fork_holding", KIND_MUTEX, 1, NEEDS_FORK, fork_holding },
	{ "broken_exclusion", KIND_BROKEN_EXCLUSION, 1, NEEDS_NOTHING, broken_exclusion },
	{ "broken_wake", KIND_BROKEN_WAKE, 1, NEEDS_NOTHING, broken_wake },
	{ "broken_torn_read", KIND_BROKEN_TORN, 1, NEEDS_NOTHING, broken_torn_read },
	{ "broken_torn_write", KIND_BROKEN_TORN, 1, NEEDS_NOTHING, broken_torn_write },
};
const uint32_t operation_count = sizeof(operations) / sizeof(operations[0]);
_Static_assert(sizeof(operations) / sizeof(operations[0]) <= MOST_OPERATIONS, "room to count");

/* NULL, or why an operation that needs this is not done. */
static const char *missing(enum needs needs)
{
	/* Its own locks may be held at the fork; its runtime says so and hopes for an exec. */
	if (needs == NEEDS_FORK && SANITIZED_THREAD)
		return "a forked child of many threads may hang in ThreadSanitizer itself";
	return NULL;
}

/* What there is no lock of in this run is not done. */
static uint32_t weight_of(const struct torture *torture, const struct operation *operation)
{
	if (missing(operation->needs))
		return 0;
	if (operation->kind == KIND_NONE)
		return torture->options->broken == BROKEN_NONE ? operation->weight : 0;
	return torture->of_kind[operation->kind].count ? operation->weight : 0;
}

void operations_prepare(struct torture *torture)
{
	uint32_t n;

	torture->weights = 0;
	for (n = 0; n < operation_count; n++)
		torture->weights += weight_of(torture, &operations[n]);
}

const struct operation *operation_choose(struct torture *torture, struct random *random,
					 struct lock **lock)
{
	uint32_t dice = random_below(random, torture->weights), n, first;

	for (n = 0; dice >= weight_of(torture, &operations[n]); n++)
		dice -= weight_of(torture, &operations[n]);
	*lock = NULL;
	if (operations[n].kind != KIND_NONE) {
		first = torture->of_kind[operations[n].kind].first;
		*lock = &torture->locks[first + random_below(random, LOCKS_PER_KIND)];
	}
	return &operations[n];
}

void operations_report_skipped(void)
{
	uint32_t n;

	for (n = 0; n < operation_count; n++) {
		const char *reason = missing(operations[n].needs);

		if (reason)
			printf("operation %s: skipped: %s\n", operations[n].name, reason);
	}
}

void operations_list(struct torture *torture, uint32_t turns)
{
	uint32_t thread, turn;

	for (thread = 0; thread < torture->threads; thread++) {
		for (turn = 0; turn < turns; turn++) {
			struct random random = random_of(torture->options->seed, thread, turn);
			struct lock *lock;
			const struct operation *operation =
				operation_choose(torture, &random, &lock);

			printf("thread %u: %s", thread, operation->name);
			if (lock)
				printf(" %s%u", kinds_of_locks[lock->kind].name, lock->number);
			printf("\n");
		}
	}
}
