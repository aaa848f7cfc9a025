// SPDX-License-Identifier: GPL-2.0-or-later
/* files.c - the small files that a test makes and checks. */
#include "workload/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME_BYTES 64

int file_write(const struct work *work, const char *name, const char *bytes, size_t count)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	int code = 0;
	size_t done = 0;
	ssize_t got;

	if (fd < 0)
		return work_fail(work, -errno, "create %s in %s: %s", name, work->page->dir,
				 strerror(errno));
	while (!code && done < count) {
		got = write(fd, bytes + done, count - done);
		if (got < 0)
			code = errno;
		else if (got == 0)
			code = ENOSPC;
		else
			done += (size_t)got;
	}
	close(fd);
	if (code)
		return work_fail(work, -code, "write %s in %s: %s", name, work->page->dir,
				 strerror(code));
	return 0;
}

int work_file_read(const char *name, char **bytes, size_t *count)
{
	int fd = open(name, O_RDONLY | O_CLOEXEC);
	struct stat file;
	ssize_t got;
	int rc = 0;

	*bytes = NULL;
	*count = 0;
	if (fd < 0)
		return -errno;
	if (fstat(fd, &file)) {
		rc = -errno;
		goto out;
	}
	*bytes = malloc((size_t)file.st_size + 1);
	if (!*bytes) {
		rc = -ENOMEM;
		goto out;
	}
	while (*count < (size_t)file.st_size) {
		got = read(fd, *bytes + *count, (size_t)file.st_size - *count);
		if (got < 0)
			rc = -errno;
		if (got <= 0)
			break;
		*count += (size_t)got;
	}
	(*bytes)[*count] = '\0';
out:
	close(fd);
	if (rc) {
		free(*bytes);
		*bytes = NULL;
	}
	return rc;
}

static const char *directory_name(const struct work *work, const char *kind, char *name)
{
	snprintf(name, NAME_BYTES, "%s-%u", kind, work->copy);
	return name;
}

int directory_enter(const struct work *work, const char *kind)
{
	char name[NAME_BYTES], path[PAGE_DIR_BYTES + NAME_BYTES];

	directory_name(work, kind, name);
	snprintf(path, sizeof(path), "%s/%s", work->page->dir, name);
	if (mkdir(name, 0700) || chdir(name))
		return work_fail(work, -errno, "make %s in %s: %s", name, work->page->dir,
				 strerror(errno));
	if (setenv("LC_ALL", "C", 1) || setenv("TMPDIR", path, 1))
		return work_fail(work, -ENOMEM, "no memory");
	return 0;
}

void directory_leave(const struct work *work, const char *kind)
{
	char name[NAME_BYTES], here[PAGE_DIR_BYTES + NAME_BYTES];
	struct dirent *entry;
	const char *last;
	DIR *directory;

	directory_name(work, kind, name);
	if (!getcwd(here, sizeof(here)))
		return;
	last = strrchr(here, '/');
	if (!last || strcmp(last + 1, name) != 0)
		return;
	directory = opendir(".");
	while (directory && (entry = readdir(directory)))
		unlinkat(dirfd(directory), entry->d_name, 0);
	if (directory)
		closedir(directory);
	if (chdir("..") == 0)
		rmdir(name);
}

int directory_count(void)
{
	DIR *directory = opendir(".");
	struct dirent *entry;
	int count = 0;

	if (!directory)
		return -errno;
	while ((entry = readdir(directory))) {
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			count++;
	}
	closedir(directory);
	return count;
}
