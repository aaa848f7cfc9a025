// SPDX-License-Identifier: GPL-2.0-or-later
/* lock_ck.c - spinlocks of Concurrency Kit, as the lock tests measure them. */
#include "workload/lock_kinds.h"

#include <ck_spinlock.h>
#include <errno.h>
#include <stdlib.h>

static int fas_init(void *lock)
{
	ck_spinlock_fas_init(lock);
	return 0;
}

static void fas_lock(void *lock, void *node)
{
	(void)node;
	ck_spinlock_fas_lock_eb(lock);
}

static void fas_unlock(void *lock, void *node)
{
	(void)node;
	ck_spinlock_fas_unlock(lock);
}

const struct lock_kind lock_kind_ck_fas_eb = {
	.name = "ck-fas-eb",
	.bytes = sizeof(ck_spinlock_fas_t),
	.init = fas_init,
	.lock = fas_lock,
	.unlock = fas_unlock,
};

static int ticket_init(void *lock)
{
	ck_spinlock_ticket_init(lock);
	return 0;
}

static void ticket_lock(void *lock, void *node)
{
	(void)node;
	ck_spinlock_ticket_lock(lock);
}

static void ticket_unlock(void *lock, void *node)
{
	(void)node;
	ck_spinlock_ticket_unlock(lock);
}

const struct lock_kind lock_kind_ck_ticket = {
	.name = "ck-ticket",
	.bytes = sizeof(ck_spinlock_ticket_t),
	.init = ticket_init,
	.lock = ticket_lock,
	.unlock = ticket_unlock,
};

static int mcs_init(void *lock)
{
	ck_spinlock_mcs_init(lock);
	return 0;
}

static void mcs_lock(void *lock, void *node)
{
	ck_spinlock_mcs_lock(lock, node);
}

static void mcs_unlock(void *lock, void *node)
{
	ck_spinlock_mcs_unlock(lock, node);
}

const struct lock_kind lock_kind_ck_mcs = {
	.name = "ck-mcs",
	.bytes = sizeof(ck_spinlock_mcs_t),
	.init = mcs_init,
	.lock = mcs_lock,
	.unlock = mcs_unlock,
};

/* Nodes of a CLH queue change their owner, so each lies in a line of its own, outside the threads.
 */
struct clh_line {
	_Alignas(LOCK_LINE) ck_spinlock_clh_t node;
};

static struct clh_line *clh_line_new(void)
{
	struct clh_line *line = aligned_alloc(LOCK_LINE, sizeof(*line));

	if (line)
		*line = (struct clh_line){ 0 };
	return line;
}

static int clh_init(void *lock)
{
	struct clh_line *line = clh_line_new();

	if (!line)
		return -ENOMEM;
	ck_spinlock_clh_init(lock, &line->node);
	return 0;
}

static void clh_destroy(void *lock)
{
	free(*(ck_spinlock_clh_t **)lock);
}

static void clh_node_init(void *node)
{
	struct clh_line *line = clh_line_new();

	if (!line)
		abort();
	*(ck_spinlock_clh_t **)node = &line->node;
}

static void clh_node_free(void *node)
{
	free(*(ck_spinlock_clh_t **)node);
}

static void clh_lock(void *lock, void *node)
{
	ck_spinlock_clh_lock(lock, *(ck_spinlock_clh_t **)node);
}

static void clh_unlock(void *lock, void *node)
{
	(void)lock;
	ck_spinlock_clh_unlock(node);
}

const struct lock_kind lock_kind_ck_clh = {
	.name = "ck-clh",
	.bytes = sizeof(ck_spinlock_clh_t *),
	.init = clh_init,
	.destroy = clh_destroy,
	.node_init = clh_node_init,
	.node_free = clh_node_free,
	.lock = clh_lock,
	.unlock = clh_unlock,
};
