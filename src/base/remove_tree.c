// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * remove_tree.c - see remove_tree.h.
 *
 * Every step is taken from an open directory, so that nobody who may rename things on the way leads
 * it elsewhere.
 */
#include "base/remove_tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEPTH_MOST 200 /* each level holds a descriptor */
#define PASSES	   8   /* a file system may hide an entry from a reader that removes others */

/* A mount: its device is not enough, for one may be mounted a second time. */
struct mount {
	uint64_t device, id; /* id 0: before Linux 5.8 */
};

static int mount_of(int fd, struct mount *mount)
{
	struct statx status;

	if (statx(fd, "", AT_EMPTY_PATH, STATX_BASIC_STATS | STATX_MNT_ID, &status))
		return -errno;
	mount->device = (uint64_t)status.stx_dev_major << 32 | status.stx_dev_minor;
	mount->id = status.stx_mask & STATX_MNT_ID ? status.stx_mnt_id : 0;
	return 0;
}

static bool same_mount(const struct mount *a, const struct mount *b)
{
	return a->device == b->device && a->id == b->id;
}

static int directory_empty(int fd, const struct mount *mount, int depth);

/* One entry of a directory; what cannot be removed keeps its directory, which is what is told. */
static bool entry_remove(int directory, const char *name, const struct mount *mount, int depth)
{
	struct mount own = { 0 };
	int fd;

	if (!unlinkat(directory, name, 0))
		return true;
	if (errno != EISDIR && errno != EPERM)
		return false;
	if (!unlinkat(directory, name, AT_REMOVEDIR))
		return true;
	if (depth >= DEPTH_MOST)
		return false;
	fd = openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return false;
	if (mount_of(fd, &own) || !same_mount(&own, mount)) {
		close(fd);
		return false;
	}
	directory_empty(fd, mount, depth + 1);
	return !unlinkat(directory, name, AT_REMOVEDIR);
}

/* Takes over fd. */
static int directory_empty(int fd, const struct mount *mount, int depth)
{
	DIR *listing = fdopendir(fd);
	bool removed = true;

	if (!listing) {
		int rc = -errno;

		close(fd);
		return rc;
	}
	for (int pass = 0; removed && pass < PASSES; pass++) {
		struct dirent *entry;

		removed = false;
		rewinddir(listing);
		while ((entry = readdir(listing))) {
			if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
				continue;
			removed |= entry_remove(fd, entry->d_name, mount, depth);
		}
	}
	closedir(listing);
	return 0;
}

static bool is_mount_point(int fd, const struct mount *mount)
{
	struct mount parent = { 0 };
	int up = openat(fd, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);
	bool is_one = up >= 0 && (mount_of(up, &parent) || !same_mount(&parent, mount));

	if (up >= 0)
		close(up);
	return is_one;
}

int remove_tree(const char *path)
{
	struct mount mount = { 0 };
	int fd, rc;

	/* Needs no descriptor, of which there may be none left. */
	if (!rmdir(path) || errno == ENOENT)
		return 0;
	fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOENT ? 0 : -errno;
	rc = mount_of(fd, &mount);
	if (!rc && is_mount_point(fd, &mount))
		rc = -EBUSY;
	if (rc)
		close(fd);
	else
		rc = directory_empty(fd, &mount, 0);
	if (rc)
		return rc;
	return rmdir(path) && errno != ENOENT ? -errno : 0;
}
