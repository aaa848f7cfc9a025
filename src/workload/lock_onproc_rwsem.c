// SPDX-License-Identifier: GPL-2.0-or-later
/* lock_onproc_rwsem.c - libonproc's reader-writer semaphore, as the lock tests measure it. */
#include "workload/lock_kinds.h"
#include "workload/lock_onproc.h"

#include <onproc/rwsem.h>

static void rwsem_lock(void *lock, void *node)
{
	(void)node;
	onproc_rwsem_write_lock(lock);
}

static void rwsem_unlock(void *lock, void *node)
{
	(void)node;
	onproc_rwsem_write_unlock(lock);
}

static void rwsem_read_lock(void *lock, void *node)
{
	(void)node;
	onproc_rwsem_read_lock(lock);
}

static void rwsem_read_unlock(void *lock, void *node)
{
	(void)node;
	onproc_rwsem_read_unlock(lock);
}

const struct lock_kind lock_kind_onproc_rwsem = {
	.name = "onproc-rwsem",
	.open = lock_onproc_open,
	.sensor = lock_onproc_sensor,
	.bytes = sizeof(struct onproc_rwsem),
	.lock = rwsem_lock,
	.unlock = rwsem_unlock,
	.read_lock = rwsem_read_lock,
	.read_unlock = rwsem_read_unlock,
};
