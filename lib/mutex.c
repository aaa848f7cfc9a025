// SPDX-License-Identifier: MIT
/*
 * mutex.c - the mutex: spin while the owner runs, else sleep; few circulate, the rest take turns.
 *
 * word      bits 0-15   slot + 1 of the owner; 0: free; ANONYMOUS: a thread without a slot
 *           WAITERS     the list of sleepers is, or was, not empty: unlock looks at it
 *           HANDOFF     a sleeper that is due has asked for the lock: unlock gives it away
 *           CHECKED     lock and unlock by the wrong thread are refused
 *           HEAT        4 bits: how surely the lock is taken again soon without a wake-up
 *           DEBT        4 bits: threads that fell asleep because the owner sleeps or is slow;
 *                       unlock is to fill their places
 *           SURPLUS     4 bits: threads woken since they were due, for which others lie down
 * spinners  tail of the optimistic spin queue (osq.c)
 * sleepers  newest of the list of sleepers (sleepers.c)
 *
 * Lock. A free word is taken by whoever comes, with or without sleepers. Otherwise:
 *   spin    as the head of the queue of spinners, while the owner is on a CPU (with no sensor: for
 *           the time that a wake-up costs). Where threads outnumber CPUs the owner is sooner or
 *           later found off its CPU; those that find it so go to sleep, until about as many are
 *           left as there are CPUs. DEBT, at most CPUs - 1 or 1, brings back as many as may run.
 *   sleep   in the list, each on its own word, due after 1 ms for each place, at most after 16 ms.
 *
 * Turns. Unlock wakes the oldest sleepers that are due, a few at a time, for a woken thread may
 * have to wait for a CPU for longer than a turn lasts. For each an arrival that finds the lock held
 * lies down in the list (SURPLUS), while the oldest one waits for a CPU: as many as before
 * circulate, and the lock goes round meanwhile. Once on its CPU the woken one asks by HANDOFF, and
 * the next unlock names it as the owner. Each sleeper also wakes by itself some time after it is
 * due, for a lock that nobody comes to any more.
 *
 * Unlock gives the lock to a sleeper that has asked. Otherwise the word becomes free, and the
 * oldest sleeper is woken where there is debt, or where the lock is cold: its unlockers do not
 * come back within 200 µs, so that nobody but a sleeper may be there to take it.
 *
 * A grant names its thread: the sleeper goes from PARKED or AWAKE to GRANTED, out of the list, then
 * into the word; the new owner goes on when it finds itself there. One that gives up goes to LEFT
 * by the same compare-exchange, so that one of both happens, and no grant is lost by a time-out or
 * a signal. Only the owner looks through the list, and an owner is never waited for without a park:
 * any other thread may stop anywhere.
 *
 * Order                                Pairs with             Without it
 * M1 take the word, acquire            M2, M3                 the section reads what is old
 * M2 free the word, release            M1                     as M1
 * M3 name a new owner, release         M4                     as M1, by a hand-over
 * M4 find oneself named, acquire       M3
 * G1 grant, acq_rel                    G2, sleepers.c: S6     the word is looked at in vain
 * G2 see the grant, acquire            G1
 * W1 announce a sleeper, acq_rel       W2; M2 of the owner    a sleeper that nobody knows of: the
 *                                                             owner clears WAITERS and sees no list
 * W2 clear WAITERS, acq_rel            W1
 */
#include "mutex.h"

#include "osq.h"
#include "sleepers.h"
#include "times.h"

#include "onproc/mutex.h"

#define OWNER	      0xffffu
#define ANONYMOUS     (M_NO_SLOT + 1)
#define WAITERS	      (1u << 16)
#define HANDOFF	      (1u << 17)
#define CHECKED	      (1u << 18)
#define HEAT_SHIFT    20
#define HEAT	      (0xfu << HEAT_SHIFT)
#define HEAT_ONE      (1u << HEAT_SHIFT)
#define DEBT_SHIFT    24
#define DEBT	      (0xfu << DEBT_SHIFT)
#define DEBT_ONE      (1u << DEBT_SHIFT)
#define SURPLUS_SHIFT 28
#define SURPLUS	      (0xfu << SURPLUS_SHIFT)
#define SURPLUS_ONE   (1u << SURPLUS_SHIFT)
#define SURPLUS_MOST  2u
/* What means nothing without sleepers. */
#define OF_SLEEPERS   (WAITERS | HANDOFF | HEAT | DEBT | SURPLUS)

