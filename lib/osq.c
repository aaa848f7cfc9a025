// SPDX-License-Identifier: MIT
/*
 * osq.c - the optimistic spin queue: who may poll, one at a time, in order of arrival.
 *
 * An MCS queue by slot number whose members may leave from any place, after the shape of the Linux
 * kernel's OSQ. The kernel's relies on preemption being off: a member waits for a neighbour's next
 * step by polling. Here a thread may lose its CPU between any two steps, so nobody waits for a
 * step: whoever would have to closes its node instead, and goes on. The neighbour finds the closed
 * node when it takes its step, and does the rest.
 *
 * tail   slot + 1 of the newest member; 0: empty
 * front  of a member: PRED(slot + 1) it waits for, GRANTED: it holds the queue, GONE: its thread
 *        has left while the predecessor was about to write here; the predecessor acts for it
 * next   of a member: 0, slot + 1 of who waits for it, or CLOSED: it has gone, and whoever was
 * about to link to it inherits `front`: holds the queue if that is GRANTED, else waits for PRED
 * busy   the node is still part of a queue, though its thread has gone: passing by it, whoever
 *        inherits frees it. Until then its thread enters no queue
 *
 * enter   exchange the tail; with a predecessor, link: next of the predecessor becomes me
 * wait    poll my front; leave when I should yield or when the predecessor is not on a CPU
 * unlock  move the tail from me to 0; else close my next: the successor becomes GRANTED
 * leave   1 freeze the predecessor: its next goes from me to 0, so that it cannot grant me
 *         2 freeze the successor: move the tail back to the predecessor, else close my next
 *         3 unlink: the successor's front and the predecessor's next name each other
 *         In 1 the predecessor may have taken me out already, to grant me or to leave itself: then
 *         I set my front to GONE, and the predecessor, which finds it, does 2 and 3, or the
 *         unlocking, for my node. In 3 the predecessor may have closed: its heir is my successor.
 *
 * When 2 has moved the tail back to a predecessor that closes at the same time, the tail names a
 * node that has gone. Either of both sees the other's step (T3, N3), enters once more and unlocks.
 *
 * Order                            Pairs with              Without it
 * T1 exchange tail, acq_rel        T1, T2, T3 of others    a linker meets an old `next`; the owner
 *                                                          misses what the last one wrote
 *    = osq_enter_without_acquire, osq_enter_without_release
 * T2 unlock: tail to 0, seq_cst    T1                      as T1; and with T3 a tail is left over
 *    = osq_unlock_without_release
 * T3 leave: tail back, and look    T1; N3 by N2's owner    as T2
 *    at it again, seq_cst
 *    = osq_tail_back_without_seq_cst, osq_looks_at_the_tail_again_relaxed
 * N1 link, acq_rel/acquire         N2, N4                  an heir reads an old `front`
 *    = osq_link_relaxed, osq_unlink_relaxed
 * N2 close, seq_cst                N1; T3 by N3's reader   the heir of a closed node holds the
 *                                                          queue without what was written; as N3
 *    = osq_close_relaxed, osq_close_without_seq_cst
 * N3 look at a closed tail,        N2                      a tail is left over
 *    seq_cst
 *    = osq_looks_at_a_closed_tail_relaxed
 * N4 freeze, acq_rel/acquire       N1, N2                  the successor is linked to what is old
 *    = not shown
 * F1 grant, acq_rel                F2, F3                  as T1, by a hand-over
 *    = osq_grant_relaxed, osq_grant_to_the_next_of_one_that_has_gone_relaxed
 * F2 see the grant, acquire        F1                      as F1
 *    = osq_see_grant_relaxed, osq_leave_sees_grant_relaxed
 * F3 gone, acq_rel/acquire         F1, F4                  the actor sees an old `next` of mine
 *    = not shown
 * F4 name another predecessor,     F2, F3                  a waiter reads an old node
 *    acq_rel/acquire
 *    = not shown
 * B1 free a node, release          B2                      a node is used that is still read
 *    = not shown
 * B2 is my node free, acquire      B1                      as B1
 *    = not shown
 * = the mutants of tests/model/mutants.txt that weaken it and are found; docs/checking.md says of
 * what is not shown why.
 */
#include "osq.h"

#include "onproc/osq.h"
#include "slot.h"

#define CLOSED	0x10000u
#define GRANTED 0x20000u
#define GONE	0x30000u

