// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cgroup.c - see cgroup.h.
 *
 * /proc/PID/cgroup names the group relative to the reader's cgroup namespace; mountinfo says where
 * (and which part of) the hierarchy is mounted. Both together give the directory; its parents up to
 * the mount point are the ancestors that can be seen from here.
 */
#include "measure/cgroup.h"

#include "measure/cgroup_mounts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LEVELS_MOST 64 /* deeper groups exist nowhere; bounds what a garbage path can cost */

int cgroup_line_find(const char *text, size_t len, const char *controller, struct slice *path,
		     int *version, struct error *err)
{
	struct scan scan = scan_start(text, len);
	bool found_v2 = false;

	while (!scan_is_end(&scan)) {
		struct slice controllers, rest;
		uint64_t hierarchy;

		if (!scan_u64(&scan, &hierarchy) || !scan_char(&scan, ':'))
			return scan_expected(&scan, err, "a hierarchy number and a colon");
		controllers = scan_until(&scan, ':');
		if (scan.at >= scan.end || *scan.at != '/')
			return scan_expected(&scan, err, "a path that starts with /");
		rest = scan_line(&scan);
		if (option_list_has(controllers, controller)) {
			*path = rest;
			*version = 1;
			return 0;
		}
		if (hierarchy == 0 && !controllers.len && !found_v2) {
			*path = rest;
			*version = 2;
			found_v2 = true;
		}
	}
	if (!found_v2)
		return error_set(err, -ENOENT, "no line for the controller %s", controller);
	return 0;
}

/* Is this the mount of the hierarchy? */
static bool mount_is_hierarchy(const struct mount_line *line, const char *controller, int version)
{
	if (version == 2)
		return slice_is(line->type, "cgroup2");
	return slice_is(line->type, "cgroup") && option_list_has(line->super_options, controller);
}

/* Has the path a component ".."? The kernel prints so what lies outside the cgroup namespace. */
static bool path_leaves_namespace(const char *path)
{
	for (const char *at = path; (at = strstr(at, "/..")); at += 3) {
		if (at[3] == '/' || at[3] == '\0')
			return true;
	}
	return false;
}

/* Part of path below the mounted root; NULL when path lies outside of it. Points into path. */
static const char *path_below(const char *path, const char *mounted_root)
{
	size_t len = strlen(mounted_root);

	if (path_leaves_namespace(path))
		return NULL;
	if (strcmp(mounted_root, "/") == 0)
		return path;
	if (strncmp(path, mounted_root, len) != 0 || (path[len] != '\0' && path[len] != '/'))
		return NULL;
	return path + len;
}

/* Fills level[] from root + point + below up to root + point. */
static int levels_fill(struct cgroup *cgroup, const char *root, const char *point,
		       const char *below)
{
	size_t top;
	char *dir;

	if (asprintf(&dir, "%s%s%s", root, point, strcmp(below, "/") == 0 ? "" : below) < 0)
		return -ENOMEM;
	top = strlen(root) + strlen(point);
	cgroup->level = calloc(LEVELS_MOST, sizeof(*cgroup->level));
	while (cgroup->level && cgroup->levels < LEVELS_MOST) {
		char *slash;

		cgroup->level[cgroup->levels] = strdup(dir);
		if (!cgroup->level[cgroup->levels])
			break;
		cgroup->levels++;
		slash = strrchr(dir, '/');
		if (!slash || strlen(dir) <= top) {
			free(dir);
			return 0;
		}
		*slash = '\0';
	}
	free(dir);
	return cgroup->levels == LEVELS_MOST ? -EINVAL : -ENOMEM;
}

/* 1: the group lies below this mount, its levels are filled; 0: it does not. */
static int mount_try(const char *root, const struct mount_line *line, struct cgroup *cgroup)
{
	char *mounted_root = mount_unescape(line->root);
	char *point = mount_unescape(line->point);
	const char *below;
	int rc = -ENOMEM;

	if (mounted_root && point) {
		below = path_below(cgroup->path, mounted_root);
		rc = below ? levels_fill(cgroup, root, point, below) : 0;
		if (!rc && below)
			rc = 1;
	}
	free(mounted_root);
	free(point);
	return rc;
}

static int mount_find(const char *root, const char *controller, struct cgroup *cgroup,
		      struct error *err)
{
	static const char path[] = "/proc/self/mountinfo";
	struct text text = { 0 };
	struct mount_line line;
	struct scan scan;
	bool is_mounted = false;
	char *file;
	int rc, found = 0;

