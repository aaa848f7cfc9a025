/* SPDX-License-Identifier: GPL-2.0-or-later */
/* program_dir.h - where the workload programs lie. */
#ifndef ONPROC_MEASURE_PROGRAM_DIR_H
#define ONPROC_MEASURE_PROGRAM_DIR_H

#include "base/error.h"

/*
 * The directory of the onproc-work-* programs that belong to the running program: beside it in a
 * build tree, in ../libexec/onproc of an installation that was moved, else where it was configured
 * to be installed. Absolute, to be freed. -ENOENT names the places looked at.
 */
int program_dir_find(char **dir, struct error *err);

#endif
