/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ticks.h - the cheapest clock of a thread: the invariant time stamp counter (x86-64), the virtual
 * counter (arm64), else CLOCK_MONOTONIC_RAW.
 *
 * Not ordered with the instructions around it: a stamp is right within the few tens of ns that a
 * CPU looks ahead.
 */
#ifndef ONPROC_WORKLOAD_TICKS_H
#define ONPROC_WORKLOAD_TICKS_H

#include "base/clock.h"

#include <stdbool.h>
#include <stdint.h>

struct ticks_pair {
	uint64_t ticks, ns; /* of the same moment, ns of CLOCK_MONOTONIC_RAW */
};

/* Is there a counter that runs evenly on all CPUs? Asks the kernel; once, at the start. */
bool ticks_have_counter(void);

static inline uint64_t ticks_now(bool has_counter)
{
#if defined(__x86_64__)
	if (__builtin_expect(has_counter, 1))
		return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	if (__builtin_expect(has_counter, 1)) {
		uint64_t ticks;

		__asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
		return ticks;
	}
#endif
	(void)has_counter;
	return clock_raw_ns();
}

/* Both clocks at one moment: the narrowest of several looks. */
struct ticks_pair ticks_pair_now(bool has_counter);

/* Nanoseconds of a tick between two moments, which must lie apart. */
double ticks_ns(const struct ticks_pair *from, const struct ticks_pair *to);

#endif
