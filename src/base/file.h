/* SPDX-License-Identifier: GPL-2.0-or-later */
/* file.h - whole files: read with a limit, written so that a reader never sees half of one. */
#ifndef ONPROC_BASE_FILE_H
#define ONPROC_BASE_FILE_H

#include "base/error.h"

#include <stddef.h>
#include <sys/types.h>

/*
 * Reads a whole file, pipes and /proc included, into memory to be freed; a zero that is not counted
 * follows the last byte. -EFBIG for more than limit bytes.
 */
int file_read(const char *path, size_t limit, char **bytes, size_t *count, struct error *err);

/* As file_read() from an open descriptor, from its current position; path is for the text. */
int file_read_fd(int fd, const char *path, size_t limit, char **bytes, size_t *count,
		 struct error *err);

/* write(2) until all is written. 0 or a negative errno. */
int write_all(int fd, const void *bytes, size_t count);

/*
 * Replaces the file by one with these bytes, durable and in one step: a temporary file beside it,
 * fsync, rename. A new file gets `mode` less the umask, an old one keeps its mode. A symbolic link
 * is followed; what is not a regular file (/dev/stdout, a pipe) is written to in place.
 */
int write_atomic(const char *path, const void *bytes, size_t count, mode_t mode, struct error *err);

/* Makes the directories that lead to path's last component where missing, with this mode. */
int make_parent_directories(const char *path, mode_t mode, struct error *err);

#endif
