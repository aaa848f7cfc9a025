/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * import.h - runs from files: of onproc, and of other tools. A file's content says what it is, not
 * its name.
 *
 * Adding a format is adding a file import_FORMAT.c and a row in the table of import.c.
 */
#ifndef ONPROC_STORE_IMPORT_H
#define ONPROC_STORE_IMPORT_H

#include "base/error.h"
#include "store/record.h"

#include <stddef.h>

/*
 * Reads all runs of a file ("-": standard input). All or none: on an error nothing is returned.
 * -EINVAL with file, line (or path of the member) and what was expected; -ENOTSUP a document of a
 * newer onproc; -ENOMSG no format that is known. To be freed with import_free().
 */
int import_file(const char *path, struct run **runs, size_t *count, struct error *err);
void import_free(struct run *runs, size_t count);

/* What the readers of formats share. */
struct imported {
	struct run *runs;
	size_t count, room;
};
struct run *imported_add(struct imported *imported); /* an initialised run; NULL: no memory */

/* path is for the text. bytes are followed by a zero that is not counted. */
struct import_source {
	const char *path;
	const char *bytes;
	size_t count;
};

bool import_onproc_recognise(const struct import_source *source);
int import_onproc_read(const struct import_source *source, struct imported *imported,
		       struct error *err);
bool import_unixbench_recognise(const struct import_source *source);
int import_unixbench_read(const struct import_source *source, struct imported *imported,
			  struct error *err);

#endif
