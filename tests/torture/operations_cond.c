// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * operations_cond.c - meetings at a condition variable at which no wake-up may be lost.
 *
 * pair  One thread waits; the next one that comes ends its wait by one signal. Nobody else signals
 *       until the waiter has gone, so a lost signal hangs.
 * gate  Many wait; one broadcast lets all go, and the next one comes only after the last of them.
 *
 * Only as many wait without a time that two threads are always left to end each wait.
 */
#include "torture.h"

#include <errno.h>

static bool may_wait(struct torture *torture)
{
	if (__atomic_add_fetch(&torture->waiters, 1, __ATOMIC_RELAXED) + 2 <= torture->threads)
		return true;
	__atomic_fetch_sub(&torture->waiters, 1, __ATOMIC_RELAXED);
	return false;
}

static void lock_it(struct worker *worker, struct lock *lock)
{
	uint64_t since_ns = now_ns();

	guard_expect(worker, lock, "mutex_lock", onproc_mutex_lock(&lock->mutex), 0);
	worker_waited(worker, since_ns);
}

static void unlock_it(struct worker *worker, struct lock *lock)
{
	guard_expect(worker, lock, "mutex_unlock", onproc_mutex_unlock(&lock->mutex), 0);
}

/* Ends the waits of a meeting. The caller holds the mutex. */
static bool end_waits(struct meeting *meeting)
{
	if (!meeting->waiting || meeting->leaving)
		return false;
	meeting->leaving = meeting->waiting;
	meeting->waiting = 0;
	meeting->round++;
	return true;
}

/* Waits until the round is over. The caller holds the mutex and is counted as waiting. */
static void wait_for_round(struct worker *worker, struct lock *lock, struct meeting *meeting)
{
	uint32_t round = meeting->round;

	while (meeting->round == round)
		guard_expect(worker, lock, "cond_wait",
			     onproc_cond_wait(&meeting->cond, &lock->mutex), 0);
	meeting->leaving--;
}

void cond_pair(struct worker *worker, struct lock *lock, struct random *random)
{
	struct meeting *meeting = &lock->pair;

	lock_it(worker, lock);
	guard_enter(worker, lock, random);
	if (end_waits(meeting)) {
		onproc_cond_signal(&meeting->cond);
	} else if (!meeting->leaving && may_wait(worker->torture)) {
		meeting->waiting = 1;
		wait_for_round(worker, lock, meeting);
		__atomic_fetch_sub(&worker->torture->waiters, 1, __ATOMIC_RELAXED);
		guard_enter(worker, lock, random);
	}
	unlock_it(worker, lock);
}

/* As pair, but the waiter goes when its time is over, unless its wait has been ended. */
void cond_pair_timed(struct worker *worker, struct lock *lock, struct random *random)
{
	clockid_t clock = random_below(random, 2) ? CLOCK_MONOTONIC : CLOCK_REALTIME;
	struct meeting *meeting = &lock->pair;

	lock_it(worker, lock);
	if (end_waits(meeting)) {
		onproc_cond_signal(&meeting->cond);
	} else if (!meeting->leaving) {
		struct timespec at = deadline_of(random, clock);
		uint32_t round = meeting->round;
		int rc = 0;

		meeting->waiting = 1;
		while (meeting->round == round && !rc)
			rc = onproc_cond_timedwait(&meeting->cond, &lock->mutex, clock, &at);
		if (rc)
			guard_expect(worker, lock, "cond_timedwait", rc, -ETIMEDOUT);
		if (meeting->round == round)
			meeting->waiting = 0;
		else
			meeting->leaving--;
		guard_enter(worker, lock, random);
	}
	unlock_it(worker, lock);
}

void cond_gate_wait(struct worker *worker, struct lock *lock, struct random *random)
{
	struct meeting *meeting = &lock->gate;

	lock_it(worker, lock);
	guard_enter(worker, lock, random);
	if (!meeting->leaving && may_wait(worker->torture)) {
		meeting->waiting++;
		wait_for_round(worker, lock, meeting);
		__atomic_fetch_sub(&worker->torture->waiters, 1, __ATOMIC_RELAXED);
		guard_enter(worker, lock, random);
	}
	unlock_it(worker, lock);
}

void cond_gate_open(struct worker *worker, struct lock *lock, struct random *random)
{
	bool outside = random_below(random, 2), ends;

	lock_it(worker, lock);
	ends = end_waits(&lock->gate);
	if (ends && !outside)
		onproc_cond_broadcast(&lock->gate.cond);
	unlock_it(worker, lock);
	if (ends && outside)
		onproc_cond_broadcast(&lock->gate.cond);
}

void cond_release(struct torture *torture)
{
	uint32_t n;

	for (n = 0; n < torture->lock_count; n++) {
		struct lock *lock = &torture->locks[n];

		if (lock->kind != KIND_COND || onproc_mutex_trylock(&lock->mutex))
			continue;
		if (end_waits(&lock->pair))
			onproc_cond_signal(&lock->pair.cond);
		if (end_waits(&lock->gate))
			onproc_cond_broadcast(&lock->gate.cond);
		onproc_mutex_unlock(&lock->mutex);
	}
}
