/* SPDX-License-Identifier: MIT */
/*
 * rwsem.h - a lock that many readers or one writer hold, and that knows who is on a CPU.
 *
 * A waiting writer polls only while the writer that holds the lock is on a CPU, one at a time, or
 * for a short time while readers hold it; otherwise waiters sleep. Readers may pass sleeping
 * writers, and each side the other, until the oldest sleeper is due after at most 16 ms: from then
 * on nobody passes it. A thread that holds the lock must not ask for it again, not even to read.
 *
 * Any zeroed memory is an unlocked rwsem. It lives within one process: process-shared ones are
 * refused (-ENOTSUP). Locking acquires and unlocking releases: what a writer wrote, later readers
 * and writers see; what readers read happens before the next writer writes.
 *
 * No function here is a cancellation point or fails with -EINTR.
 */
#ifndef ONPROC_RWSEM_H
#define ONPROC_RWSEM_H

#include <stdint.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

struct onproc_rwsem {
	uint32_t count;	   /* readers, writer and flags */
	uint32_t owner;	   /* slot + 1 of the writer; a hint for those who poll */
	uint16_t spinners; /* tail of the optimistic spin queue */
	uint16_t sleepers; /* newest of those that sleep */
	uint32_t options;  /* of onproc_rwsem_init() */
};

#define ONPROC_RWSEM_INITIALIZER                                                                   \
	{                                                                                          \
		0, 0, 0, 0, 0                                                                      \
	}

/* Options of onproc_rwsem_init(). */
#define ONPROC_RWSEM_ERRORCHECK 1u /* a wrong lock or unlock is refused instead of undefined */
#define ONPROC_RWSEM_SHARED	2u /* refused: -ENOTSUP */
#define ONPROC_RWSEM_PREFER_READERS                                                                \
	4u /* a reader may always join readers: it may hold the lock                               \
	    * already, and writers may starve */

/* Makes an unlocked rwsem with options. Not needed for zeroed memory without options. 0, or
 * -EINVAL: unknown options; -ENOTSUP: process-shared. */
int onproc_rwsem_init(struct onproc_rwsem *rwsem, unsigned int options);

/* Ends the use of an rwsem. The memory may be freed afterwards. 0, or -EBUSY while it is held. */
int onproc_rwsem_destroy(struct onproc_rwsem *rwsem);

/* Locks for reading, together with other readers. 0, or -EAGAIN: too many readers; with ERRORCHECK
 * also -EDEADLK: the caller is the writer. */
int onproc_rwsem_read_lock(struct onproc_rwsem *rwsem);

/* Locks for reading without waiting. 0, or -EBUSY: a writer holds it or is due to, or the last
 * reader is just unlocking; -EAGAIN: too many readers. */
int onproc_rwsem_read_trylock(struct onproc_rwsem *rwsem);

/* Locks for reading, and waits until the absolute time of CLOCK_MONOTONIC or CLOCK_REALTIME at
 * most. A lock that need not be waited for is taken after that, too. 0, or -ETIMEDOUT; -EAGAIN:
 * too many readers; -EINVAL: would wait, and another clock, or not a time; with ERRORCHECK also
 * -EDEADLK: the caller is the writer. */
int onproc_rwsem_read_timedlock(struct onproc_rwsem *rwsem, clockid_t clock,
				const struct timespec *at);

/* Unlocks what was locked for reading. 0; with ERRORCHECK also -EPERM: nobody reads. */
int onproc_rwsem_read_unlock(struct onproc_rwsem *rwsem);

/* Locks for writing, alone. 0; with ERRORCHECK also -EDEADLK: the caller is the writer. */
int onproc_rwsem_write_lock(struct onproc_rwsem *rwsem);

/* Locks for writing without waiting. 0, or -EBUSY: it is held, or the last reader is just
 * unlocking. */
int onproc_rwsem_write_trylock(struct onproc_rwsem *rwsem);

/* Locks for writing, and waits until the absolute time of CLOCK_MONOTONIC or CLOCK_REALTIME at
 * most. A free lock is taken after that, too. 0, or -ETIMEDOUT; -EINVAL: would wait, and another
 * clock, or not a time; with ERRORCHECK also -EDEADLK: the caller is the writer. */
int onproc_rwsem_write_timedlock(struct onproc_rwsem *rwsem, clockid_t clock,
				 const struct timespec *at);

/* Unlocks what was locked for writing. 0; with ERRORCHECK also -EPERM: the caller is not the
 * writer. */
int onproc_rwsem_write_unlock(struct onproc_rwsem *rwsem);

/* Makes the writer a reader, with no writer in between. Readers that sleep are woken. 0; with
 * ERRORCHECK also -EPERM: the caller is not the writer. */
int onproc_rwsem_downgrade(struct onproc_rwsem *rwsem);

/* Unlocks what the caller holds, for reading or for writing. 0; with ERRORCHECK also -EPERM: it
 * holds nothing. */
int onproc_rwsem_unlock(struct onproc_rwsem *rwsem);

#ifdef __cplusplus
}
#endif

#endif
