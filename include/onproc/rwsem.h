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

/* 0, or -EINVAL: unknown options; -ENOTSUP. Not needed for zeroed memory without options. */
int onproc_rwsem_init(struct onproc_rwsem *rwsem, unsigned int options);

/* 0, or -EBUSY while it is held. The memory may be freed afterwards. */
int onproc_rwsem_destroy(struct onproc_rwsem *rwsem);

/* 0; with ERRORCHECK also -EDEADLK: the caller is the writer; -EAGAIN: too many readers. */
int onproc_rwsem_read_lock(struct onproc_rwsem *rwsem);

/* 0, or -EBUSY: a writer holds it, or is due to; -EAGAIN: too many readers. */
int onproc_rwsem_read_trylock(struct onproc_rwsem *rwsem);

/* As read_lock, until the absolute time of CLOCK_MONOTONIC or CLOCK_REALTIME: -ETIMEDOUT. A free
 * lock is taken after that, too. -EINVAL: would wait, and another clock, or not a time. */
int onproc_rwsem_read_timedlock(struct onproc_rwsem *rwsem, clockid_t clock,
				const struct timespec *at);

/* 0; with ERRORCHECK also -EPERM: nobody reads. */
int onproc_rwsem_read_unlock(struct onproc_rwsem *rwsem);

/* 0; with ERRORCHECK also -EDEADLK: the caller is the writer. */
int onproc_rwsem_write_lock(struct onproc_rwsem *rwsem);

/* 0, or -EBUSY. */
int onproc_rwsem_write_trylock(struct onproc_rwsem *rwsem);

/* As write_lock, until the absolute time, as read_timedlock. */
int onproc_rwsem_write_timedlock(struct onproc_rwsem *rwsem, clockid_t clock,
				 const struct timespec *at);

/* 0; with ERRORCHECK also -EPERM: the caller is not the writer. */
int onproc_rwsem_write_unlock(struct onproc_rwsem *rwsem);

/* The writer becomes a reader without letting another writer in between. Readers that sleep are
 * woken. 0; with ERRORCHECK also -EPERM: the caller is not the writer. */
int onproc_rwsem_downgrade(struct onproc_rwsem *rwsem);

/* read_unlock or write_unlock, whichever the caller holds. 0; with ERRORCHECK also -EPERM. */
int onproc_rwsem_unlock(struct onproc_rwsem *rwsem);

#ifdef __cplusplus
}
#endif

#endif
