/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * import.h - runs from files: of onproc, and of other tools. A file's content says what it is, not
 * its name.
 *
 * Adding a format is adding a file import_FORMAT.c and a row in the table of import.c; import_run.h
 * has what its reader needs.
 */
#ifndef ONPROC_STORE_IMPORT_H
#define ONPROC_STORE_IMPORT_H

#include "base/error.h"
#include "store/record.h"

#include <stdbool.h>
#include <stddef.h>

/* What a reader could not take, or had to guess, is a warning of the run that begins with this. */
#define IMPORT_WARNING "imported: "

/*
 * Reads all runs of a file ("-": standard input). A document of onproc is read whole or refused. Of
 * another tool's file all that is sound is imported; what is not is a warning of the run, with its
 * line. On an error nothing is returned: -EINVAL nothing sound in the file, with file, line (or
 * path of the member) and what was expected; -ENOTSUP a document of a newer onproc; -ENOMSG no
 * format that is known. To be freed with import_free().
 */
int import_file(const char *path, struct run **runs, size_t *count, struct error *err);
void import_free(struct run *runs, size_t count);

/* path is for the text. bytes are followed by a zero that is not counted. */
struct import_source {
	const char *path;
	const char *bytes;
	size_t count;
};

/* The same of a file in memory: what import_file() does after reading. */
int import_bytes(const struct import_source *source, struct run **runs, size_t *count,
		 struct error *err);

#endif
