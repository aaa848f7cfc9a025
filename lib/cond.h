/* SPDX-License-Identifier: MIT */
/*
 * cond.h - a wait for a condition variable in its steps, for those who wait in their own way.
 *
 *	prepare (the mutex is locked), unlock, park, finish, lock
 *
 * A broadcast may move the waiter to the sleepers of the mutex: then park ends when the mutex wakes
 * it, finish says so in `moved`, and the mutex must be locked by cond_wait_lock() and nothing else.
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
	bool moved;	 /* by a broadcast, with the mutex */
};

/*
 * The caller waits from here on. mutex: the one it holds and will unlock, or NULL if that is not
 * one of ours: such a waiter is not moved. hold: destroying waits until cond_wait_let_go() after
 * finish.
 */
void cond_wait_prepare(struct cond_wait *wait, struct onproc_cond *cond, struct onproc_mutex *mutex,
		       bool hold);

/* Sleeps. 0: signalled; -ETIMEDOUT. Touches nothing but memory of the library and *until. */
int cond_wait_park(const struct cond_wait *wait, const struct m_deadline *until);

/*
 * Ends the wait; without the mutex. True: signalled; false: given up, and no signal is used up.
 * When the wait was signalled, the condition variable is touched no more: it may be gone.
 */
bool cond_wait_finish(struct cond_wait *wait);

/*
 * Ends a hold, for a wait that may still signal after its end. A waiter that was moved has none:
 * all others were woken, too, and the condition variable may be gone.
 */
void cond_wait_let_go(struct cond_wait *wait);

/* After finish: locks the mutex given to prepare. 0, or as onproc_mutex_lock(). */
int cond_wait_lock(struct cond_wait *wait, struct onproc_mutex *mutex);

/*
 * For a forked child: the thread of this node, which is listed, does not exist any more. True: its
 * sleeper is listed elsewhere.
 */
bool cond_node_is_gone(struct cond_node *node);

#endif
