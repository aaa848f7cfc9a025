// SPDX-License-Identifier: GPL-2.0-or-later
/* import.c - see import.h: which format a file has, and who reads it. */
#include "store/import.h"

#include "base/file.h"
#include "base/sha256.h"
#include "store/import_formats.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <math.h>
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
	/* What is particular before what is general. */
	{ "fio JSON", import_fio_recognise, import_fio_read },
	{ "hyperfine JSON", import_hyperfine_recognise, import_hyperfine_read },
	{ "Google Benchmark JSON", import_gbench_recognise, import_gbench_read },
	{ "onproc.run documents (JSON)", import_onproc_recognise, import_onproc_read },
	{ "UnixBench HTML", import_unixbench_html_recognise, import_unixbench_html_read },
	{ "UnixBench logs", import_unixbench_log_recognise, import_unixbench_log_read },
	{ "UnixBench CSV", import_unixbench_csv_recognise, import_unixbench_csv_read },
	{ "UnixBench 3 to 6 text reports", import_unixbench_recognise, import_unixbench_read },
	{ "hackbench and perf bench text", import_sched_recognise, import_sched_read },
	{ "tables of UnixBench results", import_table_recognise, import_table_read },
};

#define IMPORTERS (sizeof(importers) / sizeof(importers[0]))

void import_free(struct run *runs, size_t count)
{
	for (size_t i = 0; i < count; i++)
		run_free(&runs[i]);
	free(runs);
}

static int unknown(const char *path, struct error *err)
{
	char names[512] = "";

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

/* The same file gives the same ids: importing it again replaces nothing by something else. */
static void make_ids(const struct import_source *source, struct imported *imported)
{
	char hex[SHA256_HEX_BYTES];
	struct sha256 sha;

	sha256_init(&sha);
	sha256_add(&sha, source->bytes, source->count);
	sha256_hex(&sha, hex);
	hex[6] = '\0';
	for (size_t i = 0; i < imported->count; i++)
		if (!*imported->runs[i].id)
			run_make_id(&imported->runs[i],
				    (uint32_t)strtoul(hex, NULL, 16) + (uint32_t)i);
}

/* Moves the warnings of a run without results to the next, or the last one before. */
static void give_warnings(struct imported *imported, size_t from, json_t **kept)
{
	json_t *warnings = imported->runs[from].warnings;

	if (!*kept)
		*kept = json_array();
	if (!*kept || (warnings && json_array_extend(*kept, warnings)))
		imported->no_memory = true;
}

static bool has_result(const struct run *run)
{
	for (size_t i = 0; i < run->n_series; i++) {
		const struct series *series = &run->series[i];

		if (isfinite(series->estimate.value))
			return true;
		for (size_t k = 0; k < series->n_slots; k++)
			if (series->slots[k].status == SLOT_OK)
				return true;
	}
	return false;
}

/* A test of which every slot failed has no result, and that of the last of them says why. */
static void say_reasons(struct imported *imported, struct run *run)
{
	for (size_t i = 0; i < run->n_series; i++) {
		struct series *series = &run->series[i];
		const char *why = NULL;
		bool is_sound = isfinite(series->estimate.value);

		for (size_t k = 0; k < series->n_slots; k++) {
			is_sound |= series->slots[k].status == SLOT_OK;
			why = series->slots[k].error ? series->slots[k].error : why;
		}
		if (!is_sound && why && !series->reason)
			imported_text(imported, &series->reason, "%s", why);
	}
}

/* Runs in which nothing was sound are none, but what was wrong with them is said. */
static void drop_empty(struct imported *imported)
{
	size_t left = 0;
	json_t *orphans = imported->pending;

	imported->pending = NULL;
	for (size_t i = 0; i < imported->count; i++) {
		struct run *run = &imported->runs[i];

		if (!has_result(run)) {
			give_warnings(imported, i, &orphans);
			run_free(run);
			continue;
		}
		say_reasons(imported, run);
		if (left != i) {
			imported->runs[left] = *run;
			run_init(run);
		}
		left++;
	}
	imported->count = left;
	if (left && json_array_size(orphans)) {
		struct run *last = &imported->runs[left - 1];

		if (!last->warnings)
			last->warnings = json_array();
		if (json_array_extend(last->warnings, orphans))
			imported->no_memory = true;
		json_decref(orphans);
	} else {
		imported->pending = orphans;
	}
}

/* Nothing sound in the file: what was wrong first. */
static int nothing(const struct import_source *source, const struct imported *imported,
		   const char *format, struct error *err)
{
	const char *first = json_string_value(json_array_get(imported->pending, 0));

	if (!first)
		return error_set(err, -EINVAL, "%s: %s without any result", source->path, format);
	first += strlen(IMPORT_WARNING);
	/* "line 7: expected …" as "file:7: expected …", as other readers say it */
	if (!strncmp(first, "line ", 5))
		return error_set(err, -EINVAL, "%s:%s", source->path, first + 5);
	return error_set(err, -EINVAL, "%s: %s", source->path, first);
}

int import_bytes(const struct import_source *source, struct run **runs, size_t *count,
		 struct error *err)
{
	struct imported imported = { 0 };
	const struct importer *importer = NULL;
	int rc;

	*runs = NULL;
	*count = 0;
	for (size_t i = 0; !importer && i < IMPORTERS; i++)
		if (importers[i].recognise(source))
			importer = &importers[i];
	if (!importer)
		return unknown(source->path, err);
	rc = importer->read(source, &imported, err);
	/* A document of onproc is as it is. */
	if (!rc && importer->read != import_onproc_read) {
		imported_end(&imported);
		drop_empty(&imported);
	}
	if (!rc && imported.no_memory)
		rc = error_set(err, -ENOMEM, "%s: no memory for its runs", source->path);
	if (!rc && !imported.count)
		rc = nothing(source, &imported, importer->name, err);
	json_decref(imported.pending);
	if (rc) {
		import_free(imported.runs, imported.count);
		return rc;
	}
	make_ids(source, &imported);
	*runs = imported.runs;
	*count = imported.count;
	return 0;
}

int import_file(const char *path, struct run **runs, size_t *count, struct error *err)
{
	struct import_source source = { .path = path };
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
	rc = import_bytes(&source, runs, count, err);
	free(bytes);
	return rc;
}
