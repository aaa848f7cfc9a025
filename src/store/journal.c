// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * journal.c - the file of a journal: made, locked, appended to, reopened, removed.
 *
 * A journal gets its name when its first line is on the disk and its lock is held: whoever sees the
 * name and gets the lock has found one whose writer is gone.
 */
#include "base/clock.h"
#include "base/file.h"
#include "store/journal_replay.h"
#include "store/store_private.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define SUFFIX	      ".jsonl"
#define TOLD_SUFFIX   ".told"		/* beside it: that it was left was told */
#define JOURNAL_BYTES ((size_t)1 << 30) /* more than any run writes */
#define LOCK_WAIT_NS  NS_PER_S /* children of a killed writer may hold its lock for a moment */
#define LOCK_RETRY_NS (20 * NS_PER_MS)
#define CANDIDATES    8

/* What the file holds of a series. */
struct seen {
	json_t *line;
	enum slot_status *status;
	size_t n_slots, room;
};

struct journal {
	int fd;
	char *path;
	off_t end; /* of the last whole line */
	json_t *warnings;
	struct seen *series;
	size_t n_series;
};

/* Lines that are about to be written, and what will have been seen then. */
struct batch {
	char *text;
	size_t bytes, room;
};

char *journal_directory(const struct store *store)
{
	char *path = NULL;

	return asprintf(&path, "%s.journal.d", store->path) < 0 ? NULL : path;
}

char *journal_path(const struct store *store, const char *id)
{
	char *path = NULL;

	return asprintf(&path, "%s.journal.d/%s" SUFFIX, store->path, id) < 0 ? NULL : path;
}

static int no_memory(struct error *err)
{
	return error_set(err, -ENOMEM, "no memory for a journal");
}

/* In place of ".jsonl"; NULL: no memory. */
static char *told_path(const char *path)
{
	char *told = NULL;

	if (asprintf(&told, "%.*s" TOLD_SUFFIX, (int)(strlen(path) - strlen(SUFFIX)), path) < 0)
		return NULL;
	return told;
}

static int unlink_all(const char *path)
{
	char *told = told_path(path);
	int rc = unlink(path) ? -errno : 0;

	if (told)
		unlink(told);
	free(told);
	return rc;
}

bool journal_is_told_first(const struct store *store, const char *id)
{
	char *path = journal_path(store, id), *told = path ? told_path(path) : NULL;
	int fd = told ? open(told, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600) : -1;
	bool is_first = fd >= 0 || !told || errno != EEXIST;

	if (fd >= 0)
		close(fd);
	free(told);
	free(path);
	return is_first;
}

static int batch_add(struct batch *batch, json_t *line)
{
	char *text = line ? json_dumps(line, JSON_COMPACT) : NULL;
	size_t length = text ? strlen(text) : 0;

	json_decref(line);
	if (!text)
		return -ENOMEM;
	if (batch->room - batch->bytes < length + 1) {
		size_t room = 2 * batch->room + length + 1;
		char *grown = realloc(batch->text, room);

		if (!grown) {
			free(text);
			return -ENOMEM;
		}
		batch->text = grown;
		batch->room = room;
	}
	memcpy(batch->text + batch->bytes, text, length);
	batch->text[batch->bytes + length] = '\n';
	batch->bytes += length + 1;
	free(text);
	return 0;
}

/* All of the batch reaches the disk, or the file ends where it ended before. */
static int batch_write(struct journal *journal, const struct batch *batch, struct error *err)
{
	size_t done = 0;
	int rc = 0;

	while (!rc && done < batch->bytes) {
		ssize_t count = pwrite(journal->fd, batch->text + done, batch->bytes - done,
				       journal->end + (off_t)done);

		if (count >= 0)
			done += (size_t)count;
		else if (errno != EINTR)
			rc = -errno;
	}
	if (!rc && fdatasync(journal->fd))
		rc = -errno;
	if (rc) {
		/* A torn tail that cannot be cut off either is what replay drops. */
		if (ftruncate(journal->fd, journal->end))
			error_errno(err, -errno, "cutting the journal %s", journal->path);
		return error_errno(err, rc, "writing the journal %s", journal->path);
	}
	journal->end += (off_t)batch->bytes;
	return 0;
}

