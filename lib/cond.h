/* SPDX-License-Identifier: MIT */
/*
 * cond.h - a wait for a condition variable in its steps, for those who wait in their own way.
 *
 *	prepare (the mutex is locked), unlock, park, finish, lock
 *
 * What lies between prepare and finish may be a cancellation point: park may be left at any time,
 * by a signal handler's jump or by cancellation, and finish then tells whether a signal is used up.
 */
#ifndef ONPROC_LIB_COND_H
#define ONPROC_LIB_COND_H

#include "machine/machine.h"

#include "onproc/cond.h"

struct cond_wait {
	struct onproc_cond *cond;
	uint32_t number; /* of the node and the sleeper; M_NO_SLOT: none is left */
};

/* The caller waits from here on. mutex: the one it holds, or NULL if that is not one of ours. */
void cond_wait_prepare(struct cond_wait *wait, struct onproc_cond *cond,
		       struct onproc_mutex *mutex);

/* Sleeps. 0: signalled; -ETIMEDOUT. Touches nothing but memory of the library and *until. */
int cond_wait_park(const struct cond_wait *wait, const struct m_deadline *until);

/*
 * Ends the wait; without the mutex. True: signalled; false: given up, and no signal is used up.
 * When the wait was signalled, the condition variable is touched no more: it may be gone.
 */
bool cond_wait_finish(struct cond_wait *wait);

/*
 * Between both, destroying waits: for a wait that may still signal after its end. With a wait that
 * begins in between.
 */
static inline void cond_hold(struct onproc_cond *cond)
{
	m_add32(&cond->inside, 1, memory_order_relaxed);
}

static inline void cond_let_go(struct onproc_cond *cond)
{
	m_add32(&cond->inside, (uint32_t)-1, memory_order_release); /* C11 */
}

/* Locks the mutex given to prepare. 0, or as onproc_mutex_lock(). */
int cond_wait_lock(struct cond_wait *wait, struct onproc_mutex *mutex);

/* For a forked child: the thread of this node, which is listed, does not exist any more. */
void cond_node_is_gone(struct cond_node *node);

#endif
