// SPDX-License-Identifier: MIT
/*
 * cond.c - pthread_cond_*: those of one process are ours, with whatever mutex they are used.
 *
 * A wait of ours is cancelled as in the C library: the system call that it sleeps in is left at
 * once, by asynchronous cancellation for as long as that call. A clean-up handler, which runs
 * before those of the program, ends the wait and locks the mutex. A thread that was signalled and
 * cancelled at once hands the signal on; the condition variable is not destroyed until then.
 *
 * A condition variable that is shared between processes is the C library's, which can unlock and
 * lock only mutexes of its own. With one of ours it waits with a mutex that stands for that, a
 * proxy. Whoever signals in this process goes through the proxy once such a wait has begun, so that
 * it cannot come between the unlocking of the one and the waiting with the other.
 *
 * The functions of before glibc 2.3.2 have no names of their own here: their objects are as large
 * and begin as zeros, so they are the same.
 */
#include "cond.h"

#include "export.h"
#include "layout.h"
#include "libc.h"
#include "mutex.h"

#include <errno.h>
#include <string.h>

#define PROXIES 64 /* by address: two that share one only wait for each other */

static pthread_mutex_t proxies[PROXIES]; /* the C library's, used by nobody else */
static int proxies_in_use;

struct waiting {
	struct cond_wait wait;
	struct onproc_cond *cond;
	pthread_mutex_t *mutex;
	const void *caller;
};

/* Ends a wait. True: signalled, or woken for no reason. */
static bool end(struct waiting *waiting, bool hand_on)
{
	bool signalled = cond_wait_finish(&waiting->wait);

	/* One that a broadcast moved has taken it from nobody. */
	if (signalled && hand_on && waiting->wait.number != M_NO_SLOT && !waiting->wait.moved)
		onproc_cond_signal(waiting->cond);
	cond_wait_let_go(&waiting->wait);
	return signalled;
}

/* The thread is being cancelled. */
static void cancelled(void *argument)
{
	struct waiting *waiting = argument;

	end(waiting, true);
	mutex_lock_waited(waiting->mutex, &waiting->wait, waiting->caller);
}

static int park(struct waiting *waiting, const struct m_deadline *until)
{
	int type, rc;

	pthread_cleanup_push(cancelled, waiting);
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &type);
	rc = cond_wait_park(&waiting->wait, until);
	pthread_setcanceltype(type, NULL);
	pthread_cleanup_pop(0);
	return rc;
}

/* until NULL: for ever. */
static int wait_ours(pthread_cond_t *cond, pthread_mutex_t *mutex, const struct m_deadline *until,
		     const void *caller)
{
	struct waiting waiting = { .cond = &cond_taken(cond)->lock,
				   .mutex = mutex,
				   .caller = caller };
	int error, parked;

	cond_wait_prepare(&waiting.wait, waiting.cond, mutex_to_free(mutex), true);
	error = mutex_unlock(mutex);
	if (error) {
		end(&waiting, true);
		return error;
	}
	parked = park(&waiting, until);
	if (end(&waiting, false) && waiting.wait.number != M_NO_SLOT)
		parked = 0;
	error = mutex_lock_waited(mutex, &waiting.wait, caller);
	return error ? error : -parked;
}

static pthread_mutex_t *proxy_of(const pthread_cond_t *cond)
{
	return &proxies[((uintptr_t)cond >> 4) % PROXIES];
}

/* A wait with a condition variable of the C library's. at NULL: for ever; clock -1: its own. */
static int wait_libcs(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock,
		      const struct timespec *at)
{
	const struct libc_calls *libc = libc_calls();

	if (!at)
		return libc->cond_wait(cond, mutex);
	if (clock == -1)
		return libc->cond_timedwait(cond, mutex, at);
	return libc->cond_clockwait(cond, mutex, clock, at);
}

static void proxy_cancelled(void *argument)
{
	struct waiting *waiting = argument;

	libc_calls()->mutex_unlock(waiting->mutex);
}

static void mutex_cancelled(void *argument)
{
	struct waiting *waiting = argument;

	mutex_lock(waiting->mutex, waiting->caller);
}

