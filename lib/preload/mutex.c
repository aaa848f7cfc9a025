// SPDX-License-Identifier: MIT
/*
 * mutex.c - pthread_mutex_*: normal, adaptive, recursive and error-checking ones are ours.
 *
 * The owner of a recursive or error-checking mutex is written by itself alone, after it has got the
 * lock and before it gives it back: whoever reads its own number there has the lock, and another
 * number, or none, is all that anyone else can read. So these accesses need no order.
 */
#include "mutex.h"

#include "export.h"
#include "layout.h"
#include "libc.h"
#include "self.h"
#include "stats.h"

#include <errno.h>
#include <string.h>

#define KIND_DESTROYED (-1) /* what the C library writes, and refuses to lock */

static bool is_own(const struct taken_mutex *mutex)
{
	return __atomic_load_n(&mutex->owner, __ATOMIC_RELAXED) == self_token();
}

static void set_owner(struct taken_mutex *mutex, uint64_t token)
{
	__atomic_store_n(&mutex->owner, token, __ATOMIC_RELAXED);
}

/* at NULL: for ever. As the C library: a free mutex is got whatever the time says. */
static int wait_for(struct taken_mutex *mutex, clockid_t clock, const struct timespec *at)
{
	if (!at)
		return -onproc_mutex_lock(&mutex->lock);
	if (!onproc_mutex_trylock(&mutex->lock))
		return 0;
	if (!is_time(at))
		return EINVAL;
	if (at->tv_sec < 0)
		return ETIMEDOUT;
	return -onproc_mutex_timedlock(&mutex->lock, clock, at);
}

static int counted_acquire(struct taken_mutex *mutex, clockid_t clock, const struct timespec *at,
			   const void *caller)
{
	struct stats_wait wait;
	int error;

	if (!onproc_mutex_trylock(&mutex->lock)) {
		stats_acquired(mutex, STATS_MUTEX, caller);
		return 0;
	}
	stats_wait_begin(&wait, mutex, STATS_MUTEX, caller);
	error = wait_for(mutex, clock, at);
	stats_wait_end(&wait, !error);
	return error;
}

static inline __attribute__((always_inline)) int
acquire(struct taken_mutex *mutex, clockid_t clock, const struct timespec *at, const void *caller)
{
	if (RARELY(stats_on))
		return counted_acquire(mutex, clock, at, caller);
	return wait_for(mutex, clock, at);
}

static int try(struct taken_mutex *mutex, const void *caller)
{
	int error = -onproc_mutex_trylock(&mutex->lock);

	if (RARELY(stats_on) && !error)
		stats_acquired(mutex, STATS_MUTEX, caller);
	return error;
}

/* One more level of a recursive mutex that the caller has. */
static int deepen(struct taken_mutex *mutex)
{
	if (mutex->depth == UINT32_MAX)
		return EAGAIN;
	mutex->depth++;
	return 0;
}

static int lock_owned(struct taken_mutex *mutex, int32_t type, clockid_t clock,
		      const struct timespec *at, const void *caller)
{
	int error;

	if (is_own(mutex))
		return type == PTHREAD_MUTEX_RECURSIVE ? deepen(mutex) : EDEADLK;
	error = acquire(mutex, clock, at, caller);
	if (!error)
		set_owner(mutex, self_token());
	return error;
}

static int trylock_owned(struct taken_mutex *mutex, int32_t type, const void *caller)
{
	int error;

	if (is_own(mutex))
		return type == PTHREAD_MUTEX_RECURSIVE ? deepen(mutex) : EBUSY;
	error = try(mutex, caller);
	if (!error)
		set_owner(mutex, self_token());
	return error;
}

static int unlock_owned(struct taken_mutex *mutex, int32_t type)
{
	if (!is_own(mutex))
		return EPERM;
	if (type == PTHREAD_MUTEX_RECURSIVE && mutex->depth) {
		mutex->depth--;
		return 0;
	}
	set_owner(mutex, 0);
	return -onproc_mutex_unlock(&mutex->lock);
}

static bool is_plain(int32_t kind)
{
	int32_t type = kind & (KIND_TYPE | KIND_LIBC);

	return type == PTHREAD_MUTEX_NORMAL || type == PTHREAD_MUTEX_ADAPTIVE_NP;
}

static bool note_libcs(int32_t kind)
{
	if (!(kind & KIND_LIBC))
		return false;
	if (RARELY(stats_on))
		stats_left_to_libc();
	return true;
}

int mutex_lock(pthread_mutex_t *mutex, const void *caller)
{
	struct taken_mutex *taken = mutex_taken(mutex);
	int32_t kind = mutex_kind(mutex);

	if (__builtin_expect(is_plain(kind), 1))
		return acquire(taken, CLOCK_REALTIME, NULL, caller);
	if (note_libcs(kind))
		return libc_calls()->mutex_lock(mutex);
	return lock_owned(taken, kind & KIND_TYPE, CLOCK_REALTIME, NULL, caller);
}

