/* SPDX-License-Identifier: MIT */
/*
 * sleepers.h - the first-in-first-out list of the threads that sleep for a lock, in 16 bits of it.
 *
 * Anyone pushes; only the owner of the lock (whoever has exclusive access to what it protects)
 * looks further, so that no thread waits for another one in the list. See sleepers.c.
 */
#ifndef ONPROC_LIB_SLEEPERS_H
#define ONPROC_LIB_SLEEPERS_H

#include "machine/machine.h"
#include "slot.h"

enum sleeper_state {
	SLEEPER_FREE = 0, /* in no list */
	SLEEPER_PARKED,	  /* sleeps, or is about to, on this word */
	SLEEPER_AWAKE,	  /* listed, but told to try for itself */
	SLEEPER_GRANTED,  /* the lock is its as soon as the lock's word says so; no longer listed */
	SLEEPER_LEFT,	  /* gave up; listed until an owner drops it */
};

static inline struct sleeper *sleeper_of(uint32_t number)
{
	return &m_slot(number)->sleeper;
}

/* May its slot be used by a new wait? Acquires what those who used it before have read. */
static inline bool sleeper_is_free(uint32_t number)
{
	const struct slot *slot = m_slot(number);

	return m_load32(&slot->sleeper.state, memory_order_acquire) == SLEEPER_FREE && /* S5 */
	       !m_load32(&slot->cond.listed, memory_order_acquire);
}

/*
 * Claims a sleeper for the calling thread (slot `self`), PARKED and to be pushed: its own, or a
 * spare while that is still listed after a wait that ended early. M_NO_SLOT: none is left.
 */
uint32_t sleeper_take(uint32_t self);

/* Lists a claimed sleeper, due at due_ns. Releases. Anyone may. */
void sleepers_push(uint16_t *top, uint32_t number, uint32_t self, uint32_t kind, uint64_t due_ns);

/* Gives up: true, then the sleeper is left to the owner; false: it was granted meanwhile. */
bool sleeper_leave(uint32_t number);

/* How many there are, roughly, the oldest one and the next after one, or M_NO_SLOT: hints, for
 * anyone. */
uint32_t sleepers_count_hint(const uint16_t *top);
uint32_t sleepers_oldest_hint(const uint16_t *top);
uint32_t sleepers_newer_hint(uint32_t number);

/* For the owner: the oldest that has not left, M_NO_SLOT: none. Drops those that have left. */
uint32_t sleepers_oldest(uint16_t *top);

/* For the owner: the one that came next after a listed one and has not left, or M_NO_SLOT. */
uint32_t sleepers_newer(uint16_t *top, uint32_t number);

/* For the owner: takes a listed sleeper out; its state stays as it is. */
void sleepers_remove(uint16_t *top, uint32_t number);

#endif
