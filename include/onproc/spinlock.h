/* SPDX-License-Identifier: MIT */
/*
 * spinlock.h - a lock of 4 bytes for sections of a few hundred instructions.
 *
 * Waiters queue, and the first one polls, while the owner and those in front of them are on a CPU
 * and not longer than a few tens of microseconds; then they sleep for short times that grow. An
 * unlock is one plain store and wakes nobody, so whoever sleeps may find a free lock late, by as
 * much as it has waited already, and by 8 ms at most. For anything longer use the mutex.
 *
 * Any zeroed memory is an unlocked spinlock. It lives within one process. Lock acquires, unlock
 * releases. Locking it again in the same thread never returns.
 */
#ifndef ONPROC_SPINLOCK_H
#define ONPROC_SPINLOCK_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct onproc_spinlock {
	uint16_t owner;	   /* slot + 1; 0: free */
	uint16_t spinners; /* tail of the optimistic spin queue */
};

#define ONPROC_SPINLOCK_INITIALIZER                                                                \
	{                                                                                          \
		0, 0                                                                               \
	}

/* Options of onproc_spinlock_init(). */
#define ONPROC_SPINLOCK_SHARED 2u /* refused: -ENOTSUP */

/* Makes an unlocked spinlock. Not needed for zeroed memory. 0, or -EINVAL: unknown options;
 * -ENOTSUP: process-shared. */
int onproc_spinlock_init(struct onproc_spinlock *lock, unsigned int options);

/* Ends the use of a spinlock. The memory may be freed afterwards. 0, or -EBUSY while it is locked.
 */
int onproc_spinlock_destroy(struct onproc_spinlock *lock);

/* Locks, and waits while another thread owns it. Not a cancellation point. 0, or -EDEADLK: the
 * caller owns it. */
int onproc_spinlock_lock(struct onproc_spinlock *lock);

/* Locks if nobody owns it. 0, or -EBUSY: somebody does. */
int onproc_spinlock_trylock(struct onproc_spinlock *lock);

/* Unlocks what the caller owns. Always 0. */
int onproc_spinlock_unlock(struct onproc_spinlock *lock);

#ifdef __cplusplus
}
#endif

#endif
