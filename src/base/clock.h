/* SPDX-License-Identifier: GPL-2.0-or-later */
/* clock.h - the one clock of every measurement: CLOCK_MONOTONIC_RAW, in nanoseconds. */
#ifndef ONPROC_BASE_CLOCK_H
#define ONPROC_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

#define NS_PER_S  1000000000ull
#define NS_PER_MS 1000000ull

/* Never steps, never slewed; by vDSO, no system call. */
static inline uint64_t clock_raw_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

/*
 * Sleeps until clock_raw_ns() is at least until_ns or a signal arrives. The kernel cannot sleep on
 * CLOCK_MONOTONIC_RAW, so the remaining time is slept on CLOCK_MONOTONIC and checked again. Returns
 * 0, or -EINTR after a signal.
 */
int clock_sleep_until(uint64_t until_ns);

#endif
