// SPDX-License-Identifier: GPL-2.0-or-later
/* operations_seq.c - readers that write nothing: seqlock and latch. */
#include "torture.h"

#include <errno.h>
#include <string.h>

void seqlock_read(struct worker *worker, struct lock *lock, struct random *random)
{
	uint64_t since_ns = now_ns(), sequence, copy[WORDS];

	(void)random;
	do {
		sequence = onproc_seqlock_read_begin(&lock->seqlock);
		onproc_seq_read_words(copy, lock->words, WORDS);
	} while (onproc_seqlock_read_retry(&lock->seqlock, sequence));
	worker_waited(worker, since_ns);
	guard_words_are_whole(worker, lock, copy);
}

/* Half of the words, a pause, the other half. */
static void seqlock_section(struct worker *worker, struct lock *lock, struct random *random)
{
	uint64_t next[WORDS];
	uint32_t n;

	guard_enter(worker, lock, random);
	for (n = 0; n < WORDS; n++)
		next[n] = lock->guard.first;
	onproc_seq_write_words(lock->words, next, WORDS / 2);
	hold(random);
	onproc_seq_write_words(lock->words + WORDS / 2, next + WORDS / 2, WORDS / 2);
	guard_expect(worker, lock, "seqlock_write_unlock",
		     onproc_seqlock_write_unlock(&lock->seqlock), 0);
}

void seqlock_write(struct worker *worker, struct lock *lock, struct random *random)
{
	uint64_t since_ns = now_ns();

	guard_expect(worker, lock, "seqlock_write_lock", onproc_seqlock_write_lock(&lock->seqlock),
		     0);
	worker_waited(worker, since_ns);
	seqlock_section(worker, lock, random);
}

void seqlock_trywrite(struct worker *worker, struct lock *lock, struct random *random)
{
	int rc = onproc_seqlock_write_trylock(&lock->seqlock);

	if (rc)
		guard_expect(worker, lock, "seqlock_write_trylock", rc, -EBUSY);
	else
		seqlock_section(worker, lock, random);
}

void latch_read(struct worker *worker, struct lock *lock, struct random *random)
{
	uint64_t since_ns = now_ns(), copy[WORDS];

	(void)random;
	onproc_seqcount_latch_read(&lock->latch, copy, lock->words, WORDS);
	worker_waited(worker, since_ns);
	guard_words_are_whole(worker, lock, copy);
}

/* Writers of a latch are kept apart by the caller: here by a mutex. */
void latch_write(struct worker *worker, struct lock *lock, struct random *random)
{
	uint64_t since_ns = now_ns(), next[WORDS];
	uint32_t n;

	guard_expect(worker, lock, "mutex_lock", onproc_mutex_lock(&lock->mutex), 0);
	worker_waited(worker, since_ns);
	guard_enter(worker, lock, random);
	for (n = 0; n < WORDS; n++)
		next[n] = lock->guard.first;
	onproc_seqcount_latch_flip(&lock->latch);
	onproc_seq_write_words(lock->words, next, WORDS / 2);
	hold(random);
	onproc_seq_write_words(lock->words + WORDS / 2, next + WORDS / 2, WORDS / 2);
	onproc_seqcount_latch_flip(&lock->latch);
	onproc_seq_write_words(lock->words + WORDS, next, WORDS);
	guard_expect(worker, lock, "mutex_unlock", onproc_mutex_unlock(&lock->mutex), 0);
}
