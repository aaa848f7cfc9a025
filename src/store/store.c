// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * store.c - the database file: found, made, opened, closed; runs found, listed and removed.
 *
 * WAL lets readers go on while a run is written. A run's journal is removed once the run is in the
 * store, so a commit must be on the disk when it returns: synchronous=FULL (NORMAL may lose the
 * last commits of a WAL at a power cut). A save is one commit after minutes of measuring: its fsync
 * is free.
 */
#include "store/store.h"

#include "base/clock.h"
#include "base/file.h"
#include "store/record_json.h"
#include "store/store_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define BUSY_MS	      10000
#define BUSY_RETRY_NS (20 * NS_PER_MS)
#define CANDIDATES    8 /* named in the text for an ambiguous id */

char *store_default_path(void)
{
	const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
	char *path = NULL;
	int length;

	/* The XDG specification: a relative path is invalid and ignored. */
	if (data && data[0] == '/')
		length = asprintf(&path, "%s/onproc/onproc.db", data);
	else if (home && home[0] == '/')
		length = asprintf(&path, "%s/.local/share/onproc/onproc.db", home);
	else
		return NULL;
	return length < 0 ? NULL : path;
}

static int errno_of(sqlite3 *db, int result)
{
	int system = db ? sqlite3_system_errno(db) : 0;

	switch (result & 0xff) {
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return -EBUSY;
	case SQLITE_FULL:
		return -ENOSPC;
	case SQLITE_CORRUPT:
	case SQLITE_NOTADB:
		return -EUCLEAN;
	case SQLITE_READONLY:
		return -EROFS;
	case SQLITE_NOMEM:
		return -ENOMEM;
	case SQLITE_PERM:
	case SQLITE_AUTH:
		return -EACCES;
	case SQLITE_CANTOPEN:
	case SQLITE_IOERR:
		return system ? -system : -EIO;
	default:
		return -EIO;
	}
}

int store_error(const struct store *store, int result, const char *doing, struct error *err)
{
	int code = errno_of(store->db, result);

	switch (code) {
	case -EBUSY:
		return error_set(err, code,
				 "%s: %s: another process has held it locked for more than %d s",
				 store->path, doing, BUSY_MS / 1000);
	case -EUCLEAN:
		return error_set(err, code,
				 "%s: %s: the file is damaged or no database; it is left as it is: "
				 "move it away and start anew, or try \"sqlite3 FILE .recover\"",
				 store->path, doing);
	case -ENOSPC:
		return error_set(err, code,
				 "%s: %s: no space left; free some space on the file system of %s",
				 store->path, doing, store->path);
	case -EROFS:
		return error_set(err, code, "%s: %s: it or its directory cannot be written",
				 store->path, doing);
	default:
		return error_set(err, code, "%s: %s: %s", store->path, doing,
				 result == SQLITE_CANTOPEN ? strerror(-code)
							   : sqlite3_errmsg(store->db));
	}
}

int store_execute(struct store *store, const char *sql, const char *doing, struct error *err)
{
	int result = sqlite3_exec(store->db, sql, NULL, NULL, NULL);

	return result == SQLITE_OK
		       ? 0
		       : store_error(store, sqlite3_extended_errcode(store->db), doing, err);
}

int store_prepare(struct store *store, const char *sql, const char *bound, sqlite3_stmt **statement,
		  const char *doing, struct error *err)
{
	int result = sqlite3_prepare_v2(store->db, sql, -1, statement, NULL);

	if (result == SQLITE_OK && bound)
		result = sqlite3_bind_text(*statement, 1, bound, -1, SQLITE_TRANSIENT);
	return result == SQLITE_OK ? 0 : store_error(store, result, doing, err);
}

/*
 * SQLite gives -wal and -shm the mode of the database, so making the file is enough. Never opens a
 * file that is there: closing it would drop the locks that another connection of this process
 * holds.
 */
