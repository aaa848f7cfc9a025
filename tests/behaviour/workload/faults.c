// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * faults.c - system calls that do their work wrong, for tests of what a workload finds out.
 *
 * Linked with --wrap into the same programs that are measured. FAULT=CALL:N:KIND in the
 * environment: in each process the N-th call, and all that follow, go wrong in that way; with KIND
 * lose only one.
 *
 *   read:N:short      one byte is missing
 *   read:N:corrupt    the first byte is another
 *   write:N:short     one byte is missing
 *   write:N:skip      says that it wrote, and did not
 *   write:N:lose      the same, once
 *   write:N:full      ENOSPC
 *   dup:N:fail        EMFILE
 *   close:N:leak      says that it closed, and did not
 *   umask:N:wrong     another mask
 *   lseek:N:stay      stays where it is
 *   exit:N:status     the child ends with status 3
 *   fork:N:refuse     EAGAIN
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

ssize_t __real_read(int fd, void *bytes, size_t count);
ssize_t __real_write(int fd, const void *bytes, size_t count);
ssize_t __real_pwrite64(int fd, const void *bytes, size_t count, off_t at);
off_t __real_lseek64(int fd, off_t to, int whence);
int __real_dup(int fd);
int __real_close(int fd);
mode_t __real_umask(mode_t mask);
void __real_exit(int status) __attribute__((noreturn));
pid_t __real_fork(void);

ssize_t __wrap_read(int fd, void *bytes, size_t count);
ssize_t __wrap_write(int fd, const void *bytes, size_t count);
ssize_t __wrap_pwrite64(int fd, const void *bytes, size_t count, off_t at);
off_t __wrap_lseek64(int fd, off_t to, int whence);
int __wrap_dup(int fd);
int __wrap_close(int fd);
mode_t __wrap_umask(mode_t mask);
void __wrap_exit(int status) __attribute__((noreturn));
pid_t __wrap_fork(void);

/* Is this call of that name to go wrong in that way? Counts the calls that FAULT names. */
static bool goes_wrong(const char *call, const char *kind)
{
	static unsigned long calls;
	const char *fault = getenv("FAULT");
	size_t length = strlen(call);
	char *end;

	if (!fault || strncmp(fault, call, length) != 0 || fault[length] != ':')
		return false;
	unsigned long first = strtoul(fault + length + 1, &end, 10);

	if (*end != ':' || strcmp(end + 1, kind) != 0)
		return false;
	calls++;
	return strcmp(kind, "lose") != 0 ? calls >= first : calls == first;
}

ssize_t __wrap_read(int fd, void *bytes, size_t count)
{
	ssize_t got = __real_read(fd, bytes, count);

	if (got > 0 && goes_wrong("read", "short"))
		return got - 1;
	if (got > 0 && goes_wrong("read", "corrupt"))
		*(char *)bytes ^= 1;
	return got;
}

ssize_t __wrap_write(int fd, const void *bytes, size_t count)
{
	if (goes_wrong("write", "short"))
		return __real_write(fd, bytes, count - 1);
	if (goes_wrong("write", "skip") || goes_wrong("write", "lose")) {
		__real_lseek64(fd, (off_t)count, SEEK_CUR); /* of a file; no pipe minds */
		return (ssize_t)count;
	}
	if (goes_wrong("write", "full")) {
		errno = ENOSPC;
		return -1;
	}
	return __real_write(fd, bytes, count);
}

ssize_t __wrap_pwrite64(int fd, const void *bytes, size_t count, off_t at)
{
	if (goes_wrong("pwrite", "skip"))
		return (ssize_t)count;
	return __real_pwrite64(fd, bytes, count, at);
}

off_t __wrap_lseek64(int fd, off_t to, int whence)
{
	return goes_wrong("lseek", "stay") ? to : __real_lseek64(fd, to, whence);
}

int __wrap_dup(int fd)
{
	if (goes_wrong("dup", "fail")) {
		errno = EMFILE;
		return -1;
	}
	return __real_dup(fd);
}

int __wrap_close(int fd)
{
	return goes_wrong("close", "leak") ? 0 : __real_close(fd);
}

mode_t __wrap_umask(mode_t mask)
{
	mode_t before = __real_umask(mask);

	return goes_wrong("umask", "wrong") ? before ^ 1 : before;
}

void __wrap_exit(int status)
{
	__real_exit(goes_wrong("exit", "status") ? 3 : status);
}

pid_t __wrap_fork(void)
{
	if (goes_wrong("fork", "refuse")) {
		errno = EAGAIN;
		return -1;
	}
	return __real_fork();
}
