// SPDX-License-Identifier: GPL-2.0-or-later
/* programs.c - see programs.h. PROGRAM_DIR is the installed directory, from the build. */
#include "measure/programs.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define BUILT_DIR "src/workload"     /* relative to the build directory, where onproc itself lies */
#define A_PROGRAM "/onproc-work-ipc" /* one of them, by which the directory is known */

int programs_find(char *path, size_t bytes, struct error *err)
{
	char self[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
	int unread = length < 0 ? -errno : 0;
	char *slash;

	if (length > 0) {
		self[length] = 0;
		/* Tests and benchmarks lie in sub-directories of the build directory. */
		while ((slash = strrchr(self, '/'))) {
			int used;

			*slash = 0;
			used = snprintf(path, bytes, "%s/" BUILT_DIR A_PROGRAM, self);
			if (used < 0 || (size_t)used >= bytes || access(path, X_OK))
				continue;
			path[(size_t)used - strlen(A_PROGRAM)] = 0;
			return 0;
		}
	}
	if (snprintf(path, bytes, "%s", PROGRAM_DIR) >= (int)bytes)
		return error_set(err, -ENAMETOOLONG, "%s: the path is too long", PROGRAM_DIR);
	if (!access(PROGRAM_DIR A_PROGRAM, X_OK))
		return 0;
	if (unread)
		return error_set(err, unread,
				 "/proc/self/exe: %s; is /proc mounted? Without it the workload "
				 "programs are looked for only in %s, and are not there",
				 strerror(-unread), PROGRAM_DIR);
	return error_set(err, -ENOENT,
			 "no workload programs: neither in the build directory nor in %s",
			 PROGRAM_DIR);
}

int program_path(const char *program_dir, const struct workload *workload, char *path, size_t bytes,
		 struct error *err)
{
	int used = snprintf(path, bytes, "%s/onproc-work-%s", program_dir, workload->program);

	if (used < 0 || (size_t)used >= bytes)
		return error_set(err, -ENAMETOOLONG, "%.200s…: the path is too long", program_dir);
	if (access(path, X_OK))
		return error_errno(err, -errno, "%s: the program of this test", path);
	return 0;
}