static struct osq_node *node_of(uint32_t slot)
{
	return &m_slot(slot)->osq;
}

static void node_free(uint32_t slot)
{
	m_store32(&node_of(slot)->busy, 0, memory_order_release); /* B1 */
}

static void unlock_for(uint16_t *tail, uint32_t self, uint32_t member);

/* A closed node may have been left as the tail: whoever enters inherits it, so enter and unlock. */
static void sweep(uint16_t *tail, uint32_t self)
{
	struct m_spin none;

	m_spin_begin(&none, 0);
	if (osq_lock(tail, self, &none))
		unlock_for(tail, self, self);
}

/* Moves the tail from the member to `back` (slot + 1, or 0). False: there is a successor. */
static bool tail_back(uint16_t *tail, uint32_t self, uint32_t member, uint32_t back)
{
	uint16_t found = (uint16_t)(member + 1);

	if (!m_compare16(tail, &found, (uint16_t)back, memory_order_seq_cst,
			 memory_order_relaxed)) /* T2, T3 */
		return false;
	node_free(member);
	if (back && m_load32(&node_of(back - 1)->next, memory_order_seq_cst) == CLOSED) /* N3 */
		sweep(tail, self);
	return true;
}

/*
 * Step 2 of leaving, and unlocking: the member, which is the caller or gone, is no longer waited
 * for. Returns the slot + 1 of its successor, frozen; 0: there is none, or it will inherit.
 */
static uint32_t freeze_next(uint16_t *tail, uint32_t self, uint32_t member, uint32_t back)
{
	uint32_t next;

	if (tail_back(tail, self, member, back))
		return 0;
	next = m_exchange32(&node_of(member)->next, CLOSED, memory_order_seq_cst); /* N2 */
	if (next)
		return next;
	/* A successor that left may have made this the tail again, before it could see N2. */
	if (m_load16(tail, memory_order_seq_cst) == member + 1) { /* T3 */
		if (member == self)
			tail_back(tail, self, member, back);
		else
			sweep(tail, self);
	}
	return 0;
}

/* The member holds the queue, and is the caller or gone: unlocks for it. */
static void unlock_for(uint16_t *tail, uint32_t self, uint32_t member)
{
	for (;;) {
		uint32_t next = freeze_next(tail, self, member, 0), front;

		if (!next)
			return;
		front = m_exchange32(&node_of(next - 1)->front, GRANTED,
				     memory_order_acq_rel); /* F1 */
		node_free(member);
		if (front != GONE)
			return;
		member = next - 1;
	}
}

/* The member closed before anyone linked to it: its heir takes over its front and frees it. */
static uint32_t inherit(uint32_t member)
{
	uint32_t front = m_load32(&node_of(member)->front, memory_order_relaxed);

	node_free(member);
	return front;
}

/*
 * Step 3 of leaving: makes `next` wait for pred instead of the member. False: next has gone, and
 * is to be left for. *pred is who it really waits for, since predecessors may have gone.
 */
static bool unlink_member(uint16_t *tail, uint32_t self, uint32_t member, uint32_t next,
			  uint32_t *pred)
{
	struct osq_node *node = node_of(next);
	uint32_t from = member + 1;

	for (;;) {
		uint32_t found = from, none = 0, front;

		if (!m_compare32(&node->front, &found, *pred + 1, memory_order_acq_rel,
				 memory_order_acquire)) { /* F4 */
			/* Nobody else acts for a node that has gone. */
			m_store32(&node->front, *pred + 1, memory_order_relaxed);
			node_free(member);
			return false;
		}
		if (m_compare32(&node_of(*pred)->next, &none, next + 1, memory_order_acq_rel,
				memory_order_acquire)) { /* N1 */
			node_free(member);
			return true;
		}
		front = inherit(*pred);
		if (front == GRANTED) {
			node_free(member);
			if (m_exchange32(&node->front, GRANTED, memory_order_acq_rel) ==
			    GONE) /* F1 */
				unlock_for(tail, self, next);
			return true;
		}
		from = *pred + 1;
		*pred = front - 1;
	}
}

/* Steps 2 and 3 for the caller, whose predecessor is frozen, and for successors that have gone. */
static void leave_for(uint16_t *tail, uint32_t self, uint32_t pred)
{
	uint32_t member = self, next;

	do {
		next = freeze_next(tail, self, member, pred + 1);
		if (!next || unlink_member(tail, self, member, next - 1, &pred))
			return;
		member = next - 1;
	} while (true);
}

