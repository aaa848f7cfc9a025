/* SPDX-License-Identifier: MIT */
/* times.h - the absolute times that the public functions take. */
#ifndef ONPROC_LIB_TIMES_H
#define ONPROC_LIB_TIMES_H

#include "machine/machine.h"

/* False: not a clock that can be waited for, or not a time. */
static inline bool deadline_set(struct m_deadline *until, clockid_t clock,
				const struct timespec *at)
{
	if ((clock != CLOCK_MONOTONIC && clock != CLOCK_REALTIME) || at->tv_nsec < 0 ||
	    at->tv_nsec >= 1000000000)
		return false;
	until->clock = clock;
	until->at = *at;
	return true;
}

#endif
