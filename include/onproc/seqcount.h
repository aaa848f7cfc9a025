/* SPDX-License-Identifier: MIT */
/*
 * seqcount.h - data that is read without writing anything: readers see a whole copy or read again.
 *
 * onproc_seqcount: one copy. Writers are serialised by the caller. While a writer is inside,
 *readers wait: for short data whose writers are not preempted often. onproc_seqcount_latch: two
 *copies. Readers never wait for a writer, even one that is preempted or that they have interrupted
 *in a signal handler; they may see the older copy.
 *
 * The data are words of 64 bits, and are copied by nothing but onproc_seq_read_words() and
 * onproc_seq_write_words(): a reader may look at a word while it is written. No fences: every word
 * is loaded with acquire and stored with release order (plain loads and stores on x86), so that a
 * reader that meets a word of a later write also sees that the sequence has moved on, and a thread
 * sanitizer can follow.
 *
 *	do {
 *		sequence = onproc_seqcount_read_begin(&count);
 *		onproc_seq_read_words(copy, words, n);
 *	} while (onproc_seqcount_read_retry(&count, sequence));
 *
 * The readers' and writers' steps are inline: a call would cost more than they do. Tags name the
 * rows of the table in lib/seqcount.c.
 */
#ifndef ONPROC_SEQCOUNT_H
#define ONPROC_SEQCOUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* lib/seqcount.c puts the operations of its machine here. */
#ifndef ONPROC_SEQ_LOAD
#	define ONPROC_SEQ_LOAD(word, order)	     __atomic_load_n((word), (order))
#	define ONPROC_SEQ_STORE(word, value, order) __atomic_store_n((word), (value), (order))
#endif

struct onproc_seqcount {
	uint64_t sequence; /* odd: a writer is inside; 64 bits never come round */
};

#define ONPROC_SEQCOUNT_INITIALIZER                                                                \
	{                                                                                          \
		0                                                                                  \
	}

struct onproc_seqcount_latch {
	uint64_t sequence; /* its lowest bit: which copy readers take */
};

#define ONPROC_SEQCOUNT_LATCH_INITIALIZER                                                          \
	{                                                                                          \
		0                                                                                  \
	}

/* Copies words that writers may be writing to memory of the caller's own. */
static inline void onproc_seq_read_words(uint64_t *to, const uint64_t *from, size_t words)
{
	for (size_t i = 0; i < words; i++)
		to[i] = ONPROC_SEQ_LOAD(&from[i], __ATOMIC_ACQUIRE); /* Q3 */
}

/* Copies words to where readers may be reading. Between write_begin and write_end, or behind a
 * flip. */
static inline void onproc_seq_write_words(uint64_t *to, const uint64_t *from, size_t words)
{
	for (size_t i = 0; i < words; i++)
		ONPROC_SEQ_STORE(&to[i], from[i], __ATOMIC_RELEASE); /* Q2 */
}

/* Waits until no writer is inside. For read_begin: polls for a short time, then sleeps for times
 * that grow. Returns the sequence, even. */
uint64_t onproc_seqcount_wait(const struct onproc_seqcount *count);

/* Begins to read, and waits while a writer is inside. Returns the sequence to give to read_retry.
 */
static inline uint64_t onproc_seqcount_read_begin(const struct onproc_seqcount *count)
{
	uint64_t sequence = ONPROC_SEQ_LOAD(&count->sequence, __ATOMIC_ACQUIRE); /* Q4 */

	return sequence & 1 ? onproc_seqcount_wait(count) : sequence;
}

/* Tells whether anything was written since the sequence. True: what was read is not whole; read
 * again. */
static inline bool onproc_seqcount_read_retry(const struct onproc_seqcount *count,
					      uint64_t sequence)
{
	return ONPROC_SEQ_LOAD(&count->sequence, __ATOMIC_RELAXED) != sequence; /* Q3 */
}

/* Begins to write. One writer at a time: the caller sees to that. */
static inline void onproc_seqcount_write_begin(struct onproc_seqcount *count)
{
	uint64_t sequence = ONPROC_SEQ_LOAD(&count->sequence, __ATOMIC_RELAXED);

	ONPROC_SEQ_STORE(&count->sequence, sequence + 1, __ATOMIC_RELAXED); /* Q2 */
}

/* Ends what write_begin began. */
static inline void onproc_seqcount_write_end(struct onproc_seqcount *count)
{
	uint64_t sequence = ONPROC_SEQ_LOAD(&count->sequence, __ATOMIC_RELAXED);

	ONPROC_SEQ_STORE(&count->sequence, sequence + 1, __ATOMIC_RELEASE); /* Q1 */
}

/* Begins to read, and never waits. Returns the sequence, whose lowest bit says which of the two
 * copies to read. */
static inline uint64_t onproc_seqcount_latch_read_begin(const struct onproc_seqcount_latch *latch)
{
	return ONPROC_SEQ_LOAD(&latch->sequence, __ATOMIC_ACQUIRE); /* Q6 */
}

/* Tells whether a writer has turned readers away since. True: what was read is perhaps not whole;
 * read again. */
static inline bool onproc_seqcount_latch_read_retry(const struct onproc_seqcount_latch *latch,
						    uint64_t sequence)
{
	return ONPROC_SEQ_LOAD(&latch->sequence, __ATOMIC_RELAXED) != sequence; /* Q3 */
}

/* Turns readers to the other copy. A write is: flip, write copy 0, flip, write copy 1. One writer
 * at a time: the caller sees to that. */
static inline void onproc_seqcount_latch_flip(struct onproc_seqcount_latch *latch)
{
	uint64_t sequence = ONPROC_SEQ_LOAD(&latch->sequence, __ATOMIC_RELAXED);

	ONPROC_SEQ_STORE(&latch->sequence, sequence + 1, __ATOMIC_RELEASE); /* Q5 */
}

/* Reads a whole copy. copies: two times `words` words, one behind the other. */
static inline void onproc_seqcount_latch_read(const struct onproc_seqcount_latch *latch,
					      uint64_t *to, const uint64_t *copies, size_t words)
{
	uint64_t sequence;

	do {
		sequence = onproc_seqcount_latch_read_begin(latch);
		onproc_seq_read_words(to, copies + (sequence & 1) * words, words);
	} while (onproc_seqcount_latch_read_retry(latch, sequence));
}

/* Writes both copies. One writer at a time: the caller sees to that. */
static inline void onproc_seqcount_latch_write(struct onproc_seqcount_latch *latch,
					       uint64_t *copies, const uint64_t *from, size_t words)
{
	onproc_seqcount_latch_flip(latch);
	onproc_seq_write_words(copies, from, words);
	onproc_seqcount_latch_flip(latch);
	onproc_seq_write_words(copies + words, from, words);
}

#ifdef __cplusplus
}
#endif

#endif
