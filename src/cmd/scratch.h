/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scratch.h - the directory in which the slots make their scratch directories. */
#ifndef ONPROC_CMD_SCRATCH_H
#define ONPROC_CMD_SCRATCH_H

#include "base/error.h"

/*
 * asked: --dir, or NULL for the first of /var/tmp, $TMPDIR and /tmp that can be written. Tries it
 * by making and removing a directory. Absolute path into *dir, to be freed; the errno of the
 * failure with its text.
 */
int scratch_find(const char *asked, char **dir, struct error *err);

#endif