	if (asprintf(&file, "%s%s", root, path) < 0)
		return error_set(err, -ENOMEM, "no memory");
	rc = text_read(&text, AT_FDCWD, file);
	if (rc) {
		error_errno(err, rc, "%s", path);
		goto out;
	}
	scan = scan_start(text.bytes, text.len);
	while (!found && (rc = mount_line_next(&scan, &line, err)) > 0) {
		if (mount_is_hierarchy(&line, controller, cgroup->version)) {
			is_mounted = true;
			found = mount_try(root, &line, cgroup);
		}
	}
	if (found > 0)
		rc = 0;
	else if (found < 0)
		rc = error_errno(err, found, "control group %s", cgroup->path);
	else if (rc < 0)
		error_context(err, "%s", path);
	else
		rc = error_set(err, -ENOENT,
			       is_mounted ? "control group %s lies outside of what is mounted"
					  : "control group %s: its hierarchy is not mounted",
			       cgroup->path);
out:
	free(file);
	text_free(&text);
	return rc;
}

int cgroup_find(const char *root, pid_t pid, const char *controller, struct cgroup *cgroup,
		struct error *err)
{
	struct text text = { 0 };
	char path[sizeof("/proc//cgroup") + 20];
	char *file = NULL;
	struct slice group = { .at = "" };
	int rc;

	*cgroup = (struct cgroup){ 0 };
	if (pid > 0)
		snprintf(path, sizeof(path), "/proc/%d/cgroup", (int)pid);
	else
		snprintf(path, sizeof(path), "/proc/self/cgroup");
	if (asprintf(&file, "%s%s", root, path) < 0)
		return error_set(err, -ENOMEM, "no memory");
	rc = text_read(&text, AT_FDCWD, file);
	if (rc) {
		error_errno(err, rc, "%s", path);
		goto out;
	}
	rc = cgroup_line_find(text.bytes, text.len, controller, &group, &cgroup->version, err);
	if (rc) {
		error_context(err, "%s", path);
		goto out;
	}
	cgroup->path = strndup(group.at, group.len);
	if (!cgroup->path) {
		rc = error_set(err, -ENOMEM, "no memory");
		goto out;
	}
	rc = mount_find(root, controller, cgroup, err);
out:
	if (rc)
		cgroup_free(cgroup);
	free(file);
	text_free(&text);
	return rc;
}

void cgroup_free(struct cgroup *cgroup)
{
	for (size_t i = 0; i < cgroup->levels; i++)
		free(cgroup->level[i]);
	free(cgroup->level);
	free(cgroup->path);
	*cgroup = (struct cgroup){ 0 };
}

const char *cgroup_level_name(const struct cgroup *cgroup, size_t level)
{
	const char *top = cgroup->level[cgroup->levels - 1];
	const char *below = cgroup->level[level] + strlen(top);

	return *below ? below : "/";
}

/* quota and period in µs → CPUs. */
static int quota_set(uint64_t quota, uint64_t period, double *cpus)
{
	if (!period)
		return -EINVAL;
	*cpus = (double)quota / (double)period;
	return 0;
}

int quota_v2_parse(const char *text, size_t len, double *cpus, struct error *err)
{
	struct scan scan = scan_start(text, len);
	uint64_t quota, period;

	*cpus = 0;
	if (scan_word_is(&scan, "max"))
		return 0;
	if (!scan_u64(&scan, &quota) || !scan_char(&scan, ' ') || !scan_u64(&scan, &period) ||
	    quota_set(quota, period, cpus))
		return scan_expected(&scan, err, "\"max\" or quota and period in microseconds");
	return 0;
}

int quota_v1_parse(const char *quota, size_t quota_len, const char *period, size_t period_len,
		   double *cpus, struct error *err)
{
	struct scan quota_scan = scan_start(quota, quota_len);
	struct scan period_scan = scan_start(period, period_len);
	uint64_t period_us;
	int64_t quota_us;

	*cpus = 0;
	if (!scan_i64(&quota_scan, &quota_us))
		return scan_expected(&quota_scan, err, "a quota in microseconds, -1 for none");
	if (quota_us < 0)
		return 0;
	if (!scan_u64(&period_scan, &period_us) || quota_set((uint64_t)quota_us, period_us, cpus))
		return scan_expected(&period_scan, err, "a period in microseconds");
	return 0;
}

static double level_quota(const struct cgroup *cgroup, size_t level)
{
	struct text quota = { 0 }, period = { 0 };
	double cpus = 0;
	int dir = open(cgroup->level[level], O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (dir < 0)
		return 0;
	if (cgroup->version == 2) {
		if (!text_read(&quota, dir, "cpu.max"))
			quota_v2_parse(quota.bytes, quota.len, &cpus, NULL);
	} else if (!text_read(&quota, dir, "cpu.cfs_quota_us") &&
		   !text_read(&period, dir, "cpu.cfs_period_us")) {
		quota_v1_parse(quota.bytes, quota.len, period.bytes, period.len, &cpus, NULL);
	}
	text_free(&quota);
	text_free(&period);
	close(dir);
	return cpus;
}

double cgroup_quota_cpus(const struct cgroup *cgroup)
{
	double least = 0;

	for (size_t i = 0; i < cgroup->levels; i++) {
		double cpus = level_quota(cgroup, i);

		if (cpus > 0 && (least == 0 || cpus < least))
			least = cpus;
	}
	return least;
}
