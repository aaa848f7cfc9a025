// SPDX-License-Identifier: MIT
/*
 * mutex.c - the mutex: spin while the owner runs, else sleep; few circulate, the rest take turns.
 *
 * word      bits 0-15   slot + 1 of the owner; 0: free; ANONYMOUS: a thread without a slot
 *           WAITERS     the list of sleepers is, or was, not empty: unlock looks at it
 *           HANDOFF     a sleeper that is due has asked for the lock: unlock gives it away
 *           CHECKED     lock and unlock by the wrong thread are refused
 *           CALLED      a sleeper was woken that has not run yet: arrivals may lie down for it
 *           MOVED       sleepers are, or may be, UNBOUNDED: unlock looks after them
 *           HEAT        4 bits: how surely the lock is taken again soon without a wake-up
 *           DEBT        4 bits: threads that fell asleep because the owner sleeps or is slow;
 *                       unlock is to fill their places
 * spinners  tail of the optimistic spin queue (osq.c)
 * sleepers  newest of the list of sleepers (sleepers.c)
 *
 * Lock. A free word is taken by whoever comes, with or without sleepers. Otherwise:
 *   spin    while the owner is on a CPU (with no sensor: for the time that a wake-up costs); the
 *           first one at once, the others as the head of the queue of spinners. Where threads
 *           outnumber CPUs the owner is sooner or later found off its CPU; those that find it so
 *           go to sleep, until about as many are left as there are CPUs. DEBT, at most CPUs - 1 or
 *           1, brings back as many as may run.
 *   sleep   in the list, each on its own word.
 *
 * Turns. Every 750 µs, or as often as it takes for all sleepers to have one within 12 ms, an unlock
 * wakes the oldest. No CPU is to stand idle and none to be shared meanwhile, but where a woken
 * thread will run is the scheduler's secret. It starts where it fell asleep, if that is the waker's
 * own CPU: so each CPU gives turns to its own sleepers, in the order of the list, and wakes one of
 * another CPU only where nobody does so there. It waits until that CPU is left: so whoever runs
 * there lies down at its next lock, also if it is free, and comes to the end of the list. One that
 * was woken elsewhere, or to fill a place, has some time to start on an idle CPU; then arrivals lie
 * down for it too. The time of the next turn is kept with the oldest sleeper, whatever its state.
 * Once on its CPU the woken one asks by HANDOFF, and the next unlock names it as the owner. Each
 * sleeper also wakes by itself after a while, for a lock that nobody comes to any more.
 *
 * Unlock gives the lock to a sleeper that has asked. Otherwise the word becomes free, and a sleeper
 * is woken if it is time for a turn, where there is debt, or where the lock is cold: its unlockers
 * do not come back within 200 µs, so that nobody but a sleeper may be there to take it. While the
 * lock is hot three of four unlocks only free the word, for the clock takes as long as they do.
 *
 * A grant names its thread: the sleeper goes from PARKED or AWAKE to GRANTED, out of the list, then
 * into the word; the new owner goes on when it finds itself there. One that gives up goes to LEFT
 * by the same compare-exchange, so that one of both happens, and no grant is lost by a time-out or
 * a signal. Only the owner looks through the list, and an owner is never waited for without a park:
 * any other thread may stop anywhere.
 *
 * Who lies down beside a free word must be sure that the woken one is still to come. It sets
 * WAITERS and looks again (W1): if it finds it so, that one will take the lock and see WAITERS, or
 * give up and pass it on.
 *
 * Moved. The waiters of a condition variable are listed here by a broadcast while they sleep, and
 * then sleep with no bound. So unlock wakes those of the oldest two, before it frees the word: two
 * of the sleepers are always such as look for themselves, of which one may stop.
 *
 * Order                                Pairs with             Without it
 * M1 take the word, acquire            M2, M3                 the section reads what is old
 *    = mutex_take_relaxed, mutex_fast_lock_relaxed
 * M2 free the word, release            M1                     as M1
 *    = mutex_free_relaxed, mutex_free_with_sleepers_relaxed
 *    = mutex_free_without_a_look_relaxed, mutex_free_while_others_sleep_relaxed
 * M3 name a new owner, release         M4                     as M1, by a hand-over
 *    = mutex_names_the_owner_relaxed
 * M4 find oneself named, acquire       M3                     as M3
 *    = not shown
 * G1 grant, acq_rel                    G2, sleepers.c: S6     the word is looked at in vain
 *    = not shown
 * G2 see the grant, acquire            G1                     as G1
 *    = not shown
 * W1 announce a sleeper, acq_rel       W2; M2 of the owner    a sleeper that nobody knows of: the
 *                                                             owner clears WAITERS and sees no list
 *    = not shown
 * W2 clear WAITERS, acq_rel            W1                     as W1
 *    = not shown
 * D1 why it is woken, release/acquire  D1                     an arrival lies down for one that
 *                                                             was woken at another lock
 *    = not shown
 * W3 announce moved ones, acq_rel      W4; M2 of the owner    as W1; as M1, where it takes the word
 *    = mutex_moved_announced_relaxed
 * W4 clear MOVED, acq_rel              W3                     moved ones sleep for ever
 *    = mutex_moved_cleared_relaxed
 * R1 wake a sleeper, release           cond.c: C8             a moved one does not see that it is,
 *                                                             and sleeps again
 *    = mutex_rouses_relaxed
 * = the mutants of tests/model/mutants.txt that weaken it and are found; docs/checking.md says of
 * what is not shown why.
 */
