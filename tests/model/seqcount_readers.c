// SPDX-License-Identifier: MIT
/*
 * seqcount_readers.c - seqcount and latch: a reader's copy is whole, and no older than what it
 * knew.
 *
 * One writer writes 1 1, then 2 2, and says after each that it has; READERS read. With LATCH the
 * writer may stop anywhere for ever, and readers still finish.
 */
#include "client.h"

#include "seqcount.c"

#ifndef READERS
#	define READERS 1
#endif
#ifndef WRITES
#	define WRITES 2
#endif

#ifdef LATCH
static struct onproc_seqcount_latch latch;
static uint64_t words[4];
#	define OPTIONS .freeze = 1
#else
static struct onproc_seqcount count;
static uint64_t words[2];
#	define OPTIONS .timeouts = 1
#endif
static uint32_t said;

static void put(uint64_t value)
{
	const uint64_t both[2] = { value, value };

#ifdef LATCH
	onproc_seqcount_latch_write(&latch, words, both, 2);
#else
	onproc_seqcount_write_begin(&count);
	onproc_seq_write_words(words, both, 2);
	onproc_seqcount_write_end(&count);
#endif
}

static void *writer(void *unused)
{
	uint32_t value;

	(void)unused;
	for (value = 1; value <= WRITES; value++) {
		put(value);
		m_store32(&said, value, memory_order_release);
	}
	return NULL;
}

static void *reader(void *unused)
{
	uint32_t known = m_load32(&said, memory_order_acquire);
	uint64_t copy[2];

	(void)unused;
#ifdef LATCH
	onproc_seqcount_latch_read(&latch, copy, words, 2);
#else
	uint64_t sequence;

	do {
		sequence = onproc_seqcount_read_begin(&count);
		onproc_seq_read_words(copy, words, 2);
	} while (onproc_seqcount_read_retry(&count, sequence));
#endif
	assert(copy[0] == copy[1]);
	assert(copy[0] >= known);
	return NULL;
}

CLIENT(OPTIONS);

int main(void)
{
	pthread_t threads[READERS + 1];
	unsigned int i;

	pthread_create(&threads[0], NULL, writer, NULL);
	for (i = 1; i <= READERS; i++)
		pthread_create(&threads[i], NULL, reader, NULL);
	for (i = 0; i <= READERS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
