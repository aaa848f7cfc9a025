// SPDX-License-Identifier: MIT
/*
 * sleepers.c - the list of a lock's sleepers, first in, first out, in 16 bits of the lock.
 *
 * top names the newest by number + 1, and each names the one that came before it (`older`).
 * Anyone may push; nothing is taken out but by the owner of the lock, so a push is one
 * compare-exchange without the ABA problem, and no thread ever waits for another in here.
 *
 * The owner needs the oldest. It walks down from the top once for each new arrival and leaves the
 * way back (`newer`) and, at the top, the oldest: a sleeper at the top with `oldest` set says that
 * all below are sorted. A push covers it with an unsorted one, so the next walk ends there.
 *
 * Whoever gives up sets itself to LEFT and goes; the owner drops it when it comes across.
 *
 * Order                              Pairs with            Without it
 * S1 push, acq_rel                   S2; S1 of others      the owner reads an old `older`
 *    = sleepers_push_relaxed
 * S2 the owner looks at top, acquire S1                    as S1
 *    = sleepers_owner_looks_relaxed
 * S3 take out of the top, acq_rel    S1                    a push links to what is not yet sorted
 *    = not shown
 * S4 free a sleeper, release         S5                    one is used that the owner still reads
 *    = sleepers_free_relaxed
 * S5 is it free, acquire             S4                    as S4
 *    = sleepers_use_again_relaxed
 * S6 leave, acq_rel                  the granter's CAS     a grant is lost, or seen without what
 *                                    on the state          the last owner wrote
 *    = sleepers_leave_relaxed, sleepers_leave_sees_the_grant_relaxed
 * = the mutants of tests/model/mutants.txt that weaken it and are found; docs/checking.md says of
 * what is not shown why.
 *
 * The links themselves are relaxed: written before S1 or under the lock.
 */
#include "sleepers.h"

static uint16_t link_of(uint32_t number)
{
	return (uint16_t)(number + 1);
}

/* One step, since a signal handler may sleep in between. */
static bool claim(uint32_t number)
{
	uint32_t state = SLEEPER_FREE;

	return sleeper_is_free(number) &&
	       m_compare32(&sleeper_of(number)->state, &state, SLEEPER_PARKED, memory_order_acquire,
			   memory_order_relaxed); /* S5 */
}

uint32_t sleeper_take(uint32_t self)
{
	uint32_t spare;

	if (claim(self))
		return self;
	spare = m_spare();
	return spare != M_NO_SLOT && claim(spare) ? spare : M_NO_SLOT;
}

void sleepers_push(uint16_t *top, uint32_t number, uint32_t self, uint32_t kind, uint64_t due_ns)
{
	struct sleeper *sleeper = sleeper_of(number);
	uint16_t older = m_load16(top, memory_order_relaxed);

	m_store32(&sleeper->thread, self, memory_order_relaxed);
	m_store32(&sleeper->kind, kind, memory_order_relaxed);
	m_store64(&sleeper->list, (uintptr_t)top, memory_order_relaxed);
	m_store32(&sleeper->cpu, m_cpu(), memory_order_relaxed);
	m_store64(&sleeper->due_ns, due_ns, memory_order_relaxed);
	m_store16(&sleeper->newer, 0, memory_order_relaxed);
	m_store16(&sleeper->oldest, 0, memory_order_relaxed);
	do {
		uint16_t place = 0;

		if (older)
			place = (uint16_t)(m_load16(&sleeper_of(older - 1u)->place,
						    memory_order_relaxed) +
					   1);
		m_store16(&sleeper->place, place, memory_order_relaxed);
		m_store16(&sleeper->older, older, memory_order_relaxed);
	} while (!m_compare16(top, &older, link_of(number), memory_order_acq_rel,
			      memory_order_relaxed)); /* S1 */
}

bool sleeper_leave(uint32_t number)
{
	uint32_t *state = &sleeper_of(number)->state;
	uint32_t found = m_load32(state, memory_order_acquire); /* S6 */

	while (found != SLEEPER_GRANTED) {
		if (m_compare32(state, &found, SLEEPER_LEFT, memory_order_acq_rel,
				memory_order_acquire)) /* S6 */
			return true;
	}
	return false;
}

uint32_t sleepers_oldest_hint(const uint16_t *top)
{
	uint16_t newest = m_load16(top, memory_order_relaxed), oldest;

	if (!newest)
		return M_NO_SLOT;
	oldest = m_load16(&sleeper_of(newest - 1u)->oldest, memory_order_relaxed);
	/* Not sorted yet: the newest is as good as any. */
	return (oldest ? oldest : newest) - 1u;
}

uint32_t sleepers_newer_hint(uint32_t number)
{
	uint16_t newer = m_load16(&sleeper_of(number)->newer, memory_order_relaxed);

	return newer ? newer - 1u : M_NO_SLOT;
}