static int wait_by_proxy(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock,
			 const struct timespec *at, const void *caller)
{
	struct waiting of_mutex = { .mutex = mutex, .caller = caller };
	struct waiting of_proxy = { .mutex = proxy_of(cond), .caller = caller };
	int error, waited;

	__atomic_store_n(&proxies_in_use, 1, __ATOMIC_RELAXED); /* ordered by the mutex */
	libc_calls()->mutex_lock(of_proxy.mutex);
	error = mutex_unlock(mutex);
	if (error) {
		libc_calls()->mutex_unlock(of_proxy.mutex);
		return error;
	}
	pthread_cleanup_push(mutex_cancelled, &of_mutex);
	pthread_cleanup_push(proxy_cancelled, &of_proxy);
	waited = wait_libcs(cond, of_proxy.mutex, clock, at);
	pthread_cleanup_pop(0);
	pthread_cleanup_pop(0);
	libc_calls()->mutex_unlock(of_proxy.mutex);
	error = mutex_lock(mutex, caller);
	return error ? error : waited;
}

static int wait_until(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock,
		      const struct timespec *at, const void *caller)
{
	struct m_deadline until = { .clock = clock };

	if (cond_is_libcs(cond)) {
		if (mutex_is_libcs(mutex))
			return wait_libcs(cond, mutex, clock, at);
		return wait_by_proxy(cond, mutex, clock, at, caller);
	}
	if (!at)
		return wait_ours(cond, mutex, NULL, caller);
	if (!is_time(at))
		return EINVAL;
	if (clock == -1)
		until.clock = cond_is_monotonic(cond) ? CLOCK_MONOTONIC : CLOCK_REALTIME;
	if (at->tv_sec >= 0)
		until.at = *at; /* else 1970 has been, too */
	return wait_ours(cond, mutex, &until, caller);
}

EXPORT int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
	return wait_until(cond, mutex, -1, NULL, CALLER);
}

EXPORT int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
				  const struct timespec *at)
{
	return wait_until(cond, mutex, -1, at, CALLER);
}

EXPORT int pthread_cond_clockwait(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock,
				  const struct timespec *at)
{
	return is_clock(clock) ? wait_until(cond, mutex, clock, at, CALLER) : EINVAL;
}

static int wake_libcs(pthread_cond_t *cond, int (*wake)(pthread_cond_t *))
{
	pthread_mutex_t *proxy = proxy_of(cond);
	int error;

	if (!__atomic_load_n(&proxies_in_use, __ATOMIC_RELAXED))
		return wake(cond);
	libc_calls()->mutex_lock(proxy);
	error = wake(cond);
	libc_calls()->mutex_unlock(proxy);
	return error;
}

EXPORT int pthread_cond_signal(pthread_cond_t *cond)
{
	if (cond_is_libcs(cond))
		return wake_libcs(cond, libc_calls()->cond_signal);
	return -onproc_cond_signal(&cond_taken(cond)->lock);
}

EXPORT int pthread_cond_broadcast(pthread_cond_t *cond)
{
	if (cond_is_libcs(cond))
		return wake_libcs(cond, libc_calls()->cond_broadcast);
	return -onproc_cond_broadcast(&cond_taken(cond)->lock);
}

EXPORT int pthread_cond_init(pthread_cond_t *cond, const pthread_condattr_t *attributes)
{
	int shared = PTHREAD_PROCESS_PRIVATE;
	clockid_t clock = CLOCK_REALTIME;

	if (attributes &&
	    (pthread_condattr_getpshared(attributes, &shared) ||
	     pthread_condattr_getclock(attributes, &clock) || shared != PTHREAD_PROCESS_PRIVATE))
		return libc_calls()->cond_init(cond, attributes);
	memset(cond, 0, sizeof(*cond));
	cond->__data.__wrefs = clock == CLOCK_MONOTONIC ? COND_MONOTONIC : 0;
	return 0;
}

EXPORT int pthread_cond_destroy(pthread_cond_t *cond)
{
	if (cond_is_libcs(cond))
		return libc_calls()->cond_destroy(cond);
	return -onproc_cond_destroy(&cond_taken(cond)->lock);
}

/* A thread that the child does not have may have held one. */
static void forked(void)
{
	memset(proxies, 0, sizeof(proxies));
}

__attribute__((constructor)) static void begin(void)
{
	pthread_atfork(NULL, NULL, forked);
}
