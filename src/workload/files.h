/* SPDX-License-Identifier: GPL-2.0-or-later */
/* files.h - the small files that a test makes and checks. */
#ifndef ONPROC_WORKLOAD_FILES_H
#define ONPROC_WORKLOAD_FILES_H

#include "workload/work.h"

#include <stddef.h>

/* Writes a new file, mode 0600. 0 or a negative errno after work_fail(). */
int file_write(const struct work *work, const char *name, const char *bytes, size_t count);

/* Reads a whole file, with a zero behind its end, to be freed. 0 or a negative errno. */
int work_file_read(const char *name, char **bytes, size_t *count);

/*
 * Makes `KIND-COPY` in the scratch directory and goes there: whatever a copy runs leaves its files
 * in it. Programs that are started from here work in the C locale and have it as TMPDIR.
 */
int directory_enter(const struct work *work, const char *kind);

/*
 * Goes back and removes the directory with what is in it. Does nothing where directory_enter() did
 * not succeed.
 */
void directory_leave(const struct work *work, const char *kind);

/* Number of the entries of the current directory, or a negative errno. */
int directory_count(void);

#endif
