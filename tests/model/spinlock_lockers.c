// SPDX-License-Identifier: MIT
/* spinlock_lockers.c - the spinlock: mutual exclusion, and everybody gets it. */
#include "client.h"

#include "osq.c"
#include "spinlock.c"

#ifndef THREADS
#	define THREADS 2
#endif
#ifndef ROUNDS
#	define ROUNDS 1
#endif
#ifndef OPTIONS
#	define OPTIONS .sensing = false
#endif

static struct onproc_spinlock lock;
unsigned int count;

static void *locker(void *unused)
{
	unsigned int round;

	(void)unused;
	for (round = 0; round < ROUNDS; round++) {
		int rc = onproc_spinlock_lock(&lock);

		assert(!rc);
		PLAIN_SET(count, PLAIN(count) + 1);
		onproc_spinlock_unlock(&lock);
	}
	return NULL;
}

#ifdef ONPROC_MACHINE_CHECK
/* Slots are numbers of threads here. */
static unsigned int spinlock_owner(void)
{
	unsigned int owner = (unsigned int)PEEK(&lock.owner);

	return owner ? owner - 1 : 0;
}
#endif

CLIENT(.owner = spinlock_owner, OPTIONS);

int main(void)
{
	pthread_t threads[THREADS];
	bool frozen = false;
	unsigned int i;

	for (i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, locker, NULL);
	for (i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		frozen = frozen || IS_FROZEN(i + 1);
	}
	assert(frozen || PLAIN(count) == THREADS * ROUNDS);
	return 0;
}
