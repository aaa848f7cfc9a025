/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_program.h - the program that onproc run starts: where it lies, and whether it can be. */
#ifndef ONPROC_CMD_RUN_PROGRAM_H
#define ONPROC_CMD_RUN_PROGRAM_H

#include "base/error.h"

#include <stddef.h>

/*
 * The file that a shell would run for this name: the name itself where it has a slash, else by
 * PATH. 0; -ENOENT: there is none; -EACCES: it may not be run.
 */
int run_program_find(const char *name, char *path, size_t bytes, struct error *err);

/*
 * Will the dynamic linker put a library before this program? -ENOEXEC with the reason: it is linked
 * statically or for another machine or C library, gains privileges, or is a script whose
 * interpreter is such a program. What cannot be read is taken as fit.
 */
int run_program_check(const char *path, struct error *err);

#endif
