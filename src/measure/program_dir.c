// SPDX-License-Identifier: GPL-2.0-or-later
/* program_dir.c - see program_dir.h. */
#include "measure/program_dir.h"
#include "workload/workload.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Is the program of the first test there? */
static int has_programs(const char *dir)
{
	char *program = NULL;
	int there;

	if (asprintf(&program, "%s/onproc-work-%s", dir, workload_table[0]->program) < 0)
		return 0;
	there = !access(program, X_OK);
	free(program);
	return there;
}

int program_dir_find(char **dir, struct error *err)
{
	static const char *const beside[] = { "src/workload", "../libexec/onproc" };
	char self[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
	const char *parent = NULL;

	if (length > 0) {
		self[length] = '\0';
		parent = dirname(self);
	}
	for (size_t i = 0; parent && i < sizeof(beside) / sizeof(beside[0]); i++) {
		char *path = NULL;

		if (asprintf(&path, "%s/%s", parent, beside[i]) < 0)
			return error_set(err, -ENOMEM, "no memory for a path");
		*dir = has_programs(path) ? realpath(path, NULL) : NULL;
		free(path);
		if (*dir)
			return 0;
	}
	if (!has_programs(PROGRAM_DIR))
		return error_set(err, -ENOENT,
				 "the programs of the tests (onproc-work-*) are neither beside %s "
				 "nor in %s",
				 parent ? parent : "onproc", PROGRAM_DIR);
	*dir = realpath(PROGRAM_DIR, NULL);
	return *dir ? 0 : error_errno(err, -errno, "%s", PROGRAM_DIR);
}
