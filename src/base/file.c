// SPDX-License-Identifier: GPL-2.0-or-later
/* file.c - see file.h. */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define READ_BYTES ((size_t)65536)

int file_read_fd(int fd, const char *path, size_t limit, char **bytes, size_t *count,
		 struct error *err)
{
	char *buffer = NULL;
	size_t used = 0, room = 0;
	int rc;

	for (;;) {
		ssize_t got;

		if (room - used < READ_BYTES + 1) {
			size_t more = room ? room * 2 : READ_BYTES * 2;
			char *grown = realloc(buffer, more);

			if (!grown) {
				rc = error_set(err, -ENOMEM, "%s: no memory to read it", path);
				goto out;
			}
			buffer = grown;
			room = more;
		}
		got = read(fd, buffer + used, READ_BYTES);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			rc = error_errno(err, -errno, "reading %s", path);
			goto out;
		}
		if (!got)
			break;
		used += (size_t)got;
		if (used > limit) {
			rc = error_set(err, -EFBIG, "%s: larger than %zu bytes", path, limit);
			goto out;
		}
	}
	buffer[used] = '\0';
	*bytes = buffer;
	*count = used;
	return 0;
out:
	free(buffer);
	return rc;
}

int file_read(const char *path, size_t limit, char **bytes, size_t *count, struct error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int rc;

	if (fd < 0)
		return error_errno(err, -errno, "opening %s", path);
	rc = file_read_fd(fd, path, limit, bytes, count, err);
	close(fd);
	return rc;
}

int write_all(int fd, const void *bytes, size_t count)
{
	const char *next = bytes;

	while (count) {
		ssize_t done = write(fd, next, count);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return -errno;
		next += done;
		count -= (size_t)done;
	}
	return 0;
}

/* A rename is durable once the directory is. */
static void sync_directory_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *directory = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
	int fd = directory ? open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

	if (fd >= 0) {
		fsync(fd);
		close(fd);
	}
	free(directory);
}

static int write_in_place(const char *path, const void *bytes, size_t count, struct error *err)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	int rc;

	if (fd < 0)
		return error_errno(err, -errno, "opening %s", path);
	rc = write_all(fd, bytes, count);
	if (close(fd) && !rc)
		rc = -errno;
	return rc ? error_errno(err, rc, "writing %s", path) : 0;
}

int write_atomic(const char *path, const void *bytes, size_t count, mode_t mode, struct error *err)
{
	char *target = realpath(path, NULL), *temporary = NULL;
	struct stat old;
	mode_t mask;
	int fd = -1, rc;

	if (target && !stat(target, &old)) {
		if (!S_ISREG(old.st_mode)) {
			rc = write_in_place(path, bytes, count, err);
			goto out;
		}
		mode = old.st_mode & 07777;
	} else {
		mask = umask(0);
		umask(mask);
		mode &= ~mask;
		free(target);
		target = strdup(path);
	}
	if (!target || asprintf(&temporary, "%s.XXXXXX", target) < 0) {
		temporary = NULL;
		rc = error_set(err, -ENOMEM, "%s: no memory to write it", path);
		goto out;
	}
	fd = mkostemp(temporary, O_CLOEXEC);
	if (fd < 0) {
		rc = error_errno(err, -errno, "making a file beside %s", path);
		goto out;
	}
	rc = write_all(fd, bytes, count);
	if (!rc && (fchmod(fd, mode) || fsync(fd)))
		rc = -errno;
	if (close(fd) && !rc)
		rc = -errno;
	if (!rc && rename(temporary, target))
		rc = -errno;
	if (rc) {
		unlink(temporary);
		error_errno(err, rc, "writing %s", path);
		goto out;
	}
	sync_directory_of(target);
out:
	free(temporary);
	free(target);
	return rc;
}

int make_parent_directories(const char *path, mode_t mode, struct error *err)
{
	char *part = strdup(path);
	int rc = 0;

	if (!part)
		return error_set(err, -ENOMEM, "%s: no memory", path);
	for (char *slash = part; (slash = strchr(slash, '/')); slash++) {
		if (slash == part)
			continue;
		*slash = '\0';
		if (mkdir(part, mode) && errno != EEXIST) {
			rc = error_errno(err, -errno, "making the directory %s", part);
			break;
		}
		*slash = '/';
	}
	free(part);
	return rc;
}