#include "mutex.h"

#include "osq.h"
#include "sleepers.h"
#include "times.h"

#include "onproc/mutex.h"

#define OWNER	    0xffffu
#define ANONYMOUS   (M_NO_SLOT + 1)
#define WAITERS	    (1u << 16)
#define HANDOFF	    (1u << 17)
#define CHECKED	    (1u << 18)
#define CALLED	    (1u << 19)
#define HEAT_SHIFT  20
#define HEAT	    (0xfu << HEAT_SHIFT)
#define HEAT_ONE    (1u << HEAT_SHIFT)
#define DEBT_SHIFT  24
#define DEBT	    (0xfu << DEBT_SHIFT)
#define DEBT_ONE    (1u << DEBT_SHIFT)
#define MOVED	    (1u << 28)
/* What means nothing without sleepers. */
#define OF_SLEEPERS (WAITERS | HANDOFF | CALLED | HEAT | DEBT)

#define SPIN_SENSING_NS	 50000u	   /* two wake-ups across CPUs: then sleeping is no dearer */
#define SPIN_BLIND_NS	 5000u	   /* a wake-up on the same CPU */
#define BRIEF_TURNS	 32u	   /* polls before a first spinner queues */
#define BACK_NS		 20000u	   /* an owner whose CPU a woken thread took is back within this */
#define TURN_NS		 750000u   /* from one sleeper's turn to the next one's, at most … */
#define ROUND_NS	 12000000u /* … and such that all have theirs within this */
#define PATIENCE_NS	 3000000u  /* a sleeper looks itself after this for each place … */
#define PATIENCE_MOST_NS 48000000u /* … at most after this */
#define LATE_NS		 8000000u /* one that is due is given the lock after this, even off its CPU */
#define START_NS	 200000u     /* who is woken runs after this where there is a CPU for it */
#define ELSEWHERE_NS	 100000u     /* one that is due is woken from another CPU after this */
#define COMING_MOST	 4u	     /* of the oldest sleepers, that an arrival looks at */
#define LOOK_MOST	 8u	     /* of the oldest sleepers, that an unlock looks at */
#define AGAIN_MOST_NS	 1000000000u /* between two looks at whether the lock is idle */
#define POLL_NS		 1000000u    /* sleeps of a thread for which no sleeper is left */
#define SOON_NS		 200000u     /* back within this: the lock is warm */
#ifndef HEAT_HOT		     /* a client of the model checkers has no time to warm up */
#	define HEAT_HOT 6u
#endif
#define MOVED_AWAKE 2u /* of the oldest, that are not to be unbounded */

/* What a sleeper of a mutex does: its kind. */
enum {
	AT_REST,
	FILLS,	/* woken to fill a place */
	DUE,	/* woken since it is its turn */
	ROUSED, /* was told to try, and runs */
};

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