int mutex_unlock(pthread_mutex_t *mutex)
{
	struct taken_mutex *taken = mutex_taken(mutex);
	int32_t kind = mutex_kind(mutex);

	if (__builtin_expect(is_plain(kind), 1))
		return -onproc_mutex_unlock(&taken->lock);
	if (kind & KIND_LIBC)
		return libc_calls()->mutex_unlock(mutex);
	return unlock_owned(taken, kind & KIND_TYPE);
}

struct onproc_mutex *mutex_to_free(pthread_mutex_t *mutex)
{
	struct taken_mutex *taken = mutex_taken(mutex);
	int32_t kind = mutex_kind(mutex);

	if (is_plain(kind))
		return &taken->lock;
	if ((kind & KIND_LIBC) || !is_own(taken))
		return NULL;
	return (kind & KIND_TYPE) == PTHREAD_MUTEX_RECURSIVE && taken->depth ? NULL : &taken->lock;
}

int mutex_lock_waited(pthread_mutex_t *mutex, struct cond_wait *wait, const void *caller)
{
	struct taken_mutex *taken = mutex_taken(mutex);
	struct stats_wait counted;
	int error;

	if (!wait->moved)
		return mutex_lock(mutex, caller);
	if (RARELY(stats_on))
		stats_wait_begin(&counted, taken, STATS_MUTEX, caller);
	error = -cond_wait_lock(wait, &taken->lock);
	if (RARELY(stats_on))
		stats_wait_end(&counted, !error);
	if (!error && !is_plain(mutex_kind(mutex)))
		set_owner(taken, self_token());
	return error;
}

EXPORT int pthread_mutex_lock(pthread_mutex_t *mutex)
{
	return mutex_lock(mutex, CALLER);
}
EXPORT_ALIAS(__pthread_mutex_lock, pthread_mutex_lock);

EXPORT int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	return mutex_unlock(mutex);
}
EXPORT_ALIAS(__pthread_mutex_unlock, pthread_mutex_unlock);

EXPORT int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
	struct taken_mutex *taken = mutex_taken(mutex);
	int32_t kind = mutex_kind(mutex);

	if (__builtin_expect(is_plain(kind), 1))
		return try(taken, CALLER);
	if (note_libcs(kind))
		return libc_calls()->mutex_trylock(mutex);
	return trylock_owned(taken, kind & KIND_TYPE, CALLER);
}
EXPORT_ALIAS(__pthread_mutex_trylock, pthread_mutex_trylock);

static int lock_until(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *at,
		      const void *caller)
{
	struct taken_mutex *taken = mutex_taken(mutex);
	int32_t kind = mutex_kind(mutex);

	if (is_plain(kind))
		return acquire(taken, clock, at, caller);
	return lock_owned(taken, kind & KIND_TYPE, clock, at, caller);
}

EXPORT int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *at)
{
	if (note_libcs(mutex_kind(mutex)))
		return libc_calls()->mutex_timedlock(mutex, at);
	return lock_until(mutex, CLOCK_REALTIME, at, CALLER);
}

EXPORT int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock,
				   const struct timespec *at)
{
	if (!is_clock(clock))
		return EINVAL;
	if (note_libcs(mutex_kind(mutex)))
		return libc_calls()->mutex_clocklock(mutex, clock, at);
	return lock_until(mutex, clock, at, CALLER);
}

static bool is_ours_by(const pthread_mutexattr_t *attributes, int *type)
{
	int shared, protocol, robust;

	*type = PTHREAD_MUTEX_DEFAULT;
	if (!attributes)
		return true;
	return !pthread_mutexattr_gettype(attributes, type) &&
	       !pthread_mutexattr_getpshared(attributes, &shared) &&
	       shared == PTHREAD_PROCESS_PRIVATE &&
	       !pthread_mutexattr_getprotocol(attributes, &protocol) &&
	       protocol == PTHREAD_PRIO_NONE && !pthread_mutexattr_getrobust(attributes, &robust) &&
	       robust == PTHREAD_MUTEX_STALLED;
}

EXPORT int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes)
{
	int type;

	if (!is_ours_by(attributes, &type)) {
		if (RARELY(stats_on))
			stats_left_to_libc();
		return libc_calls()->mutex_init(mutex, attributes);
	}
	memset(mutex, 0, sizeof(*mutex));
	mutex_taken(mutex)->kind = type;
	return 0;
}
EXPORT_ALIAS(__pthread_mutex_init, pthread_mutex_init);

EXPORT int pthread_mutex_destroy(pthread_mutex_t *mutex)
{
	struct taken_mutex *taken = mutex_taken(mutex);
	int error;

	if (mutex_is_libcs(mutex))
		return libc_calls()->mutex_destroy(mutex);
	error = -onproc_mutex_destroy(&taken->lock);
	if (!error)
		__atomic_store_n(&taken->kind, KIND_DESTROYED, __ATOMIC_RELAXED);
	return error;
}
EXPORT_ALIAS(__pthread_mutex_destroy, pthread_mutex_destroy);
