/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_tool.h - the job of the shell tests without the system's tools: one program that is the
 * script and each of its tools, by the name under which it is started.
 */
#ifndef ONPROC_WORKLOAD_JOB_TOOL_H
#define ONPROC_WORKLOAD_JOB_TOOL_H

#include <stdbool.h>

/* This program again, from any directory. */
#define JOB_SELF "/proc/self/exe"

/*
 * Is argv[0] one of the names (multi, job, sort, od, grep, tee, wc, rm)? Then it has done that and
 * *status is what to exit with.
 *
 *   multi N       N jobs at once, waits for all
 *   job [keep]    one job; with keep its files stay
 *   sort [-n]     sorts the lines of stdin, -n by the number at their start
 *   od FILE       octal dump of 16-bit words
 *   grep TEXT FILE, tee FILE, wc, rm FILE…
 */
bool job_tool(int argc, char **argv, int *status);

/* The tools alone, for job_tool(); status to exit with, or -1: no such tool. */
int job_tool_run(int argc, char **argv);

#endif
