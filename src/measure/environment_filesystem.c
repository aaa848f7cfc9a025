// SPDX-License-Identifier: GPL-2.0-or-later
/* environment_filesystem.c - the file system under the directory of the file tests. */
#include "measure/cgroup_mounts.h"
#include "measure/environment_rows.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>

/* Not a disk of this machine: what is measured is something else than its name says. */
static const struct {
	const char *type, *kind;
} kinds[] = {
	{ "tmpfs", "memory" }, { "ramfs", "memory" },	   { "overlay", "overlay" },
	{ "aufs", "overlay" }, { "fuse", "user space" },   { "9p", "network" },
	{ "nfs", "network" },  { "nfs4", "network" },	   { "cifs", "network" },
	{ "smb3", "network" }, { "ceph", "network" },	   { "lustre", "network" },
	{ "gpfs", "network" }, { "glusterfs", "network" }, { "virtiofs", "network" },
	{ "afs", "network" },  { "beegfs", "network" },
};

static const char *kind_of(struct slice type)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (slice_is(type, kinds[i].type))
			return kinds[i].kind;
	}
	return type.len > 5 && memcmp(type.at, "fuse.", 5) == 0 ? "user space" : "local";
}

static json_t *escaped_json(struct slice slice)
{
	char *text = mount_unescape(slice);
	json_t *string = text ? string_json(text, strlen(text)) : NULL;

	free(text);
	return string;
}

/* Is path at or below the mount point? */
static bool path_is_below(const char *path, struct slice escaped_point)
{
	char *point = mount_unescape(escaped_point);
	bool is_below = false;

	if (point) {
		size_t len = strlen(point);

		is_below = strcmp(point, "/") == 0 || (strncmp(path, point, len) == 0 &&
						       (path[len] == '/' || path[len] == '\0'));
	}
	free(point);
	return is_below;
}

/*
 * The last mount that covers the path with the longest mount point: a later mount hides an earlier
 * one. The device number is not asked: btrfs and overlay show another one in files than in
 * mountinfo.
 */
static bool mount_of(struct reading *reading, const char *path, struct mount_line *best)
{
	struct error err = { 0 };
	struct mount_line line;
	struct scan scan;
	bool is_found = false;
	int rc;

	if (!reading_file(reading, "/proc/self/mountinfo"))
		return false;
	scan = scan_start(reading->text.bytes, reading->text.len);
	while ((rc = mount_line_next(&scan, &line, &err)) > 0) {
		if (path_is_below(path, line.point) &&
		    (!is_found || line.point.len >= best->point.len)) {
			*best = line;
			is_found = true;
		}
	}
	if (rc < 0)
		reading_because(reading, "/proc/self/mountinfo: %s", err.text);
	else if (!is_found)
		reading_because(reading, "/proc/self/mountinfo has no mount above %.150s", path);
	return rc == 0 && is_found;
}

json_t *read_filesystem(struct reading *reading)
{
	const char *dir = reading->request->dir;
	struct mount_line line;
	struct statvfs space;
	json_t *object = NULL;
	char *path;

	if (!dir)
		return reading_because(reading, "no directory of file tests");
	path = realpath(dir, NULL);
	if (!path)
		return reading_because(reading, "%.150s: %s", dir, strerror(errno));
	if (mount_of(reading, path, &line)) {
		object = json_object();
		json_object_set_new(object, "dir", string_json(path, strlen(path)));
		json_object_set_new(object, "type", string_json(line.type.at, line.type.len));
		json_object_set_new(object, "kind", json_string(kind_of(line.type)));
		json_object_set_new(object, "device", escaped_json(line.source));
		json_object_set_new(object, "mount_point", escaped_json(line.point));
		json_object_set_new(object, "options",
				    string_json(line.options.at, line.options.len));
		json_object_set_new(object, "filesystem_options", escaped_json(line.super_options));
		if (!statvfs(path, &space))
			json_object_set_new(object, "free_bytes",
					    json_integer((json_int_t)space.f_bavail *
							 (json_int_t)space.f_frsize));
	}
	free(path);
	return object;
}