/* Takes a sleeper out of the list. The oldest one's due_ns is the time of the next turn. */
static void unlist(struct onproc_mutex *mutex, uint32_t sleeper)
{
	uint64_t due_ns = m_load64(&sleeper_of(sleeper)->due_ns, memory_order_relaxed);
	bool was_oldest = sleepers_oldest(&mutex->sleepers) == sleeper;
	uint32_t oldest;

	sleepers_remove(&mutex->sleepers, sleeper);
	if (!was_oldest)
		return;
	oldest = sleepers_oldest(&mutex->sleepers);
	if (oldest != M_NO_SLOT)
		m_store64(&sleeper_of(oldest)->due_ns, due_ns, memory_order_relaxed);
}

/* For the owner, which was listed itself when it took the word. */
static void delist(struct onproc_mutex *mutex, uint32_t sleeper)
{
	unlist(mutex, sleeper);
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

/* Polls the word for the time of a short section, until another one queues or its owner is off. */
static bool poll_briefly(struct onproc_mutex *mutex, uint32_t me)
{
	unsigned int turn;

	for (turn = 0; turn < BRIEF_TURNS; turn++) {
		uint32_t word = m_load32(&mutex->word, memory_order_relaxed);

		if (take_free(mutex, &word, me))
			return true;
		if (owner_is_off_cpu(word) || m_load16(&mutex->spinners, memory_order_relaxed))
			return false;
		m_pause();
	}
	return false;
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
	/* The first one need not queue for what is over soon: the queue lies in the lock's line. */
	if (!m_load16(&mutex->spinners, memory_order_relaxed) && m_cpus() > 1 &&
	    poll_briefly(mutex, self + 1))
		return GOT;
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

/* Has the sleeper been woken at this mutex, and not run yet? */
static bool is_coming(const struct onproc_mutex *mutex, uint32_t number)
{
	const struct sleeper *sleeper = sleeper_of(number);
	uint32_t kind = m_load32(&sleeper->kind, memory_order_acquire); /* D1 */

	return (kind == DUE || kind == FILLS) &&
	       m_load64(&sleeper->list, memory_order_relaxed) == (uintptr_t)&mutex->sleepers &&
	       m_load32(&sleeper->state, memory_order_relaxed) == SLEEPER_AWAKE;
}

/*
 * The same of a caller that lies down for another, which is to take the lock though it may be free.
 * False: that one has come meanwhile, and may have gone again without seeing the caller.
 */
static bool announce_for(struct onproc_mutex *mutex, uint32_t coming)
{
	if (coming == M_NO_SLOT)
		return false;
	m_or32(&mutex->word, WAITERS, memory_order_acq_rel); /* W1 */
	return is_coming(mutex, coming);
}

/* From one turn to the next: so that each sleeper has its own within ROUND_NS, if one has. */
static uint64_t turn_span(const struct onproc_mutex *mutex)
{
	uint32_t sleepers = sleepers_count_hint(&mutex->sleepers);

	return sleepers * (uint64_t)TURN_NS < ROUND_NS ? TURN_NS : ROUND_NS / sleepers;
}

/* How long a sleeper waits for somebody to wake it. */
static uint64_t patience(const struct onproc_mutex *mutex)
{
	uint64_t places = sleepers_count_hint(&mutex->sleepers) + 1u;
	uint64_t span_ns = places * PATIENCE_NS;

	return span_ns < PATIENCE_MOST_NS ? span_ns : PATIENCE_MOST_NS;
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
	bool sensing = m_sensing(), is_due;
	enum outcome outcome;
	struct m_spin spin;

	is_due = m_load32(&sleeper->kind, memory_order_relaxed) == DUE;
	m_store32(&sleeper->kind, ROUSED, memory_order_relaxed);
	if (is_due)
		m_or32(&mutex->word, HANDOFF, memory_order_relaxed);
	m_spin_begin(&spin, sensing ? SPIN_SENSING_NS : SPIN_BLIND_NS);
	outcome = poll_owner(mutex, self + 1, &spin, &sleeper->state, sensing);
	if (outcome == GOT) {
		if (m_load32(&sleeper->state, memory_order_acquire) == SLEEPER_GRANTED) /* G2 */
			return granted(mutex, self, sleeper);
		delist(mutex, number);
		return 0;
	}
	m_store32(&sleeper->kind, is_due ? DUE : AT_REST, memory_order_relaxed);
	m_store32(&sleeper->cpu, m_cpu(), memory_order_relaxed);
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

/* `coming`: for whom the caller lies down; M_NO_SLOT: since the lock is held. */
static int sleep_for(struct onproc_mutex *mutex, uint32_t self, uint32_t coming, bool debt,
		     const struct m_deadline *until)
{
	uint64_t now, wake_ns, span_ns;
	struct sleeper *sleeper;
	uint32_t number;

	while ((number = sleeper_take(self)) == M_NO_SLOT) {
		int rc = sleep_unlisted(mutex, self + 1, until);

		if (rc != -EAGAIN)
			return rc;
	}
	sleeper = sleeper_of(number);
	m_store64(&m_slot(self)->unlocked, 0, memory_order_relaxed);
	now = m_now();
	span_ns = patience(mutex);
	wake_ns = now + span_ns;
	sleepers_push(&mutex->sleepers, number, self, AT_REST, now + TURN_NS);
	if (!announce_for(mutex, coming) && announce(mutex, self + 1, debt)) {
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
 * Does it wait for this CPU? It fell asleep here, while another thread runs elsewhere and holds the
 * lock; or it has had the time to start on a CPU that was idle.
 */
static bool waits_here(uint32_t number, uint32_t cpu, bool held)
{
	const struct sleeper *sleeper = sleeper_of(number);

	if (held && m_load32(&sleeper->kind, memory_order_relaxed) == DUE &&
	    m_load32(&sleeper->cpu, memory_order_relaxed) == cpu)
		return true;
	return m_now() - m_load64(&sleeper->woken_ns, memory_order_relaxed) >= START_NS;
}

/*
 * For whom does an arrival lie down? For one that has been woken and waits for this CPU: whoever
 * the scheduler lets run here instead does so. Also where the lock is free, for it would be each
 * time that a thread comes which runs alone. M_NO_SLOT: for nobody.
 */
static uint32_t makes_room(const struct onproc_mutex *mutex, uint32_t word)
{
	uint32_t number, looked, cpu;

	if (!(word & CALLED))
		return M_NO_SLOT;
	cpu = m_cpu();
	number = sleepers_oldest_hint(&mutex->sleepers);
	for (looked = 0; looked < COMING_MOST && number != M_NO_SLOT; looked++) {
		if (is_coming(mutex, number) && waits_here(number, cpu, owner_of(word)))
			return number;
		number = sleepers_newer_hint(number);
	}
	return M_NO_SLOT;
}

static __attribute__((noinline)) int lock_slow(struct onproc_mutex *mutex,
					       const struct m_deadline *until)
{
	uint32_t self = m_self();
	bool sensing = m_sensing(), debt;
	uint32_t word = m_load32(&mutex->word, memory_order_relaxed), coming = M_NO_SLOT;

	if (self != M_NO_SLOT && owner_of(word) != self + 1)
		coming = makes_room(mutex, word);
	if (coming == M_NO_SLOT && take_free(mutex, &word, self + 1))
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
	if (coming != M_NO_SLOT) {
		m_count(STAT_ROTATED);
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
	return sleep_for(mutex, self, coming, debt, until);
}

/*
 * Of the sleepers that have been told to try, the first that is on a CPU: it can go on at once.
 * Else the oldest, once it is late: the lock stands still until it runs. M_NO_SLOT: neither.
 */
static uint32_t who_asked(struct onproc_mutex *mutex, uint32_t oldest)
{
	uint32_t number = oldest, looked;

	for (looked = 0; looked < LOOK_MOST && number != M_NO_SLOT; looked++) {
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
	unlist(mutex, number);
	/* From here on the new owner may unlock, and sleep elsewhere: then it wakes for nothing. */
	while (!m_compare32(&mutex->word, &word, (word & ~(OWNER | HANDOFF)) | owner,
			    memory_order_release, memory_order_relaxed)) /* M3 */
		;
	if (state == SLEEPER_PARKED)
		m_unpark(&sleeper->state, 1);
	return true;
}

/* Is nobody to be woken now? Asked at every unlock while others sleep. */
static bool is_quiet(uint32_t word, uint32_t warm, uint32_t oldest, uint64_t now)
{
	return !(word & (DEBT | CALLED)) && (warm & HEAT) >> HEAT_SHIFT >= HEAT_HOT &&
	       now < m_load64(&sleeper_of(oldest)->due_ns, memory_order_relaxed);
}

/* Most unlocks of a hot lock with sleepers need not look at the clock: every fourth one does. */
static bool need_not_look(const struct onproc_mutex *mutex, uint32_t self, uint32_t word)
{
	struct slot *slot;
	uint32_t unlocks;

	if ((word & (DEBT | CALLED | HANDOFF | MOVED)) || (word & HEAT) >> HEAT_SHIFT < HEAT_HOT ||
	    self == M_NO_SLOT)
		return false;
	slot = m_slot(self);
	if (m_load64(&slot->unlocked, memory_order_relaxed) != (uintptr_t)mutex)
		return false;
	unlocks = m_load32(&slot->unlocks, memory_order_relaxed) + 1;
	m_store32(&slot->unlocks, unlocks, memory_order_relaxed);
	return unlocks % 4;
}

/* Heat after this unlock: is the thread one that comes back soon? */
static uint32_t warmed(const struct onproc_mutex *mutex, uint32_t self, uint32_t word, uint64_t now)
{
	struct slot *slot;
	bool back;

	if (self == M_NO_SLOT)
		return word & ~HEAT;
	slot = m_slot(self);
	/* It has slept for the lock: who knows. */
	if (!m_load64(&slot->unlocked, memory_order_relaxed)) {
		m_store64(&slot->unlocked, (uintptr_t)mutex, memory_order_relaxed);
		m_store64(&slot->unlocked_ns, now, memory_order_relaxed);
		return word;
	}
	back = m_load64(&slot->unlocked, memory_order_relaxed) == (uintptr_t)mutex &&
	       now - m_load64(&slot->unlocked_ns, memory_order_relaxed) < SOON_NS;
	m_store64(&slot->unlocked, (uintptr_t)mutex, memory_order_relaxed);
	m_store64(&slot->unlocked_ns, now, memory_order_relaxed);
	if (back)
		return (word & HEAT) == HEAT ? word : word + HEAT_ONE;
	return (word & HEAT) < 2 * HEAT_ONE ? word & ~HEAT : word - 2 * HEAT_ONE;
}

/* Why a sleeper is woken. */
enum wake {
	WAKE_NONE,
	WAKE_DUE,   /* it is its turn */
	WAKE_PLACE, /* fewer threads are about than could run */
};

/* What an unlock sees of the oldest few sleepers. */
struct view {
	uint32_t asleep;       /* the oldest that sleeps */
	uint32_t elsewhere;    /* the oldest of those that fell asleep on another CPU */
	uint32_t turn;	       /* the oldest to whose CPU none is on its way */
	bool coming_here;      /* one of this CPU has been woken, and has not taken the lock yet */
	bool coming_elsewhere; /* the same of another CPU */
};

static void look(struct onproc_mutex *mutex, uint32_t oldest, uint32_t cpu, struct view *view)
{
	uint32_t number = oldest, looked;

	*view = (struct view){ M_NO_SLOT, M_NO_SLOT, M_NO_SLOT, false, false };
	for (looked = 0; looked < LOOK_MOST && number != M_NO_SLOT; looked++) {
		struct sleeper *sleeper = sleeper_of(number);
		bool is_here = m_load32(&sleeper->cpu, memory_order_relaxed) == cpu;
		bool *coming = is_here ? &view->coming_here : &view->coming_elsewhere;

		if (m_load32(&sleeper->state, memory_order_relaxed) != SLEEPER_PARKED) {
			*coming = true;
		} else {
			if (view->asleep == M_NO_SLOT)
				view->asleep = number;
			if (view->turn == M_NO_SLOT && !*coming)
				view->turn = number;
			if (view->elsewhere == M_NO_SLOT && !is_here)
				view->elsewhere = number;
		}
		number = sleepers_newer(&mutex->sleepers, number);
	}
}

/*
 * Whose turn is it? The oldest's, if it fell asleep on this CPU: it will run as soon as the caller
 * lies down for it. Another CPU's is left to those who run there, and woken when nobody does: then
 * that CPU may be idle. M_NO_SLOT: it is time for nobody, or one is on its way already.
 */
static uint32_t whose_turn(const struct view *view, uint32_t cpu, uint64_t due_ns, uint64_t now)
{
	if (now < due_ns || view->turn == M_NO_SLOT)
		return M_NO_SLOT;
	if (m_load32(&sleeper_of(view->turn)->cpu, memory_order_relaxed) != cpu &&
	    now - due_ns < ELSEWHERE_NS)
		return M_NO_SLOT;
	return view->turn;
}

/* Who fills a place: rather one of another CPU, for on this one the caller runs. */
static uint32_t who_fills(const struct view *view)
{
	return view->elsewhere != M_NO_SLOT ? view->elsewhere : view->asleep;
}

/* Whom a word that becomes free wakes, why, and how that changes what it counts. */
static enum wake choose(struct onproc_mutex *mutex, uint32_t *word, uint32_t oldest, uint64_t now,
			uint32_t *chosen)
{
	uint64_t *due_ns = &sleeper_of(oldest)->due_ns;
	enum wake wake = WAKE_NONE;
	uint32_t turn, cpu = m_cpu();
	struct view view;

	look(mutex, oldest, cpu, &view);
	*word &= ~CALLED;
	if (view.coming_here || view.coming_elsewhere)
		*word |= CALLED;
	*chosen = who_fills(&view);
	if (view.asleep == M_NO_SLOT)
		return wake;
	turn = whose_turn(&view, cpu, m_load64(due_ns, memory_order_relaxed), now);
	if (turn != M_NO_SLOT) {
		*chosen = turn;
		wake = WAKE_DUE;
	} else if (*word & DEBT) {
		*word -= DEBT_ONE;
		wake = WAKE_PLACE;
	} else if ((*word & HEAT) >> HEAT_SHIFT < HEAT_HOT && !view.coming_here &&
		   !view.coming_elsewhere && !m_load16(&mutex->spinners, memory_order_relaxed)) {
		wake = WAKE_PLACE;
	}
	if (wake == WAKE_NONE)
		return wake;
	*word |= CALLED;
	m_store64(&sleeper_of(*chosen)->woken_ns, now, memory_order_relaxed);
	m_store32(&sleeper_of(*chosen)->kind, wake == WAKE_DUE ? DUE : FILLS,
		  memory_order_release); /* D1 */
	m_store64(due_ns, now + turn_span(mutex), memory_order_relaxed);
	return wake;
}

/* Frees a word with sleepers, the oldest of which is given. True when done. */
static bool free_word(struct onproc_mutex *mutex, uint32_t word, uint32_t warm, uint32_t oldest,
		      uint64_t now)
{
	uint32_t next = (word & ~(OWNER | HEAT)) | (warm & HEAT), state = SLEEPER_PARKED, chosen;
	enum wake wake = choose(mutex, &next, oldest, now, &chosen);

	if (!m_compare32(&mutex->word, &word, next, memory_order_release,
			 memory_order_relaxed)) /* M2 */
		return false;
	/* It may be someone else's sleeper by now: then that thread looks around for nothing. */
	if (wake != WAKE_NONE && m_compare32(&sleeper_of(chosen)->state, &state, SLEEPER_AWAKE,
					     memory_order_release, memory_order_relaxed)) { /* R1 */
		m_count(STAT_WOKE);
		m_unpark(&sleeper_of(chosen)->state, 1);
	}
	return true;
}

/* Wakes an unbounded sleeper, for good: whoever else was about to may have stopped. */
static void rouse(struct sleeper *sleeper)
{
	uint32_t state = m_load32(&sleeper->state, memory_order_relaxed), found = UNBOUNDED;

	/* Marked as awake already? All the same: that puts this and its thread's look in order. */
	while (state == SLEEPER_PARKED || state == SLEEPER_AWAKE) {
		if (m_compare32(&sleeper->state, &state, SLEEPER_AWAKE, memory_order_release,
				memory_order_relaxed)) /* R1 */
			break;
	}
	/* Its thread, if it is awake by itself, writes BOUNDED. */
	if (!m_compare32(&sleeper->unbounded, &found, UNBOUNDED_WOKEN, memory_order_relaxed,
			 memory_order_relaxed))
		return;
	m_count(STAT_WOKE);
	m_unpark(&sleeper->state, 1);
}

/* Wakes those of the oldest that are unbounded. Are there more? */
static bool rouse_oldest(struct onproc_mutex *mutex, uint32_t oldest)
{
	uint32_t number = oldest, looked;
	bool more = false;

	for (looked = 0; looked < LOOK_MOST && number != M_NO_SLOT; looked++) {
		struct sleeper *sleeper = sleeper_of(number);

		if (m_load32(&sleeper->unbounded, memory_order_relaxed) == UNBOUNDED) {
			/* Awake, and not by an owner: who woke it may not have got to that. */
			if (looked < MOVED_AWAKE ||
			    m_load32(&sleeper->state, memory_order_relaxed) == SLEEPER_AWAKE)
				rouse(sleeper);
			else
				more = true;
		}
		number = sleepers_newer(&mutex->sleepers, number);
	}
	return more || number != M_NO_SLOT;
}

/* For the owner that sees MOVED. True: it has changed the word. */
static bool attend(struct onproc_mutex *mutex, uint32_t oldest)
{
	if (rouse_oldest(mutex, oldest))
		return false;
	m_and32(&mutex->word, ~MOVED, memory_order_acq_rel); /* W4 */
	if (rouse_oldest(mutex, sleepers_oldest(&mutex->sleepers)))
		m_or32(&mutex->word, MOVED, memory_order_relaxed);
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

		if (need_not_look(mutex, self, word)) {
			if (m_compare32(&mutex->word, &word, word & ~OWNER, memory_order_release,
					memory_order_relaxed)) /* M2 */
				return 0;
			continue;
		}
		if (!(word & WAITERS)) {
			if (self != M_NO_SLOT)
				m_store64(&m_slot(self)->unlocked, 0, memory_order_relaxed);
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
		if ((word & MOVED) && attend(mutex, oldest))
			continue;
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
		if (is_quiet(word, warm, oldest, now)) {
			if (m_compare32(&mutex->word, &word,
					(word & ~(OWNER | HEAT)) | (warm & HEAT),
					memory_order_release, memory_order_relaxed)) /* M2 */
				return 0;
			continue;
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
	uint32_t me = m_me(), found = 0;

	if (__builtin_expect(me && m_compare32(&mutex->word, &found, me, memory_order_acquire,
					       memory_order_relaxed), /* M1 */
			     1))
		return 0;
	/* Free, with sleepers: while the line is this CPU's. */
	if (me && !(found & (OWNER | CALLED)) && take(mutex, &found, me))
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

	/* Where others slept the last time, the step would fail, and take the line from who polls.
	 */
	if (__builtin_expect(me &&
				     m_load64(&m_slot(me - 1)->unlocked, memory_order_relaxed) !=
					     (uintptr_t)mutex &&
				     m_compare32(&mutex->word, &word, 0, memory_order_release,
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

void mutex_list(struct onproc_mutex *mutex, uint32_t number, uint32_t thread)
{
	sleepers_push(&mutex->sleepers, number, thread, AT_REST, m_now() + TURN_NS);
}

void mutex_announce_listed(struct onproc_mutex *mutex)
{
	uint32_t word = m_load32(&mutex->word, memory_order_relaxed), me = m_self() + 1;
	bool is_free;

	do {
		is_free = !owner_of(word);
	} while (!m_compare32(&mutex->word, &word, word | WAITERS | MOVED | (is_free ? me : 0),
			      memory_order_acq_rel, memory_order_relaxed)); /* W3, M1 */
	if (is_free)
		unlock_slow(mutex);
}

int mutex_lock_listed(struct onproc_mutex *mutex, uint32_t number, bool is_listed)
{
	struct sleeper *sleeper = sleeper_of(number);
	uint32_t self = m_self(), state = SLEEPER_PARKED;
	uint64_t span_ns = patience(mutex), wake_ns;
	int rc;

	if (!is_listed)
		return sleeper_leave(number) ? onproc_mutex_lock(mutex)
					     : granted(mutex, self, sleeper);
	m_store64(&m_slot(self)->unlocked, 0, memory_order_relaxed);
	/* It runs, whoever has woken it: it tries. */
	if (!m_compare32(&sleeper->state, &state, SLEEPER_AWAKE, memory_order_acquire,
			 memory_order_acquire) && /* G2 */
	    state == SLEEPER_GRANTED)
		return granted(mutex, self, sleeper);
	for (rc = try_awake(mutex, self, number); rc == -EAGAIN;) {
		enum waking waking;

		wake_ns = m_now() + span_ns;
		span_ns = span_ns < AGAIN_MOST_NS ? 2 * span_ns : span_ns;
		waking = park(sleeper, wake_ns, NULL);
		if (waking == BY_GRANT)
			return granted(mutex, self, sleeper);
		rc = waking == BY_ITSELF ? try_idle(mutex, self, number)
					 : try_awake(mutex, self, number);
	}
	return rc;
}
