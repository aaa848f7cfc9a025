/* SPDX-License-Identifier: MIT */
/*
 * seqlock.h - a seqcount with a mutex of its own for the writers.
 *
 * Readers write nothing. A reader that meets a writer polls for a short time and then waits for the
 * mutex, so it does not spin on a preempted writer. Writers that follow each other closely can make
 * it read again for long: then it takes read_lock. The data are copied by onproc_seq_read_words()
 * and onproc_seq_write_words() (seqcount.h).
 *
 * Any zeroed memory is an unlocked seqlock. It lives within one process.
 */
#ifndef ONPROC_SEQLOCK_H
#define ONPROC_SEQLOCK_H

#include <onproc/mutex.h>
#include <onproc/seqcount.h>

#ifdef __cplusplus
extern "C" {
#endif

struct onproc_seqlock {
	struct onproc_seqcount count;
	struct onproc_mutex writers;
};

#define ONPROC_SEQLOCK_INITIALIZER                                                                 \
	{                                                                                          \
		ONPROC_SEQCOUNT_INITIALIZER, ONPROC_MUTEX_INITIALIZER                              \
	}

/* Options of onproc_seqlock_init(): those of the mutex. */
#define ONPROC_SEQLOCK_ERRORCHECK ONPROC_MUTEX_ERRORCHECK
#define ONPROC_SEQLOCK_SHARED	  ONPROC_MUTEX_SHARED

/* 0, or -EINVAL, -ENOTSUP. Not needed for zeroed memory without options. */
int onproc_seqlock_init(struct onproc_seqlock *lock, unsigned int options);

/* 0, or -EBUSY while a writer is inside. The memory may be freed afterwards. */
int onproc_seqlock_destroy(struct onproc_seqlock *lock);

/* 0; with ERRORCHECK also -EDEADLK: the caller is the writer. Not a cancellation point. */
int onproc_seqlock_write_lock(struct onproc_seqlock *lock);

/* 0, or -EBUSY. */
int onproc_seqlock_write_trylock(struct onproc_seqlock *lock);

/* 0; with ERRORCHECK also -EPERM: the caller is not the writer. */
int onproc_seqlock_write_unlock(struct onproc_seqlock *lock);

/* Keeps writers, and others that lock to read, out without disturbing those that only read. 0; with
 * ERRORCHECK also -EDEADLK: the caller has locked it. Not a cancellation point. */
int onproc_seqlock_read_lock(struct onproc_seqlock *lock);

/* 0; with ERRORCHECK also -EPERM: the caller has not locked it. */
int onproc_seqlock_read_unlock(struct onproc_seqlock *lock);

/* Waits until no writer is inside: for read_begin. */
uint64_t onproc_seqlock_wait(struct onproc_seqlock *lock);

/* The sequence to give to read_retry. Waits while a writer is inside. */
static inline uint64_t onproc_seqlock_read_begin(struct onproc_seqlock *lock)
{
	uint64_t sequence = ONPROC_SEQ_LOAD(&lock->count.sequence, __ATOMIC_ACQUIRE); /* Q4 */

	return sequence & 1 ? onproc_seqlock_wait(lock) : sequence;
}

/* Was anything written since? Then what was read is not whole. */
static inline bool onproc_seqlock_read_retry(const struct onproc_seqlock *lock, uint64_t sequence)
{
	return onproc_seqcount_read_retry(&lock->count, sequence);
}

#ifdef __cplusplus
}
#endif

#endif
