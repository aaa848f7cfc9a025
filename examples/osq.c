// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * osq.c - one thread at a time polls for a word; whoever is told to leave does something else.
 *
 * The shape of a lock of one's own: the queue keeps all but one waiter off the line of the word.
 */
#include <onproc/osq.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#define THREADS 4
#define ROUNDS	1000

static struct onproc_osq queue = ONPROC_OSQ_INITIALIZER;
static atomic_int taken;
static int count;

static int try_it(void)
{
	return !atomic_exchange_explicit(&taken, 1, memory_order_acquire);
}

static void take(void)
{
	while (!try_it()) {
		/* 20 µs at most; then it sleeps. */
		if (onproc_osq_lock(&queue, 20000)) {
			int tries = 1000, got = 0;

			while (tries-- && !got)
				got = try_it();
			onproc_osq_unlock(&queue);
			if (got)
				return;
		}
		usleep(50);
	}
}

static void *add(void *unused)
{
	int n;

	(void)unused;
	for (n = 0; n < ROUNDS; n++) {
		take();
		count++;
		atomic_store_explicit(&taken, 0, memory_order_release);
	}
	return NULL;
}

int main(void)
{
	pthread_t thread[THREADS];
	int n;

	for (n = 0; n < THREADS; n++)
		pthread_create(&thread[n], NULL, add, NULL);
	for (n = 0; n < THREADS; n++)
		pthread_join(thread[n], NULL);
	printf("counted %d\n", count);
	return count == THREADS * ROUNDS ? 0 : 1;
}
