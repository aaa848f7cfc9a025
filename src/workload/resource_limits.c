// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * resource_limits.c - are there enough processes and descriptors for a test? Asked before anything
 * is started.
 *
 * What cannot be read does not limit: the copy that then fails to fork says so.
 */
#include "workload/resource_limits.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <linux/capability.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH_BYTES	 4096
#define LINE_BYTES	 8192
#define RESERVED_PIDS	 300 /* below them the kernel gives no process ids once it wrapped round */
#define DESCRIPTORS_KEPT 16  /* of the harness, the page, stdio, the barrier */

/* The first number of a file. False: no such file, or it does not start with one ("max"). */
static bool number_read(const char *root, const char *path, uint64_t *number)
{
	char name[2 * PATH_BYTES], text[64], *end;
	FILE *file;
	bool found = false;

	snprintf(name, sizeof(name), "%s%s", root, path);
	file = fopen(name, "re");
	if (!file)
		return false;
	if (fgets(text, sizeof(text), file) && isdigit((unsigned char)text[0])) {
		errno = 0;
		*number = strtoull(text, &end, 10);
		found = !errno;
	}
	fclose(file);
	return found;
}

/* Processes and threads of the whole machine: the number after the slash in /proc/loadavg. */
static uint64_t tasks_total(const char *root)
{
	char name[PATH_BYTES], text[128];
	uint64_t tasks = 0;
	char *slash;
	FILE *file;

	snprintf(name, sizeof(name), "%s/proc/loadavg", root);
	file = fopen(name, "re");
	if (!file)
		return 0;
	if (fgets(text, sizeof(text), file)) {
		slash = strchr(text, '/');
		if (slash)
			tasks = strtoull(slash + 1, NULL, 10);
	}
	fclose(file);
	return tasks;
}

static int too_few(struct reason *why, const char *limit, uint64_t value, uint64_t used,
		   uint64_t need)
{
	snprintf(why->text, sizeof(why->text),
		 "needs %" PRIu64 " processes, but %.120s allows %" PRIu64 ", of which %" PRIu64
		 " are in use",
		 need, limit, value, used);
	return -EAGAIN;
}

/* The kernel exempts the root user and two capabilities from RLIMIT_NPROC. */
static bool exempt_from_nproc(const char *root)
{
	char name[PATH_BYTES], line[256];
	uint64_t effective = 0;
	FILE *file;

	if (getuid() == 0)
		return true;
	snprintf(name, sizeof(name), "%s/proc/self/status", root);
	file = fopen(name, "re");
	if (!file)
		return false;
	while (fgets(line, sizeof(line), file)) {
		if (strncmp(line, "CapEff:", 7) == 0)
			effective = strtoull(line + 7, NULL, 16);
	}
	fclose(file);
	return effective & (1ull << CAP_SYS_RESOURCE | 1ull << CAP_SYS_ADMIN);
}

/* Processes of this user. Their threads would count too, but to read them all takes long. */
static uint64_t user_processes(const char *root)
{
	char name[2 * PATH_BYTES];
	struct dirent *entry;
	uint64_t count = 0;
	struct stat file;
	DIR *proc;

	snprintf(name, sizeof(name), "%s/proc", root);
	proc = opendir(name);
	if (!proc)
		return 0;
	while ((entry = readdir(proc))) {
		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		if (fstatat(dirfd(proc), entry->d_name, &file, 0) == 0 && file.st_uid == getuid())
			count++;
	}
	closedir(proc);
	return count;
}

static int user_limit(const char *root, uint64_t need, struct reason *why)
{
	struct rlimit limit;
	uint64_t used;

	if (getrlimit(RLIMIT_NPROC, &limit) || limit.rlim_cur == RLIM_INFINITY ||
	    exempt_from_nproc(root))
		return 0;
	used = user_processes(root);
	if (used + need <= limit.rlim_cur)
		return 0;
	return too_few(why, "the limit of this user (ulimit -u)", limit.rlim_cur, used, need);
}

static int kernel_limit(const char *root, uint64_t need, struct reason *why)
{
	uint64_t limit, used = tasks_total(root);

	if (number_read(root, "/proc/sys/kernel/pid_max", &limit) &&
	    used + need + RESERVED_PIDS > limit)
		return too_few(why, "kernel.pid_max", limit, used, need);
	if (number_read(root, "/proc/sys/kernel/threads-max", &limit) && used + need > limit)
		return too_few(why, "kernel.threads-max", limit, used, need);
	return 0;
}

/* pids.max of a cgroup directory and of all above it, up to the mount point. */
static int cgroup_limit(const char *root, const char *mount, const char *group, uint64_t need,
			struct reason *why)
{
	char path[PATH_BYTES], name[PATH_BYTES + 16], limit_name[PATH_BYTES + 64];
	uint64_t limit, used;
	char *slash;

