// SPDX-License-Identifier: MIT
/*
 * seqlock.c - a seqcount whose writers are serialised by a mutex: seqcount.c, mutex.c.
 *
 * A reader that meets a writer polls for a short time, and then waits for the mutex as a writer
 * would: so it spins only while the writer is on a CPU, and sleeps otherwise. It holds the mutex
 * for a moment, in which the sequence is even.
 *
 * The orders are those of the mutex and of the seqcount, where the table stands:
 *
 * Order                                Pairs with   Without it
 * Q4 read_begin, acquire               Q1           a reader of the new sequence reads old words
 *    = seqlock_read_begins_relaxed, seqlock_wait_reads_the_sequence_relaxed
 * = the mutants of tests/model/mutants.txt that weaken it and are found.
 */
#include "machine/machine.h"

#define ONPROC_SEQ_LOAD(word, order)	     m_load64((word), (order))
#define ONPROC_SEQ_STORE(word, value, order) m_store64((word), (value), (order))
#include "onproc/seqlock.h"

#include "mutex.h"

#define SPIN_NS 5000u /* a write is shorter, or its writer is not on a CPU */

int onproc_seqlock_init(struct onproc_seqlock *lock, unsigned int options)
{
	int rc = onproc_mutex_init(&lock->writers, options);

	if (!rc)
		m_store64(&lock->count.sequence, 0, memory_order_relaxed);
	return rc;
}

int onproc_seqlock_destroy(struct onproc_seqlock *lock)
{
	return onproc_mutex_destroy(&lock->writers);
}

int onproc_seqlock_write_lock(struct onproc_seqlock *lock)
{
	int rc = onproc_mutex_lock(&lock->writers);

	if (!rc)
		onproc_seqcount_write_begin(&lock->count);
	return rc;
}

int onproc_seqlock_write_trylock(struct onproc_seqlock *lock)
{
	int rc = onproc_mutex_trylock(&lock->writers);

	if (!rc)
		onproc_seqcount_write_begin(&lock->count);
	return rc;
}

/* The sequence first: it is the mutex that says who may change it, and it says so to the end. */
int onproc_seqlock_write_unlock(struct onproc_seqlock *lock)
{
	int rc = mutex_check_owner(&lock->writers);

	if (rc)
		return rc;
	onproc_seqcount_write_end(&lock->count);
	return onproc_mutex_unlock(&lock->writers);
}

int onproc_seqlock_read_lock(struct onproc_seqlock *lock)
{
	return onproc_mutex_lock(&lock->writers);
}

int onproc_seqlock_read_unlock(struct onproc_seqlock *lock)
{
	return onproc_mutex_unlock(&lock->writers);
}

uint64_t onproc_seqlock_wait(struct onproc_seqlock *lock)
{
	uint64_t sequence;
	struct m_spin spin;

	m_spin_begin(&spin, SPIN_NS);
	while ((sequence = m_load64(&lock->count.sequence, memory_order_acquire)) & 1) { /* Q4 */
		if (!m_should_yield(&spin)) {
			m_pause();
			continue;
		}
		onproc_mutex_lock(&lock->writers);
		sequence = m_load64(&lock->count.sequence, memory_order_relaxed);
		onproc_mutex_unlock(&lock->writers);
		break;
	}
	return sequence;
}
