// SPDX-License-Identifier: MIT
/*
 * small_file.c - reads a file of the kernel's without being a cancellation point.
 *
 * A lock is none, and a thread that is cancelled while it is listed as a sleeper would be given the
 * lock. So: system calls, not libc's functions.
 */
#include "small_file.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

bool small_file_read(const char *path, char *text, size_t bytes)
{
	long file = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0), got;

	text[0] = '\0';
	if (file < 0)
		return false;
	got = syscall(SYS_read, (int)file, text, bytes - 1);
	syscall(SYS_close, (int)file);
	if (got > 0)
		text[got] = '\0';
	return got > 0;
}
