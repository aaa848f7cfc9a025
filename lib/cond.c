// SPDX-License-Identifier: MIT
/*
 * cond.c - the condition variable: a list of named waiters that nobody locks.
 *
 * newest    version (32 bits), and slot + 1 of the newest waiter
 * inside    waits that may still touch this memory
 * link      of a waiter: version, state, and slot + 1 of the one that came before it
 *
 * A list after Michael's (2002), by slot numbers: a version that grows with every change of a link
 * stands for the identity of pointers, so nodes can be used again at once. A waiter pushes itself
 * in front. It is taken by whoever changes its state from WAITING, and thereby fixes its link:
 *   SIGNALLED  a signal, or a broadcast, has taken it and is about to wake it
 *   WOKEN      it has been woken; may be taken out
 *   MOVING     a broadcast has taken it and is about to list it among the sleepers of its mutex
 *   MOVED_AWAY it is listed there; may be taken out
 *   LEFT       its time was over, or it was cancelled; may be taken out
 *   GONE       waited when the process was forked, and is not in the child; may be taken out
 * Whoever walks over the list takes out what may be, and wakes what is SIGNALLED first: so a waker
 * that stops in the middle keeps nobody from waking others, nor those after it from being woken.
 *
 * A signal walks to the oldest that is WAITING. A broadcast takes those that came before it, oldest
 * first, in lots. Neither waits for anyone, nor needs the mutex.
 *
 * A broadcast wakes only those whose mutex is none of ours. All others could but sleep again until
 * it is their turn with the mutex: they are moved to its sleepers while they sleep (mutex.c), where
 * its unlock wakes one when the one before goes. A broadcast that finds the mutex free locks and
 * unlocks it, for there may be nobody else to do so. From MOVING on the sleeper is the mutex's, and
 * its thread, whatever ended its sleep, has been signalled. One that finds itself MOVED_AWAY goes
 * on as one of its sleepers, woken or granted the lock. One that finds itself MOVING cannot know if
 * it is listed: it leaves that sleeper to the mutex as if it gave up, and locks with another one.
 *
 * Once taken by either a waiter touches the list no more: it wakes by its own word (the state of
 * its sleeper) and reads its own link. So the memory may go as soon as all have been signalled. One
 * that gives up takes itself out, and destroying waits for it: `inside` counts it until then.
 *
 * A node is marked as listed until it has been taken out; its thread uses another one meanwhile. A
 * thread to which no node is left sleeps for a millisecond and returns: a wake-up without reason.
 *
 * Order                                 Pairs with           Without it
 * C1 push, acq_rel                      C2                   a walker reads an old link
 *    = cond_push_relaxed
 * C2 read a link, acquire               C1, C4, C7           a walker goes on from a node that is
 *                                                            used again, and believes it
 *    = cond_walk_begins_relaxed
 * C3 take a waiter, say MOVED_AWAY,     C9; C3 of others     the waiter returns before what the
 *    acq_rel                                                 signaller wrote; a moved one takes
 *                                                            itself out of where it is not yet
 *    = not shown
 * C4 take out of the list, acq_rel      C2                   as C1
 *    = not shown
 * C5 no longer listed, release          sleeper_is_free()    a node is used that is still linked
 *    = not shown
 * C6 awake, release                     C8                   the waiter sees that it is awake, not
 *                                                            that it is signalled, and sleeps again
 *    = cond_marks_awake_relaxed
 * C7 the first link of a node, release  C2                   as C2
 *    = not shown
 * C8 park again, acq_rel; else acquire  C6, mutex.c: R1, G1  as C6; and as a plain store the waker
 *                                                            would not see it, and not wake
 *    = cond_moved_sees_its_mutex_relaxed
 * C9 read the own link, acquire         C3                   as C3
 *    = not shown
 * C10 nobody inside, acquire            C11                  memory is freed that is still read
 *    = not shown
 * C11 go outside, release               C10                  as C10
 *    = not shown
 * = the mutants of tests/model/mutants.txt that weaken it and are found; docs/checking.md says of
 * what is not shown why.
 */
