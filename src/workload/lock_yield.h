/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lock_yield.h - counts the calls of sched_yield() of each thread, also those that a library makes:
 * this program has a sched_yield() of its own, which shared libraries find before libc's.
 */
#ifndef ONPROC_WORKLOAD_LOCK_YIELD_H
#define ONPROC_WORKLOAD_LOCK_YIELD_H

#include <stdatomic.h>
#include <stdint.h>

/* The calling thread counts there from now on; NULL: nowhere. */
void lock_yields_count(_Atomic uint64_t *count);

#endif
