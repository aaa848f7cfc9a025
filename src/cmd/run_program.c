// SPDX-License-Identifier: GPL-2.0-or-later
/* run_program.c - see run_program.h. */
#include "cmd/run_program.h"

#include "measure/environment_elf.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#define HEAD_BYTES   65536 /* the program headers and the interpreter's path lie in it */
#define SCRIPTS_DEEP 4	   /* what the kernel follows */
#define DEFAULT_PATH "/usr/local/bin:/usr/bin:/bin"

/* 0, -ENOENT or -EACCES. */
static int program_at(const char *path)
{
	struct stat status;

	if (stat(path, &status))
		return errno == EACCES ? -EACCES : -ENOENT;
	return S_ISREG(status.st_mode) && !access(path, X_OK) ? 0 : -EACCES;
}

/* An empty part of PATH is the current directory. */
static int search_path(const char *name, char *path, size_t bytes)
{
	const char *part = getenv("PATH");
	int found = -ENOENT;

	if (!part)
		part = DEFAULT_PATH;
	for (;;) {
		size_t length = strcspn(part, ":");
		int used = snprintf(path, bytes, "%.*s%s%s", (int)length, part, length ? "/" : "./",
				    name);

		if (used > 0 && (size_t)used < bytes) {
			int rc = program_at(path);

			if (!rc)
				return 0;
			if (rc == -EACCES)
				found = rc;
		}
		if (!part[length])
			return found;
		part += length + 1;
	}
}

int run_program_find(const char *name, char *path, size_t bytes, struct error *err)
{
	int rc;

	if (!strchr(name, '/'))
		rc = name[0] ? search_path(name, path, bytes) : -ENOENT;
	else if (snprintf(path, bytes, "%s", name) >= (int)bytes)
		rc = -ENOENT;
	else
		rc = program_at(path);
	if (rc == -EACCES)
		return error_set(err, rc, "%s: cannot be run: not a program, or no permission",
				 name);
	return rc ? error_set(err, rc, "%s: no such program", name) : 0;
}

/* Would the kernel start it with more rights than ours? Then the linker heeds no LD_PRELOAD. */
static int privileges_check(const char *path, struct error *err)
{
	struct statvfs mount;
	struct stat status;
	char capability;

	if (stat(path, &status) || (!statvfs(path, &mount) && (mount.f_flag & ST_NOSUID)))
		return 0;
	if ((status.st_mode & S_ISUID) && status.st_uid != getuid())
		return error_set(err, -ENOEXEC, "%s: is setuid: no library may be put before it",
				 path);
	if ((status.st_mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP) &&
	    status.st_gid != getgid())
		return error_set(err, -ENOEXEC, "%s: is setgid: no library may be put before it",
				 path);
	if (getuid() && (getxattr(path, "security.capability", &capability, 0) > 0))
		return error_set(err, -ENOEXEC,
				 "%s: has file capabilities: no library may be put before it",
				 path);
	return 0;
}

static ssize_t read_head(const char *path, char *head)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t bytes;

	if (fd < 0)
		return -1;
	bytes = pread(fd, head, HEAD_BYTES, 0);
	close(fd);
	return bytes;
}

static int elf_check(const char *path, const char *head, size_t bytes, struct error *err)
{
	struct linkage linkage;
	struct error reason = { 0 };

	if (elf_linkage(head, bytes, &linkage, &reason))
		return error_set(err, -ENOEXEC, "%s: not a program of this machine: %s", path,
				 reason.text);
	if (!linkage.is_dynamic)
		return error_set(err, -ENOEXEC,
				 "%s: is linked statically: no library can be put before it", path);
	if (!strstr(linkage.interpreter, "/ld-linux"))
		return error_set(err, -ENOEXEC,
				 "%s: is linked with another C library (its linker is %s)", path,
				 linkage.interpreter);
	return 0;
}

/* The path after "#!", ended in place. NULL: none. */
static char *interpreter_of(char *head)
{
	char *path = head + 2;

	path += strspn(path, " \t");
	path[strcspn(path, " \t\n")] = 0;
	return *path ? path : NULL;
}

int run_program_check(const char *path, struct error *err)
{
	char *head = malloc(HEAD_BYTES + 1);
	char *interpreter = NULL, *next;
	const char *now = path;
	int rc = 0;

	if (!head)
		return error_errno(err, -ENOMEM, "%s", path);
	for (int deep = 0; !rc && deep <= SCRIPTS_DEEP; deep++) {
		ssize_t bytes;

		rc = privileges_check(now, err);
		bytes = rc ? -1 : read_head(now, head);
		if (bytes < 0)
			break;
		head[bytes] = 0;
		if (strncmp(head, "#!", 2) != 0) {
			/* A text without "#!" is for the C library and shells; exec tells. */
			if (!strncmp(head, "\177ELF", 4))
				rc = elf_check(now, head, (size_t)bytes, err);
			break;
		}
		next = interpreter_of(head);
		free(interpreter);
		interpreter = next ? strdup(next) : NULL;
		if (!interpreter)
			break;
		now = interpreter;
	}
	free(interpreter);
	free(head);
	return rc;
}
