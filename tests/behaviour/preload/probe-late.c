// SPDX-License-Identifier: GPL-2.0-or-later
/* probe-late.c - a library that a program loads while it runs; its constructor locks. */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static long count;

__attribute__((constructor)) static void begin(void)
{
	pthread_mutex_lock(&mutex);
	count = 1000;
	pthread_mutex_unlock(&mutex);
}

static void *add(void *unused)
{
	(void)unused;
	for (int i = 0; i < 5000; i++) {
		pthread_mutex_lock(&mutex);
		pthread_rwlock_wrlock(&rwlock);
		count++;
		pthread_rwlock_unlock(&rwlock);
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

int probe_late_count(int wanted);

int probe_late_count(int wanted)
{
	pthread_t threads[8];

	if (wanted > 8)
		return -1;
	for (int i = 0; i < wanted; i++) {
		if (pthread_create(&threads[i], NULL, add, NULL))
			return -1;
	}
	for (int i = 0; i < wanted; i++)
		pthread_join(threads[i], NULL);
	return (int)count;
}
