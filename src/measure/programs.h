/* SPDX-License-Identifier: GPL-2.0-or-later */
/* programs.h - where the workload programs lie, and which one runs a test. */
#ifndef ONPROC_MEASURE_PROGRAMS_H
#define ONPROC_MEASURE_PROGRAMS_H

#include "base/error.h"
#include "workload/workload.h"

#include <stddef.h>

/*
 * Directory of the workload programs: beside a program run from its build directory, else where
 * they were installed. Into path. 0, -ENAMETOOLONG, or -ENOENT with both places in the text.
 */
int programs_find(char *path, size_t bytes, struct error *err);

/* Absolute path of the program of a workload, which must be executable. */
int program_path(const char *program_dir, const struct workload *workload, char *path, size_t bytes,
		 struct error *err);

#endif
