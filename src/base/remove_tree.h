/* SPDX-License-Identifier: GPL-2.0-or-later */
/* remove_tree.h - removes a scratch directory with everything in it. */
#ifndef ONPROC_BASE_REMOVE_TREE_H
#define ONPROC_BASE_REMOVE_TREE_H

/*
 * Follows no symbolic link, and leaves alone what is mounted in the directory, or on it. 0 also
 * when path is not there; else -errno: of what could not be removed only that the directory is not
 * empty.
 */
int remove_tree(const char *path);

#endif
