/* SPDX-License-Identifier: MIT */
/*
 * stat.h - what the slow paths of the locks count, when asked to.
 *
 * EVENT(name, what it means). The counters are the thread's own (onproc_stat_thread), so counting
 * costs one load when off and one add when on, and never touches a lock's line.
 */
#ifndef ONPROC_LIB_STAT_H
#define ONPROC_LIB_STAT_H

#include <stdint.h>

#define STAT_EVENTS                                                                                \
	EVENT(CONTENDED, "acquisitions that met a held lock")                                      \
	EVENT(SPUN, "acquisitions got by spinning")                                                \
	EVENT(OWNER_OFF, "spins ended because the holder was not on a CPU")                        \
	EVENT(PREDECESSOR_OFF, "spins ended because the predecessor was not on a CPU")             \
	EVENT(BUDGET_SPENT, "spins ended because their time was spent")                            \
	EVENT(PARKED, "times a thread went to sleep for a lock")                                   \
	EVENT(GRANTED, "acquisitions handed over to a named waiter")                               \
	EVENT(ROTATED, "times an arriving thread gave its place to one that was due")              \
	EVENT(WOKE, "times an unlock woke a sleeper")                                              \
	EVENT(TIMED_OUT, "timed waits that ended without the lock")

enum stat_event {
#define EVENT(name, help) STAT_##name,
	STAT_EVENTS
#undef EVENT
		STAT_COUNT
};

struct stat_thread {
	uint64_t count[STAT_COUNT];
};

#endif
