// SPDX-License-Identifier: MIT
/*
 * thread_cpus.c - how many CPUs this process may use, so that nobody spins where nobody can run.
 *
 * Affinity and the CPU quota of the process's cgroup, of version 2 or 1, and of the groups above
 * it. Asked anew at most once a second, by a thread that is about to wait anyway.
 */
#include "sensor/sensor.h"
#include "small_file.h"
#include "thread.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define AGAIN_NS 1000000000u

static uint32_t cpus;
static uint64_t asked_ns;
/* One thread asks at a time, so that the texts need no room on a stack that may be small. */
static bool asking;
static char file_path[PATH_MAX], file_text[64], own_groups[4096];

static uint32_t whole_cpus(long long quota, long long period)
{
	if (quota <= 0 || period <= 0)
		return UINT32_MAX;
	return quota < period ? 1 : (uint32_t)((quota + period - 1) / period);
}

/* The quota of one group, in CPUs, rounded up. */
static uint32_t group_cpus(const char *root, const char *group, bool version_2)
{
	char *end;
	long long quota;

	if (version_2) {
		if (snprintf(file_path, sizeof(file_path), "%s%s/cpu.max", root, group) >=
			    (int)sizeof(file_path) ||
		    !small_file_read(file_path, file_text, sizeof(file_text)) ||
		    (quota = strtoll(file_text, &end, 10), end == file_text))
			return UINT32_MAX; /* "max" is no number */
		return whole_cpus(quota, strtoll(end, NULL, 10));
	}
	if (snprintf(file_path, sizeof(file_path), "%s%s/cpu.cfs_quota_us", root, group) >=
		    (int)sizeof(file_path) ||
	    !small_file_read(file_path, file_text, sizeof(file_text)))
		return UINT32_MAX;
	quota = strtoll(file_text, NULL, 10);
	if (snprintf(file_path, sizeof(file_path), "%s%s/cpu.cfs_period_us", root, group) >=
		    (int)sizeof(file_path) ||
	    !small_file_read(file_path, file_text, sizeof(file_text)))
		return UINT32_MAX;
	return whole_cpus(quota, strtoll(file_text, NULL, 10));
}

/* The least quota of a group and of those above it. */
static uint32_t quota_above(const char *root, char *group, bool version_2)
{
	uint32_t least = UINT32_MAX;

	for (;;) {
		uint32_t here = group_cpus(root, group, version_2);
		char *slash = strrchr(group, '/');

		if (here < least)
			least = here;
		if (!slash)
			return least;
		*slash = '\0';
	}
}

/* Does the comma-separated list of controllers contain "cpu"? */
static bool names_cpu(const char *list)
{
	while (*list) {
		size_t length = strcspn(list, ",");

		if (length == 3 && !strncmp(list, "cpu", 3))
			return true;
		list += length + (list[length] == ',');
	}
	return false;
}

/* Lines of /proc/self/cgroup are ID:CONTROLLERS:PATH; version 2 has no controllers. */
static uint32_t quota_cpus(void)
{
	char *line, *rest = NULL;
	uint32_t least = UINT32_MAX;

	if (!small_file_read("/proc/self/cgroup", own_groups, sizeof(own_groups)))
		return least;
	for (line = strtok_r(own_groups, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		char *controllers = strchr(line, ':'), *group;
		uint32_t here = UINT32_MAX;

		group = controllers ? strchr(controllers + 1, ':') : NULL;
		if (!group)
			continue;
		*group++ = '\0';
		if (!controllers[1])
			here = quota_above("/sys/fs/cgroup", group, true);
		else if (names_cpu(controllers + 1))
			here = quota_above("/sys/fs/cgroup/cpu", group, false);
		if (here < least)
			least = here;
	}
	return least;
}

static uint32_t ask(void)
{
	int kept = errno;
	cpu_set_t set;
	uint32_t allowed = 1, quota = quota_cpus();

	if (!sched_getaffinity(0, sizeof(set), &set))
		allowed = (uint32_t)CPU_COUNT(&set);
	else if (sysconf(_SC_NPROCESSORS_ONLN) > 0) /* more CPUs than the set has room for */
		allowed = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
	errno = kept;
	return quota < allowed ? quota : allowed;
}

uint32_t thread_cpus(void)
{
	uint32_t known = __atomic_load_n(&cpus, __ATOMIC_RELAXED);
	uint64_t now = thread_now_ns(), asked = __atomic_load_n(&asked_ns, __ATOMIC_RELAXED);

	if (known && now - asked < AGAIN_NS)
		return known;
	/* The others go on with what is known; the first one of all is not kept from spinning. */
	if (__atomic_exchange_n(&asking, true, __ATOMIC_ACQUIRE))
		return known ? known : 2;
	known = ask();
	__atomic_store_n(&cpus, known, __ATOMIC_RELAXED);
	__atomic_store_n(&asked_ns, now, __ATOMIC_RELAXED);
	__atomic_store_n(&asking, false, __ATOMIC_RELEASE);
	if (thread_number_plus_one)
		sensor_look();
	return known;
}
