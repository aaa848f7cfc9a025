// SPDX-License-Identifier: GPL-2.0-or-later
/* lock_nsync.c - the mutex of the nsync library, as the lock tests measure it. */
#include "workload/lock_kinds.h"

#include <nsync.h>

static int mu_init(void *lock)
{
	nsync_mu_init(lock);
	return 0;
}

static void mu_lock(void *lock, void *node)
{
	(void)node;
	nsync_mu_lock(lock);
}

static void mu_unlock(void *lock, void *node)
{
	(void)node;
	nsync_mu_unlock(lock);
}

static void mu_read_lock(void *lock, void *node)
{
	(void)node;
	nsync_mu_rlock(lock);
}

static void mu_read_unlock(void *lock, void *node)
{
	(void)node;
	nsync_mu_runlock(lock);
}

const struct lock_kind lock_kind_nsync = {
	.name = "nsync",
	.bytes = sizeof(nsync_mu),
	.init = mu_init,
	.lock = mu_lock,
	.unlock = mu_unlock,
	.read_lock = mu_read_lock,
	.read_unlock = mu_read_unlock,
};
