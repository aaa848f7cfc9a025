/* SPDX-License-Identifier: GPL-2.0-or-later */
/* disturb.h - one kind of disturbance, as the table in disturb.c has it. */
#ifndef TORTURE_DISTURB_H
#define TORTURE_DISTURB_H

#include "torture.h"

struct disturbance {
	const char *name;
	uint32_t weight;
	/* NULL, or why it cannot be done here. Before there are threads. */
	const char *(*prepare)(void);
	/* Begins one. False: not now. */
	bool (*step)(struct torture *torture, struct random *random);
	/* Ends what is over at this time; with UINT64_MAX everything, also what prepare() made. */
	void (*tick)(struct torture *torture, uint64_t now);
};

extern const struct disturbance disturb_signal, disturb_cancel, disturb_affinity, disturb_nice,
	disturb_idle, disturb_fifo, disturb_freeze, disturb_quota, disturb_sensor;

static inline pid_t disturb_tid(const struct worker *worker)
{
	return (pid_t)__atomic_load_n(&worker->tid, __ATOMIC_RELAXED);
}

/* A thread that runs. */
static inline struct worker *disturb_any(struct torture *torture, struct random *random)
{
	struct worker *worker = &torture->workers[random_below(random, torture->threads)];

	if (__atomic_load_n(&worker->ended, __ATOMIC_ACQUIRE) || !disturb_tid(worker))
		return NULL;
	return worker;
}

#endif
