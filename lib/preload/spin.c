// SPDX-License-Identifier: MIT
/*
 * spin.c - pthread_spin_*: those of one process are ours.
 *
 * Their four bytes have no room for a kind, and other processes may use those that are shared, so
 * the state itself tells: one bit is set in ours whatever they do, and in none of the C library's.
 */
#include "export.h"
#include "layout.h"
#include "libc.h"
#include "stats.h"

#include <errno.h>

static struct onproc_spinlock *lock_of(pthread_spinlock_t *spin)
{
	return &spin_taken(spin)->lock;
}

static bool note_libcs(pthread_spinlock_t *spin)
{
	if (!RARELY(spin_is_libcs(spin)))
		return false;
	if (RARELY(stats_on))
		stats_left_to_libc();
	return true;
}

static int counted_lock(pthread_spinlock_t *spin, const void *caller)
{
	struct stats_wait wait;
	int error;

	if (!onproc_spinlock_trylock(lock_of(spin))) {
		stats_acquired((void *)spin, STATS_SPIN, caller);
		return 0;
	}
	stats_wait_begin(&wait, (void *)spin, STATS_SPIN, caller);
	error = -onproc_spinlock_lock(lock_of(spin));
	stats_wait_end(&wait, !error);
	return error;
}

EXPORT int pthread_spin_lock(pthread_spinlock_t *spin)
{
	if (note_libcs(spin))
		return libc_calls()->spin_lock(spin);
	if (RARELY(stats_on))
		return counted_lock(spin, CALLER);
	return -onproc_spinlock_lock(lock_of(spin));
}

EXPORT int pthread_spin_trylock(pthread_spinlock_t *spin)
{
	int error;

	if (note_libcs(spin))
		return libc_calls()->spin_trylock(spin);
	error = -onproc_spinlock_trylock(lock_of(spin));
	if (RARELY(stats_on) && !error)
		stats_acquired((void *)spin, STATS_SPIN, CALLER);
	return error;
}

EXPORT int pthread_spin_unlock(pthread_spinlock_t *spin)
{
	if (RARELY(spin_is_libcs(spin)))
		return libc_calls()->spin_unlock(spin);
	return -onproc_spinlock_unlock(lock_of(spin));
}

EXPORT int pthread_spin_init(pthread_spinlock_t *spin, int shared)
{
	if (shared == PTHREAD_PROCESS_PRIVATE)
		return -onproc_spinlock_init(lock_of(spin), 0);
	if (RARELY(stats_on))
		stats_left_to_libc();
	return libc_calls()->spin_init(spin, shared);
}

/* Never fails in the C library either. */
EXPORT int pthread_spin_destroy(pthread_spinlock_t *spin)
{
	(void)spin;
	return 0;
}
