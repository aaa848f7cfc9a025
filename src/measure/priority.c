// SPDX-License-Identifier: GPL-2.0-or-later
/* priority.c - see priority.h. */
#include "measure/priority.h"

void priority_raise(struct priority *before)
{
	const struct sched_param lowest = { .sched_priority = sched_get_priority_min(SCHED_FIFO) };

	before->raised = false;
	before->policy = sched_getscheduler(0);
	if (before->policy < 0 || sched_getparam(0, &before->param))
		return;
	before->raised = !sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &lowest);
}

void priority_restore(const struct priority *before)
{
	if (before->raised)
		sched_setscheduler(0, before->policy, &before->param);
}
