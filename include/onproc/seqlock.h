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

/* Makes an unlocked seqlock with options. Not needed for zeroed memory without options. 0, or
 * -EINVAL: unknown options; -ENOTSUP: process-shared. */
int onproc_seqlock_init(struct onproc_seqlock *lock, unsigned int options);

/* Ends the use of a seqlock. The memory may be freed afterwards. 0, or -EBUSY while a writer is
 * inside. */
int onproc_seqlock_destroy(struct onproc_seqlock *lock);

/* Begins to write, alone. Not a cancellation point. 0; with ERRORCHECK also -EDEADLK: the caller
 * has locked it. */
int onproc_seqlock_write_lock(struct onproc_seqlock *lock);

/* Begins to write without waiting. 0, or -EBUSY: it is locked. */
int onproc_seqlock_write_trylock(struct onproc_seqlock *lock);

/* Ends a write. 0; with ERRORCHECK also -EPERM: the caller is not the writer. */
int onproc_seqlock_write_unlock(struct onproc_seqlock *lock);

/* Keeps writers out, and others that lock to read. Those that only read go on. Not a cancellation
 * point. 0; with ERRORCHECK also -EDEADLK: the caller has locked it. */
int onproc_seqlock_read_lock(struct onproc_seqlock *lock);

/* Ends what read_lock began. 0; with ERRORCHECK also -EPERM: the caller has not locked it. */
int onproc_seqlock_read_unlock(struct onproc_seqlock *lock);

/* Waits until no writer is inside. For read_begin. Returns the sequence, even. */
uint64_t onproc_seqlock_wait(struct onproc_seqlock *lock);

/* Begins to read, and waits while a writer is inside. Returns the sequence to give to read_retry.
 */
static inline uint64_t onproc_seqlock_read_begin(struct onproc_seqlock *lock)
{
	uint64_t sequence = ONPROC_SEQ_LOAD(&lock->count.sequence, __ATOMIC_ACQUIRE); /* Q4 */

	return sequence & 1 ? onproc_seqlock_wait(lock) : sequence;
}

/* Tells whether anything was written since the sequence. True: what was read is not whole; read
 * again. */
static inline bool onproc_seqlock_read_retry(const struct onproc_seqlock *lock, uint64_t sequence)
{
	return onproc_seqcount_read_retry(&lock->count, sequence);
}

#ifdef __cplusplus
}
#endif

#endif
