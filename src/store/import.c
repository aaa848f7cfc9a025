// SPDX-License-Identifier: GPL-2.0-or-later
/* import.c - see import.h: which format a file has, and who reads it. */
#include "store/import.h"

#include "base/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define IMPORT_BYTES ((size_t)256 << 20) /* a run of 1,024 copies and 12 tests has some MiB */

static const struct importer {
	const char *name;
	bool (*recognise)(const struct import_source *source);
	int (*read)(const struct import_source *source, struct imported *imported,
		    struct error *err);
} importers[] = {
	{ "onproc.run documents (JSON)", import_onproc_recognise, import_onproc_read },
	{ "UnixBench 5 and 6 text reports", import_unixbench_recognise, import_unixbench_read },
};

#define IMPORTERS (sizeof(importers) / sizeof(importers[0]))

struct run *imported_add(struct imported *imported)
{
	if (imported->count == imported->room) {
		size_t room = imported->room ? 2 * imported->room : 4;
		struct run *grown = reallocarray(imported->runs, room, sizeof(*grown));

		if (!grown)
			return NULL;
		imported->runs = grown;
		imported->room = room;
	}
	run_init(&imported->runs[imported->count]);
	return &imported->runs[imported->count++];
}

void import_free(struct run *runs, size_t count)
{
	for (size_t i = 0; i < count; i++)
		run_free(&runs[i]);
	free(runs);
}

static int unknown(const char *path, struct error *err)
{
	char names[256] = "";

	for (size_t i = 0; i < IMPORTERS; i++) {
		size_t used = strlen(names);

		snprintf(names + used, sizeof(names) - used, "%s%s", i ? "; " : "",
			 importers[i].name);
	}
	return error_set(err, -ENOMSG, "%s: not a file that onproc can import. It imports: %s",
			 path, names);
}

int import_file(const char *path, struct run **runs, size_t *count, struct error *err)
{
	struct imported imported = { 0 };
	struct import_source source = { .path = path };
	const struct importer *importer = NULL;
	char *bytes = NULL;
	int rc;

	*runs = NULL;
	*count = 0;
	if (!strcmp(path, "-")) {
		source.path = "standard input";
		rc = file_read_fd(STDIN_FILENO, source.path, IMPORT_BYTES, &bytes, &source.count,
				  err);
	} else {
		rc = file_read(path, IMPORT_BYTES, &bytes, &source.count, err);
	}
	if (rc)
		return rc;
	source.bytes = bytes;
	for (size_t i = 0; !importer && i < IMPORTERS; i++)
		if (importers[i].recognise(&source))
			importer = &importers[i];
	rc = importer ? importer->read(&source, &imported, err) : unknown(source.path, err);
	free(bytes);
	if (rc) {
		import_free(imported.runs, imported.count);
		return rc;
	}
	*runs = imported.runs;
	*count = imported.count;
	return 0;
}
