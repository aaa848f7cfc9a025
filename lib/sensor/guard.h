/* SPDX-License-Identifier: MIT */
/*
 * guard.h - the lock of the sensor's own records: opening, closing, threads that come and go.
 *
 * Not one of libc, for those may be ours by interposition, and not one of ours, for those ask the
 * sensor. Signals are blocked inside: a handler may lock for the first time in its thread. And
 * cancellation is off: a thread that was cancelled at its end, in here, kept the guard for ever.
 */
#ifndef ONPROC_LIB_SENSOR_GUARD_H
#define ONPROC_LIB_SENSOR_GUARD_H

#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

struct sensor_guard {
	uint32_t word; /* 0: free, 1: held, 2: held, and someone may sleep */
};

/* What is to be given back when leaving. */
struct sensor_guarded {
	sigset_t signals;
	int cancelling;
};

/* Nor cancelled: what asks the sensor reads and sends, also while its thread ends. */
static inline void guard_undisturbed(struct sensor_guarded *guarded)
{
	sigset_t all;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &guarded->cancelling);
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &guarded->signals);
}

static inline void guard_disturbed(const struct sensor_guarded *guarded)
{
	sigprocmask(SIG_SETMASK, &guarded->signals, NULL);
	pthread_setcancelstate(guarded->cancelling, NULL);
}

static inline void guard_enter(struct sensor_guard *guard, struct sensor_guarded *guarded)
{
	uint32_t seen = 0;

	guard_undisturbed(guarded);
	if (__atomic_compare_exchange_n(&guard->word, &seen, 1, false, __ATOMIC_ACQUIRE,
					__ATOMIC_RELAXED))
		return;
	while (__atomic_exchange_n(&guard->word, 2, __ATOMIC_ACQUIRE))
		syscall(SYS_futex, &guard->word, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
}

/* False: somebody else is in; nothing to leave then. */
static inline bool guard_try(struct sensor_guard *guard, struct sensor_guarded *guarded)
{
	uint32_t seen = 0;

	guard_undisturbed(guarded);
	if (__atomic_compare_exchange_n(&guard->word, &seen, 1, false, __ATOMIC_ACQUIRE,
					__ATOMIC_RELAXED))
		return true;
	guard_disturbed(guarded);
	return false;
}

static inline void guard_leave(struct sensor_guard *guard, const struct sensor_guarded *guarded)
{
	if (__atomic_exchange_n(&guard->word, 0, __ATOMIC_RELEASE) == 2)
		syscall(SYS_futex, &guard->word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	guard_disturbed(guarded);
}

#endif
