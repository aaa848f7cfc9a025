// SPDX-License-Identifier: MIT
/* toy_mcs.c - a textbook queue lock, to prove the explorer. BROKEN_… plant one mistake each. */
#include "client.h"

#ifndef LOCKERS
#	define LOCKERS 3
#endif
#ifdef BROKEN_HAND_OVER
#	define GRANT memory_order_relaxed
#else
#	define GRANT memory_order_release
#endif
#ifdef BROKEN_WAIT
#	define SEE memory_order_relaxed
#else
#	define SEE memory_order_acquire
#endif

static uint32_t tail, next[LOCKERS + 1], waits[LOCKERS + 1];
unsigned int count;

static void lock(uint32_t self)
{
	uint32_t before;

	m_store32(&next[self], 0, memory_order_relaxed);
	m_store32(&waits[self], 1, memory_order_relaxed);
	before = m_exchange32(&tail, self, memory_order_acq_rel);
	if (!before)
		return;
	m_store32(&next[before], self, memory_order_release);
	while (m_load32(&waits[self], SEE))
		m_pause();
}

static void unlock(uint32_t self)
{
	uint32_t found = self, after;

#ifdef BROKEN_TAIL
	m_load32(&tail, memory_order_relaxed);
	if (!m_load32(&next[self], memory_order_relaxed)) {
		m_store32(&tail, 0, memory_order_release);
		return;
	}
#else
	if (m_compare32(&tail, &found, 0, memory_order_release, memory_order_relaxed))
		return;
#endif
	(void)found;
	while (!(after = m_load32(&next[self], memory_order_acquire)))
		m_pause();
	m_store32(&waits[after], 0, GRANT);
}

static void *locker(void *argument)
{
	uint32_t self = (uint32_t)(uintptr_t)argument;

	lock(self);
	PLAIN_SET(count, PLAIN(count) + 1);
	unlock(self);
	return NULL;
}

CLIENT(.cpus = 2);

int main(void)
{
	pthread_t threads[LOCKERS];
	uintptr_t i;

	for (i = 0; i < LOCKERS; i++)
		pthread_create(&threads[i], NULL, locker, (void *)(i + 1));
	for (i = 0; i < LOCKERS; i++)
		pthread_join(threads[i], NULL);
	assert(PLAIN(count) == LOCKERS);
	return 0;
}
