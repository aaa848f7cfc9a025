// SPDX-License-Identifier: GPL-2.0-or-later
/* operations_rwsem.c - readers and writers of a rwsem. */
#include "torture.h"

#include <errno.h>

static void reads(struct worker *worker, struct lock *lock, struct random *random)
{
	guard_words_are_whole(worker, lock, lock->words);
	hold(random);
	guard_words_are_whole(worker, lock, lock->words);
	guard_expect(worker, lock, "rwsem_read_unlock", onproc_rwsem_read_unlock(&lock->rwsem), 0);
}

static void writes(struct worker *worker, struct lock *lock, struct random *random)
{
	guard_enter(worker, lock, random);
	guard_words_write(worker, lock, random);
	if (random_below(random, 2))
		guard_expect(worker, lock, "rwsem_unlock", onproc_rwsem_unlock(&lock->rwsem), 0);
	else
		guard_expect(worker, lock, "rwsem_write_unlock",
			     onproc_rwsem_write_unlock(&lock->rwsem), 0);
}

void rwsem_read(struct worker *worker, struct lock *lock, struct random *random)
{
	uint64_t since_ns = now_ns();

	guard_expect(worker, lock, "rwsem_read_lock", onproc_rwsem_read_lock(&lock->rwsem), 0);
	worker_waited(worker, since_ns);
	reads(worker, lock, random);
}

void rwsem_tryread(struct worker *worker, struct lock *lock, struct random *random)
{
	int rc = onproc_rwsem_read_trylock(&lock->rwsem);

	if (rc)
		guard_expect(worker, lock, "rwsem_read_trylock", rc, -EBUSY);
	else
		reads(worker, lock, random);
}

void rwsem_timedread(struct worker *worker, struct lock *lock, struct random *random)
{
	clockid_t clock = random_below(random, 2) ? CLOCK_MONOTONIC : CLOCK_REALTIME;
	struct timespec at = deadline_of(random, clock);
	int rc = onproc_rwsem_read_timedlock(&lock->rwsem, clock, &at);

	if (rc)
		guard_expect(worker, lock, "rwsem_read_timedlock", rc, -ETIMEDOUT);
	else
		reads(worker, lock, random);
}

void rwsem_write(struct worker *worker, struct lock *lock, struct random *random)
{
	uint64_t since_ns = now_ns();

	guard_expect(worker, lock, "rwsem_write_lock", onproc_rwsem_write_lock(&lock->rwsem), 0);
	worker_waited(worker, since_ns);
	writes(worker, lock, random);
}

void rwsem_trywrite(struct worker *worker, struct lock *lock, struct random *random)
{
	int rc = onproc_rwsem_write_trylock(&lock->rwsem);

	if (rc)
		guard_expect(worker, lock, "rwsem_write_trylock", rc, -EBUSY);
	else
		writes(worker, lock, random);
}

void rwsem_timedwrite(struct worker *worker, struct lock *lock, struct random *random)
{
	clockid_t clock = random_below(random, 2) ? CLOCK_MONOTONIC : CLOCK_REALTIME;
	struct timespec at = deadline_of(random, clock);
	int rc = onproc_rwsem_write_timedlock(&lock->rwsem, clock, &at);

	if (rc)
		guard_expect(worker, lock, "rwsem_write_timedlock", rc, -ETIMEDOUT);
	else
		writes(worker, lock, random);
}

/* What it wrote is what it reads: no other writer comes between. */
void rwsem_downgrade(struct worker *worker, struct lock *lock, struct random *random)
{
	uint64_t since_ns = now_ns(), written;

	guard_expect(worker, lock, "rwsem_write_lock", onproc_rwsem_write_lock(&lock->rwsem), 0);
	worker_waited(worker, since_ns);
	guard_enter(worker, lock, random);
	guard_words_write(worker, lock, random);
	written = lock->words[0];
	guard_expect(worker, lock, "rwsem_downgrade", onproc_rwsem_downgrade(&lock->rwsem), 0);
	if (lock->words[0] != written)
		fail(worker->torture, worker, lock, "downgrade: another writer came between");
	reads(worker, lock, random);
}
