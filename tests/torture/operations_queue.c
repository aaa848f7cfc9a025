// SPDX-License-Identifier: GPL-2.0-or-later
/* operations_queue.c - spinlock and optimistic spin queue. */
#include "torture.h"

#include <errno.h>

void spinlock_lock(struct worker *worker, struct lock *lock, struct random *random)
{
	uint64_t since_ns = now_ns();

	guard_expect(worker, lock, "spinlock_lock", onproc_spinlock_lock(&lock->spinlock), 0);
	worker_waited(worker, since_ns);
	guard_enter(worker, lock, random);
	guard_expect(worker, lock, "spinlock_unlock", onproc_spinlock_unlock(&lock->spinlock), 0);
}

void spinlock_trylock(struct worker *worker, struct lock *lock, struct random *random)
{
	int rc = onproc_spinlock_trylock(&lock->spinlock);

	if (rc) {
		guard_expect(worker, lock, "spinlock_trylock", rc, -EBUSY);
		return;
	}
	guard_enter(worker, lock, random);
	guard_expect(worker, lock, "spinlock_unlock", onproc_spinlock_unlock(&lock->spinlock), 0);
}

/* Not getting in is no error: the thread does something else. */
void osq_enter(struct worker *worker, struct lock *lock, struct random *random)
{
	static const uint32_t budgets_ns[] = { 0, 1000, 20000, 500000 };

	if (!onproc_osq_lock(&lock->osq, budgets_ns[random_below(random, 4)]))
		return;
	guard_enter(worker, lock, random);
	onproc_osq_unlock(&lock->osq);
}
