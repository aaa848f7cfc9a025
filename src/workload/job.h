/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job.h - the job of the shell tests: what it leaves when it keeps its files, and whether that is
 * right.
 *
 *   sort INPUT > sorted.PID
 *   od sorted.PID | sort -n > dump.PID
 *   grep the sorted.PID | tee found.PID | wc > counted.PID
 *   rm of the four
 */
#ifndef ONPROC_WORKLOAD_JOB_H
#define ONPROC_WORKLOAD_JOB_H

#include "workload/work.h"

#include <stddef.h>
#include <sys/types.h>

#define JOB_INPUT  "input.txt"
#define JOB_NEEDLE "the"

/* The names of the four files, before the point and the process id. */
#define JOB_SORTED  "sorted"
#define JOB_DUMP    "dump"
#define JOB_FOUND   "found"
#define JOB_COUNTED "counted"

/* The processes of a copy at once: itself, the one that waits for the jobs, of each job itself and
 * a pipeline of three. */
#define JOB_PROCESSES(jobs) (2 + 4 * (jobs))

/* The programs that a job runs. */
#define JOB_TOOLS "sort", "od", "grep", "tee", "wc", "rm"

/*
 * Checks what the job with this process id kept, made from text, and that the input is unchanged;
 * removes the four files. 0 or a negative errno after work_fail().
 */
int job_verify(const struct work *work, pid_t job, const char *text, size_t bytes);

#endif
