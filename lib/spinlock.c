// SPDX-License-Identifier: MIT
/*
 * spinlock.c - the spinlock: 4 bytes, queued among those that spin, and nobody spins for long.
 *
 * owner     slot + 1 of the owner, FREE, or ANONYMOUS: a thread that has no slot, or whose number
 *           does not fit
 * spinners  tail of the optimistic spin queue (osq.c)
 *
 * Lock. A free lock is taken by whoever comes. Otherwise a thread enters the queue, and its head
 * polls while the owner is on a CPU and the time lasts. Who is told to leave sleeps, on a word of
 * its own that nobody wakes: for 50 µs, then twice that, up to 8 ms; then it queues again. So a
 * lock whose owner is off its CPU costs the others a few wake-ups, a free lock is found after at
 * most twice the time it was held, and no thread depends on another one's steps. There is no room
 * for a list of sleepers: owner and tail are 16 bits each.
 *
 * Unlock is one store.
 *
 * Order                    Pairs with      Without it
 * P1 take, acquire         P2              the section reads what is old
 *    = spinlock_take_relaxed
 * P2 unlock, release       P1              as P1
 *    = spinlock_unlock_relaxed
 * = the mutants of tests/model/mutants.txt that weaken it and are found.
 */
#include "osq.h"

#include "onproc/spinlock.h"

/*
 * The owner of a free lock. The preload library has another one, a bit that is set in all its locks
 * and in none of the C library's: lib/preload/spin.c.
 */
#ifndef SPINLOCK_FREE
#	define SPINLOCK_FREE 0u
#endif
#define FREE	  ((uint16_t)SPINLOCK_FREE)
#define ANONYMOUS (SPINLOCK_FREE ? 0xffffu : M_NO_SLOT + 1)

#define SPIN_SENSING_NS	 100000u  /* sections are short: when the owner runs, it is soon over */
#define SPIN_BLIND_NS	 25000u	  /* a wake-up across CPUs */
#define FIRST_SLEEP_NS	 50000u	  /* less is lost in the granularity of timers */
#define LONGEST_SLEEP_NS 8000000u /* two slices of a scheduler with a tick of 4 ms */

static inline uint16_t name_of(uint32_t self)
{
	return (uint16_t)((self + 1) & SPINLOCK_FREE ? ANONYMOUS : SPINLOCK_FREE | (self + 1));
}

static bool take(struct onproc_spinlock *lock, uint32_t self)
{
	uint16_t free = FREE;

	return m_load16(&lock->owner, memory_order_relaxed) == FREE &&
	       m_compare16(&lock->owner, &free, name_of(self), memory_order_acquire,
			   memory_order_relaxed); /* P1 */
}

static bool owner_is_off_cpu(const struct onproc_spinlock *lock)
{
	uint32_t owner = m_load16(&lock->owner, memory_order_relaxed);

	return owner != FREE && owner != ANONYMOUS && m_preempted((owner ^ SPINLOCK_FREE) - 1);
}

/* In the queue, then at its head. Built twice: without a sensor nothing asks it. */
static inline __attribute__((always_inline)) bool poll_lock(struct onproc_spinlock *lock,
							    uint32_t self, bool sensing)
{
	struct m_spin spin;
	bool taken;

	if (sensing && owner_is_off_cpu(lock))
		return false;
	m_spin_begin(&spin, sensing ? SPIN_SENSING_NS : SPIN_BLIND_NS);
	if (!osq_lock(&lock->spinners, self, &spin))
		return false;
	while (!(taken = take(lock, self))) {
		if (sensing && owner_is_off_cpu(lock)) {
			m_count(STAT_OWNER_OFF);
			break;
		}
		if (m_should_yield(&spin)) {
			m_count(STAT_BUDGET_SPENT);
			break;
		}
		m_pause();
	}
	osq_unlock(&lock->spinners, self);
	return taken;
}

static __attribute__((noinline)) bool poll_sensing(struct onproc_spinlock *lock, uint32_t self)
{
	return poll_lock(lock, self, true);
}

static __attribute__((noinline)) bool poll_blind(struct onproc_spinlock *lock, uint32_t self)
{
	return poll_lock(lock, self, false);
}

static bool poll_for(struct onproc_spinlock *lock, uint32_t self)
{
	if (self == M_NO_SLOT)
		return false;
	return m_sensing() ? poll_sensing(lock, self) : poll_blind(lock, self);
}

static __attribute__((noinline)) int lock_slow(struct onproc_spinlock *lock)
{
	uint32_t self = m_self();
	uint64_t sleep_ns = FIRST_SLEEP_NS;
	uint32_t alone = 0;

	if (name_of(self) != ANONYMOUS &&
	    m_load16(&lock->owner, memory_order_relaxed) == name_of(self))
		return -EDEADLK;
	m_count(STAT_CONTENDED);
	/* Once more without the queue: its node may wait for one that stopped on its way in. */
	while (!poll_for(lock, self) && !take(lock, self)) {
		m_count(STAT_PARKED);
		m_park_for(&alone, 0, sleep_ns);
		if (sleep_ns < LONGEST_SLEEP_NS)
			sleep_ns *= 2;
	}
	return 0;
}

int onproc_spinlock_init(struct onproc_spinlock *lock, unsigned int options)
{
	if (options & ~ONPROC_SPINLOCK_SHARED)
		return -EINVAL;
	if (options & ONPROC_SPINLOCK_SHARED)
		return -ENOTSUP;
	m_store16(&lock->owner, FREE, memory_order_relaxed);
	m_store16(&lock->spinners, 0, memory_order_relaxed);
	return 0;
}

int onproc_spinlock_destroy(struct onproc_spinlock *lock)
{
	return m_load16(&lock->owner, memory_order_relaxed) == FREE ? 0 : -EBUSY;
}

int onproc_spinlock_lock(struct onproc_spinlock *lock)
{
	uint32_t me = m_me();
	uint16_t free = FREE;

	if (me && m_compare16(&lock->owner, &free, name_of(me - 1), memory_order_acquire,
			      memory_order_relaxed)) /* P1 */
		return 0;
	return lock_slow(lock);
}

int onproc_spinlock_trylock(struct onproc_spinlock *lock)
{
	return take(lock, m_self()) ? 0 : -EBUSY;
}

int onproc_spinlock_unlock(struct onproc_spinlock *lock)
{
	m_store16(&lock->owner, FREE, memory_order_release); /* P2 */
	return 0;
}