#include "cond.h"

#include "mutex.h"
#include "sleepers.h"
#include "slot.h"
#include "times.h"

#define ALONE_NS	 1000000u /* sleep of a thread for which no node is left */
#define FIRST_SLEEP_NS	 50000u	  /* of who destroys: less is lost in the granularity of timers */
#define LONGEST_SLEEP_NS 1000000000u /* after this, and all before, it is not a matter of time */
#ifndef LOT
#	define LOT 32 /* waiters that a broadcast takes in one walk */
#endif

enum state {
	WAITING = 1,
	SIGNALLED,
	WOKEN,
	LEFT,
	GONE,
	MOVING,
	MOVED_AWAY,
};

/* The oldest waiters that a walk has met, in a ring: `met` counts all. */
struct lot {
	uint32_t met;
	uint32_t number[LOT];
	uint64_t link[LOT];
};

static struct cond_node *node_of(uint32_t number)
{
	return &m_slot(number)->cond;
}

static uint32_t older_of(uint64_t link)
{
	return link & 0xffff;
}

static enum state state_of(uint64_t link)
{
	return (link >> 16) & 0xffff;
}

static bool is_moved(enum state state)
{
	return state == MOVING || state == MOVED_AWAY;
}

static uint32_t version_of(uint64_t link)
{
	return (uint32_t)(link >> 32);
}

/* What follows upon a link. */
static uint64_t next_link(uint64_t link, uint32_t state, uint32_t older)
{
	return (link & ~0xffffffffull) + (1ull << 32) + ((uint64_t)state << 16) + older;
}

/* Takes a waiter, or says how far its taking has come. */
static bool change_state(uint32_t number, uint64_t link, enum state state)
{
	return m_compare64(&node_of(number)->link, &link, next_link(link, state, older_of(link)),
			   memory_order_acq_rel, memory_order_relaxed); /* C3 */
}

/*
 * `again`: perhaps somebody has marked it as awake and stopped before waking it. What is awake is
 * marked all the same: that puts this mark and the waiter's (C8) into an order.
 */
static void wake(uint32_t number, bool again)
{
	uint32_t *state = &sleeper_of(number)->state;
	uint32_t found = m_load32(state, memory_order_relaxed);

	/* It may be in another wait by now: then that looks around for nothing. */
	while (found == SLEEPER_PARKED || found == SLEEPER_AWAKE) {
		if (m_compare32(state, &found, SLEEPER_AWAKE, memory_order_release,
				memory_order_relaxed)) /* C6 */
			break;
	}
	if (found == SLEEPER_PARKED || again)
		m_unpark(state, 1);
}

/* So many less use the condition variable. */
static void go_outside(struct onproc_cond *cond, uint32_t inside)
{
	m_add32(&cond->inside, -inside, memory_order_release); /* C11 */
}

/* Has the waiter come before the version of the list? */
static bool came_before(uint32_t number, uint32_t version)
{
	return (int32_t)(version - m_load32(&node_of(number)->arrival, memory_order_relaxed)) >= 0;
}

/* The waiter behind `from` has been taken: sees that it is woken and takes it out. */
static bool take_out(struct onproc_cond *cond, uint64_t *from, uint64_t *before, uint64_t link)
{
	uint32_t number = older_of(*before) - 1;
	uint64_t after = next_link(*before, state_of(*before), older_of(link));
	uint32_t inside = m_load32(&node_of(number)->inside, memory_order_relaxed);

	if (state_of(link) == SIGNALLED) {
		wake(number, true);
		change_state(number, link, WOKEN);
	}
	if (!m_compare64(from, before, after, memory_order_acq_rel, memory_order_relaxed)) /* C4 */
		return false;
	m_store32(&node_of(number)->listed, 0, memory_order_release); /* C5 */
	if (state_of(link) == GONE)
		go_outside(cond, inside);
	*before = after;
	return true;
}

