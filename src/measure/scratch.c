// SPDX-License-Identifier: GPL-2.0-or-later
/* scratch.c - see scratch.h. */
#include "measure/scratch.h"
#include "base/remove_tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX	     "onproc-"
#define MARK	     SCRATCH_MARK
#define RANDOM_CHARS 6 /* of mkdtemp(3) */

/* -1 with errno when it is gone, no directory, or held by another in the way asked for. */
static int open_locked(const char *path, int operation)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int rc;

	if (fd < 0)
		return -1;
	rc = flock(fd, operation) ? errno : 0;
	if (!rc)
		return fd;
	close(fd);
	errno = rc;
	return -1;
}

/* A sweep takes only what has the mark, and that is made under the lock. */
static int mark(int directory)
{
	int fd = openat(directory, MARK, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	return fd < 0 ? -errno : close(fd);
}

int scratch_create(const char *parent, struct scratch *scratch, struct error *err)
{
	int used = snprintf(scratch->path, sizeof(scratch->path), "%s/" PREFIX "XXXXXX", parent);
	int rc;

	scratch->fd = -1;
	if (used < 0 || (size_t)used >= sizeof(scratch->path)) {
		scratch->path[0] = '\0';
		return error_set(err, -ENAMETOOLONG, "%.200s…: the path is too long", parent);
	}
	if (!mkdtemp(scratch->path)) {
		scratch->path[0] = '\0';
		return error_errno(err, -errno, "%s: making a scratch directory", parent);
	}
	/* Without a lock, and so without a mark, it is as good, but never swept. */
	scratch->fd = open_locked(scratch->path, LOCK_SH);
	if (scratch->fd < 0)
		return 0;
	rc = mark(scratch->fd);
	if (rc) {
		scratch_remove(scratch);
		return error_errno(err, rc, "%s: making a scratch directory", parent);
	}
	return 0;
}

void scratch_remove(struct scratch *scratch)
{
	if (!scratch->path[0])
		return;
	remove_tree(scratch->path);
	if (scratch->fd >= 0)
		close(scratch->fd);
	scratch->fd = -1;
	scratch->path[0] = '\0';
}

static bool is_a_left_one(int fd)
{
	struct stat status;

	return !fstat(fd, &status) && status.st_uid == geteuid() && !(status.st_mode & 077) &&
	       !fstatat(fd, MARK, &status, AT_SYMLINK_NOFOLLOW) && S_ISREG(status.st_mode);
}

static bool has_name_after(const char *name, const char *prefix)
{
	return !strncmp(name, prefix, strlen(prefix)) &&
	       strlen(name) == strlen(prefix) + RANDOM_CHARS;
}

unsigned int scratch_sweep(const char *parent)
{
	unsigned int removed = 0;
	char path[PAGE_DIR_BYTES];
	struct dirent *entry;
	DIR *listing = opendir(parent);

	while (listing && (entry = readdir(listing))) {
		int fd, used;

		if (!has_name_after(entry->d_name, PREFIX) &&
		    !has_name_after(entry->d_name, SCRATCH_BARE_PREFIX))
			continue;
		used = snprintf(path, sizeof(path), "%s/%s", parent, entry->d_name);
		if (used < 0 || (size_t)used >= sizeof(path))
			continue;
		fd = open_locked(path, LOCK_EX | LOCK_NB);
		if (fd < 0)
			continue;
		if (is_a_left_one(fd) && !remove_tree(path))
			removed++;
		close(fd);
	}
	if (listing)
		closedir(listing);
	return removed;
}

/* access(2) asks neither a read-only file system nor a full one; making a directory does. */
static int try_directory(const char *path, char **parent, struct error *err)
{
	char *whole = realpath(path, NULL);
	struct scratch probe = { .fd = -1 };
	int rc;

	if (!whole)
		return error_errno(err, -errno, "%s: directory for the tests' files", path);
	rc = scratch_create(whole, &probe, err);
	if (rc) {
		free(whole);
		return rc;
	}
	scratch_remove(&probe);
	*parent = whole;
	return 0;
}

int scratch_find(const char *asked, char **parent, struct error *err)
{
	const char *const candidates[] = { "/var/tmp", getenv("TMPDIR"), "/tmp" };
	int rc = -ENOENT;

	if (asked)
		return try_directory(asked, parent, err);
	for (size_t i = 0; i < sizeof(candidates) / sizeof(candidates[0]); i++) {
		if (!candidates[i] || !candidates[i][0])
			continue;
		rc = try_directory(candidates[i], parent, err);
		if (!rc)
			return 0;
	}
	return rc;
}
