/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scratch.h - the directories in which the tests make their files: one parent (--dir), and in it
 * one directory per slot.
 *
 * A harness that is killed together with its warden leaves its directory behind. So the harness
 * keeps flock(2) on the directory of its slot, and leaves a mark in it; a later one sweeps those
 * that have the mark and that nobody holds.
 */
#ifndef ONPROC_MEASURE_SCRATCH_H
#define ONPROC_MEASURE_SCRATCH_H

#include "base/error.h"
#include "workload/page.h"

struct scratch {
	char path[PAGE_DIR_BYTES]; /* empty: there is none */
	int fd; /* holds the lock; -1: the file system has no locks on directories */
};

/*
 * The parent. asked: --dir, or NULL for the first of /var/tmp, $TMPDIR and /tmp that can be
 * written. Tries it by making and removing a directory. Absolute path into *parent, to be freed;
 * the errno of the failure with its text.
 */
int scratch_find(const char *asked, char **parent, struct error *err);

/* Makes an empty directory in parent, mode 0700. -ENAMETOOLONG when a path in it may not fit. */
int scratch_create(const char *parent, struct scratch *scratch, struct error *err);

/* Removes the directory with everything in it. Nothing to do is no error. */
void scratch_remove(struct scratch *scratch);

/*
 * Removes what killed harnesses and bare runs of this user left in parent, and nothing that one
 * still holds.
 * Returns the number of directories removed.
 */
unsigned int scratch_sweep(const char *parent);

#endif
