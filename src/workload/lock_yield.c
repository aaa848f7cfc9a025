// SPDX-License-Identifier: GPL-2.0-or-later
/* lock_yield.c - see lock_yield.h. */
#include "workload/lock_yield.h"

#include <sched.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static __thread _Atomic uint64_t *yields;

void lock_yields_count(_Atomic uint64_t *count)
{
	yields = count;
}

int sched_yield(void)
{
	if (yields)
		atomic_store_explicit(yields,
				      atomic_load_explicit(yields, memory_order_relaxed) + 1,
				      memory_order_relaxed);
	return (int)syscall(SYS_sched_yield);
}
