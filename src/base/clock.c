// SPDX-License-Identifier: GPL-2.0-or-later
/* clock.c - see clock.h. */
#include "base/clock.h"

#include <errno.h>

int clock_sleep_until(uint64_t until_ns)
{
	for (;;) {
		uint64_t now = clock_raw_ns();
		struct timespec left;

		if (now >= until_ns)
			return 0;
		left.tv_sec = (time_t)((until_ns - now) / NS_PER_S);
		left.tv_nsec = (long)((until_ns - now) % NS_PER_S);
		if (clock_nanosleep(CLOCK_MONOTONIC, 0, &left, NULL) == EINTR)
			return -EINTR;
	}
}
