// SPDX-License-Identifier: MIT
/*
 * seqlock_users.c - the seqlock: writers exclude each other, a reader's copy is whole and no older
 * than what it knew, and one who locks to read keeps writers out.
 *
 * WRITERS threads write ROUNDS times, the last TRYING of them only where they need not wait. Then
 * READERS read, and LOCKING lock to read.
 */
#include "client.h"

#include "seqlock.c"

#include "osq.c"
#include "sleepers.c"

#include "mutex.c"

#ifndef WRITERS
#	define WRITERS 1
#endif
#ifndef ROUNDS
#	define ROUNDS 1
#endif
#ifndef TRYING
#	define TRYING 0
#endif
#ifndef READERS
#	define READERS 1
#endif
#ifndef LOCKING
#	define LOCKING 0
#endif
#ifndef OPTIONS
#	define OPTIONS .spare = true
#endif
#define USERS (WRITERS + READERS + LOCKING)

static struct onproc_seqlock lock;
static uint64_t words[2];
static uint32_t said;
unsigned int written;

static void write_both(int number)
{
	uint64_t both[2];

	if (number >= WRITERS - TRYING) {
		if (onproc_seqlock_write_trylock(&lock)) {
			REACHED("is not let in");
			return;
		}
	} else {
		onproc_seqlock_write_lock(&lock);
	}
	PLAIN_SET(written, PLAIN(written) + 1);
	both[0] = both[1] = PLAIN(written);
	onproc_seq_write_words(words, both, 2);
	onproc_seqlock_write_unlock(&lock);
	/* Of two writers the later one may say it first: then what is known is less than it could
	 * be. */
	m_store32(&said, (uint32_t)both[0], memory_order_release);
}

static void read_both(void)
{
	uint32_t known = m_load32(&said, memory_order_acquire);
	uint64_t copy[2], sequence;

	do {
		sequence = onproc_seqlock_read_begin(&lock);
		onproc_seq_read_words(copy, words, 2);
	} while (onproc_seqlock_read_retry(&lock, sequence));
	assert(copy[0] == copy[1]);
	assert(copy[0] >= known);
}

static void lock_and_read(void)
{
	uint64_t copy[2];

	onproc_seqlock_read_lock(&lock);
	onproc_seq_read_words(copy, words, 2);
	assert(copy[0] == PLAIN(written) && copy[1] == PLAIN(written));
	onproc_seqlock_read_unlock(&lock);
}

static void *user(void *argument)
{
	int number = (int)(intptr_t)argument, round;

	if (number >= WRITERS + READERS) {
		lock_and_read();
	} else if (number >= WRITERS) {
		read_both();
	} else {
		for (round = 0; round < ROUNDS; round++)
			write_both(number);
	}
	return NULL;
}

CLIENT(OPTIONS);

int main(void)
{
	pthread_t threads[USERS];
	int i;

	for (i = 0; i < USERS; i++)
		pthread_create(&threads[i], NULL, user, (void *)(intptr_t)i);
	for (i = 0; i < USERS; i++)
		pthread_join(threads[i], NULL);
	/* NOLINTNEXTLINE(misc-static-assert): in some of the clients it is no constant */
	assert(TRYING || PLAIN(written) == WRITERS * ROUNDS);
	assert(!onproc_seqlock_destroy(&lock));
	return 0;
}
