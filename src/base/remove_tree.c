// SPDX-License-Identifier: GPL-2.0-or-later
/* remove_tree.c - see remove_tree.h. */
#include "base/remove_tree.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <unistd.h>

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *where)
{
	(void)status;
	(void)type;
	(void)where;
	remove(path); /* what cannot be removed keeps its directory, and that is what is reported */
	return 0;
}

int remove_tree(const char *path)
{
	/* Needs no descriptor, of which there may be none left. */
	if (!rmdir(path))
		return 0;
	if (nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT) && errno != ENOENT)
		return -errno;
	errno = 0;
	return remove(path) && errno != ENOENT ? -errno : 0;
}