/* Leaves. True: was granted the queue meanwhile, and holds it. */
static bool leave(uint16_t *tail, uint32_t self)
{
	struct osq_node *node = node_of(self);

	for (;;) {
		uint32_t front = m_load32(&node->front, memory_order_acquire); /* F2 */
		uint32_t me = self + 1;

		if (front == GRANTED)
			return true;
		if (m_compare32(&node_of(front - 1)->next, &me, 0, memory_order_acq_rel,
				memory_order_acquire)) { /* N4 */
			leave_for(tail, self, front - 1);
			return false;
		}
		/* The predecessor has taken me out, and may be off its CPU for long. */
		if (m_compare32(&node->front, &front, GONE, memory_order_acq_rel,
				memory_order_acquire)) /* F3 */
			return false;
	}
}

/* Links to the predecessor. True: that had gone and left the queue to its heir. */
static bool link_to(uint32_t self, uint32_t pred)
{
	struct osq_node *node = node_of(self);

	for (;;) {
		uint32_t none = 0, front;

		m_store32(&node->front, pred + 1, memory_order_relaxed);
		if (m_compare32(&node_of(pred)->next, &none, self + 1, memory_order_acq_rel,
				memory_order_acquire)) /* N1 */
			return false;
		front = inherit(pred);
		if (front == GRANTED)
			break;
		pred = front - 1;
	}
	m_store32(&node->front, GRANTED, memory_order_relaxed);
	return true;
}

/* Waits for the predecessor to unlock. Built twice, so that without a sensor nothing asks it. */
static inline __attribute__((always_inline)) bool wait_for(uint16_t *tail, uint32_t self,
							   struct m_spin *spin, bool sensing)
{
	struct osq_node *node = node_of(self);

	for (;;) {
		uint32_t front = m_load32(&node->front, memory_order_acquire); /* F2 */

		if (front == GRANTED)
			return true;
		if (sensing && m_preempted(front - 1)) {
			m_count(STAT_PREDECESSOR_OFF);
			break;
		}
		if (m_should_yield(spin)) {
			m_count(STAT_BUDGET_SPENT);
			break;
		}
		m_pause();
	}
	return leave(tail, self);
}

static __attribute__((noinline)) bool wait_sensing(uint16_t *tail, uint32_t self,
						   struct m_spin *spin)
{
	return wait_for(tail, self, spin, true);
}

static __attribute__((noinline)) bool wait_blind(uint16_t *tail, uint32_t self, struct m_spin *spin)
{
	return wait_for(tail, self, spin, false);
}

bool osq_lock(uint16_t *tail, uint32_t self, struct m_spin *spin)
{
	struct osq_node *node = node_of(self);
	uint16_t old;

	/* An exchange, since a signal handler may enter a queue in between. */
	if (m_exchange32(&node->busy, 1, memory_order_acquire)) /* B2 */
		return false;
	m_store32(&node->next, 0, memory_order_relaxed);
	/* What the heir of an owner that finds no successor inherits. */
	m_store32(&node->front, GRANTED, memory_order_relaxed);
	old = m_exchange16(tail, (uint16_t)(self + 1), memory_order_acq_rel); /* T1 */
	if (!old || link_to(self, old - 1u))
		return true;
	return m_sensing() ? wait_sensing(tail, self, spin) : wait_blind(tail, self, spin);
}

void osq_unlock(uint16_t *tail, uint32_t self)
{
	unlock_for(tail, self, self);
}

void osq_node_is_gone(struct osq_node *node)
{
	m_store32(&node->front, GRANTED, memory_order_relaxed);
	m_store32(&node->next, CLOSED, memory_order_relaxed);
}

bool onproc_osq_lock(struct onproc_osq *osq, uint32_t budget_ns)
{
	uint32_t self = m_self();
	struct m_spin spin;

	if (self == M_NO_SLOT)
		return false;
	m_spin_begin(&spin, budget_ns);
	return osq_lock(&osq->tail, self, &spin);
}

void onproc_osq_unlock(struct onproc_osq *osq)
{
	osq_unlock(&osq->tail, m_self());
}

bool onproc_osq_is_locked(const struct onproc_osq *osq)
{
	return m_load16(&osq->tail, memory_order_relaxed) != 0;
}
