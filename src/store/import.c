// SPDX-License-Identifier: GPL-2.0-or-later
/* import.c - see import.h: which format a file has, and who reads it. */
#include "store/import.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
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

/* From a process: "<(command)" of a shell, or what was piped into /dev/stdin. */
static bool is_unnamed_pipe(int fd, const struct stat *status)
{
	struct statfs place;

	return S_ISFIFO(status->st_mode) && !fstatfs(fd, &place) && place.f_type == PIPEFS_MAGIC;
}

/* Never waits for somebody to write: a FIFO or a device is refused. */
static int read_named(const char *path, char **bytes, size_t *count, struct error *err)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat status;
	int rc;

	/* ENXIO: a socket */
	if (fd < 0)
		return errno == ENXIO ? error_set(err, -EINVAL, "%s: not a regular file", path)
				      : error_errno(err, -errno, "opening %s", path);
	if (fstat(fd, &status)) {
		rc = error_errno(err, -errno, "reading %s", path);
	} else if (S_ISREG(status.st_mode)) {
		rc = file_read_fd(fd, path, IMPORT_BYTES, bytes, count, err);
	} else if (is_unnamed_pipe(fd, &status)) {
		rc = fcntl(fd, F_SETFL, 0)
			     ? error_errno(err, -errno, "reading %s", path)
			     : file_read_fd(fd, path, IMPORT_BYTES, bytes, count, err);
	} else {
		rc = error_set(err, S_ISDIR(status.st_mode) ? -EISDIR : -EINVAL,
			       "%s: not a regular file", path);
	}
	close(fd);
	return rc;
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
	if (!strcmp(path, "-") || !strcmp(path, "/dev/stdin")) {
		source.path = "standard input";
		rc = file_read_fd(STDIN_FILENO, source.path, IMPORT_BYTES, &bytes, &source.count,
				  err);
	} else {
		rc = read_named(path, &bytes, &source.count, err);
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
