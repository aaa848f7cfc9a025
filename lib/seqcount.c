// SPDX-License-Identifier: MIT
/*
 * seqcount.c - waiting for a writer of a seqcount; and the proof of the steps in onproc/seqcount.h.
 *
 * The steps of readers and writers are inline in the public header. This file includes it with the
 * operations of the machine in their places, so that whoever includes this file (the checker of
 * interleavings, the simulator) runs the very lines that users compile.
 *
 * seqcount: the sequence is odd while a writer is inside. A reader takes an even sequence, reads,
 * and keeps what it has read if the sequence is the same.
 * latch: an even sequence says that copy 0 is whole, an odd one that copy 1 is. A writer turns
 * readers away from a copy before it writes there. So a reader always has a whole copy before it,
 * and reads again only when a writer has completed a step meanwhile.
 *
 * Order                                Pairs with   Without it
 * Q1 write_end, release                Q4           a reader of the new sequence reads old words
 *    = seqcount_write_ends_relaxed
 * Q2 each word, release, after the     Q3           a reader meets a new word and does not see
 *    odd sequence (relaxed)                         that the sequence has moved on
 *    = seqcount_words_written_relaxed
 * Q3 each word, acquire, before the    Q2           as Q2
 *    sequence is read again (relaxed)
 *    = seqcount_words_read_relaxed
 * Q4 read_begin, acquire               Q1           as Q1
 *    = seqcount_read_begins_relaxed, seqcount_wait_reads_the_sequence_relaxed
 * Q5 flip, release                     Q6           a reader of the copy it is turned to reads
 *                                                   words from before the last write
 *    = latch_flip_relaxed
 * Q6 latch read_begin, acquire         Q5           as Q5
 *    = latch_read_begins_relaxed
 * = the mutants of tests/model/mutants.txt that weaken it and are found.
 *
 * In place of fences, Q2 and Q3: a reader that reads a word stored by Q2 sees all that its writer
 * did before, and that includes the odd (or flipped) sequence; so it reads another sequence than
 * its own at the end. Words of one write are ordered among each other for no use; on x86 it is
 * free.
 */
#include "machine/machine.h"

#define ONPROC_SEQ_LOAD(word, order)	     m_load64((word), (order))
#define ONPROC_SEQ_STORE(word, value, order) m_store64((word), (value), (order))
#include "onproc/seqcount.h"

#define SPIN_NS		 25000u	  /* a wake-up across CPUs; a write is shorter */
#define FIRST_SLEEP_NS	 50000u	  /* less is lost in the granularity of timers */
#define LONGEST_SLEEP_NS 4000000u /* a slice of a scheduler with a tick of 4 ms */

uint64_t onproc_seqcount_wait(const struct onproc_seqcount *count)
{
	uint64_t sleep_ns = FIRST_SLEEP_NS, sequence;
	uint32_t alone = 0;
	struct m_spin spin;

	m_spin_begin(&spin, SPIN_NS);
	while ((sequence = m_load64(&count->sequence, memory_order_acquire)) & 1) { /* Q4 */
		if (!m_should_yield(&spin)) {
			m_pause();
			continue;
		}
		m_park_for(&alone, 0, sleep_ns);
		if (sleep_ns < LONGEST_SLEEP_NS)
			sleep_ns *= 2;
	}
	return sequence;
}
