// SPDX-License-Identifier: GPL-2.0-or-later
/* scratch.c - see scratch.h. */
#include "cmd/scratch.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* access(2) asks neither a read-only file system nor a full one; making a directory does. */
static int try_directory(const char *path, char **dir, struct error *err)
{
	char *whole = realpath(path, NULL);
	char *probe = NULL;
	int rc = 0;

	if (!whole)
		return error_errno(err, -errno, "%s: directory for the tests' files", path);
	if (asprintf(&probe, "%s/onproc-probe-XXXXXX", whole) < 0) {
		probe = NULL;
		rc = error_set(err, -ENOMEM, "no memory for a path");
	} else if (strlen(whole) > PATH_MAX / 2) {
		rc = error_set(err, -ENAMETOOLONG, "%s: path too long for the tests' files", whole);
	} else if (!mkdtemp(probe)) {
		rc = error_errno(err, -errno, "%s: cannot make the tests' directories in it",
				 whole);
	} else if (rmdir(probe)) {
		rc = error_errno(err, -errno, "%s: removing it again", probe);
	}
	free(probe);
	if (rc) {
		free(whole);
		return rc;
	}
	*dir = whole;
	return 0;
}

int scratch_find(const char *asked, char **dir, struct error *err)
{
	const char *const candidates[] = { "/var/tmp", getenv("TMPDIR"), "/tmp" };
	int rc = -ENOENT;

	if (asked)
		return try_directory(asked, dir, err);
	for (size_t i = 0; i < sizeof(candidates) / sizeof(candidates[0]); i++) {
		if (!candidates[i] || !candidates[i][0])
			continue;
		rc = try_directory(candidates[i], dir, err);
		if (!rc)
			return 0;
	}
	return rc;
}
