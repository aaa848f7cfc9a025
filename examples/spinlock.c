// SPDX-License-Identifier: GPL-2.0-or-later
/* spinlock.c - many small locks of 4 bytes: one for each bucket of counters. */
#include <onproc/spinlock.h>

#include <pthread.h>
#include <stdio.h>

#define THREADS 4
#define BUCKETS 16
#define ROUNDS	10000

static struct bucket {
	struct onproc_spinlock lock; /* zeroed memory is unlocked */
	int count;
} bucket[BUCKETS];

static void *count(void *unused)
{
	int n;

	(void)unused;
	for (n = 0; n < ROUNDS; n++) {
		struct bucket *mine = &bucket[n % BUCKETS];

		onproc_spinlock_lock(&mine->lock);
		mine->count++;
		onproc_spinlock_unlock(&mine->lock);
	}
	return NULL;
}

int main(void)
{
	pthread_t thread[THREADS];
	int n, sum = 0;

	for (n = 0; n < THREADS; n++)
		pthread_create(&thread[n], NULL, count, NULL);
	for (n = 0; n < THREADS; n++)
		pthread_join(thread[n], NULL);
	for (n = 0; n < BUCKETS; n++)
		sum += bucket[n].count;
	printf("counted %d\n", sum);
	return sum == THREADS * ROUNDS ? 0 : 1;
}
