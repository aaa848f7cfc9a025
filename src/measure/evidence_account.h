/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * evidence_account.h - two snapshots → who used the allowed CPUs between them.
 *
 * Pure arithmetic; the JSON is made from its result.
 */
#ifndef ONPROC_MEASURE_EVIDENCE_ACCOUNT_H
#define ONPROC_MEASURE_EVIDENCE_ACCOUNT_H

#include "measure/evidence_snapshot.h"

#include <stdbool.h>

#define NAMED_CPU_SHARE 0.01 /* of one CPU: from here on a process is named */

/* A process that is not ours and used CPU time. */
struct foreign {
	const struct process *process; /* in the later snapshot */
	double ns;		       /* of its own and of its children */
	double children_ns;	       /* of those that it waited for */
};

struct account {
	/* Allowed and online CPUs, over cpu_interval_ns. Valid when !after->cpu_error.code. */
	size_t n_allowed;
	double cpu_interval_ns;
	double steal_ns, idle_ns, busy_ns; /* sums over the allowed CPUs */
	size_t n_busy;			   /* CPUs busy for half of the interval or more */
	int *busy_cpu;			   /* their numbers */
	double our_ns;			   /* busy time less that of foreign and kernel threads */
	double our_busiest_ns;		   /* the same of the CPU that has most */
	size_t n_used; /* CPUs with our time in a tenth of the interval or more */

	/* Processes, over scan_interval_ns. Valid when !after->process_error.code. */
	double scan_interval_ns;
	double own_ns, kernel_ns;
	struct foreign *foreign; /* most first */
	size_t n_foreign;
	double foreign_ns; /* their sum, at most what was busy and not own */
	double hidden_ns;  /* busy time that nobody seen accounts for; only above its resolution */
};

struct account_request {
	const struct sources *sources;
	const struct snapshot *before, *after;
	pid_t own_group;
};

/* 0 or -ENOMEM. */
int account_make(const struct account_request *request, struct account *account);
void account_free(struct account *account);

#endif
