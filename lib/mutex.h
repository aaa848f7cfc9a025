/* SPDX-License-Identifier: MIT */
/* mutex.h - what other locks ask of the mutex. See mutex.c. */
#ifndef ONPROC_LIB_MUTEX_H
#define ONPROC_LIB_MUTEX_H

#include "machine/machine.h"

#include "onproc/mutex.h"

/*
 * sleeper.unbounded, by which the owner knows whom it must wake. Every sleeper of a mutex looks for
 * itself from time to time, but a waiter that was moved here from a condition variable sleeps on
 * as it did there, until it is woken for the first time. Its thread writes the first two.
 */
enum mutex_unbounded {
	BOUNDED = 0,
	UNBOUNDED,
	UNBOUNDED_WOKEN, /* by an owner; it may not have run yet */
};

/* Does the caller own it? False, too, for a thread without a slot. */
bool mutex_is_mine(const struct onproc_mutex *mutex);

/* 0; -EPERM: it is error-checking, and the caller does not own it. */
int mutex_check_owner(const struct onproc_mutex *mutex);

/*
 * For whoever has a claimed, PARKED and UNBOUNDED sleeper of a waiting thread (slot `thread`):
 * lists it among those of the mutex, and tells the mutex when all of a lot are. If nobody holds it
 * then, the caller wakes the first in passing. Neither waits; the mutex must exist until then.
 */
void mutex_list(struct onproc_mutex *mutex, uint32_t number, uint32_t thread);
void mutex_announce_listed(struct onproc_mutex *mutex);

/*
 * For a thread whose sleeper was given to mutex_list(), BOUNDED again: locks as one that is woken
 * in its sleep. is_listed: false if that may not have been done yet: then another sleeper is taken.
 */
int mutex_lock_listed(struct onproc_mutex *mutex, uint32_t number, bool is_listed);

#endif
