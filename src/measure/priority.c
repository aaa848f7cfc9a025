// SPDX-License-Identifier: GPL-2.0-or-later
/* priority.c - see priority.h. */
#include "measure/priority.h"

#include <sys/resource.h>

static bool is_real_time(int policy)
{
	policy &= ~SCHED_RESET_ON_FORK;
	return policy == SCHED_FIFO || policy == SCHED_RR || policy == SCHED_DEADLINE;
}

void priority_drop(void)
{
	const struct sched_param none = { .sched_priority = 0 };

	if (is_real_time(sched_getscheduler(0)))
		sched_setscheduler(0, SCHED_OTHER, &none);
}

/* Beyond that limit the kernel kills a real-time process. */
static bool time_is_limited(void)
{
	struct rlimit limit;

	return !getrlimit(RLIMIT_RTTIME, &limit) && limit.rlim_cur != RLIM_INFINITY;
}

void priority_raise(struct priority *before)
{
	const struct sched_param lowest = { .sched_priority = sched_get_priority_min(SCHED_FIFO) };

	before->raised = false;
	before->policy = sched_getscheduler(0);
	if (before->policy < 0 || is_real_time(before->policy) || time_is_limited() ||
	    sched_getparam(0, &before->param))
		return;
	before->raised = !sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &lowest);
}

void priority_restore(const struct priority *before)
{
	if (before->raised)
		sched_setscheduler(0, before->policy, &before->param);
}
