/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * priority.h - the harness runs before the copies it counts, where it may.
 *
 * SCHED_FIFO at the lowest real-time priority, reset on fork so that no copy inherits it. Without
 * the right to it the harness keeps its policy: its sweeps are stamped on both sides, so a late one
 * is late and not wrong.
 */
#ifndef ONPROC_MEASURE_PRIORITY_H
#define ONPROC_MEASURE_PRIORITY_H

#include <sched.h>
#include <stdbool.h>

struct priority {
	bool raised;
	int policy;
	struct sched_param param;
};

/* Leaves a policy alone that is as good already. */
void priority_raise(struct priority *before);
void priority_restore(const struct priority *before);

/* Back to SCHED_OTHER from a real-time or deadline policy; nice values and SCHED_BATCH or IDLE
 * stay. */
void priority_drop(void);

#endif
