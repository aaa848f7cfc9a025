// SPDX-License-Identifier: GPL-2.0-or-later
/* lock_kinds.c - names of the locks that the lock tests measure, and why one is missing. */
#include "workload/lock_kinds.h"

#include <errno.h>
#include <stdio.h>

const struct lock_name lock_names[LOCK_KIND_COUNT + 1] = {
#define KIND(symbol, name, library, readers, help)                                                 \
	[LOCK_##symbol] = { name, help, LOCK_LIBRARY_##library, readers },
	LOCK_KINDS
#undef KIND
};

const char *const lock_kind_choices[] = {
#define KIND(symbol, name, library, readers, help) name,
	LOCK_KINDS
#undef KIND
		NULL,
};

const char *const lock_sensor_choices[LOCK_SENSOR_COUNT + 1] = {
	[LOCK_SENSOR_NONE] = "none",
	[LOCK_SENSOR_HEARTBEAT] = "heartbeat",
	[LOCK_SENSOR_SCHED] = "sched",
	[LOCK_SENSOR_RSEQ_SLICE] = "rseq-slice",
	[LOCK_SENSOR_STUCK_RUNNING] = "stuck-running",
	[LOCK_SENSOR_STUCK_PREEMPTED] = "stuck-preempted",
	[LOCK_SENSOR_RANDOM] = "random",
	[LOCK_SENSOR_AUTO] = "auto",
};

static const struct {
	bool is_built;
	const char *otherwise;
} libraries[] = {
	[LOCK_LIBRARY_LIBC] = { true, "" },
	[LOCK_LIBRARY_CK] = { LOCK_HAS_CK, "built without Concurrency Kit: install libck-dev "
					   "(ck-devel, ck) and build again" },
	[LOCK_LIBRARY_NSYNC] = { LOCK_HAS_NSYNC, "built without nsync: install libnsync-dev "
						 "(nsync-devel, nsync) and build again" },
	[LOCK_LIBRARY_ONPROC_MUTEX] = { LOCK_HAS_ONPROC_MUTEX,
					"this onproc was built without libonproc's mutex" },
	[LOCK_LIBRARY_ONPROC_SPINLOCK] = { LOCK_HAS_ONPROC_SPINLOCK,
					   "this onproc was built without libonproc's spinlock" },
	[LOCK_LIBRARY_ONPROC_RWSEM] = { LOCK_HAS_ONPROC_RWSEM,
					"this onproc was built without libonproc's rwsem" },
};

bool lock_kind_has_sensor(int kind)
{
	return lock_names[kind].library >= LOCK_LIBRARY_ONPROC_MUTEX;
}

int lock_kind_supported(int kind, int64_t readers_pct, struct reason *why)
{
	const struct lock_name *name = &lock_names[kind];

	if (!libraries[name->library].is_built) {
		snprintf(why->text, sizeof(why->text), "%s: %s", name->name,
			 libraries[name->library].otherwise);
		return -ENOTSUP;
	}
	if (readers_pct && !name->has_readers) {
		snprintf(why->text, sizeof(why->text), "%s has no read side: only 0 %% readers",
			 name->name);
		return -ENOTSUP;
	}
	return 0;
}