#define SPIN_SENSING_NS 50000u	  /* two wake-ups across CPUs: then sleeping is no dearer */
#define SPIN_BLIND_NS	5000u	  /* a wake-up on the same CPU */
#define BACK_NS		20000u	  /* an owner whose CPU a woken thread took is back within this */
#define PLACE_NS	1000000u  /* a sleeper is due after this, for each one in the list … */
#define DUE_NS		16000000u /* … at most after this */
#define LATE_NS		8000000u /* one that is due is given the lock after this, even off its CPU */
#define AWAKE_MOST	4u /* at once on their way to a CPU: some 1 ms each, longer than a turn */
#define AGAIN_MOST_NS	1000000000u /* between two looks at whether the lock is idle */
#define POLL_NS		1000000u    /* sleeps of a thread for which no sleeper is left */
#define SOON_NS		200000u	    /* back within this: the lock is warm */
#define HEAT_HOT	6u

enum outcome {
	GOT,
	OWNER_PREEMPTED, /* the owner wants a CPU and has none: there are more of us than CPUs */
	OWNER_BLOCKED,	 /* the owner sleeps */
	TOO_LONG,	 /* the time to spin is over, or another thread is before us */
};

static int unlock_slow(struct onproc_mutex *mutex);

static uint32_t owner_of(uint32_t word)
{
	return word & OWNER;
}

static bool owner_is_off_cpu(uint32_t word)
{
	uint32_t owner = owner_of(word);

	return owner && owner != ANONYMOUS && m_preempted(owner - 1);
}

static enum outcome why_off(uint32_t word)
{
	m_count(STAT_OWNER_OFF);
	return m_blocked(owner_of(word) - 1) ? OWNER_BLOCKED : OWNER_PREEMPTED;
}

/* Takes the word if it is free. */
static bool take(struct onproc_mutex *mutex, uint32_t *word, uint32_t me)
{
	return !owner_of(*word) && m_compare32(&mutex->word, word, *word | me, memory_order_acquire,
					       memory_order_relaxed); /* M1 */
}

/* The same as long as it is free. False: it is held, by whom *word says. */
static bool take_free(struct onproc_mutex *mutex, uint32_t *word, uint32_t me)
{
	while (!owner_of(*word)) {
		if (take(mutex, word, me))
			return true;
	}
	return false;
}

/* For the owner: the list may be empty now. */
static void clear_waiters(struct onproc_mutex *mutex)
{
	if (m_load16(&mutex->sleepers, memory_order_relaxed))
		return;
	m_and32(&mutex->word, ~OF_SLEEPERS, memory_order_acq_rel); /* W2 */
	if (m_load16(&mutex->sleepers, memory_order_relaxed))
		m_or32(&mutex->word, WAITERS, memory_order_relaxed);
}

/* For the owner, which was listed itself when it took the word. */
static void delist(struct onproc_mutex *mutex, uint32_t sleeper)
{
	sleepers_remove(&mutex->sleepers, sleeper);
	m_store32(&sleeper_of(sleeper)->state, SLEEPER_FREE, memory_order_release);
	/* What was asked for is done; another one that is due asks anew. */
	m_and32(&mutex->word, ~HANDOFF, memory_order_relaxed);
	clear_waiters(mutex);
}

/* Polls the word while its owner runs. Built twice: without a sensor nothing asks it. */
static inline __attribute__((always_inline)) enum outcome
poll_word(struct onproc_mutex *mutex, uint32_t me, struct m_spin *spin, const uint32_t *granted,
	  bool sensing)
{
	uint64_t off_ns = 0;
	uint32_t off_owner = 0;

	for (;;) {
		uint32_t word = m_load32(&mutex->word, memory_order_relaxed);

		/* It unlocked, and was off its CPU all the while? */
		if (sensing && off_owner && owner_of(word) != off_owner) {
			if (m_preempted(off_owner - 1))
				m_contradicts(off_owner - 1);
			off_owner = 0;
		}
		if (granted && m_load32(granted, memory_order_relaxed) == SLEEPER_GRANTED)
			return GOT;
		if (take(mutex, &word, me))
			return GOT;
		if (sensing && owner_is_off_cpu(word)) {
			uint64_t now = m_now();

			if (owner_of(word) != off_owner)
				off_ns = now;
			off_owner = owner_of(word);
			/* One that was woken may itself be what took the owner's CPU. */
			if (granted || now - off_ns >= BACK_NS)
				return why_off(word);
		} else {
			off_owner = 0;
		}
		if (m_should_yield(spin)) {
			m_count(STAT_BUDGET_SPENT);
			return TOO_LONG;
		}
		m_pause();
	}
}