static int make_file(const char *path, struct error *err)
{
	struct stat file;
	int fd, rc, code;

	rc = make_parent_directories(path, 0700, err);
	if (rc)
		return rc;
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd >= 0) {
		close(fd);
		return 0;
	}
	code = errno;
	if (code != EEXIST && code != EROFS)
		return error_errno(err, -code, "making the database %s", path);
	if (stat(path, &file))
		return error_errno(err, code == EROFS ? -code : -errno, "making the database %s",
				   path);
	if (!S_ISREG(file.st_mode))
		return error_set(err, S_ISDIR(file.st_mode) ? -EISDIR : -EINVAL,
				 "%s: a database must be a regular file", path);
	return 0;
}

/* ":memory:" and the like are names of files here. */
static int open_connection(struct store *store, struct error *err)
{
	char *name = NULL;
	int result;

	if (asprintf(&name, "%s%s", store->path[0] == '/' ? "" : "./", store->path) < 0)
		return error_set(err, -ENOMEM, "no memory to open %s", store->path);
	result = sqlite3_open_v2(name, &store->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX,
				 NULL);
	free(name);
	if (result != SQLITE_OK)
		return store_error(store, result, "opening it", err);
	if (sqlite3_db_readonly(store->db, "main"))
		return error_set(err,
				 access(store->path, W_OK) && errno == EROFS ? -EROFS : -EACCES,
				 "%s: opening it: no permission to write it", store->path);
	return 0;
}

/*
 * Switching to WAL needs the file for itself for a moment, and SQLite does not wait for that. Where
 * WAL cannot be had (a network file system without shared memory) the rollback journal stays:
 * slower, as safe.
 */
static int set_wal(struct store *store, struct error *err)
{
	uint64_t give_up_ns = clock_raw_ns() + BUSY_MS * NS_PER_MS;
	const struct timespec pause = { 0, BUSY_RETRY_NS };
	int result;

	for (;;) {
		result = sqlite3_exec(store->db, "PRAGMA journal_mode=WAL", NULL, NULL, NULL);
		if ((result & 0xff) != SQLITE_BUSY || clock_raw_ns() > give_up_ns)
			break;
		nanosleep(&pause, NULL);
	}
	return result == SQLITE_OK ? 0 : store_error(store, result, "opening it", err);
}