	if (snprintf(path, sizeof(path), "%s%s", mount, strcmp(group, "/") ? group : "") >=
	    (int)sizeof(path))
		return 0;
	for (;;) {
		snprintf(name, sizeof(name), "%s/pids.max", path);
		if (number_read(root, name, &limit)) {
			snprintf(name, sizeof(name), "%s/pids.current", path);
			if (!number_read(root, name, &used))
				used = 0;
			if (used + need > limit) {
				snprintf(limit_name, sizeof(limit_name), "%s/pids.max", path);
				return too_few(why, limit_name, limit, used, need);
			}
		}
		if (strlen(path) <= strlen(mount))
			return 0;
		slash = strrchr(path, '/');
		if (!slash)
			return 0;
		*slash = '\0';
	}
}

/* True when the comma-separated list has the word. */
static bool list_has(const char *list, const char *word)
{
	size_t bytes = strlen(word), length;

	for (;; list += length + 1) {
		length = strcspn(list, ",\n");
		if (length == bytes && memcmp(list, word, bytes) == 0)
			return true;
		if (list[length] != ',')
			return false;
	}
}

/*
 * Mount point of the hierarchy with the pids controller: "cgroup2", or "cgroup" with the option
 * pids. A line of mountinfo: id parent dev root MOUNT options… - TYPE source SUPER-OPTIONS.
 */
static bool mount_find(const char *root, const char *type, const char *option, char *mount)
{
	char name[PATH_BYTES], line[LINE_BYTES], point[PATH_BYTES], kind[32], options[PATH_BYTES];
	const char *rest;
	bool found = false;
	FILE *file;

	snprintf(name, sizeof(name), "%s/proc/self/mountinfo", root);
	file = fopen(name, "re");
	if (!file)
		return false;
	while (!found && fgets(line, sizeof(line), file)) {
		rest = strstr(line, " - ");
		if (!rest || sscanf(line, "%*s %*s %*s %*s %4095s", point) != 1 ||
		    sscanf(rest, " - %31s %*s %4095s", kind, options) != 2)
			continue;
		found = strcmp(kind, type) == 0 && (!option || list_has(options, option));
	}
	fclose(file);
	if (found)
		memcpy(mount, point, sizeof(point));
	return found;
}

/* Lines of /proc/self/cgroup: "8:pids:/group" of version 1, "0::/group" of version 2. */
static int cgroup_limits(const char *root, uint64_t need, struct reason *why)
{
	char name[PATH_BYTES], line[LINE_BYTES], mount[PATH_BYTES], *controllers, *group;
	FILE *file;
	bool found;
	int rc = 0;

	snprintf(name, sizeof(name), "%s/proc/self/cgroup", root);
	file = fopen(name, "re");
	if (!file)
		return 0;
	while (!rc && fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		controllers = strchr(line, ':');
		group = controllers ? strchr(controllers + 1, ':') : NULL;
		if (!group)
			continue;
		*group++ = '\0';
		controllers++;
		if (!*controllers)
			found = mount_find(root, "cgroup2", NULL, mount);
		else
			found = list_has(controllers, "pids") &&
				mount_find(root, "cgroup", "pids", mount);
		if (found)
			rc = cgroup_limit(root, mount, group, need, why);
	}
	fclose(file);
	return rc;
}

int limits_processes_in(const char *root, uint64_t copies, uint64_t processes, struct reason *why)
{
	uint64_t need = copies * processes;
	int rc;

	rc = user_limit(root, need, why);
	if (!rc)
		rc = cgroup_limits(root, need, why);
	if (!rc)
		rc = kernel_limit(root, need, why);
	return rc;
}

int limits_processes(uint64_t copies, uint64_t processes, struct reason *why)
{
	return limits_processes_in("", copies, processes, why);
}

int limits_descriptors(uint64_t need, struct reason *why)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_max == RLIM_INFINITY ||
	    need + DESCRIPTORS_KEPT <= limit.rlim_max)
		return 0;
	snprintf(why->text, sizeof(why->text),
		 "needs %" PRIu64 " open files in one process, but the limit (ulimit -Hn) is %llu",
		 need + DESCRIPTORS_KEPT, (unsigned long long)limit.rlim_max);
	return -EMFILE;
}

int limits_raise_descriptors(uint64_t need)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return -errno;
	if (limit.rlim_cur == RLIM_INFINITY || need + DESCRIPTORS_KEPT <= limit.rlim_cur)
		return 0;
	limit.rlim_cur = limit.rlim_max;
	return setrlimit(RLIMIT_NOFILE, &limit) ? -errno : 0;
}
