// SPDX-License-Identifier: GPL-2.0-or-later
/* mutex.c - threads count together under an onproc_mutex; one of them does not wait for ever. */
#include <onproc/mutex.h>

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

#define THREADS 4
#define ROUNDS	10000L

static struct onproc_mutex mutex = ONPROC_MUTEX_INITIALIZER;
static long count;

static void *add(void *unused)
{
	long n;

	(void)unused;
	for (n = 0; n < ROUNDS; n++) {
		onproc_mutex_lock(&mutex);
		count++;
		onproc_mutex_unlock(&mutex);
	}
	return NULL;
}

int main(void)
{
	pthread_t thread[THREADS];
	struct timespec at;
	int n;

	for (n = 0; n < THREADS; n++)
		pthread_create(&thread[n], NULL, add, NULL);
	clock_gettime(CLOCK_MONOTONIC, &at);
	at.tv_sec++;
	if (onproc_mutex_timedlock(&mutex, CLOCK_MONOTONIC, &at) == -ETIMEDOUT) {
		puts("waited for a second in vain");
	} else {
		printf("on the way: %s\n", count <= THREADS * ROUNDS ? "yes" : "no");
		onproc_mutex_unlock(&mutex);
	}
	for (n = 0; n < THREADS; n++)
		pthread_join(thread[n], NULL);
	printf("counted %ld\n", count);
	return count == THREADS * ROUNDS ? 0 : 1;
}