static __attribute__((noinline)) enum outcome
poll_sensing(struct onproc_mutex *mutex, uint32_t me, struct m_spin *spin, const uint32_t *granted)
{
	return poll_word(mutex, me, spin, granted, true);
}

static __attribute__((noinline)) enum outcome
poll_blind(struct onproc_mutex *mutex, uint32_t me, struct m_spin *spin, const uint32_t *granted)
{
	return poll_word(mutex, me, spin, granted, false);
}

static enum outcome poll_owner(struct onproc_mutex *mutex, uint32_t me, struct m_spin *spin,
			       const uint32_t *granted, bool sensing)
{
	return sensing ? poll_sensing(mutex, me, spin, granted)
		       : poll_blind(mutex, me, spin, granted);
}

/* A new arrival spins: in the queue, then at its head. */
static enum outcome spin_for(struct onproc_mutex *mutex, uint32_t self, bool sensing)
{
	struct m_spin spin;
	enum outcome outcome;
	uint32_t word;

	/* One is enough to see whether the owner comes back at once. */
	word = m_load32(&mutex->word, memory_order_relaxed);
	if (sensing && m_load16(&mutex->spinners, memory_order_relaxed) && owner_is_off_cpu(word))
		return why_off(word);
	m_spin_begin(&spin, sensing ? SPIN_SENSING_NS : SPIN_BLIND_NS);
	if (!osq_lock(&mutex->spinners, self, &spin))
		return TOO_LONG;
	outcome = poll_owner(mutex, self + 1, &spin, NULL, sensing);
	osq_unlock(&mutex->spinners, self);
	return outcome;
}

/*
 * Makes the owner know that there are sleepers, the caller among them, and that one more place is
 * to be filled. Returns true if the word was free and is now the caller's.
 */
static bool announce(struct onproc_mutex *mutex, uint32_t me, bool debt)
{
	uint32_t word = m_load32(&mutex->word, memory_order_relaxed), cpus = m_cpus();
	uint32_t most = cpus > 2 ? cpus - 1 : 1;

	for (;;) {
		uint32_t next = word | WAITERS;

		if (!owner_of(word)) {
			if (take(mutex, &word, me))
				return true;
			continue;
		}
		if (debt && (word & DEBT) != DEBT && (word & DEBT) >> DEBT_SHIFT < most)
			next += DEBT_ONE;
		/* Also where nothing changes: an owner that clears WAITERS must see the list. */
		if (m_compare32(&mutex->word, &word, next, memory_order_acq_rel,
				memory_order_relaxed)) /* W1 */
			return false;
	}
}

/* The span after which a thread that falls asleep now is due. */
static uint64_t due_span(const struct onproc_mutex *mutex)
{
	uint64_t span_ns = (sleepers_count_hint(&mutex->sleepers) + 1u) * (uint64_t)PLACE_NS;

	return span_ns < DUE_NS ? span_ns : DUE_NS;
}

enum waking {
	BY_GRANT,    /* it owns the lock */
	BY_ANOTHER,  /* it is told to try */
	BY_ITSELF,   /* it is due, and nobody came */
	BY_DEADLINE, /* it may give up */
};

static enum waking park(struct sleeper *sleeper, uint64_t wake_ns, const struct m_deadline *until)
{
	m_count(STAT_PARKED);
	for (;;) {
		uint32_t state = m_load32(&sleeper->state, memory_order_acquire); /* G2 */
		uint64_t now, left = m_left(until), span;

		if (state == SLEEPER_GRANTED)
			return BY_GRANT;
		if (state == SLEEPER_AWAKE)
			return BY_ANOTHER;
		if (!left)
			return BY_DEADLINE;
		now = m_now();
		if (now >= wake_ns)
			return BY_ITSELF;
		span = wake_ns - now;
		m_park_for(&sleeper->state, SLEEPER_PARKED, span < left ? span : left);
	}
}

/* Granted, and out of the list. The one that grants owns the lock until the word names the caller.
 */