static int prepare_connection(struct store *store, struct error *err)
{
	int rc;

	sqlite3_extended_result_codes(store->db, 1);
	sqlite3_busy_timeout(store->db, BUSY_MS);
	/* The file may come from anybody (--db): its schema gets no powers. */
	sqlite3_db_config(store->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(store->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	rc = store_execute(store,
			   "PRAGMA foreign_keys=ON; PRAGMA cell_size_check=ON;"
			   "PRAGMA synchronous=FULL",
			   "opening it", err);
	return rc;
}

/* The first access to a WAL database makes its -shm file, for which a full disk has no room. */
static bool wants_memory_index(const struct store *store, int rc)
{
	switch (sqlite3_extended_errcode(store->db)) {
	case SQLITE_IOERR_SHMOPEN:
	case SQLITE_IOERR_SHMSIZE:
	case SQLITE_IOERR_SHMMAP:
		return true;
	default:
		return rc == -ENOSPC;
	}
}

/* Setting PRAGMAs reads the schema: it is an access already. */
static int first_access(struct store *store, struct error *err)
{
	int rc = prepare_connection(store, err);

	if (!rc)
		rc = store_migrate(store, err);
	return rc ? rc : set_wal(store, err);
}

/* An exclusive connection keeps the index of the WAL in its own memory: reading needs no disk. */
static int connect_exclusively(struct store *store, struct error *err)
{
	int rc;

	if (err)
		*err = (struct error){ 0 };
	sqlite3_close(store->db);
	store->db = NULL;
	rc = open_connection(store, err);
	if (!rc)
		rc = store_execute(store, "PRAGMA locking_mode=EXCLUSIVE", "opening it", err);
	return rc ? rc : first_access(store, err);
}

static int find_file(const char *path, struct error *err)
{
	struct stat status;

	if (!stat(path, &status))
		return 0;
	if (errno == ENOENT || errno == ENOTDIR)
		return error_set(err, -ENOENT, "%s: there is no database; onproc bench makes one",
				 path);
	return error_errno(err, -errno, "%s: opening the database", path);
}

static int open_store(const char *path, bool make, struct store **opened, struct error *err)
{
	struct store *store = calloc(1, sizeof(*store));
	int rc;

	*opened = NULL;
	if (!store)
		return error_set(err, -ENOMEM, "no memory to open the database");
	if (path && !path[0]) {
		rc = error_set(err, -EINVAL, "the name of the database is empty");
		goto out;
	}
	store->path = path ? strdup(path) : store_default_path();
	if (!store->path) {
		rc = path ? error_set(err, -ENOMEM, "no memory to open the database")
			  : error_set(err, -ENOENT,
				      "no place for the database: neither XDG_DATA_HOME nor HOME "
				      "is set to an absolute path; name one with --db");
		goto out;
	}
	if (make)
		rc = make_file(store->path, err);
	else
		rc = find_file(store->path, err);
	if (!rc)
		rc = open_connection(store, err);
	if (!rc) {
		rc = first_access(store, err);
		if (rc && wants_memory_index(store, rc))
			rc = connect_exclusively(store, err);
	}
	if (!rc)
		journal_sweep(store);
out:
	if (rc)
		store_close(store);
	else
		*opened = store;
	return rc;
}

int store_open(const char *path, struct store **opened, struct error *err)
{
	return open_store(path, true, opened, err);
}

int store_open_existing(const char *path, struct store **opened, struct error *err)
{
	return open_store(path, false, opened, err);
}

void store_close(struct store *store)
{
	if (!store)
		return;
	sqlite3_close(store->db);
	free(store->path);
	free(store);
}

const char *store_path(const struct store *store)
{
	return store->path;
}

/* "last" or "last~N". -ENOENT when there are not so many. */
static int resolve_last(struct store *store, const char *id, char full[RUN_ID_BYTES],
			struct error *err)
{
	sqlite3_stmt *statement = NULL;
	sqlite3_int64 back = 0;
	int rc, result;

	if (id[4] == '~') {
		size_t digits = strspn(id + 5, "0123456789");

		if (!digits || digits > 9 || id[5 + digits])
			return error_set(err, -EINVAL, "%s: expected last~N with a number N", id);
		back = strtoll(id + 5, NULL, 10);
	}
	rc = store_prepare(store,
			   "SELECT id FROM run ORDER BY created_s DESC, id DESC LIMIT 1 OFFSET ?1",
			   NULL, &statement, "finding a run", err);
	if (rc)
		goto out;
	sqlite3_bind_int64(statement, 1, back);
	result = sqlite3_step(statement);
	if (result == SQLITE_ROW) {
		const unsigned char *found = sqlite3_column_text(statement, 0);

		snprintf(full, RUN_ID_BYTES, "%s", found ? (const char *)found : "");
	} else if (result == SQLITE_DONE) {
		rc = error_set(err, -ENOENT,
			       back ? "%s: there are not so many runs in %s"
				    : "%s: no run in %s yet",
			       id, store->path);
	} else {
		rc = store_error(store, result, "finding a run", err);
	}
out:
	sqlite3_finalize(statement);
	return rc;
}

static int ambiguous(struct store *store, const char *id, sqlite3_stmt *statement,
		     const char *first, struct error *err)
{
	char names[CANDIDATES * (RUN_ID_BYTES + 2) + 32];
	size_t used = (size_t)snprintf(names, sizeof(names), "%s", first);
	int count = 1;

	do {
		if (count < CANDIDATES)
			used += (size_t)snprintf(names + used, sizeof(names) - used, ", %.31s",
						 (const char *)sqlite3_column_text(statement, 0));
		count++;
	} while (sqlite3_step(statement) == SQLITE_ROW);
	if (count > CANDIDATES)
		snprintf(names + used, sizeof(names) - used, " and %d more", count - CANDIDATES);
	return error_set(err, -ENOTUNIQ, "%s: more than one run of %s begins so: %s", id,
			 store->path, names);
}

/* 1: no such tag, or it is the id of a run, which comes first. */
static int resolve_tag(struct store *store, const char *name, char full[RUN_ID_BYTES],
		       struct error *err)
{
	sqlite3_stmt *statement = NULL;
	int rc = store_prepare(store,
			       "SELECT run FROM tag WHERE name = ?1"
			       " AND NOT EXISTS (SELECT 1 FROM run WHERE id = ?1)"
			       " ORDER BY number DESC LIMIT 1",
			       name, &statement, "finding a run", err);

	if (!rc) {
		int result = sqlite3_step(statement);

		if (result == SQLITE_ROW)
			snprintf(full, RUN_ID_BYTES, "%s",
				 (const char *)sqlite3_column_text(statement, 0));
		else
			rc = result == SQLITE_DONE
				     ? 1
				     : store_error(store, result, "finding a run", err);
	}
	sqlite3_finalize(statement);
	return rc;
}

int store_resolve(struct store *store, const char *id, char full[RUN_ID_BYTES], struct error *err)
{
	sqlite3_stmt *statement = NULL;
	int rc, result;

	if (!strcmp(id, "last") || !strncmp(id, "last~", 5))
		return resolve_last(store, id, full, err);
	rc = resolve_tag(store, id, full, err);
	if (rc <= 0)
		return rc;
	/* The shortest first: a full id that begins another one is itself. */
	rc = store_prepare(store,
			   "SELECT id FROM run WHERE substr(id, 1, length(?1)) = ?1"
			   " ORDER BY id = ?1 DESC, created_s DESC, id DESC",
			   id, &statement, "finding a run", err);
	if (rc)
		goto out;
	result = id[0] ? sqlite3_step(statement) : SQLITE_DONE;
	if (result == SQLITE_ROW) {
		snprintf(full, RUN_ID_BYTES, "%s", (const char *)sqlite3_column_text(statement, 0));
		if (strcmp(full, id) != 0 && sqlite3_step(statement) == SQLITE_ROW)
			rc = ambiguous(store, id, statement, full, err);
	} else if (result == SQLITE_DONE) {
		rc = error_set(err, -ENOENT, "%s: no such run in %s", id, store->path);
	} else {
		rc = store_error(store, result, "finding a run", err);
	}
out:
	sqlite3_finalize(statement);
	return rc;
}

static int delete_run(struct store *store, const char *sql, const char *id, struct error *err)
{
	sqlite3_stmt *statement = NULL;
	int rc = store_prepare(store, sql, id, &statement, "removing a run", err);

	if (!rc) {
		int result = sqlite3_step(statement);

		if (result != SQLITE_DONE)
			rc = store_error(store, result, "removing a run", err);
	}
	sqlite3_finalize(statement);
	return rc;
}

int store_remove(struct store *store, const char *id, struct error *err)
{
	char full[RUN_ID_BYTES];
	int rc = store_resolve(store, id, full, err);

	if (rc)
		return rc;
	/* First its journal: a run that is gone must not come back by resume. */
	rc = journal_remove(store, full, err);
	if (rc && rc != -ENOENT)
		return rc;
	rc = store_execute(store, "BEGIN IMMEDIATE", "removing a run", err);
	if (rc)
		return rc;
	rc = delete_run(store, "DELETE FROM tag WHERE run = ?1", full, err);
	if (!rc)
		rc = delete_run(store, "DELETE FROM run WHERE id = ?1", full, err);
	if (!rc)
		rc = store_execute(store, "COMMIT", "removing a run", err);
	if (rc)
		sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
	return rc;
}