/* Walks once over all that is listed, takes out what may be, and notes who waits. */
static void walk(struct onproc_cond *cond, uint32_t version, struct lot *lot)
{
	uint64_t *from, before;

again:
	lot->met = 0;
	from = &cond->newest;
	before = m_load64(from, memory_order_acquire); /* C2 */
	while (older_of(before)) {
		uint32_t number = older_of(before) - 1;
		uint64_t link = m_load64(&node_of(number)->link, memory_order_acquire); /* C2 */
		bool is_meant = came_before(number, version);

		/* Unchanged: the node was listed behind it when its link was read. */
		if (m_load64(from, memory_order_relaxed) != before)
			goto again;
		if (state_of(link) != WAITING && state_of(link) != MOVING) {
			if (!take_out(cond, from, &before, link))
				goto again;
			continue;
		}
		if (is_meant && state_of(link) == WAITING) {
			lot->number[lot->met % LOT] = number;
			lot->link[lot->met % LOT] = link;
			lot->met++;
		}
		from = &node_of(number)->link;
		before = link;
	}
}

/* Takes a waiter that a walk has met, and wakes it. False: it has been changed since. */
static bool signal_one(struct onproc_cond *cond, uint32_t number, uint64_t link)
{
	if (!change_state(number, link, SIGNALLED))
		return false;
	go_outside(cond, 1);
	wake(number, false);
	change_state(number, next_link(link, SIGNALLED, older_of(link)), WOKEN);
	return true;
}

static struct onproc_mutex *mutex_of(uint32_t number)
{
	return (struct onproc_mutex *)(uintptr_t)m_load64(&node_of(number)->mutex,
							  memory_order_relaxed);
}

/* Moves a waiter that a walk has met. False: it has been changed since. */
static bool move_one(struct onproc_cond *cond, uint32_t number, uint64_t link,
		     struct onproc_mutex *mutex)
{
	uint32_t inside = m_load32(&node_of(number)->inside, memory_order_relaxed);
	uint32_t thread = m_load32(&sleeper_of(number)->thread, memory_order_relaxed);

	if (!change_state(number, link, MOVING))
		return false;
	go_outside(cond, inside);
	mutex_list(mutex, number, thread);
	/* Those behind it are taken out meanwhile, by its link. */
	do {
		link = m_load64(&node_of(number)->link, memory_order_relaxed);
	} while (!change_state(number, link, MOVED_AWAY));
	return true;
}

/* Takes those that a walk has met, the oldest first. */
static void end_waits(struct onproc_cond *cond, const struct lot *lot)
{
	struct onproc_mutex *told = NULL;
	uint32_t n;

	for (n = lot->met; n > 0 && lot->met - n < LOT; n--) {
		uint32_t number = lot->number[(n - 1) % LOT];
		uint64_t link = lot->link[(n - 1) % LOT];
		struct onproc_mutex *mutex = mutex_of(number);

		if (!mutex) {
			signal_one(cond, number, link);
			continue;
		}
		if (told && mutex != told) {
			mutex_announce_listed(told);
			told = NULL;
		}
		if (move_one(cond, number, link, mutex))
			told = mutex;
	}
	if (told)
		mutex_announce_listed(told);
}

/* A node and sleeper for a wait. */
static uint32_t node_take(struct onproc_cond *cond)
{
	uint32_t self = m_self(), number;
	struct lot lot;

	if (self == M_NO_SLOT)
		return self;
	number = sleeper_take(self);
	if (number != M_NO_SLOT)
		return number;
	/* They may all be waiting here to be taken out. */
	walk(cond, 0, &lot);
	return sleeper_take(self);
}

