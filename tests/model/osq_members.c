// SPDX-License-Identifier: MIT
/*
 * osq_members.c - the optimistic spin queue: whoever enters is alone, whoever is told to leaves,
 * and in the end nothing of the queue is left.
 *
 * Each thread enters ROUNDS times or is told to leave, at any moment, so that all orders of
 * neighbours that leave at once are met.
 */
#include "client.h"

#include "osq.c"

#ifndef THREADS
#	define THREADS 3
#endif
#ifndef ROUNDS
#	define ROUNDS 1
#endif
#ifndef SENSING
#	define SENSING false
#endif
#ifndef FREEZE
#	define FREEZE 0
#endif

static struct onproc_osq osq;
unsigned int inside;

static void *member(void *unused)
{
	unsigned int round;

	(void)unused;
	for (round = 0; round < ROUNDS; round++) {
		if (!onproc_osq_lock(&osq, 1000))
			continue;
		PLAIN_SET(inside, PLAIN(inside) + 1);
		onproc_osq_unlock(&osq);
		REACHED("a thread enters");
	}
	return NULL;
}

CLIENT(.sensing = SENSING, .freeze = FREEZE);

int main(void)
{
	pthread_t threads[THREADS];
	bool frozen = false;
	unsigned int i;

	for (i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, member, NULL);
	for (i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		frozen = frozen || IS_FROZEN(i + 1);
	}
	if (frozen)
		return 0;
	assert(!onproc_osq_is_locked(&osq));
	for (i = 0; i <= THREADS; i++)
		assert(!m_load32(&m_slot(i)->osq.busy, memory_order_relaxed));
	return 0;
}
