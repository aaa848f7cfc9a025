/* SPDX-License-Identifier: MIT */
/*
 * osq.h - an optimistic spin queue: the place where at most one thread polls something at a time.
 *
 * Those behind the first poll their own line, and leave when they should no longer spin or when the
 * one in front of them is not on a CPU. It is no lock to sleep on: whoever cannot enter does
 * something else. A thread is in one queue at a time; inside another, and in a signal handler that
 * interrupted a wait, entering fails at once.
 *
 * Entering acquires and leaving releases: what one owner of the queue wrote, the next one sees.
 */
#ifndef ONPROC_OSQ_H
#define ONPROC_OSQ_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct onproc_osq {
	uint16_t tail;
	uint16_t reserved;
};

#define ONPROC_OSQ_INITIALIZER                                                                     \
	{                                                                                          \
		0, 0                                                                               \
	}

/* Enters the queue, spinning for at most budget_ns nanoseconds. True: the caller holds it. False:
 * told to leave; it is not held. */
bool onproc_osq_lock(struct onproc_osq *osq, uint32_t budget_ns);

/* Leaves a queue that the caller holds. */
void onproc_osq_unlock(struct onproc_osq *osq);

/* Tells whether anyone is in the queue. A hint. */
bool onproc_osq_is_locked(const struct onproc_osq *osq);

#ifdef __cplusplus
}
#endif

#endif