void cond_wait_prepare(struct cond_wait *wait, struct onproc_cond *cond, struct onproc_mutex *mutex,
		       bool hold)
{
	uint32_t number = node_take(cond);
	uint32_t inside = (number != M_NO_SLOT ? 1u : 0) + (hold ? 1u : 0);
	struct cond_node *node;
	uint64_t before;

	wait->cond = cond;
	wait->number = number;
	wait->moved = false;
	m_add32(&cond->inside, inside, memory_order_relaxed);
	if (number == M_NO_SLOT)
		return;
	node = node_of(number);
	m_store32(&node->inside, inside, memory_order_relaxed);
	m_store32(&sleeper_of(number)->thread, m_self(), memory_order_relaxed);
	m_store32(&sleeper_of(number)->unbounded, UNBOUNDED, memory_order_relaxed);
	m_store32(&sleeper_of(number)->state, SLEEPER_PARKED, memory_order_relaxed);
	m_store32(&node->listed, 1, memory_order_relaxed);
	m_store64(&node->mutex, (uintptr_t)mutex, memory_order_relaxed);
	before = m_load64(&cond->newest, memory_order_relaxed);
	do {
		m_store32(&node->arrival, version_of(before) + 1, memory_order_relaxed);
		m_store64(&node->link,
			  next_link(m_load64(&node->link, memory_order_relaxed), WAITING,
				    older_of(before)),
			  memory_order_release); /* C7 */
	} while (!m_compare64(&cond->newest, &before, next_link(before, 0, number + 1),
			      memory_order_acq_rel, memory_order_relaxed)); /* C1 */
}

int cond_wait_park(const struct cond_wait *wait, const struct m_deadline *until)
{
	uint32_t alone = 0, *state;

	if (wait->number == M_NO_SLOT) {
		uint64_t left_ns = m_left(until);

		m_park_for(&alone, 0, left_ns < ALONE_NS ? left_ns : ALONE_NS);
		return left_ns ? 0 : -ETIMEDOUT;
	}
	state = &sleeper_of(wait->number)->state;
	for (;;) {
		uint32_t awake = SLEEPER_AWAKE;

		/* Awake for another wait's sake: sleeps again, unless it is for this one's. */
		m_compare32(state, &awake, SLEEPER_PARKED, memory_order_acq_rel,
			    memory_order_acquire); /* C8 */
		if (state_of(m_load64(&node_of(wait->number)->link, memory_order_acquire)) !=
		    WAITING) /* C9 */
			return 0;
		if (!m_left(until))
			return -ETIMEDOUT;
		m_count(STAT_PARKED);
		m_park(state, SLEEPER_PARKED, until);
	}
}

/* Takes the caller's own waiter. False: it is signalled. */
static bool leave(uint32_t number)
{
	uint64_t link;

	do {
		link = m_load64(&node_of(number)->link, memory_order_acquire); /* C9 */
		if (state_of(link) != WAITING)
			return false;
	} while (!change_state(number, link, LEFT));
	return true;
}

bool cond_node_is_gone(struct cond_node *node)
{
	uint64_t link = m_load64(&node->link, memory_order_relaxed);
	enum state state = state_of(link);

	if (state == WAITING || state == LEFT)
		m_store64(&node->link, next_link(link, GONE, older_of(link)), memory_order_relaxed);
	/* Who moved it is not there either. */
	if (state == MOVING)
		m_store64(&node->link, next_link(link, MOVED_AWAY, older_of(link)),
			  memory_order_relaxed);
	return is_moved(state);
}

static enum state own_state(const struct cond_wait *wait)
{
	return state_of(m_load64(&node_of(wait->number)->link, memory_order_acquire)); /* C9 */
}

