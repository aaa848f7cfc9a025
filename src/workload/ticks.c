// SPDX-License-Identifier: GPL-2.0-or-later
/* ticks.c - see ticks.h. */
#include "workload/ticks.h"

#include <stdio.h>
#include <string.h>

#define LOOKS 50

bool ticks_have_counter(void)
{
#if defined(__x86_64__)
	char line[4096];
	FILE *file = fopen("/proc/cpuinfo", "re");
	bool is_invariant = false;

	while (file && fgets(line, sizeof(line), file)) {
		if (strncmp(line, "flags", 5) != 0)
			continue;
		is_invariant = strstr(line, " constant_tsc") && strstr(line, " nonstop_tsc");
		break;
	}
	if (file)
		fclose(file);
	return is_invariant;
#elif defined(__aarch64__)
	return true;
#else
	return false;
#endif
}

struct ticks_pair ticks_pair_now(bool has_counter)
{
	struct ticks_pair best = { 0 };
	uint64_t narrowest = UINT64_MAX;

	for (int i = 0; i < LOOKS; i++) {
		uint64_t before = ticks_now(has_counter), ns = clock_raw_ns();
		uint64_t after = ticks_now(has_counter);

		if (after - before >= narrowest)
			continue;
		narrowest = after - before;
		best = (struct ticks_pair){ before + narrowest / 2, ns };
	}
	return best;
}

double ticks_ns(const struct ticks_pair *from, const struct ticks_pair *to)
{
	return to->ticks > from->ticks
		       ? (double)(to->ns - from->ns) / (double)(to->ticks - from->ticks)
		       : 1;
}
