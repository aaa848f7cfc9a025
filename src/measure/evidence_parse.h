/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * evidence_parse.h - what the kernel's accounting files say, as numbers.
 *
 * Pure functions over text of a given length. A file that is cut short or holds garbage gives
 * -EINVAL and "line N: expected …"; the result is then undefined, never out of bounds. Formats:
 * proc(5), cgroups(7) and Documentation/accounting/psi.rst of the kernel.
 */
#ifndef ONPROC_MEASURE_EVIDENCE_PARSE_H
#define ONPROC_MEASURE_EVIDENCE_PARSE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* One cpuN line of /proc/stat, in clock ticks. */
struct cpu_times {
	uint64_t user, nice, system, idle, iowait, irq, softirq, steal;
	bool online; /* the file has a line for this CPU */
};

/* Fills times[N] for each cpuN with N < count; the others are cleared. */
int cpu_times_parse(const char *text, size_t len, struct cpu_times *times, size_t count,
		    struct error *err);

#define COMM_BYTES 64 /* names of kernel workers are longer than the 15 bytes of others */

/* What is used of /proc/PID/stat. */
struct process_stat {
	pid_t pid, parent, group;
	uint64_t flags;		 /* PF_* of the kernel */
	uint64_t own_ticks;	 /* user and system time of its threads, those that ended too */
	uint64_t children_ticks; /* of all children that were waited for */
	uint64_t threads;
	uint64_t start_ticks;  /* since boot: tells apart two processes with one number */
	uint64_t cpu;	       /* on which the first thread ran last */
	uint64_t policy;       /* SCHED_* */
	char comm[COMM_BYTES]; /* bytes as they are: blanks, parentheses, newlines */
};

int process_stat_parse(const char *text, size_t len, struct process_stat *stat, struct error *err);

/* /proc/PID/schedstat: time on a CPU of the first thread, in ns. */
int run_time_parse(const char *text, size_t len, uint64_t *run_ns, struct error *err);

/* /proc/pressure/cpu: total of "some", in µs. */
int pressure_parse(const char *text, size_t len, uint64_t *some_us, struct error *err);

/* cpu.stat of a cgroup, version 1 or 2. */
struct throttling {
	bool present;	  /* false: nothing can be throttled at this level (no controller, root) */
	uint64_t periods; /* in which the group was throttled */
	uint64_t ns;
};

int throttling_parse(const char *text, size_t len, struct throttling *throttling,
		     struct error *err);

#endif
