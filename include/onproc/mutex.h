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

/* 0, or -EINVAL, -ENOTSUP. Not needed for zeroed memory without options. */
int onproc_mutex_init(struct onproc_mutex *mutex, unsigned int options);

/* 0, or -EBUSY while it is locked. The memory may be freed afterwards. */
int onproc_mutex_destroy(struct onproc_mutex *mutex);

/* 0; with ERRORCHECK also -EDEADLK: the caller owns it. Not a cancellation point. */
int onproc_mutex_lock(struct onproc_mutex *mutex);

/* 0, or -EBUSY. */
int onproc_mutex_trylock(struct onproc_mutex *mutex);

/* As lock, until the absolute time of CLOCK_MONOTONIC or CLOCK_REALTIME: -ETIMEDOUT. -EINVAL:
 * another clock, or not a time. */
int onproc_mutex_timedlock(struct onproc_mutex *mutex, clockid_t clock, const struct timespec *at);

/* 0; with ERRORCHECK also -EPERM: the caller does not own it. */
int onproc_mutex_unlock(struct onproc_mutex *mutex);

#ifdef __cplusplus
}
#endif

#endif
