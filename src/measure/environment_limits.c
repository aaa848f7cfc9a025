// SPDX-License-Identifier: GPL-2.0-or-later
/* environment_limits.c - what the caller may use: control groups, resource limits, scheduling. */
#include "measure/cgroup.h"
#include "measure/environment_rows.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static bool cgroup_open(struct reading *reading, const char *controller, struct cgroup *cgroup)
{
	struct error err = { 0 };

	if (!cgroup_find(reading_is_live(reading) ? "" : reading->request->root, 0, controller,
			 cgroup, &err))
		return true;
	reading_because(reading, "%s", err.text);
	return false;
}

json_t *read_cgroup_version(struct reading *reading)
{
	struct cgroup cgroup;
	json_t *version;

	if (!cgroup_open(reading, "cpu", &cgroup))
		return NULL;
	version = json_integer(cgroup.version);
	cgroup_free(&cgroup);
	return version;
}

json_t *read_cgroup_path(struct reading *reading)
{
	struct cgroup cgroup;
	json_t *path;

	if (!cgroup_open(reading, "cpu", &cgroup))
		return NULL;
	path = string_json(cgroup.path, strlen(cgroup.path));
	cgroup_free(&cgroup);
	return path;
}

json_t *read_cgroup_quota(struct reading *reading)
{
	struct cgroup cgroup;
	double cpus;

	if (!cgroup_open(reading, "cpu", &cgroup))
		return NULL;
	cpus = cgroup_quota_cpus(&cgroup);
	cgroup_free(&cgroup);
	return cpus > 0 ? json_real(round(cpus * 1e4) / 1e4) : reading_because(reading, "no limit");
}

/* Reads a file of one level; false when it is not there. */
static bool level_read(struct reading *reading, const struct cgroup *cgroup, size_t level,
		       const char *file)
{
	char *path;
	int rc;

	if (asprintf(&path, "%s/%s", cgroup->level[level], file) < 0)
		return false;
	rc = text_read(&reading->text, AT_FDCWD, path);
	free(path);
	return !rc;
}

json_t *read_cgroup_cpuset(struct reading *reading)
{
	struct cgroup cgroup;
	json_t *cpus = NULL;

	if (!cgroup_open(reading, "cpuset", &cgroup))
		return NULL;
	for (size_t level = 0; !cpus && level < cgroup.levels; level++) {
		if ((level_read(reading, &cgroup, level, "cpuset.cpus.effective") ||
		     level_read(reading, &cgroup, level, "cpuset.effective_cpus") ||
		     level_read(reading, &cgroup, level, "cpuset.cpus")) &&
		    text_trim(&reading->text)[0])
			cpus = string_json(reading->text.bytes, reading->text.len);
	}
	cgroup_free(&cgroup);
	return cpus ? cpus : reading_because(reading, "no cpuset file on the way up");
}

/*
 * Lowest number in one of two files on the way up. Version 1 says "no limit" with a number near
 * 2^63 cut to pages, version 2 with "max".
 */
static json_t *lowest_limit(struct reading *reading, const char *controller, const char *file_v2,
			    const char *file_v1)
{
	const uint64_t unlimited = INT64_MAX / 2;
	uint64_t lowest = unlimited;
	struct cgroup cgroup;

	if (!cgroup_open(reading, controller, &cgroup))
		return NULL;
	for (size_t level = 0; level < cgroup.levels; level++) {
		uint64_t limit;
		struct scan scan;

		if (!level_read(reading, &cgroup, level, cgroup.version == 2 ? file_v2 : file_v1))
			continue;
		scan = scan_start(reading->text.bytes, reading->text.len);
		if (scan_u64(&scan, &limit) && limit < lowest)
			lowest = limit;
	}
	cgroup_free(&cgroup);
	if (lowest < unlimited)
		return json_integer((json_int_t)lowest);
	return reading_because(reading, "no limit");
}

json_t *read_cgroup_memory(struct reading *reading)
{
	return lowest_limit(reading, "memory", "memory.max", "memory.limit_in_bytes");
}

json_t *read_cgroup_pids(struct reading *reading)
{
	return lowest_limit(reading, "pids", "pids.max", "pids.max");
}

json_t *read_nice(struct reading *reading)
{
	int nice_value;

	errno = 0;
	nice_value = getpriority(PRIO_PROCESS, 0);
	if (errno)
		return reading_because(reading, "getpriority: %s", strerror(errno));
	return json_integer(nice_value);
}

json_t *read_policy(struct reading *reading)
{
	static const struct {
		int policy;
		const char *name;
	} names[] = {
		{ SCHED_OTHER, "other" },
		{ SCHED_FIFO, "fifo" },
		{ SCHED_RR, "rr" },
		{ SCHED_BATCH, "batch" },
		{ SCHED_IDLE, "idle" },
		{ SCHED_DEADLINE, "deadline" },
		{ 7, "ext" },
	};
	int policy = sched_getscheduler(0);

	if (policy < 0)
		return reading_because(reading, "sched_getscheduler: %s", strerror(errno));
	policy &= ~SCHED_RESET_ON_FORK;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (names[i].policy == policy)
			return json_string(names[i].name);
	}
	return json_integer(policy);
}

static json_t *limit_json(rlim_t limit)
{
	return limit == RLIM_INFINITY ? json_string("unlimited") : json_integer((json_int_t)limit);
}

json_t *read_rlimits(struct reading *reading)
{
	static const struct {
		const char *name;
		__rlimit_resource_t resource;
	} limits[] = {
		{ "nofile", RLIMIT_NOFILE },   { "nproc", RLIMIT_NPROC },
		{ "memlock", RLIMIT_MEMLOCK }, { "rtprio", RLIMIT_RTPRIO },
		{ "nice", RLIMIT_NICE },       { "stack", RLIMIT_STACK },
		{ "fsize", RLIMIT_FSIZE },     { "as", RLIMIT_AS },
	};
	json_t *object = json_object();

	(void)reading;
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		struct rlimit limit;

		if (!getrlimit(limits[i].resource, &limit))
			json_object_set_new(object, limits[i].name,
					    json_pack("{s:o,s:o}", "soft",
						      limit_json(limit.rlim_cur), "hard",
						      limit_json(limit.rlim_max)));
	}
	return object;
}

json_t *read_status_key(struct reading *reading)
{
	struct slice value;

	if (!reading_file(reading, "/proc/self/status"))
		return NULL;
	if (!reading_key(reading, reading->row->path, &value))
		return reading_because(reading, "/proc/self/status has no \"%s\"",
				       reading->row->path);
	return string_json(value.at, value.len);
}

json_t *read_user(struct reading *reading)
{
	(void)reading;
	return json_integer((json_int_t)geteuid());
}
