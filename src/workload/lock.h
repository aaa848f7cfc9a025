/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lock.h - what the declarations of the lock tests and the functions that run them share. */
#ifndef ONPROC_WORKLOAD_LOCK_H
#define ONPROC_WORKLOAD_LOCK_H

#include "workload/work.h"

#define LOCK_THREADS_MAX 4096
#define LOCK_WORK_NS_MAX 10000000000ll /* longest hold or think: 10 s */

/* Parameters of onproc/lock, in the order of their table. */
enum lock_param {
	LOCK_PARAM_KIND,
	LOCK_PARAM_THREADS,
	LOCK_PARAM_HOLD_NS,
	LOCK_PARAM_THINK_NS,
	LOCK_PARAM_READERS_PCT,
	LOCK_PARAM_SENSOR,
};

/* And of onproc/lock-pair. */
enum lock_pair_param {
	LOCK_PAIR_PARAM_KIND,
	LOCK_PAIR_PARAM_SENSOR,
};

extern const struct workload workload_lock, workload_lock_pair;

/*
 * These run in the program alone. Weak: onproc, which never runs a loop, is linked without them and
 * so without the libraries of the locks.
 */
int lock_setup(struct work *work) __attribute__((weak));
int lock_pair_setup(struct work *work) __attribute__((weak));
int lock_loop(struct work *work) __attribute__((weak));
int lock_verify(const struct work *work) __attribute__((weak));
void lock_cleanup(struct work *work) __attribute__((weak));
void lock_explain(const struct work *work) __attribute__((weak));

#endif
