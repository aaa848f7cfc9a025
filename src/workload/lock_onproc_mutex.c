// SPDX-License-Identifier: GPL-2.0-or-later
/* lock_onproc_mutex.c - libonproc's mutex, as the lock tests measure it. */
#include "workload/lock_kinds.h"
#include "workload/lock_onproc.h"

#include <onproc/mutex.h>

static void mutex_lock(void *lock, void *node)
{
	(void)node;
	onproc_mutex_lock(lock);
}

static void mutex_unlock(void *lock, void *node)
{
	(void)node;
	onproc_mutex_unlock(lock);
}

const struct lock_kind lock_kind_onproc_mutex = {
	.name = "onproc-mutex",
	.open = lock_onproc_open,
	.sensor = lock_onproc_sensor,
	.bytes = sizeof(struct onproc_mutex),
	.lock = mutex_lock,
	.unlock = mutex_unlock,
};
