/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lock_turns.h - CPU work of a known length: turns of a loop whose length in ns was measured.
 *
 * A turn is a multiplication and an addition that depend on the turn before, and touches no memory.
 */
#ifndef ONPROC_WORKLOAD_LOCK_TURNS_H
#define ONPROC_WORKLOAD_LOCK_TURNS_H

#include <stdint.h>

static inline uint64_t turns_run(uint64_t value, uint64_t turns)
{
	for (uint64_t i = 0; i < turns; i++) {
		value = value * 6364136223846793005u + 1442695040888963407u;
		__asm__ volatile("" : "+r"(value));
	}
	return value;
}

/*
 * Nanoseconds of a turn on this CPU when nothing disturbs it: the shortest of many tries, each too
 * short to be interrupted often. Takes some ms.
 */
double turns_calibrate(void);

/* Turns that take ns, rounded to whole ones. */
uint64_t turns_of(int64_t ns, double turn_ns);

#endif
