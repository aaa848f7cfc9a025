// SPDX-License-Identifier: GPL-2.0-or-later
/* locks.c - the locks of a round: which there are, how their words read, and that they end free. */
#include "torture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The words as lib/mutex.c describes them. */
static void describe_mutex(const struct onproc_mutex *mutex, char *text, size_t bytes)
{
	uint32_t word = __atomic_load_n(&mutex->word, __ATOMIC_RELAXED);

	snprintf(text, bytes, "word %08x: owner %u%s%s%s, spinners %u, sleepers %u", word,
		 word & 0xffff, word & 1u << 16 ? ", waiters" : "",
		 word & 1u << 17 ? ", hand-off" : "", word & 1u << 18 ? ", checked" : "",
		 __atomic_load_n(&mutex->spinners, __ATOMIC_RELAXED),
		 __atomic_load_n(&mutex->sleepers, __ATOMIC_RELAXED));
}

static void mutex_describe(const struct lock *lock, char *text, size_t bytes)
{
	describe_mutex(&lock->mutex, text, bytes);
}

static int mutex_destroy(struct lock *lock)
{
	return onproc_mutex_destroy(&lock->mutex);
}

static void spinlock_describe(const struct lock *lock, char *text, size_t bytes)
{
	snprintf(text, bytes, "owner %u, spinners %u",
		 __atomic_load_n(&lock->spinlock.owner, __ATOMIC_RELAXED),
		 __atomic_load_n(&lock->spinlock.spinners, __ATOMIC_RELAXED));
}

static int spinlock_destroy(struct lock *lock)
{
	return onproc_spinlock_destroy(&lock->spinlock);
}

static void osq_describe(const struct lock *lock, char *text, size_t bytes)
{
	snprintf(text, bytes, "tail %u", __atomic_load_n(&lock->osq.tail, __ATOMIC_RELAXED));
}

/* A queue needs no end; that nobody is in it shows that none was lost. */
static int osq_destroy(struct lock *lock)
{
	if (!onproc_osq_lock(&lock->osq, 1000000000))
		return -1;
	onproc_osq_unlock(&lock->osq);
	return onproc_osq_is_locked(&lock->osq) ? -1 : 0;
}

static void rwsem_describe(const struct lock *lock, char *text, size_t bytes)
{
	snprintf(text, bytes, "count %08x, owner %u, spinners %u, sleepers %u",
		 __atomic_load_n(&lock->rwsem.count, __ATOMIC_RELAXED),
		 __atomic_load_n(&lock->rwsem.owner, __ATOMIC_RELAXED),
		 __atomic_load_n(&lock->rwsem.spinners, __ATOMIC_RELAXED),
		 __atomic_load_n(&lock->rwsem.sleepers, __ATOMIC_RELAXED));
}

static int rwsem_destroy(struct lock *lock)
{
	return onproc_rwsem_destroy(&lock->rwsem);
}

static void cond_describe(const struct lock *lock, char *text, size_t bytes)
{
	int used = snprintf(text, bytes,
			    "pair %u waiting %u leaving newest %llx, gate %u waiting %u leaving "
			    "newest %llx; ",
			    lock->pair.waiting, lock->pair.leaving,
			    (unsigned long long)lock->pair.cond.newest, lock->gate.waiting,
			    lock->gate.leaving, (unsigned long long)lock->gate.cond.newest);

	describe_mutex(&lock->mutex, text + used, bytes - (size_t)used);
}

static int cond_destroy(struct lock *lock)
{
	int rc = onproc_cond_destroy(&lock->pair.cond);

	if (!rc)
		rc = onproc_cond_destroy(&lock->gate.cond);
	return rc ? rc : onproc_mutex_destroy(&lock->mutex);
}

static void seqlock_describe(const struct lock *lock, char *text, size_t bytes)
{
	int used = snprintf(text, bytes, "sequence %llu; ",
			    (unsigned long long)__atomic_load_n(&lock->seqlock.count.sequence,
								__ATOMIC_RELAXED));

	describe_mutex(&lock->seqlock.writers, text + used, bytes - (size_t)used);
}

static int seqlock_destroy(struct lock *lock)
{
	return onproc_seqlock_destroy(&lock->seqlock);
}

/* A mutex that its first user has left waits in the cell for one that does not come any more. */
static int freed_destroy(struct lock *lock)
{
	int rc = 0;

	if (lock->freed)
		rc = onproc_mutex_destroy(&lock->freed->mutex);
	free(lock->freed);
	lock->freed = NULL;
	return rc ? rc : onproc_mutex_destroy(&lock->mutex);
}