bool cond_wait_finish(struct cond_wait *wait)
{
	bool left;

	if (wait->number == M_NO_SLOT)
		return true;
	m_store32(&sleeper_of(wait->number)->unbounded, BOUNDED, memory_order_relaxed);
	left = leave(wait->number);
	wait->moved = !left && is_moved(own_state(wait));
	if (wait->moved)
		return true;
	if (left) {
		struct lot lot;

		m_count(STAT_TIMED_OUT);
		walk(wait->cond, 0, &lot);
		go_outside(wait->cond, 1);
	}
	m_store32(&sleeper_of(wait->number)->state, SLEEPER_FREE, memory_order_release);
	return !left;
}

int cond_wait_lock(struct cond_wait *wait, struct onproc_mutex *mutex)
{
	if (!wait->moved)
		return onproc_mutex_lock(mutex);
	return mutex_lock_listed(mutex, wait->number, own_state(wait) == MOVED_AWAY);
}

void cond_wait_let_go(struct cond_wait *wait)
{
	if (!wait->moved)
		go_outside(wait->cond, 1);
}

static int wait_until(struct onproc_cond *cond, struct onproc_mutex *mutex,
		      const struct m_deadline *until)
{
	struct cond_wait wait;
	int rc = mutex_check_owner(mutex), parked;

	if (rc)
		return rc;
	cond_wait_prepare(&wait, cond, mutex, false);
	onproc_mutex_unlock(mutex);
	parked = cond_wait_park(&wait, until);
	if (cond_wait_finish(&wait) && wait.number != M_NO_SLOT)
		parked = 0;
	rc = cond_wait_lock(&wait, mutex);
	return rc ? rc : parked;
}

int onproc_cond_init(struct onproc_cond *cond, unsigned int options)
{
	if (options & ~ONPROC_COND_SHARED)
		return -EINVAL;
	if (options & ONPROC_COND_SHARED)
		return -ENOTSUP;
	m_store64(&cond->newest, 0, memory_order_relaxed);
	m_store32(&cond->inside, 0, memory_order_relaxed);
	return 0;
}

int onproc_cond_destroy(struct onproc_cond *cond)
{
	uint64_t sleep_ns = FIRST_SLEEP_NS;
	uint32_t alone = 0;
	struct m_spin spin;
	struct lot lot;

	walk(cond, version_of(m_load64(&cond->newest, memory_order_relaxed)), &lot);
	if (lot.met)
		return -EBUSY;
	m_spin_begin(&spin, FIRST_SLEEP_NS);
	while (m_load32(&cond->inside, memory_order_acquire)) { /* C10 */
		if (!m_should_yield(&spin)) {
			m_pause();
			continue;
		}
		if (sleep_ns > LONGEST_SLEEP_NS)
			return -EBUSY;
		m_park_for(&alone, 0, sleep_ns);
		sleep_ns *= 2;
	}
	return 0;
}

int onproc_cond_wait(struct onproc_cond *cond, struct onproc_mutex *mutex)
{
	return wait_until(cond, mutex, NULL);
}

int onproc_cond_timedwait(struct onproc_cond *cond, struct onproc_mutex *mutex, clockid_t clock,
			  const struct timespec *at)
{
	struct m_deadline until;

	if (!deadline_set(&until, clock, at))
		return -EINVAL;
	return wait_until(cond, mutex, &until);
}

int onproc_cond_signal(struct onproc_cond *cond)
{
	struct lot lot;
	uint32_t oldest;

	do {
		walk(cond, version_of(m_load64(&cond->newest, memory_order_relaxed)), &lot);
		if (!lot.met)
			return 0;
		oldest = (lot.met - 1) % LOT;
	} while (!signal_one(cond, lot.number[oldest], lot.link[oldest]));
	walk(cond, 0, &lot);
	return 0;
}

int onproc_cond_broadcast(struct onproc_cond *cond)
{
	uint32_t version = version_of(m_load64(&cond->newest, memory_order_relaxed));
	struct lot lot;

	for (;;) {
		walk(cond, version, &lot);
		if (!lot.met)
			return 0;
		end_waits(cond, &lot);
	}
}
