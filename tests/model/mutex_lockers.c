// SPDX-License-Identifier: MIT
/*
 * mutex_lockers.c - the mutex: mutual exclusion, and everybody gets it.
 *
 * THREADS threads take it ROUNDS times; the first TIMED of them give up at a deadline, the last
 * TRYING of them only try. WARM: the word says that it has been hot for long.
 */
#include "client.h"

#include "osq.c"
#include "sleepers.c"

#include "mutex.c"

#ifndef THREADS
#	define THREADS 2
#endif
#ifndef ROUNDS
#	define ROUNDS 1
#endif
#ifndef TIMED
#	define TIMED 0
#endif
#ifndef TRYING
#	define TRYING 0
#endif
#ifndef INITIAL
#	define INITIAL 0 /* of init: 0 is what zeroed memory is */
#endif
#ifndef OPTIONS
#	define OPTIONS .spare = true
#endif

#ifdef WARM
static struct onproc_mutex mutex = { HEAT, 0, 0 };
#else
static struct onproc_mutex mutex;
#endif
unsigned int count, got[THREADS];

static int lock(int number)
{
	static const struct timespec soon = { 2, 0 };

	if (number < TIMED)
		return onproc_mutex_timedlock(&mutex, CLOCK_MONOTONIC, &soon);
	if (number >= THREADS - TRYING)
		return onproc_mutex_trylock(&mutex);
	return onproc_mutex_lock(&mutex);
}

static void *locker(void *argument)
{
	int number = (int)(intptr_t)argument, round;

	for (round = 0; round < ROUNDS; round++) {
		int rc = lock(number);

		if (rc) {
			assert(number < TIMED ? rc == -ETIMEDOUT : rc == -EBUSY);
			assert(number < TIMED || number >= THREADS - TRYING);
			REACHED("gives up");
			continue;
		}
		PLAIN_SET(count, PLAIN(count) + 1);
		PLAIN_SET(got[number], PLAIN(got[number]) + 1);
		/* Until it has been left, what its owner does is the owner's. */
		OWNS(true);
		onproc_mutex_unlock(&mutex);
		OWNS(false);
	}
	return NULL;
}

#include "mutex_owner.h"

CLIENT(.owner = mutex_owner, OPTIONS);

int main(void)
{
	pthread_t threads[THREADS];
	unsigned int sum = 0, i;
	bool frozen = false;

	if (INITIAL)
		assert(!onproc_mutex_init(&mutex, INITIAL));
	for (i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, locker, (void *)(uintptr_t)i);
	for (i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		frozen = frozen || IS_FROZEN(i + 1);
	}
	if (frozen)
		return 0;
	for (i = 0; i < THREADS; i++)
		sum += PLAIN(got[i]);
	assert(PLAIN(count) == sum);
	assert(!onproc_mutex_destroy(&mutex));
	return 0;
}
