// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tools.c - the external programs that a test runs: are they there?
 */
#include "workload/tools.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What execvp(3) searches when PATH is not set. */
#define DEFAULT_PATH "/bin:/usr/bin"

/* Names of packages are those of Debian; where others differ the first is named. */
static const struct package {
	const char *tool, *name;
} packages[] = {
	{ "cc", "gcc" },
	{ "dc", "dc" },
	{ "fio", "fio" },
	{ "grep", "grep" },
	{ "mkfs.xfs", "xfsprogs" },
	{ "mount", "mount" },
	{ "od", "coreutils" },
	{ "rm", "coreutils" },
	{ "sh", "dash" },
	{ "sort", "coreutils" },
	{ "tee", "coreutils" },
	{ "truncate", "coreutils" },
	{ "unshare", "util-linux" },
	{ "wc", "coreutils" },
	{ "/bin/sh", "dash" },
	{ "/bin/true", "coreutils" },
};

static bool is_program(const char *path)
{
	struct stat file;

	return stat(path, &file) == 0 && S_ISREG(file.st_mode) && access(path, X_OK) == 0;
}

bool tool_find(const char *name, char *path, size_t bytes)
{
	const char *directory = getenv("PATH");
	size_t length;

	if (strchr(name, '/')) {
		snprintf(path, bytes, "%s", name);
		return is_program(name);
	}
	if (!directory)
		directory = DEFAULT_PATH;
	for (;; directory += length + 1) {
		length = strcspn(directory, ":");
		snprintf(path, bytes, "%.*s/%s", length ? (int)length : 1, length ? directory : ".",
			 name);
		if (is_program(path))
			return true;
		if (!directory[length])
			return false;
	}
}

int tools_missing(const char *const *names, struct reason *why)
{
	char path[4096];
	const char *package;

	for (; *names; names++) {
		if (tool_find(*names, path, sizeof(path)))
			continue;
		package = "that has it";
		for (size_t i = 0; i < sizeof(packages) / sizeof(packages[0]); i++) {
			if (strcmp(packages[i].tool, *names) == 0)
				package = packages[i].name;
		}
		snprintf(why->text, sizeof(why->text), "%s: not found%s; install the package %s",
			 *names, strchr(*names, '/') ? "" : " in PATH", package);
		return -ENOENT;
	}
	return 0;
}
