// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * broken.c - locks that do not work, for the tests that the torture catches them.
 *
 * exclusion  lets everyone in
 * wake       forgets those who sleep: an unlock frees the lock and wakes nobody
 * torn       its readers do not look whether a writer was inside
 */
#include "torture.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

void broken_exclusion(struct worker *worker, struct lock *lock, struct random *random)
{
	guard_enter(worker, lock, random);
}

void broken_wake(struct worker *worker, struct lock *lock, struct random *random)
{
	const uint32_t taken = 1;
	uint32_t free = 0;

	while (!__atomic_compare_exchange_n(&lock->broken, &free, taken, false, __ATOMIC_ACQUIRE,
					    __ATOMIC_RELAXED)) {
		free = 0;
		syscall(SYS_futex, &lock->broken, FUTEX_WAIT_PRIVATE, taken, NULL, NULL, 0);
	}
	guard_enter(worker, lock, random);
	__atomic_store_n(&lock->broken, 0, __ATOMIC_RELEASE);
}

void broken_torn_read(struct worker *worker, struct lock *lock, struct random *random)
{
	uint64_t copy[WORDS];

	(void)random;
	onproc_seq_read_words(copy, lock->words, WORDS);
	guard_words_are_whole(worker, lock, copy);
}

void broken_torn_write(struct worker *worker, struct lock *lock, struct random *random)
{
	seqlock_write(worker, lock, random);
}
