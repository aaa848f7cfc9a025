/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * environment.h - everything about machine, kernel and build that may explain a number.
 *
 * A table of { name, help, reader }; the object has one member per row, null where unreadable with
 * NAME_reason beside it ("EACCES", "no such file"). Never fails for what cannot be read.
 */
#ifndef ONPROC_MEASURE_ENVIRONMENT_H
#define ONPROC_MEASURE_ENVIRONMENT_H

#include <jansson.h>

struct environment_request {
	const char *root;	 /* "" or a directory that stands in for / in tests */
	const char *dir;	 /* directory of the file tests: its file system is recorded */
	const char *program_dir; /* where the workload programs lie */
	const char *const
		*tools; /* external programs of the chosen tests, NULL-terminated, or NULL */
};

/* A new object; NULL: no memory. Runs the tools with --version, 2 s each at most. */
json_t *environment_collect(const struct environment_request *request);

/* One line on what a member is; NULL: no such member. */
const char *environment_help(const char *name);

/* What a reader must know beside the scores: quota below the CPU count, governor, tmpfs, SMT … A
 * new array of strings. */
json_t *environment_warnings(const json_t *environment);

#endif