uint32_t sleepers_count_hint(const uint16_t *top)
{
	uint16_t newest = m_load16(top, memory_order_relaxed), oldest, places;
	uint32_t hops = 0;
	uint16_t at = newest;

	if (!newest)
		return 0;
	/* The hint of the oldest lies at the newest that is sorted, a few below the top. */
	while (at && hops < 8) {
		oldest = m_load16(&sleeper_of(at - 1u)->oldest, memory_order_relaxed);
		if (oldest) {
			places = (uint16_t)(m_load16(&sleeper_of(newest - 1u)->place,
						     memory_order_relaxed) -
					    m_load16(&sleeper_of(oldest - 1u)->place,
						     memory_order_relaxed));
			return places + 1u;
		}
		at = m_load16(&sleeper_of(at - 1u)->older, memory_order_relaxed);
		hops++;
	}
	return hops;
}

/* Sorts what has arrived. Returns the newest as number + 1; 0: there is none. */
static uint16_t sort(uint16_t *top)
{
	uint16_t newest = m_load16(top, memory_order_acquire); /* S2 */
	uint16_t at = newest, newer = 0, oldest;

	if (!newest || m_load16(&sleeper_of(newest - 1u)->oldest, memory_order_relaxed))
		return newest;
	do {
		struct sleeper *sleeper = sleeper_of(at - 1u);

		m_store16(&sleeper->newer, newer, memory_order_relaxed);
		newer = at;
		at = m_load16(&sleeper->older, memory_order_relaxed);
	} while (at && !m_load16(&sleeper_of(at - 1u)->oldest, memory_order_relaxed));
	oldest = newer;
	if (at) {
		oldest = m_load16(&sleeper_of(at - 1u)->oldest, memory_order_relaxed);
		m_store16(&sleeper_of(at - 1u)->newer, newer, memory_order_relaxed);
		m_store16(&sleeper_of(at - 1u)->oldest, 0, memory_order_relaxed);
	}
	m_store16(&sleeper_of(newest - 1u)->oldest, oldest, memory_order_relaxed);
	return newest;
}

/* Takes out the newest, while nothing is pushed onto it. */
static bool remove_newest(uint16_t *top, uint16_t newest)
{
	struct sleeper *sleeper = sleeper_of(newest - 1u);
	uint16_t older = m_load16(&sleeper->older, memory_order_relaxed);
	uint16_t oldest = m_load16(&sleeper->oldest, memory_order_relaxed);

	if (older) {
		m_store16(&sleeper_of(older - 1u)->newer, 0, memory_order_relaxed);
		m_store16(&sleeper_of(older - 1u)->oldest, oldest, memory_order_relaxed);
	}
	if (m_compare16(top, &newest, older, memory_order_acq_rel, memory_order_relaxed)) /* S3 */
		return true;
	if (older)
		m_store16(&sleeper_of(older - 1u)->oldest, 0, memory_order_relaxed);
	return false;
}

void sleepers_remove(uint16_t *top, uint32_t number)
{
	struct sleeper *sleeper = sleeper_of(number);
	uint16_t newest = sort(top), older, newer;

	if (newest == link_of(number)) {
		if (remove_newest(top, newest))
			return;
		newest = sort(top);
	}
	older = m_load16(&sleeper->older, memory_order_relaxed);
	newer = m_load16(&sleeper->newer, memory_order_relaxed);
	m_store16(&sleeper_of(newer - 1u)->older, older, memory_order_relaxed);
	if (older)
		m_store16(&sleeper_of(older - 1u)->newer, newer, memory_order_relaxed);
	else
		m_store16(&sleeper_of(newest - 1u)->oldest, newer, memory_order_relaxed);
}

/* The first from `number` on, towards the newest, that has not left; drops the others. */
static uint32_t staying(uint16_t *top, uint16_t at)
{
	while (at) {
		struct sleeper *sleeper = sleeper_of(at - 1u);
		uint16_t newer;

		if (m_load32(&sleeper->state, memory_order_acquire) != SLEEPER_LEFT) /* S6 */
			return at - 1u;
		sort(top);
		newer = m_load16(&sleeper->newer, memory_order_relaxed);
		sleepers_remove(top, at - 1u);
		m_store32(&sleeper->state, SLEEPER_FREE, memory_order_release); /* S4 */
		at = newer;
	}
	return M_NO_SLOT;
}

uint32_t sleepers_oldest(uint16_t *top)
{
	uint16_t newest = sort(top);

	if (!newest)
		return M_NO_SLOT;
	return staying(top, m_load16(&sleeper_of(newest - 1u)->oldest, memory_order_relaxed));
}

uint32_t sleepers_newer(uint16_t *top, uint32_t number)
{
	sort(top);
	return staying(top, m_load16(&sleeper_of(number)->newer, memory_order_relaxed));
}
