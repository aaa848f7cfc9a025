// SPDX-License-Identifier: MIT
/*
 * cond_waiters.c - the condition variable: no wake-up is lost.
 *
 * WAITERS threads wait for something each, the first TIMED of them not for ever. One thread gives
 * so many things, one by one with a signal each, or all at once with a broadcast.
 *
 * With HOT the mutex is hot from the beginning: its unlock wakes nobody but whom it must.
 */
#include "client.h"

#include "cond.c"
#include "sleepers.c"

#ifdef HOT
#	include <stdint.h>
static const volatile uint32_t heat_hot; /* for compilers that find a comparison with 0 odd */
#	define HEAT_HOT heat_hot
#endif

/* Names that another source has as well. */
#define node_of osq_node_of
#define leave	osq_leave
#include "mutex.c"
#include "osq.c"

#ifndef WAITERS_TOO
#	define WAITERS_TOO 1
#endif
#ifndef TIMED
#	define TIMED 0
#endif
#ifndef BROADCAST
#	define BROADCAST 0
#endif
#ifndef OUTSIDE
#	define OUTSIDE 0 /* signals after the unlock */
#endif
#ifndef OPTIONS
#	define OPTIONS .spare = true
#endif

static struct onproc_mutex mutex;
static struct onproc_cond cond;
unsigned int things, taken;

static void *waiter(void *argument)
{
	static const struct timespec soon = { 2, 0 };
	int number = (int)(intptr_t)argument, rc = 0;

	onproc_mutex_lock(&mutex);
	while (!PLAIN(things) && !rc) {
		rc = number < TIMED ? onproc_cond_timedwait(&cond, &mutex, CLOCK_MONOTONIC, &soon)
				    : onproc_cond_wait(&cond, &mutex);
		assert(!rc || (rc == -ETIMEDOUT && number < TIMED));
	}
	if (PLAIN(things)) {
		PLAIN_SET(things, PLAIN(things) - 1);
		PLAIN_SET(taken, PLAIN(taken) + 1);
	} else {
		REACHED("gives up");
	}
	onproc_mutex_unlock(&mutex);
	return NULL;
}

static void *giver(void *unused)
{
	/* NOLINTNEXTLINE(bugprone-branch-clone): of one waiter it makes no difference */
	int lots = BROADCAST ? 1 : WAITERS_TOO, i;

	(void)unused;
	for (i = 0; i < lots; i++) {
		onproc_mutex_lock(&mutex);
		/* NOLINTNEXTLINE(bugprone-branch-clone): as above */
		PLAIN_SET(things, PLAIN(things) + (BROADCAST ? WAITERS_TOO : 1));
		if (OUTSIDE)
			onproc_mutex_unlock(&mutex);
		if (BROADCAST)
			onproc_cond_broadcast(&cond);
		else
			onproc_cond_signal(&cond);
		if (!OUTSIDE)
			onproc_mutex_unlock(&mutex);
	}
	return NULL;
}

#include "mutex_owner.h"

CLIENT(.owner = mutex_owner, OPTIONS);

int main(void)
{
	pthread_t threads[WAITERS_TOO + 1];
	bool frozen = false;
	int i;

	for (i = 0; i < WAITERS_TOO; i++)
		pthread_create(&threads[i], NULL, waiter, (void *)(intptr_t)i);
	pthread_create(&threads[i], NULL, giver, NULL);
	for (i = 0; i <= WAITERS_TOO; i++) {
		pthread_join(threads[i], NULL);
		frozen = frozen || IS_FROZEN((unsigned int)i + 1);
	}
	if (frozen)
		return 0;
	assert(PLAIN(taken) + PLAIN(things) == WAITERS_TOO);
	/* NOLINTNEXTLINE(misc-static-assert): in some of the clients it is no constant */
	assert(TIMED || PLAIN(things) == 0);
	assert(!onproc_cond_destroy(&cond));
	assert(!onproc_mutex_destroy(&mutex));
	return 0;
}
