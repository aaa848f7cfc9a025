// SPDX-License-Identifier: MIT
/*
 * toy_futex.c - a textbook mutex of three states (0 free, 1 held, 2 held and waited for), to prove
 * what the explorer says of sleeping. BROKEN_… plant one mistake each.
 */
#include "client.h"

#ifndef LOCKERS
#	define LOCKERS 2
#endif

static uint32_t word;
unsigned int count;

static void lock(void)
{
	uint32_t found = 0;

	if (m_compare32(&word, &found, 1, memory_order_acquire, memory_order_relaxed))
		return;
#if defined(BROKEN_STATE)
	/* Once woken, takes it as if nobody else waited. */
	do {
		if (found == 2 ||
		    m_compare32(&word, &found, 2, memory_order_relaxed, memory_order_relaxed))
			m_park(&word, 2, NULL);
		found = 0;
	} while (!m_compare32(&word, &found, 1, memory_order_acquire, memory_order_relaxed));
#elif defined(BROKEN_EXPECTATION)
	/* Sleeps on a state that it has not announced. */
	while (m_exchange32(&word, 1, memory_order_acquire))
		m_park(&word, 1, NULL);
#else
	while (m_exchange32(&word, 2, memory_order_acquire))
		m_park(&word, 2, NULL);
#endif
}

static void unlock(void)
{
#if defined(BROKEN_WAKE)
	m_exchange32(&word, 0, memory_order_release);
#elif defined(BROKEN_LOOK)
	/* Looks whether anyone waits, and only then lets go. */
	uint32_t found = m_load32(&word, memory_order_relaxed);

	m_store32(&word, 0, memory_order_release);
	if (found == 2)
		m_unpark(&word, 1);
#else
	if (m_exchange32(&word, 0, memory_order_release) == 2)
		m_unpark(&word, 1);
#endif
}

static void *locker(void *unused)
{
	(void)unused;
	lock();
	PLAIN_SET(count, PLAIN(count) + 1);
	unlock();
	return NULL;
}

CLIENT(.spurious = 1);

int main(void)
{
	pthread_t threads[LOCKERS];
	unsigned int i;

	for (i = 0; i < LOCKERS; i++)
		pthread_create(&threads[i], NULL, locker, NULL);
	for (i = 0; i < LOCKERS; i++)
		pthread_join(threads[i], NULL);
	assert(PLAIN(count) == LOCKERS);
	return 0;
}
