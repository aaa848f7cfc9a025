/* SPDX-License-Identifier: GPL-2.0-or-later */
/* locks.h - the block of the terminal report for the lock tests. */
#ifndef ONPROC_REPORT_LOCKS_H
#define ONPROC_REPORT_LOCKS_H

#include "report/paragraph.h"
#include "store/record.h"

/*
 * For each point (hold, think, readers): rates by kind and threads, then waits, fairness, switches
 * and the ratio to the best peer. series: in the order to print, n_series of them, of all tests.
 */
void report_locks(const struct run *run, const struct series *const *series, struct paragraph *line,
		  FILE *out);

/* A time as it is read: "85 ns", "1.2 us", "12 ms"; at most 7 columns. text has room for 16. */
void lock_time(double ns, char *text);

#endif
