// SPDX-License-Identifier: GPL-2.0-or-later
/* lock_onproc_spinlock.c - libonproc's spinlock, as the lock tests measure it. */
#include "workload/lock_kinds.h"
#include "workload/lock_onproc.h"

#include <onproc/spinlock.h>

static void spin_lock(void *lock, void *node)
{
	(void)node;
	onproc_spinlock_lock(lock);
}

static void spin_unlock(void *lock, void *node)
{
	(void)node;
	onproc_spinlock_unlock(lock);
}

const struct lock_kind lock_kind_onproc_spinlock = {
	.name = "onproc-spinlock",
	.open = lock_onproc_open,
	.sensor = lock_onproc_sensor,
	.bytes = sizeof(struct onproc_spinlock),
	.lock = spin_lock,
	.unlock = spin_unlock,
};
