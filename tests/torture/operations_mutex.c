// SPDX-License-Identifier: GPL-2.0-or-later
/* operations_mutex.c - the ways to take a mutex, also one that checks. */
#include "torture.h"

#include <errno.h>

static void section(struct worker *worker, struct lock *lock, struct random *random)
{
	guard_enter(worker, lock, random);
	guard_expect(worker, lock, "mutex_unlock", onproc_mutex_unlock(&lock->mutex), 0);
}

void mutex_lock(struct worker *worker, struct lock *lock, struct random *random)
{
	uint64_t since_ns = now_ns();

	guard_expect(worker, lock, "mutex_lock", onproc_mutex_lock(&lock->mutex), 0);
	worker_waited(worker, since_ns);
	section(worker, lock, random);
}

void mutex_trylock(struct worker *worker, struct lock *lock, struct random *random)
{
	int rc = onproc_mutex_trylock(&lock->mutex);

	if (rc)
		guard_expect(worker, lock, "mutex_trylock", rc, -EBUSY);
	else
		section(worker, lock, random);
}

static void timedlock(struct worker *worker, struct lock *lock, struct random *random,
		      clockid_t clock)
{
	struct timespec at = deadline_of(random, clock);
	int rc = onproc_mutex_timedlock(&lock->mutex, clock, &at);

	if (rc)
		guard_expect(worker, lock, "mutex_timedlock", rc, -ETIMEDOUT);
	else
		section(worker, lock, random);
}

void mutex_timedlock_monotonic(struct worker *worker, struct lock *lock, struct random *random)
{
	timedlock(worker, lock, random, CLOCK_MONOTONIC);
}

void mutex_timedlock_realtime(struct worker *worker, struct lock *lock, struct random *random)
{
	timedlock(worker, lock, random, CLOCK_REALTIME);
}

void checked_lock(struct worker *worker, struct lock *lock, struct random *random)
{
	uint64_t since_ns = now_ns();

	guard_expect(worker, lock, "mutex_lock", onproc_mutex_lock(&lock->mutex), 0);
	worker_waited(worker, since_ns);
	guard_expect(worker, lock, "second mutex_lock", onproc_mutex_lock(&lock->mutex), -EDEADLK);
	guard_expect(worker, lock, "second mutex_trylock", onproc_mutex_trylock(&lock->mutex),
		     -EBUSY);
	section(worker, lock, random);
}

/* Twice: who gave up a moment ago is not the owner. */
void checked_timedlock(struct worker *worker, struct lock *lock, struct random *random)
{
	struct timespec at = deadline_of(random, CLOCK_MONOTONIC);
	int rc = onproc_mutex_timedlock(&lock->mutex, CLOCK_MONOTONIC, &at);

	if (rc == -ETIMEDOUT)
		rc = onproc_mutex_timedlock(&lock->mutex, CLOCK_MONOTONIC, &at);
	if (rc)
		guard_expect(worker, lock, "mutex_timedlock", rc, -ETIMEDOUT);
	else
		section(worker, lock, random);
}

void checked_wrong_unlock(struct worker *worker, struct lock *lock, struct random *random)
{
	(void)random;
	guard_expect(worker, lock, "mutex_unlock without the lock",
		     onproc_mutex_unlock(&lock->mutex), -EPERM);
}