static int granted(struct onproc_mutex *mutex, uint32_t self, struct sleeper *sleeper)
{
	struct m_spin spin;

	m_spin_begin(&spin, SPIN_BLIND_NS);
	while (owner_of(m_load32(&mutex->word, memory_order_acquire)) != self + 1) { /* M4 */
		if (m_should_yield(&spin))
			m_park_for(&sleeper->state, SLEEPER_GRANTED, POLL_NS);
		else
			m_pause();
	}
	m_count(STAT_GRANTED);
	m_store32(&sleeper->state, SLEEPER_FREE, memory_order_release);
	return 0;
}

/* A listed sleeper that is told to try does. -EAGAIN: it is parked again. */
static int try_awake(struct onproc_mutex *mutex, uint32_t self, uint32_t number)
{
	struct sleeper *sleeper = sleeper_of(number);
	uint32_t state = SLEEPER_AWAKE;
	bool sensing = m_sensing();
	enum outcome outcome;
	struct m_spin spin;

	if (m_now() >= m_load64(&sleeper->due_ns, memory_order_relaxed))
		m_or32(&mutex->word, HANDOFF, memory_order_relaxed);
	m_spin_begin(&spin, sensing ? SPIN_SENSING_NS : SPIN_BLIND_NS);
	outcome = poll_owner(mutex, self + 1, &spin, &sleeper->state, sensing);
	if (outcome == GOT) {
		if (m_load32(&sleeper->state, memory_order_acquire) == SLEEPER_GRANTED) /* G2 */
			return granted(mutex, self, sleeper);
		delist(mutex, number);
		return 0;
	}
	if (!m_compare32(&sleeper->state, &state, SLEEPER_PARKED, memory_order_acquire,
			 memory_order_acquire)) /* G2 */
		return granted(mutex, self, sleeper);
	if (!announce(mutex, self + 1, true))
		return -EAGAIN;
	delist(mutex, number);
	return 0;
}

/* Nobody came though it is due: is the lock free, and nobody there to take it? */
static int try_idle(struct onproc_mutex *mutex, uint32_t self, uint32_t number)
{
	uint32_t word = m_load32(&mutex->word, memory_order_relaxed);

	while (!owner_of(word)) {
		uint32_t cold = word & ~HEAT;

		if (!m_compare32(&mutex->word, &word, cold | (self + 1), memory_order_acquire,
				 memory_order_relaxed)) /* M1 */
			continue;
		delist(mutex, number);
		return 0;
	}
	return -EAGAIN;
}

/* Where no sleeper is left for the thread: a short sleep that nobody ends. -EAGAIN: still held. */
static int sleep_unlisted(struct onproc_mutex *mutex, uint32_t me, const struct m_deadline *until)
{
	uint32_t word = m_load32(&mutex->word, memory_order_relaxed), nobody = 0;
	uint64_t left = m_left(until);

	if (take_free(mutex, &word, me))
		return 0;
	if (!left)
		return -ETIMEDOUT;
	m_park_for(&nobody, 0, left < POLL_NS ? left : POLL_NS);
	return -EAGAIN;
}

/* The oldest sleeper was to be woken, by one that could not, or as one that has left since. */
static void pass_on(struct onproc_mutex *mutex, uint32_t me)
{
	uint32_t word = m_load32(&mutex->word, memory_order_relaxed);

	while ((word & WAITERS) && (word & DEBT) != DEBT) {
		bool is_free = !owner_of(word);

		if (!m_compare32(&mutex->word, &word, (word + DEBT_ONE) | (is_free ? me : 0),
				 memory_order_acquire, memory_order_relaxed)) /* M1 */
			continue;
		if (is_free)
			unlock_slow(mutex);
		return;
	}
}

