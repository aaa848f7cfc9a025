// SPDX-License-Identifier: MIT
/*
 * rwlock.c - pthread_rwlock_*: those of one process are ours.
 *
 * By default a thread that reads may read again whoever waits, as the C library has it: a program
 * may rely on it, so such a lock lets readers join readers and its writers may starve. One whose
 * attributes say PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP is fair to both. A static initialiser
 * cannot say so to the lock: whoever locks it says it, always the same.
 *
 * As with a mutex, the writer's number is written by the writer alone while it has the lock, so a
 * number of one's own, or any number read while one has the lock, is true without an order.
 */
#include "export.h"
#include "layout.h"
#include "libc.h"
#include "self.h"
#include "stats.h"

#include <errno.h>
#include <string.h>

static uint64_t writer_of(const struct taken_rwlock *rwlock)
{
	return __atomic_load_n(&rwlock->writer, __ATOMIC_RELAXED);
}

static void set_writer(struct taken_rwlock *rwlock, uint64_t token)
{
	__atomic_store_n(&rwlock->writer, token, __ATOMIC_RELAXED);
}

static bool is_own(const struct taken_rwlock *rwlock)
{
	return writer_of(rwlock) == self_token();
}

static struct taken_rwlock *taken_as_preferred(pthread_rwlock_t *rwlock)
{
	struct taken_rwlock *taken = rwlock_taken(rwlock);
	unsigned int kind = __atomic_load_n(&rwlock->__data.__flags, __ATOMIC_RELAXED);

	if (kind != PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP &&
	    RARELY(!__atomic_load_n(&taken->lock.options, __ATOMIC_RELAXED)))
		__atomic_store_n(&taken->lock.options, ONPROC_RWSEM_PREFER_READERS,
				 __ATOMIC_RELAXED);
	return taken;
}

static bool note_libcs(const pthread_rwlock_t *rwlock)
{
	if (!rwlock_is_libcs(rwlock))
		return false;
	if (RARELY(stats_on))
		stats_left_to_libc();
	return true;
}

/* One of the two ways to hold the lock. */
struct way {
	int (*try)(struct onproc_rwsem *lock);
	int (*lock)(struct onproc_rwsem *lock);
	int (*timedlock)(struct onproc_rwsem *lock, clockid_t clock, const struct timespec *at);
};

static const struct way reading = { onproc_rwsem_read_trylock, onproc_rwsem_read_lock,
				    onproc_rwsem_read_timedlock };
static const struct way writing = { onproc_rwsem_write_trylock, onproc_rwsem_write_lock,
				    onproc_rwsem_write_timedlock };

static inline __attribute__((always_inline)) int wait_for(struct taken_rwlock *taken,
							  const struct way *way, clockid_t clock,
							  const struct timespec *at)
{
	int rc;

	if (!at)
		return -way->lock(&taken->lock);
	rc = way->try(&taken->lock);
	if (rc != -EBUSY)
		return -rc;
	return at->tv_sec < 0 ? ETIMEDOUT : -way->timedlock(&taken->lock, clock, at);
}

static inline __attribute__((always_inline)) int acquire(struct taken_rwlock *taken,
							 const struct way *way, clockid_t clock,
							 const struct timespec *at,
							 const void *caller)
{
	struct stats_wait wait;
	int error;

	if (!RARELY(stats_on))
		return wait_for(taken, way, clock, at);
	error = -way->try(&taken->lock);
	if (!error)
		stats_acquired(taken, STATS_RWLOCK, caller);
	if (error != EBUSY)
		return error;
	stats_wait_begin(&wait, taken, STATS_RWLOCK, caller);
	error = wait_for(taken, way, clock, at);
	stats_wait_end(&wait, !error);
	return error;
}

static int read_until(pthread_rwlock_t *rwlock, clockid_t clock, const struct timespec *at,
		      const void *caller)
{
	struct taken_rwlock *taken = taken_as_preferred(rwlock);

	if (is_own(taken))
		return EDEADLK;
	return acquire(taken, &reading, clock, at, caller);
}

static int write_until(pthread_rwlock_t *rwlock, clockid_t clock, const struct timespec *at,
		       const void *caller)
{
	struct taken_rwlock *taken = taken_as_preferred(rwlock);
	int error;

	if (is_own(taken))
		return EDEADLK;
	error = acquire(taken, &writing, clock, at, caller);
	if (!error)
		set_writer(taken, self_token());
	return error;
}

EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t *rwlock)
{
	if (note_libcs(rwlock))
		return libc_calls()->rwlock_rdlock(rwlock);
	return read_until(rwlock, CLOCK_REALTIME, NULL, CALLER);
}
EXPORT_ALIAS(__pthread_rwlock_rdlock, pthread_rwlock_rdlock);

EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t *rwlock)
{
	if (note_libcs(rwlock))
		return libc_calls()->rwlock_wrlock(rwlock);
	return write_until(rwlock, CLOCK_REALTIME, NULL, CALLER);
}
EXPORT_ALIAS(__pthread_rwlock_wrlock, pthread_rwlock_wrlock);

EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t *rwlock)
{
	struct taken_rwlock *taken;
	int error;

	if (note_libcs(rwlock))
		return libc_calls()->rwlock_tryrdlock(rwlock);
	taken = taken_as_preferred(rwlock);
	error = -onproc_rwsem_read_trylock(&taken->lock);
	if (RARELY(stats_on) && !error)
		stats_acquired(taken, STATS_RWLOCK, CALLER);
	return error;
}
EXPORT_ALIAS(__pthread_rwlock_tryrdlock, pthread_rwlock_tryrdlock);

EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t *rwlock)
{
	struct taken_rwlock *taken;
	int error;

	if (note_libcs(rwlock))
		return libc_calls()->rwlock_trywrlock(rwlock);
	taken = taken_as_preferred(rwlock);
	error = -onproc_rwsem_write_trylock(&taken->lock);
	if (error)
		return error;
	set_writer(taken, self_token());
	if (RARELY(stats_on))
		stats_acquired(taken, STATS_RWLOCK, CALLER);
	return 0;
}
EXPORT_ALIAS(__pthread_rwlock_trywrlock, pthread_rwlock_trywrlock);

/* Unlike with a mutex, the C library looks at the time before it looks at the lock. */
EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t *rwlock, clockid_t clock,
				      const struct timespec *at)
{
	if (!is_clock(clock) || !is_time(at))
		return EINVAL;
	if (note_libcs(rwlock))
		return libc_calls()->rwlock_clockrdlock(rwlock, clock, at);
	return read_until(rwlock, clock, at, CALLER);
}

EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t *rwlock, clockid_t clock,
				      const struct timespec *at)
{
	if (!is_clock(clock) || !is_time(at))
		return EINVAL;
	if (note_libcs(rwlock))
		return libc_calls()->rwlock_clockwrlock(rwlock, clock, at);
	return write_until(rwlock, clock, at, CALLER);
}

EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t *rwlock, const struct timespec *at)
{
	if (!is_time(at))
		return EINVAL;
	if (note_libcs(rwlock))
		return libc_calls()->rwlock_timedrdlock(rwlock, at);
	return read_until(rwlock, CLOCK_REALTIME, at, CALLER);
}

EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t *rwlock, const struct timespec *at)
{
	if (!is_time(at))
		return EINVAL;
	if (note_libcs(rwlock))
		return libc_calls()->rwlock_timedwrlock(rwlock, at);
	return write_until(rwlock, CLOCK_REALTIME, at, CALLER);
}

EXPORT int pthread_rwlock_unlock(pthread_rwlock_t *rwlock)
{
	struct taken_rwlock *taken = rwlock_taken(rwlock);

	if (rwlock_is_libcs(rwlock))
		return libc_calls()->rwlock_unlock(rwlock);
	if (!writer_of(taken))
		return -onproc_rwsem_read_unlock(&taken->lock);
	set_writer(taken, 0);
	return -onproc_rwsem_write_unlock(&taken->lock);
}
EXPORT_ALIAS(__pthread_rwlock_unlock, pthread_rwlock_unlock);

EXPORT int pthread_rwlock_init(pthread_rwlock_t *rwlock, const pthread_rwlockattr_t *attributes)
{
	int shared = PTHREAD_PROCESS_PRIVATE, kind = PTHREAD_RWLOCK_DEFAULT_NP;

	if (attributes && (pthread_rwlockattr_getpshared(attributes, &shared) ||
			   pthread_rwlockattr_getkind_np(attributes, &kind) ||
			   shared != PTHREAD_PROCESS_PRIVATE)) {
		if (RARELY(stats_on))
			stats_left_to_libc();
		return libc_calls()->rwlock_init(rwlock, attributes);
	}
	memset(rwlock, 0, sizeof(*rwlock));
	rwlock->__data.__flags = (unsigned int)kind;
	return 0;
}
EXPORT_ALIAS(__pthread_rwlock_init, pthread_rwlock_init);

EXPORT int pthread_rwlock_destroy(pthread_rwlock_t *rwlock)
{
	if (rwlock_is_libcs(rwlock))
		return libc_calls()->rwlock_destroy(rwlock);
	/* Lets go of those that gave up. In the C library it never fails. */
	onproc_rwsem_destroy(&rwlock_taken(rwlock)->lock);
	return 0;
}
EXPORT_ALIAS(__pthread_rwlock_destroy, pthread_rwlock_destroy);
