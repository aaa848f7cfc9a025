// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * disturb_quota.c - the whole process in a CPU cgroup of its own whose quota is soon spent.
 *
 * Version 1: a group below the process's own. Version 2: a group below the root, where the cpu
 * controller is handed on, since a group with processes in it cannot hand it on.
 */
#include "disturb.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PERIOD_US 100000u
#define SPAN_NS	  300000000u

static char home[PATH_MAX], group[PATH_MAX + 64];
static bool version_2;
static uint64_t until_ns;

static bool write_text(const char *directory, const char *name, const char *text)
{
	char path[PATH_MAX + 128];
	ssize_t bytes = (ssize_t)strlen(text);
	int file;
	bool done;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	file = open(path, O_WRONLY | O_CLOEXEC);
	if (file < 0)
		return false;
	done = write(file, text, (size_t)bytes) == bytes;
	close(file);
	return done;
}

static bool has_cpu(char *list, const char *separators)
{
	char *rest = NULL, *word;

	for (word = strtok_r(list, separators, &rest); word;
	     word = strtok_r(NULL, separators, &rest)) {
		if (!strcmp(word, "cpu"))
			return true;
	}
	return false;
}

/* The process's own group of version 1's cpu controller, or of version 2. False: neither. */
static bool find_home(void)
{
	char line[PATH_MAX], *controllers, *path;
	FILE *file = fopen("/proc/self/cgroup", "re");
	bool found = false;

	while (file && !found && fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		controllers = strchr(line, ':');
		path = controllers ? strchr(controllers + 1, ':') : NULL;
		if (!path)
			continue;
		*path++ = '\0';
		version_2 = !controllers[1];
		found = version_2 || has_cpu(controllers + 1, ",");
		snprintf(home, sizeof(home), "/sys/fs/cgroup%s%s", version_2 ? "" : "/cpu", path);
	}
	if (file)
		fclose(file);
	return found;
}

static bool root_hands_on_cpu(void)
{
	char line[1024] = "";
	FILE *file = fopen("/sys/fs/cgroup/cgroup.subtree_control", "re");
	bool found = file && fgets(line, sizeof(line), file) && has_cpu(line, " \n");

	if (file)
		fclose(file);
	return found;
}

static bool set_quota(uint32_t us)
{
	char text[64];

	if (version_2) {
		snprintf(text, sizeof(text), "%u %u", us, PERIOD_US);
		return write_text(group, "cpu.max", text);
	}
	snprintf(text, sizeof(text), "%u", us);
	return write_text(group, "cpu.cfs_quota_us", text);
}

static const char *quota_prepare(void)
{
	const char *reason = NULL;

	if (!find_home())
		return "no cgroup with the cpu controller";
	if (version_2 && !root_hands_on_cpu())
		return "the cpu controller of cgroup version 2 is not handed on";
	snprintf(group, sizeof(group), "%s/onproc-torture-%d", version_2 ? "/sys/fs/cgroup" : home,
		 (int)getpid());
	if (mkdir(group, 0755))
		return "no right to make a cgroup";
	if (!set_quota(PERIOD_US))
		reason = "no CPU quota in this kernel";
	rmdir(group);
	return reason;
}

/* Fails while a thread runs by SCHED_FIFO, which such a group does not take in. */
static bool quota_step(struct torture *torture, struct random *random)
{
	(void)torture;
	/* It may be there still, with children in it. */
	if (until_ns || (mkdir(group, 0755) && errno != EEXIST))
		return false;
	if (!set_quota(PERIOD_US / 2 + random_below(random, PERIOD_US / 2)) ||
	    !write_text(group, "cgroup.procs", "0")) {
		rmdir(group);
		return false;
	}
	until_ns = now_ns() + SPAN_NS;
	return true;
}

void disturb_leave_quota(void)
{
	uint32_t tries;

	if (!group[0])
		return;
	write_text(home, "cgroup.procs", "0");
	/* Children that it began with end soon. */
	for (tries = 0; rmdir(group) && errno == EBUSY && tries < 100; tries++)
		sleep_ns(10000000);
}

static void quota_tick(struct torture *torture, uint64_t now)
{
	(void)torture;
	if (now == UINT64_MAX) {
		disturb_leave_quota();
	} else if (until_ns && now >= until_ns) {
		write_text(home, "cgroup.procs", "0");
		rmdir(group);
	} else {
		return;
	}
	until_ns = 0;
}

const struct disturbance disturb_quota = { "CPU quota", 2, quota_prepare, quota_step, quota_tick };
