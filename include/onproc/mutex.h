/* SPDX-License-Identifier: MIT */
/*
 * mutex.h - a mutex that knows whether its owner is on a CPU.
 *
 * A waiter polls only while the owner is on a CPU, and one at a time; otherwise it sleeps, and what
 * sleeps gets the lock within about 16 ms however many others circulate. Any zeroed memory is an
 * unlocked mutex. It lives within one process: process-shared ones are refused (-ENOTSUP).
 *
 * Lock acquires, unlock releases: what one owner wrote, the next one sees.
 */
#ifndef ONPROC_MUTEX_H
#define ONPROC_MUTEX_H

#include <stdint.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

struct onproc_mutex {
	uint32_t word;	   /* owner and flags */
	uint16_t spinners; /* tail of the optimistic spin queue */
	uint16_t sleepers; /* newest of those that sleep */
};

#define ONPROC_MUTEX_INITIALIZER                                                                   \
	{                                                                                          \
		0, 0, 0                                                                            \
	}

/* Options of onproc_mutex_init(). */
#define ONPROC_MUTEX_ERRORCHECK 1u /* a wrong lock or unlock is refused instead of undefined */
#define ONPROC_MUTEX_SHARED	2u /* refused: -ENOTSUP */

/* Makes an unlocked mutex with options. Not needed for zeroed memory without options. 0, or
 * -EINVAL: unknown options; -ENOTSUP: process-shared. */
int onproc_mutex_init(struct onproc_mutex *mutex, unsigned int options);

/* Ends the use of a mutex. The memory may be freed afterwards. 0, or -EBUSY while it is locked. */
int onproc_mutex_destroy(struct onproc_mutex *mutex);

/* Locks, and waits while another thread owns it. Not a cancellation point. 0; with ERRORCHECK also
 * -EDEADLK: the caller owns it. */
int onproc_mutex_lock(struct onproc_mutex *mutex);

/* Locks if nobody owns it. 0, or -EBUSY: somebody does. */
int onproc_mutex_trylock(struct onproc_mutex *mutex);

/* Locks, and waits until the absolute time of CLOCK_MONOTONIC or CLOCK_REALTIME at most. A free
 * mutex is taken after that, too. 0, or -ETIMEDOUT; -EINVAL: would wait, and another clock, or not
 * a time; with ERRORCHECK also -EDEADLK: the caller owns it. */
int onproc_mutex_timedlock(struct onproc_mutex *mutex, clockid_t clock, const struct timespec *at);

/* Unlocks. 0; with ERRORCHECK also -EPERM: the caller does not own it. */
int onproc_mutex_unlock(struct onproc_mutex *mutex);

#ifdef __cplusplus
}
#endif

#endif
