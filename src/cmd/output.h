/* SPDX-License-Identifier: GPL-2.0-or-later */
/* output.h - a run, or any document, to stdout or to a file that is whole or not there. */
#ifndef ONPROC_CMD_OUTPUT_H
#define ONPROC_CMD_OUTPUT_H

#include "base/error.h"
#include "store/record.h"

#include <stdio.h>

/* Row of a verb's table for output_write()'s path; `at`: offset of a const char *. */
#define OUTPUT_FILE_ROW(at)                                                                        \
	{                                                                                          \
		.name = "output", .kind = OPTION_STRING, .argument = "FILE",                       \
		.help = "write to a file, which appears once it is whole",                         \
		.fallback = "standard output", .complete = "file", .offset = (at)                  \
	}

/* Writes one form of a run. 0 or a negative errno; the stream's own errors show in ferror(). */
typedef int (*output_form)(const struct run *run, FILE *out);

extern const char *const output_form_names[];	/* "table", "unixbench", "json", "csv", NULL */
output_form output_form_find(const char *name); /* NULL: no such form */

/* Anything that can be written. */
struct output {
	int (*write)(const void *what, FILE *out); /* as output_form */
	const void *what;
	const char *name; /* for errors: "run 20261130-142233-1a2b3c" */
};

/* To stdout, flushed. */
int output_run(const struct run *run, output_form form, struct error *err);

/*
 * To a file by atomic rename: a file of that name is replaced once the new one is whole and on
 * disk. What is no regular file (a pipe, /dev/stdout) is written straight. "-" is stdout.
 */
int output_file(const char *path, const struct run *run, output_form form, struct error *err);
int output_write(const char *path, const struct output *output, struct error *err);

/* Can output_file() make a file there? Asked before measuring. */
int output_check(const char *path, struct error *err);

/* Is stdout open for writing? Asked before measuring. */
int output_check_stdout(struct error *err);

/* Flushes stdout: 0, or the errno of the first failed write (-EPIPE: the reader is gone). */
int output_finish(struct error *err);

#endif
