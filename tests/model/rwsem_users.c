// SPDX-License-Identifier: MIT
/*
 * rwsem_users.c - the rwsem: a writer is alone, readers see whole writes, everybody gets it.
 *
 * The first WRITERS threads write ROUNDS times, the next DOWNGRADERS become readers while they hold
 * it, the next READERS read. TIMED: all but the last thread give up at a deadline.
 * UNTIMED: no sleep ends by itself.
 */
#include "client.h"

/* No sleep ends by itself: whoever is not woken sleeps for ever. */
#ifdef UNTIMED
#	undef m_park_for
#	define m_park_for(word, expected, ns) ((void)(ns), m_park((word), (expected), NULL))
#endif

#include "osq.c"
#include "rwsem.c"
#include "sleepers.c"

#ifndef WRITERS
#	define WRITERS 1
#endif
#ifndef DOWNGRADERS
#	define DOWNGRADERS 0
#endif
#ifndef READERS_TOO
#	define READERS_TOO 1
#endif
#ifndef ROUNDS
#	define ROUNDS 1
#endif
#ifndef TIMED
#	define TIMED 0
#endif
#ifndef INITIAL
#	define INITIAL 0 /* of init: 0 is what zeroed memory is */
#endif
#ifndef OPTIONS
#	define OPTIONS .spare = true
#endif
#define USERS (WRITERS + DOWNGRADERS + READERS_TOO)

static struct onproc_rwsem rwsem;
unsigned int first, second;

static const struct timespec soon = { 2, 0 };

static bool gives_up(int number, int rc)
{
	if (!rc)
		return false;
	assert(rc == -ETIMEDOUT && TIMED && number < USERS - 1);
	REACHED("gives up");
	return true;
}

static void write_both(int number)
{
	int rc = TIMED && number < USERS - 1
			 ? onproc_rwsem_write_timedlock(&rwsem, CLOCK_MONOTONIC, &soon)
			 : onproc_rwsem_write_lock(&rwsem);

	if (gives_up(number, rc))
		return;
	PLAIN_SET(first, PLAIN(first) + 1);
	PLAIN_SET(second, PLAIN(second) + 1);
	OWNS(true);
	if (number >= WRITERS) {
		unsigned int mine = PLAIN(first);

		onproc_rwsem_downgrade(&rwsem);
		assert(PLAIN(first) == mine && PLAIN(second) == mine);
	}
	onproc_rwsem_unlock(&rwsem);
	OWNS(false);
}

static void read_both(int number)
{
	int rc = TIMED && number < USERS - 1
			 ? onproc_rwsem_read_timedlock(&rwsem, CLOCK_MONOTONIC, &soon)
			 : onproc_rwsem_read_lock(&rwsem);

	if (gives_up(number, rc))
		return;
	OWNS(true);
	assert(PLAIN(first) == PLAIN(second));
	onproc_rwsem_read_unlock(&rwsem);
	OWNS(false);
}

static void *user(void *argument)
{
	int number = (int)(intptr_t)argument, round;

	for (round = 0; round < ROUNDS; round++) {
		if (number < WRITERS + DOWNGRADERS)
			write_both(number);
		else
			read_both(number);
	}
	return NULL;
}

CLIENT(OPTIONS);

int main(void)
{
	pthread_t threads[USERS];
	bool frozen = false;
	int i;

	if (INITIAL)
		assert(!onproc_rwsem_init(&rwsem, INITIAL));
	for (i = 0; i < USERS; i++)
		pthread_create(&threads[i], NULL, user, (void *)(intptr_t)i);
	for (i = 0; i < USERS; i++) {
		pthread_join(threads[i], NULL);
		frozen = frozen || IS_FROZEN((unsigned int)i + 1);
	}
	if (frozen)
		return 0;
	assert(PLAIN(first) == PLAIN(second));
	/* NOLINTNEXTLINE(misc-static-assert): in some of the clients it is no constant */
	assert(TIMED || PLAIN(first) == (WRITERS + DOWNGRADERS) * ROUNDS);
	assert(!onproc_rwsem_destroy(&rwsem));
	return 0;
}
