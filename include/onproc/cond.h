/* SPDX-License-Identifier: MIT */
/*
 * cond.h - a condition variable for onproc_mutex.
 *
 * Waiters are woken by name, oldest first: a signal cannot be consumed by a thread that began to
 * wait after it. A broadcast wakes all, each when the mutex can be its own: until then it sleeps
 * on. As everywhere a wait may end for no reason: wait in a loop that tests the condition.
 *
 * Any zeroed memory is a condition variable without waiters. All threads that wait at a time use
 * the same mutex. Signal and broadcast may be called with or without it; they never wait.
 */
#ifndef ONPROC_COND_H
#define ONPROC_COND_H

#include <onproc/mutex.h>

#include <stdint.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

struct onproc_cond {
	uint64_t newest; /* newest waiter, and how often it has changed */
	uint32_t inside; /* waits that still use this memory */
	uint32_t options;
};

#define ONPROC_COND_INITIALIZER                                                                    \
	{                                                                                          \
		0, 0, 0                                                                            \
	}

/* Options of onproc_cond_init(). */
#define ONPROC_COND_SHARED 2u /* refused: -ENOTSUP */

/* Makes a condition variable without waiters. Not needed for zeroed memory. 0, or -EINVAL: unknown
 * options; -ENOTSUP: process-shared. */
int onproc_cond_init(struct onproc_cond *cond, unsigned int options);

/* Ends the use of a condition variable. Allowed right after a broadcast, also with the mutex held:
 * what was woken touches the memory no more. Waits for those whose time is just running out. The
 * memory may be freed afterwards. 0, or -EBUSY: there are waiters that nobody has woken, or one
 * whose time runs out takes more than a second. */
int onproc_cond_destroy(struct onproc_cond *cond);

/* Unlocks the mutex, which the caller holds, waits for a signal, and locks it again. May return
 * without a signal. Not a cancellation point. 0; with an error-checking mutex also -EPERM: the
 * caller does not own it. */
int onproc_cond_wait(struct onproc_cond *cond, struct onproc_mutex *mutex);

/* Waits for a signal until the absolute time of CLOCK_MONOTONIC or CLOCK_REALTIME at most. As wait
 * otherwise: the mutex is locked afterwards, however it ends. 0, or -ETIMEDOUT; -EINVAL: another
 * clock, or not a time; with an error-checking mutex also -EPERM: the caller does not own it. */
int onproc_cond_timedwait(struct onproc_cond *cond, struct onproc_mutex *mutex, clockid_t clock,
			  const struct timespec *at);

/* Wakes the oldest waiter, if there is one. With or without the mutex. Always 0. */
int onproc_cond_signal(struct onproc_cond *cond);

/* Wakes all that wait now, one after the other as the mutex is unlocked. With or without the mutex,
 * which must exist until this has returned. Always 0. */
int onproc_cond_broadcast(struct onproc_cond *cond);

#ifdef __cplusplus
}
#endif

#endif