static int sleep_for(struct onproc_mutex *mutex, uint32_t self, bool debt,
		     const struct m_deadline *until)
{
	uint64_t due_ns, wake_ns, span_ns;
	struct sleeper *sleeper;
	uint32_t number;

	while ((number = sleeper_take(self)) == M_NO_SLOT) {
		int rc = sleep_unlisted(mutex, self + 1, until);

		if (rc != -EAGAIN)
			return rc;
	}
	sleeper = sleeper_of(number);
	span_ns = due_span(mutex);
	due_ns = m_now() + span_ns;
	wake_ns = due_ns + span_ns;
	sleepers_push(&mutex->sleepers, number, self, 0, due_ns);
	if (announce(mutex, self + 1, debt)) {
		delist(mutex, number);
		return 0;
	}
	for (;;) {
		enum waking waking = park(sleeper, wake_ns, until);
		int rc;

		if (waking == BY_GRANT)
			return granted(mutex, self, sleeper);
		if (waking == BY_DEADLINE) {
			if (!sleeper_leave(number))
				return granted(mutex, self, sleeper);
			/* It may have been told to try, in place of another. */
			pass_on(mutex, self + 1);
			m_count(STAT_TIMED_OUT);
			return -ETIMEDOUT;
		}
		rc = waking == BY_ITSELF ? try_idle(mutex, self, number)
					 : try_awake(mutex, self, number);
		if (rc != -EAGAIN)
			return rc;
		wake_ns = m_now() + span_ns;
		span_ns = span_ns < AGAIN_MOST_NS ? 2 * span_ns : span_ns;
	}
}

/*
 * Does an arrival that finds the lock held lie down? One does for each sleeper that was woken
 * because it was due, as long as the oldest one waits for a CPU.
 */
static bool makes_room(struct onproc_mutex *mutex, uint32_t word)
{
	uint32_t oldest = sleepers_oldest_hint(&mutex->sleepers);
	struct sleeper *sleeper;

	if (!(word & SURPLUS) || oldest == M_NO_SLOT)
		return false;
	sleeper = sleeper_of(oldest);
	if (m_load32(&sleeper->state, memory_order_relaxed) != SLEEPER_AWAKE ||
	    (m_sensing() && !m_preempted(m_load32(&sleeper->thread, memory_order_relaxed))))
		return false;
	do {
		if (!owner_of(word) || !(word & SURPLUS))
			return false;
	} while (!m_compare32(&mutex->word, &word, word - SURPLUS_ONE, memory_order_relaxed,
			      memory_order_relaxed));
	m_count(STAT_ROTATED);
	return true;
}

static __attribute__((noinline)) int lock_slow(struct onproc_mutex *mutex,
					       const struct m_deadline *until)
{
	uint32_t self = m_self();
	bool sensing = m_sensing(), debt;
	uint32_t word = m_load32(&mutex->word, memory_order_relaxed);

	if (take_free(mutex, &word, self + 1))
		return 0;
	if (self == M_NO_SLOT) {
		int rc;

		while ((rc = sleep_unlisted(mutex, ANONYMOUS, until)) == -EAGAIN)
			;
		return rc;
	}
	if ((word & CHECKED) && owner_of(word) == self + 1)
		return -EDEADLK;
	m_count(STAT_CONTENDED);
	if (makes_room(mutex, word)) {
		debt = false;
	} else {
		enum outcome outcome = spin_for(mutex, self, sensing);

		if (outcome == GOT) {
			m_count(STAT_SPUN);
			return 0;
		}
		/* The owner takes over the CPU: as many as before are left to circulate. But where
		 * nobody else sleeps it may have been an outsider that took the owner's. */
		debt = outcome != OWNER_PREEMPTED ||
		       !m_load16(&mutex->sleepers, memory_order_relaxed);
	}
	if (!m_left(until)) {
		m_count(STAT_TIMED_OUT);
		return -ETIMEDOUT;
	}
	return sleep_for(mutex, self, debt, until);
}

/*
 * Of the sleepers that have been told to try, the first that is on a CPU: it can go on at once.
 * Else the oldest, once it is late: the lock stands still until it runs. M_NO_SLOT: neither.
 */
static uint32_t who_asked(struct onproc_mutex *mutex, uint32_t oldest)
{
	uint32_t number = oldest, looked;

	for (looked = 0; looked < AWAKE_MOST && number != M_NO_SLOT; looked++) {
		struct sleeper *sleeper = sleeper_of(number);

		if (m_load32(&sleeper->state, memory_order_relaxed) == SLEEPER_AWAKE &&
		    !m_preempted(m_load32(&sleeper->thread, memory_order_relaxed)))
			return number;
		number = sleepers_newer(&mutex->sleepers, number);
	}
	if (m_now() < m_load64(&sleeper_of(oldest)->due_ns, memory_order_relaxed) + LATE_NS)
		return M_NO_SLOT;
	return oldest;
}

