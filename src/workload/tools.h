/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tools.h - the external programs that a test runs: are they there? */
#ifndef ONPROC_WORKLOAD_TOOLS_H
#define ONPROC_WORKLOAD_TOOLS_H

#include "workload/workload.h"

#include <stdbool.h>
#include <stddef.h>

/* Where PATH has the program (a name with a slash is taken as it is), into path. False: nowhere. */
bool tool_find(const char *name, char *path, size_t bytes);

/*
 * 0 when all programs of the NULL-terminated list are there, else -ENOENT and the first that is
 * missing: "dc: not found in PATH; install the package dc".
 */
int tools_missing(const char *const *names, struct reason *why);

#endif
