// SPDX-License-Identifier: MIT
/*
 * sleepers_list.c - the list of sleepers alone, without a lock: one thread is the owner throughout.
 *
 * One thread comes, leaves, and comes again to the same place; a second one comes once. The owner
 * looks through the list LOOKS times, and may grant. Whoever was granted sees what the owner wrote
 * before, and in the end the list holds those that stayed.
 */
#include "client.h"

#include "sleepers.c"

#define LOOKS	3
#define PUSHERS 2

static uint16_t top;
static uint32_t named; /* the granted one is out of the list; in a lock: its word says so */
unsigned int written;
static bool stays[PUSHERS];

/* Was it granted? */
static bool ends(uint32_t number)
{
	if (sleeper_leave(number))
		return false;
	assert(PLAIN(written));
	REACHED("is granted");
	while (!m_load32(&named, memory_order_acquire))
		m_pause();
	m_store32(&sleeper_of(number)->state, SLEEPER_FREE, memory_order_release);
	return true;
}

static bool comes(uint32_t self)
{
	/* To its own place, or not at all. */
	if (sleeper_take(self) != self)
		return false;
	sleepers_push(&top, self, self, 0, 0);
	return true;
}

static void *again(void *unused)
{
	const uint32_t self = 1;

	(void)unused;
	if (comes(self))
		ends(self);
	stays[0] = comes(self);
	if (stays[0])
		REACHED("comes again");
	return NULL;
}

static void *once(void *unused)
{
	(void)unused;
	stays[1] = comes(2);
	return NULL;
}

static void *owner(void *unused)
{
	unsigned int look;

	(void)unused;
	for (look = 0; look < LOOKS; look++) {
		uint32_t number = sleepers_oldest(&top), state = SLEEPER_PARKED;

		if (number == M_NO_SLOT)
			continue;
		sleepers_newer(&top, number);
		/* Once, and the one that gives up: the other one does not wait to see it. */
		if (look || number != 1)
			continue;
		PLAIN_SET(written, 1);
		if (!m_compare32(&sleeper_of(number)->state, &state, SLEEPER_GRANTED,
				 memory_order_acq_rel, memory_order_relaxed))
			continue;
		sleepers_remove(&top, number);
		m_store32(&named, 1, memory_order_release);
	}
	return NULL;
}

CLIENT(.sensing = false);

int main(void)
{
	pthread_t threads[PUSHERS + 1];
	unsigned int found[PUSHERS] = { 0 }, i;
	uint32_t number;

	pthread_create(&threads[0], NULL, again, NULL);
	pthread_create(&threads[1], NULL, once, NULL);
	pthread_create(&threads[2], NULL, owner, NULL);
	for (i = 0; i <= PUSHERS; i++)
		pthread_join(threads[i], NULL);
	for (number = sleepers_oldest(&top); number != M_NO_SLOT;
	     number = sleepers_newer(&top, number)) {
		assert(number == 1 || number == 2);
		found[number - 1]++;
	}
	for (i = 0; i < PUSHERS; i++)
		assert(found[i] == stays[i]);
	return 0;
}