/* Makes a sleeper the owner. False: it has given up, and the caller still is to unlock. */
static bool grant(struct onproc_mutex *mutex, uint32_t number)
{
	struct sleeper *sleeper = sleeper_of(number);
	uint32_t owner = m_load32(&sleeper->thread, memory_order_relaxed) + 1;
	uint32_t word = m_load32(&mutex->word, memory_order_relaxed), state;

	state = m_load32(&sleeper->state, memory_order_relaxed);
	do {
		if (state == SLEEPER_LEFT)
			return false;
	} while (!m_compare32(&sleeper->state, &state, SLEEPER_GRANTED, memory_order_acq_rel,
			      memory_order_relaxed)); /* G1 */
	sleepers_remove(&mutex->sleepers, number);
	/* From here on the new owner may unlock, and sleep elsewhere: then it wakes for nothing. */
	while (!m_compare32(&mutex->word, &word, (word & ~(OWNER | HANDOFF)) | owner,
			    memory_order_release, memory_order_relaxed)) /* M3 */
		;
	if (state == SLEEPER_PARKED)
		m_unpark(&sleeper->state, 1);
	return true;
}

/* Heat after this unlock: is the thread one that comes back soon? */
static uint32_t warmed(const struct onproc_mutex *mutex, uint32_t self, uint32_t word, uint64_t now)
{
	struct slot *slot;
	bool back;

	if (self == M_NO_SLOT)
		return word & ~HEAT;
	slot = m_slot(self);
	back = m_load64(&slot->unlocked, memory_order_relaxed) == (uintptr_t)mutex &&
	       now - m_load64(&slot->unlocked_ns, memory_order_relaxed) < SOON_NS;
	m_store64(&slot->unlocked, (uintptr_t)mutex, memory_order_relaxed);
	m_store64(&slot->unlocked_ns, now, memory_order_relaxed);
	if (back)
		return (word & HEAT) == HEAT ? word : word + HEAT_ONE;
	return (word & HEAT) < 2 * HEAT_ONE ? word & ~HEAT : word - 2 * HEAT_ONE;
}

/* The oldest sleeper that sleeps, among the oldest few; M_NO_SLOT: those are awake already. */
static uint32_t oldest_asleep(struct onproc_mutex *mutex, uint32_t oldest)
{
	uint32_t number = oldest, looked;

	for (looked = 0; looked < AWAKE_MOST && number != M_NO_SLOT; looked++) {
		if (m_load32(&sleeper_of(number)->state, memory_order_relaxed) == SLEEPER_PARKED)
			return number;
		number = sleepers_newer(&mutex->sleepers, number);
	}
	return M_NO_SLOT;
}

/* The word after a free one, with whom it wakes: counts places that are filled, and to be made. */
static uint32_t next_word(const struct onproc_mutex *mutex, uint32_t word, uint32_t asleep,
			  uint64_t now, bool *wake)
{
	*wake = true;
	if (now >= m_load64(&sleeper_of(asleep)->due_ns, memory_order_relaxed))
		return (word & SURPLUS) >> SURPLUS_SHIFT < SURPLUS_MOST ? word + SURPLUS_ONE : word;
	if (word & DEBT)
		return word - DEBT_ONE;
	*wake = (word & HEAT) >> HEAT_SHIFT < HEAT_HOT &&
		!m_load16(&mutex->spinners, memory_order_relaxed);
	return word;
}

/* Frees a word with sleepers, the oldest of which is given. True when done. */
static bool free_word(struct onproc_mutex *mutex, uint32_t word, uint32_t warm, uint32_t oldest,
		      uint64_t now)
{
	uint32_t next = (word & ~(OWNER | HEAT)) | (warm & HEAT), state = SLEEPER_PARKED;
	uint32_t asleep = oldest_asleep(mutex, oldest);
	bool wake = false;

	if (asleep != M_NO_SLOT)
		next = next_word(mutex, next, asleep, now, &wake);
	if (!m_compare32(&mutex->word, &word, next, memory_order_release,
			 memory_order_relaxed)) /* M2 */
		return false;
	/* It may be someone else's sleeper by now: then that thread looks around for nothing. */
	if (wake && m_compare32(&sleeper_of(asleep)->state, &state, SLEEPER_AWAKE,
				memory_order_relaxed, memory_order_relaxed)) {
		m_count(STAT_WOKE);
		m_unpark(&sleeper_of(asleep)->state, 1);
	}
	return true;
}