/* The series line where the journal lacks it, then its new and changed slots. */
static int batch_series(struct journal *journal, struct batch *batch, const struct run *run,
			size_t i)
{
	const struct series *series = &run->series[i];
	const struct seen *seen = i < journal->n_series ? &journal->series[i] : NULL;
	json_t *line = journal_series_line(run, i);
	int rc = 0;

	if (!line)
		return -ENOMEM;
	if (!seen || !json_equal(seen->line, line))
		rc = batch_add(batch, line);
	else
		json_decref(line);
	for (size_t j = 0; !rc && j < series->n_slots; j++) {
		if (seen && j < seen->n_slots && seen->status[j] == series->slots[j].status)
			continue;
		rc = batch_add(batch, journal_slot_line(run, i, j));
	}
	return rc;
}

static int seen_series(struct seen *seen, const struct run *run, size_t i)
{
	const struct series *series = &run->series[i];
	json_t *line = journal_series_line(run, i);

	if (!line)
		return -ENOMEM;
	json_decref(seen->line);
	seen->line = line;
	if (seen->room < series->n_slots) {
		size_t room = 2 * series->n_slots;
		enum slot_status *grown = reallocarray(seen->status, room, sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		seen->status = grown;
		seen->room = room;
	}
	for (size_t j = 0; j < series->n_slots; j++)
		seen->status[j] = series->slots[j].status;
	seen->n_slots = series->n_slots;
	return 0;
}

/*
 * Remembers what is in the file. When memory runs out half-way, what is not remembered is written
 * again by the next append, and a line that comes twice replays to the same.
 */
static int seen_all(struct journal *journal, const struct run *run)
{
	int rc = 0;

	if (journal->n_series < run->n_series) {
		struct seen *grown = reallocarray(journal->series, run->n_series, sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		memset(grown + journal->n_series, 0,
		       (run->n_series - journal->n_series) * sizeof(*grown));
		journal->series = grown;
		journal->n_series = run->n_series;
	}
	for (size_t i = 0; !rc && i < run->n_series; i++)
		rc = seen_series(&journal->series[i], run, i);
	json_decref(journal->warnings);
	journal->warnings = json_deep_copy(run->warnings);
	return rc;
}

static bool same_warnings(const struct journal *journal, const struct run *run)
{
	bool none = !json_array_size(journal->warnings) && !json_array_size(run->warnings);

	return none || json_equal(journal->warnings, run->warnings);
}

int journal_append(struct journal *journal, const struct run *run, struct error *err)
{
	struct batch batch = { 0 };
	int rc = 0;

	for (size_t i = 0; !rc && i < run->n_series; i++)
		rc = batch_series(journal, &batch, run, i);
	if (!rc && !same_warnings(journal, run))
		rc = batch_add(&batch, journal_warnings_line(run));
	if (rc)
		rc = no_memory(err);
	else if (batch.bytes)
		rc = batch_write(journal, &batch, err);
	if (!rc && batch.bytes && seen_all(journal, run))
		rc = no_memory(err);
	free(batch.text);
	return rc;
}

void journal_close(struct journal *journal)
{
	if (!journal)
		return;
	for (size_t i = 0; i < journal->n_series; i++) {
		json_decref(journal->series[i].line);
		free(journal->series[i].status);
	}
	free(journal->series);
	json_decref(journal->warnings);
	if (journal->fd >= 0)
		close(journal->fd);
	free(journal->path);
	free(journal);
}

static struct journal *journal_new(char *path)
{
	struct journal *journal = path ? calloc(1, sizeof(*journal)) : NULL;

	if (!journal) {
		free(path);
		return NULL;
	}
	journal->path = path;
	journal->fd = -1;
	return journal;
}

static void sync_directory(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return;
	fsync(fd);
	close(fd);
}

/* The first line under a temporary name, then the name: see above. */
static int write_first(struct journal *journal, const char *directory, const struct run *run,
		       struct error *err)
{
	struct batch batch = { 0 };
	char *temporary = NULL;
	int rc;

	if (asprintf(&temporary, "%s/.new-XXXXXX", directory) < 0)
		return no_memory(err);
	journal->fd = mkostemp(temporary, O_CLOEXEC); /* mode 0600 */
	if (journal->fd < 0) {
		rc = error_errno(err, -errno, "making a journal in %s", directory);
		free(temporary);
		return rc;
	}
	if (flock(journal->fd, LOCK_EX | LOCK_NB)) {
		rc = error_errno(err, -errno, "locking the journal %s", journal->path);
		goto out;
	}
	if (batch_add(&batch, journal_run_line(run))) {
		rc = no_memory(err);
		goto out;
	}
	rc = batch_write(journal, &batch, err);
	if (!rc && link(temporary, journal->path))
		rc = errno == EEXIST
			     ? error_set(err, -EEXIST,
					 "%s: there is a journal of this run: "
					 "`onproc resume` finishes it",
					 journal->path)
			     : error_errno(err, -errno, "naming the journal %s", journal->path);
out:
	unlink(temporary);
	free(temporary);
	free(batch.text);
	return rc;
}

int journal_create(const struct store *store, const struct run *run, struct journal **created,
		   struct error *err)
{
	char *directory = journal_directory(store);
	struct journal *journal = NULL;
	int rc;

	*created = NULL;
	if (!run_id_is_valid(run->id)) {
		rc = error_set(err, -EINVAL, "making a journal: \"%.31s\" is no id of a run",
			       run->id);
		goto out;
	}
	journal = journal_new(journal_path(store, run->id));
	if (!journal || !directory) {
		rc = no_memory(err);
		goto out;
	}
	if (mkdir(directory, 0700) && errno != EEXIST) {
		rc = error_errno(err, -errno, "making the directory %s", directory);
		goto out;
	}
	rc = write_first(journal, directory, run, err);
	if (rc)
		goto out;
	sync_directory(directory);
	journal->warnings = json_deep_copy(run->warnings);
	rc = journal_append(journal, run, err);
	if (rc)
		unlink(journal->path);
out:
	if (rc)
		journal_close(journal);
	else
		*created = journal;
	free(directory);
	return rc;
}

int journal_finish(struct journal *journal, struct error *err)
{
	int rc = 0;

	if (!journal)
		return 0;
	rc = unlink_all(journal->path);
	if (rc == -ENOENT)
		rc = 0;
	else if (rc)
		error_errno(err, rc, "removing the journal %s", journal->path);
	journal_close(journal);
	return rc;
}

/*
 * Opens a journal whose writer is gone and holds its lock. -ENOENT: none (any more), -EBUSY: the
 * writer lives.
 */
static int open_locked(const char *path, uint64_t wait_ns, int *locked, struct error *err)
{
	const struct timespec pause = { 0, LOCK_RETRY_NS };
	uint64_t give_up_ns = clock_raw_ns() + wait_ns;
	int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	struct stat file;

	*locked = -1;
	if (fd < 0)
		return error_errno(err, -errno, "opening the journal %s", path);
	while (flock(fd, LOCK_EX | LOCK_NB)) {
		int code = errno;

		if (code != EINTR && (code != EWOULDBLOCK || clock_raw_ns() >= give_up_ns)) {
			close(fd);
			return error_set(err, code == EWOULDBLOCK ? -EBUSY : -code,
					 "%s: this run is being measured right now", path);
		}
		nanosleep(&pause, NULL);
	}
	/* It may have been finished and removed between open and lock. */
	if (fstat(fd, &file) || !file.st_nlink) {
		close(fd);
		return error_set(err, -ENOENT, "%s: finished by another process", path);
	}
	*locked = fd;
	return 0;
}

int journal_remove(const struct store *store, const char *id, struct error *err)
{
	char *path;
	int fd, rc;

	if (!run_id_is_valid(id))
		return error_set(err, -EINVAL, "\"%.40s\" is no id of a run", id);
	path = journal_path(store, id);
	if (!path)
		return no_memory(err);
	rc = open_locked(path, LOCK_WAIT_NS, &fd, err);
	if (!rc) {
		rc = unlink_all(path);
		if (rc)
			error_errno(err, rc, "removing the journal %s", path);
		close(fd);
	}
	free(path);
	return rc;
}

/* The id in a journal's file name; false: some other file. */
static bool id_of_name(const char *name, char id[RUN_ID_BYTES])
{
	size_t length = strlen(name), tail = strlen(SUFFIX);

	if (length <= tail || length - tail >= RUN_ID_BYTES ||
	    strcmp(name + length - tail, SUFFIX) != 0)
		return false;
	memcpy(id, name, length - tail);
	id[length - tail] = '\0';
	return run_id_is_valid(id);
}

static int newest_first(const void *a, const void *b)
{
	return strcmp(b, a); /* ids begin with date and time */
}

int journal_orphans(const struct store *store, char (**ids)[RUN_ID_BYTES], size_t *count,
		    struct error *err)
{
	char(*list)[RUN_ID_BYTES] = NULL, id[RUN_ID_BYTES];
	char *directory = journal_directory(store);
	const struct dirent *entry;
	size_t used = 0, room = 0;
	DIR *open_directory;
	int rc = 0;

	*ids = NULL;
	*count = 0;
	if (!directory)
		return no_memory(err);
	open_directory = opendir(directory);
	if (!open_directory) {
		if (errno != ENOENT)
			rc = error_errno(err, -errno, "reading %s", directory);
		free(directory);
		return rc;
	}
	while ((entry = readdir(open_directory))) {
		char *path;
		int fd = -1;

		if (!id_of_name(entry->d_name, id))
			continue;
		path = journal_path(store, id);
		if (path && !open_locked(path, 0, &fd, NULL))
			close(fd);
		free(path);
		if (fd < 0)
			continue;
		if (used == room) {
			void *grown = reallocarray(list, room ? 2 * room : 8, RUN_ID_BYTES);

			if (!grown) {
				rc = no_memory(err);
				break;
			}
			list = grown;
			room = room ? 2 * room : 8;
		}
		memcpy(list[used++], id, RUN_ID_BYTES);
	}
	closedir(open_directory);
	free(directory);
	if (rc) {
		free(list);
		return rc;
	}
	if (used)
		qsort(list, used, RUN_ID_BYTES, newest_first);
	*ids = list;
	*count = used;
	return 0;
}

/* The orphan that id (full, prefix, NULL: newest) names. */
static int choose(const struct store *store, const char *id, char full[RUN_ID_BYTES],
		  struct error *err)
{
	char(*ids)[RUN_ID_BYTES], names[CANDIDATES * (RUN_ID_BYTES + 2)] = "";
	size_t count, found = 0;
	int rc = journal_orphans(store, &ids, &count, err);

	if (rc)
		return rc;
	for (size_t i = 0; i < count; i++) {
		if (id && strncmp(ids[i], id, strlen(id)) != 0)
			continue;
		if (!found || (id && !strcmp(ids[i], id)))
			memcpy(full, ids[i], RUN_ID_BYTES);
		if (found < CANDIDATES)
			snprintf(names + strlen(names), sizeof(names) - strlen(names), "%s%s",
				 found ? ", " : "", ids[i]);
		found++;
		if (!id)
			break;
	}
	free(ids);
	if (!found && !id)
		return error_set(err, -ENOENT, "no interrupted run in %s", store->path);
	/* A journal whose writer lives is no orphan: opening it says that it is busy. */
	if (!found && run_id_is_valid(id)) {
		snprintf(full, RUN_ID_BYTES, "%s", id);
		return 0;
	}
	if (!found)
		return error_set(err, -ENOENT, "%s: no interrupted run of this id in %s", id,
				 store->path);
	if (found > 1 && strcmp(full, id) != 0)
		return error_set(err, -ENOTUNIQ, "%s: more than one interrupted run begins so: %s",
				 id, names);
	return 0;
}

int journal_reopen(const struct store *store, const char *id, struct run *run,
		   struct journal **reopened, struct error *err)
{
	struct journal *journal = NULL;
	char full[RUN_ID_BYTES], *bytes = NULL;
	size_t count, whole;
	int rc;

	*reopened = NULL;
	run_init(run);
	rc = choose(store, id, full, err);
	if (rc)
		return rc;
	journal = journal_new(journal_path(store, full));
	if (!journal)
		return no_memory(err);
	rc = open_locked(journal->path, LOCK_WAIT_NS, &journal->fd, err);
	if (rc == -ENOENT)
		error_set(err, rc, "%s: no interrupted run of this id in %s", full, store->path);
	if (!rc)
		rc = file_read_fd(journal->fd, journal->path, JOURNAL_BYTES, &bytes, &count, err);
	if (!rc)
		rc = journal_replay(journal->path, bytes, count, run, &whole, err);
	if (!rc && strcmp(run->id, full) != 0)
		rc = error_set(err, -EUCLEAN, "%s: holds the run %s", journal->path, run->id);
	if (rc)
		goto out;
	journal->end = (off_t)whole;
	if (whole < count && ftruncate(journal->fd, journal->end))
		rc = error_errno(err, -errno, "cutting the journal %s", journal->path);
	else if (seen_all(journal, run))
		rc = no_memory(err);
out:
	free(bytes);
	if (rc) {
		journal_close(journal);
		if (rc != -EUCLEAN)
			run_free(run);
	} else {
		*reopened = journal;
	}
	return rc;
}

void journal_sweep(struct store *store)
{
	char(*ids)[RUN_ID_BYTES];
	size_t count;

	if (journal_orphans(store, &ids, &count, NULL))
		return;
	for (size_t i = 0; i < count; i++) {
		sqlite3_stmt *statement = NULL;
		bool complete = false;

		if (!store_prepare(store, "SELECT 1 FROM run WHERE id = ?1 AND status = 'complete'",
				   ids[i], &statement, "opening it", NULL))
			complete = sqlite3_step(statement) == SQLITE_ROW;
		sqlite3_finalize(statement);
		if (complete)
			journal_remove(store, ids[i], NULL);
	}
	free(ids);
}
