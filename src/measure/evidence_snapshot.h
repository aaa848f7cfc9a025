/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * evidence_snapshot.h - the kernel's accounting at one moment, read as fast as it can be.
 */
#ifndef ONPROC_MEASURE_EVIDENCE_SNAPSHOT_H
#define ONPROC_MEASURE_EVIDENCE_SNAPSHOT_H

#include "base/text.h"
#include "measure/cgroup.h"
#include "measure/evidence_parse.h"

#include <dirent.h>

/* Open readers; kept over a whole run. */
struct sources {
	char *root; /* "" or the directory that stands in for / */
	DIR *proc;  /* NULL: unreadable, see proc_error */
	struct error proc_error;
	pid_t caller;	  /* as /proc numbers it */
	uint64_t tick_ns; /* length of a clock tick of /proc */
	int *allowed;	  /* CPUs the caller may use; may hold offline ones */
	size_t n_allowed;
	struct error allowed_error;
	struct text text; /* the one buffer */
};

int sources_open(const char *root, struct sources *sources, struct error *err);
void sources_close(struct sources *sources);

struct process {
	struct process_stat stat;
	uint64_t run_ns; /* of the first thread; only valid if run_is_known */
	bool run_is_known;
};

struct snapshot {
	uint64_t cpu_at_ns, scan_at_ns; /* clock_raw_ns() when either was read */
	struct cpu_times *cpu;		/* by CPU number */
	size_t n_cpus;
	struct process *process; /* by ascending number */
	size_t n_processes, room_processes;
	uint64_t pressure_us;
	struct throttling *level; /* of the group given to snapshot_throttling() */
	size_t n_levels;
	/* code 0: the part was read; else why it was not */
	struct error cpu_error, process_error, pressure_error, throttling_error;
};

/* Each reads one part; only -ENOMEM is returned, anything else goes to the part's error. */
int snapshot_cpus(struct sources *sources, struct snapshot *snapshot);
int snapshot_processes(struct sources *sources, struct snapshot *snapshot);
int snapshot_pressure(struct sources *sources, struct snapshot *snapshot);
int snapshot_throttling(struct sources *sources, const struct cgroup *cgroup,
			struct snapshot *snapshot);
void snapshot_free(struct snapshot *snapshot);

/* By number, in both: NULL when it is not there. */
const struct process *snapshot_find(const struct snapshot *snapshot, pid_t pid);

/* Strongest policy among the threads of a process: SCHED_*; that of its first thread when
 * unreadable. */
uint64_t process_policy(struct sources *sources, const struct process *process);

#endif