static __attribute__((noinline)) int unlock_slow(struct onproc_mutex *mutex)
{
	uint32_t self = m_self();
	uint32_t word = m_load32(&mutex->word, memory_order_relaxed), warm = 0;
	uint64_t now = 0;

	/* A thread that had no slot when it locked may have one now. */
	if ((word & CHECKED) && owner_of(word) != self + 1 && owner_of(word) != ANONYMOUS)
		return -EPERM;
	for (;; word = m_load32(&mutex->word, memory_order_relaxed)) {
		uint32_t oldest, asked;

		if (!(word & WAITERS)) {
			if (m_compare32(&mutex->word, &word, word & CHECKED, memory_order_release,
					memory_order_relaxed)) /* M2 */
				return 0;
			continue;
		}
		oldest = sleepers_oldest(&mutex->sleepers);
		if (oldest == M_NO_SLOT) {
			clear_waiters(mutex);
			continue;
		}
		asked = word & HANDOFF ? who_asked(mutex, oldest) : M_NO_SLOT;
		if (asked != M_NO_SLOT) {
			if (grant(mutex, asked))
				return 0;
			continue;
		}
		if (!now) {
			now = m_now();
			warm = warmed(mutex, self, word, now);
		}
		if (free_word(mutex, word, warm, oldest, now))
			return 0;
	}
}

int onproc_mutex_init(struct onproc_mutex *mutex, unsigned int options)
{
	if (options & ~(ONPROC_MUTEX_ERRORCHECK | ONPROC_MUTEX_SHARED))
		return -EINVAL;
	if (options & ONPROC_MUTEX_SHARED)
		return -ENOTSUP;
	m_store16(&mutex->spinners, 0, memory_order_relaxed);
	m_store16(&mutex->sleepers, 0, memory_order_relaxed);
	m_store32(&mutex->word, options & ONPROC_MUTEX_ERRORCHECK ? CHECKED : 0,
		  memory_order_relaxed);
	return 0;
}

int onproc_mutex_destroy(struct onproc_mutex *mutex)
{
	uint32_t self = m_self(), word = m_load32(&mutex->word, memory_order_relaxed);

	if (!take_free(mutex, &word, self + 1))
		return -EBUSY;
	/* Those that gave up are still listed, and want to be used again. */
	if (sleepers_oldest(&mutex->sleepers) != M_NO_SLOT) {
		unlock_slow(mutex);
		return -EBUSY;
	}
	m_store32(&mutex->word, 0, memory_order_relaxed);
	return 0;
}

int onproc_mutex_lock(struct onproc_mutex *mutex)
{
	uint32_t me = m_me(), none = 0;

	if (__builtin_expect(me && m_compare32(&mutex->word, &none, me, memory_order_acquire,
					       memory_order_relaxed), /* M1 */
			     1))
		return 0;
	return lock_slow(mutex, NULL);
}

int onproc_mutex_trylock(struct onproc_mutex *mutex)
{
	uint32_t self = m_self(), word = m_load32(&mutex->word, memory_order_relaxed);

	return take_free(mutex, &word, self + 1) ? 0 : -EBUSY;
}

int onproc_mutex_timedlock(struct onproc_mutex *mutex, clockid_t clock, const struct timespec *at)
{
	struct m_deadline until;
	int rc = onproc_mutex_trylock(mutex);

	if (rc != -EBUSY)
		return rc;
	if (!deadline_set(&until, clock, at))
		return -EINVAL;
	return lock_slow(mutex, &until);
}

int onproc_mutex_unlock(struct onproc_mutex *mutex)
{
	uint32_t me = m_me(), word = me;

	if (__builtin_expect(m_compare32(&mutex->word, &word, 0, memory_order_release,
					 memory_order_relaxed), /* M2 */
			     1))
		return 0;
	return unlock_slow(mutex);
}

bool mutex_is_mine(const struct onproc_mutex *mutex)
{
	uint32_t self = m_self();

	return self != M_NO_SLOT &&
	       owner_of(m_load32(&mutex->word, memory_order_relaxed)) == self + 1;
}

int mutex_check_owner(const struct onproc_mutex *mutex)
{
	uint32_t word = m_load32(&mutex->word, memory_order_relaxed);

	/* Of a thread that had no slot nobody can tell. */
	if (!(word & CHECKED) || owner_of(word) == ANONYMOUS)
		return 0;
	return owner_of(word) == m_self() + 1 ? 0 : -EPERM;
}