static void word_describe(const struct lock *lock, char *text, size_t bytes)
{
	snprintf(text, bytes, "word %u", __atomic_load_n(&lock->broken, __ATOMIC_RELAXED));
}

static int nothing_to_destroy(struct lock *lock)
{
	(void)lock;
	return 0;
}

const struct kind_of_lock kinds_of_locks[KINDS] = {
	[KIND_NONE] = { "nothing", nothing_to_destroy, word_describe },
	[KIND_MUTEX] = { "mutex", mutex_destroy, mutex_describe },
	[KIND_CHECKED] = { "checked", mutex_destroy, mutex_describe },
	[KIND_SPINLOCK] = { "spinlock", spinlock_destroy, spinlock_describe },
	[KIND_OSQ] = { "osq", osq_destroy, osq_describe },
	[KIND_RWSEM] = { "rwsem", rwsem_destroy, rwsem_describe },
	[KIND_COND] = { "cond", cond_destroy, cond_describe },
	[KIND_SEQLOCK] = { "seqlock", seqlock_destroy, seqlock_describe },
	[KIND_LATCH] = { "latch", mutex_destroy, mutex_describe },
	[KIND_FREED] = { "freed", freed_destroy, mutex_describe },
	[KIND_BROKEN_EXCLUSION] = { "broken-exclusion", nothing_to_destroy, word_describe },
	[KIND_BROKEN_WAKE] = { "broken-wake", nothing_to_destroy, word_describe },
	[KIND_BROKEN_TORN] = { "broken-torn", seqlock_destroy, seqlock_describe },
};

static bool wanted(const struct torture *torture, enum kind kind)
{
	switch (torture->options->broken) {
	case BROKEN_EXCLUSION:
		return kind == KIND_BROKEN_EXCLUSION;
	case BROKEN_WAKE:
		return kind == KIND_BROKEN_WAKE;
	case BROKEN_TORN:
		return kind == KIND_BROKEN_TORN;
	case BROKEN_NONE:
		break;
	}
	return kind != KIND_NONE && kind < KIND_BROKEN_EXCLUSION;
}

void locks_begin(struct torture *torture)
{
	uint32_t kind, number;

	memset(torture->locks, 0, sizeof(torture->locks));
	memset(torture->of_kind, 0, sizeof(torture->of_kind));
	torture->lock_count = 0;
	for (kind = 0; kind < KINDS; kind++) {
		if (!wanted(torture, kind))
			continue;
		torture->of_kind[kind].first = torture->lock_count;
		torture->of_kind[kind].count = LOCKS_PER_KIND;
		for (number = 0; number < LOCKS_PER_KIND; number++) {
			struct lock *lock = &torture->locks[torture->lock_count];

			lock->kind = kind;
			lock->number = number;
			lock->index = torture->lock_count++;
			/* All others are zeroed memory. */
			if (kind == KIND_CHECKED)
				onproc_mutex_init(&lock->mutex, ONPROC_MUTEX_ERRORCHECK);
		}
	}
	operations_prepare(torture);
}

static void check_sums(struct torture *torture, const struct lock *lock)
{
	uint64_t sections = 0, words = 0;
	uint32_t n;

	for (n = 0; n < torture->threads; n++) {
		sections += torture->workers[n].sections[lock->index];
		words += torture->workers[n].words[lock->index];
	}
	if (lock->guard.first != sections || lock->guard.second != sections)
		fail(torture, NULL, lock, "sums: %llu sections counted as %llu and %llu",
		     (unsigned long long)sections, (unsigned long long)lock->guard.first,
		     (unsigned long long)lock->guard.second);
	if (lock->kind == KIND_RWSEM && lock->words[0] != words)
		fail(torture, NULL, lock, "sums: %llu writes, and the data say %llu",
		     (unsigned long long)words, (unsigned long long)lock->words[0]);
}

void locks_end(struct torture *torture)
{
	uint32_t n;

	for (n = 0; n < torture->lock_count; n++) {
		struct lock *lock = &torture->locks[n];
		int rc;

		check_sums(torture, lock);
		rc = kinds_of_locks[lock->kind].destroy(lock);
		if (rc)
			fail(torture, NULL, lock, "not free when all threads have ended: %d", rc);
	}
	if (torture->handler_guard.first != torture->handler_guard.second)
		fail(torture, NULL, NULL, "sums: of the signal handlers' mutex");
}
