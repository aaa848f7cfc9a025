// SPDX-License-Identifier: GPL-2.0-or-later
/* seqlock.c - a position that several threads set and others read without writing anything. */
#include <onproc/seqlock.h>

#include <pthread.h>
#include <stdio.h>

#define MOVES 10000

static struct onproc_seqlock lock = ONPROC_SEQLOCK_INITIALIZER;
static uint64_t position[2]; /* both are the same, whenever it is whole */

static void *move(void *unused)
{
	uint64_t to[2];
	int n;

	(void)unused;
	for (n = 0; n < MOVES; n++) {
		onproc_seqlock_write_lock(&lock);
		/* Writers keep others out, so that they read as they like. */
		onproc_seq_read_words(to, position, 2);
		to[0]++;
		to[1]++;
		onproc_seq_write_words(position, to, 2);
		onproc_seqlock_write_unlock(&lock);
	}
	return NULL;
}

int main(void)
{
	uint64_t at[2] = { 0, 0 }, sequence;
	pthread_t mover[2];
	int n, whole = 1;

	for (n = 0; n < 2; n++)
		pthread_create(&mover[n], NULL, move, NULL);
	while (at[0] < MOVES) {
		do {
			sequence = onproc_seqlock_read_begin(&lock);
			onproc_seq_read_words(at, position, 2);
		} while (onproc_seqlock_read_retry(&lock, sequence));
		whole &= at[0] == at[1];
	}
	for (n = 0; n < 2; n++)
		pthread_join(mover[n], NULL);
	printf("%s\n", whole ? "always whole" : "torn");
	return whole ? 0 : 1;
}
