/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cgroup.h - where the control group of a process lies, with all its ancestors, in version 1 or 2.
 */
#ifndef ONPROC_MEASURE_CGROUP_H
#define ONPROC_MEASURE_CGROUP_H

#include "base/error.h"
#include "base/scan.h"
#include "base/text.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct cgroup {
	int version;  /* 1 or 2 */
	char *path;   /* as in /proc/PID/cgroup: "/user.slice/session-1.scope" */
	char **level; /* directories from the group itself up to the mount point */
	size_t levels;
};

/*
 * The group of pid (0: the caller) under a controller ("cpu", "cpuset", "memory", "pids"): in the
 * controller's own hierarchy of version 1 where it has one, else in version 2. root: "" or a
 * directory that stands in for /. -ENOENT with the reason when there is none, or when it lies
 * outside of what is mounted; -EINVAL with file, line and what was expected for garbage. On failure
 * cgroup is empty.
 */
int cgroup_find(const char *root, pid_t pid, const char *controller, struct cgroup *cgroup,
		struct error *err);
void cgroup_free(struct cgroup *cgroup);

/* Name of the group at a level as a reader knows it: "/" for the mount point. Points into cgroup.
 */
const char *cgroup_level_name(const struct cgroup *cgroup, size_t level);

/*
 * Smallest CPU quota on the way up, in CPUs; 0: none. Unreadable levels count as none. Version 1:
 * cpu.cfs_quota_us and cpu.cfs_period_us, version 2: cpu.max.
 */
double cgroup_quota_cpus(const struct cgroup *cgroup);

/* Quota of one level's file text; parts of cgroup_quota_cpus() for the tests. 0: none. */
int quota_v2_parse(const char *text, size_t len, double *cpus, struct error *err);
int quota_v1_parse(const char *quota, size_t quota_len, const char *period, size_t period_len,
		   double *cpus, struct error *err);

/*
 * Path of the group in the text of /proc/PID/cgroup: the line of the controller's version 1
 * hierarchy, or the "0::" line. version is 1 or 2 on success.
 */
int cgroup_line_find(const char *text, size_t len, const char *controller, struct slice *path,
		     int *version, struct error *err);

#endif
