// SPDX-License-Identifier: GPL-2.0-or-later
/* lock_turns.c - see lock_turns.h. */
#include "workload/lock_turns.h"

#include "base/clock.h"

#define TURNS 10000 /* about 15 µs at 2.6 GHz; two looks at the clock are 0.3 % of it at most */
#define TRIES 300

double turns_calibrate(void)
{
	uint64_t shortest_ns = UINT64_MAX, clock_ns = UINT64_MAX, value = 1;

	for (int i = 0; i < TRIES; i++) {
		uint64_t start_ns = clock_raw_ns(), middle_ns = clock_raw_ns(), end_ns;

		value = turns_run(value, TURNS);
		end_ns = clock_raw_ns();
		if (end_ns - middle_ns < shortest_ns)
			shortest_ns = end_ns - middle_ns;
		if (middle_ns - start_ns < clock_ns)
			clock_ns = middle_ns - start_ns;
	}
	if (shortest_ns > clock_ns)
		shortest_ns -= clock_ns;
	return (double)shortest_ns / TURNS;
}

uint64_t turns_of(int64_t ns, double turn_ns)
{
	return turn_ns > 0 ? (uint64_t)((double)ns / turn_ns + 0.5) : (uint64_t)ns;
}
