// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * store_schema.c - the tables, and how a database of an older onproc becomes one of this one.
 *
 * A new version is a new row; rows that were released are never changed.
 */
#include "store/store_private.h"

#include <errno.h>

#define APPLICATION_ID 0x6f6e7072 /* "onpr", in the header of the file */

static const struct migration {
	int version; /* of the schema after it */
	const char *sql;
} migrations[] = {
	/*
	 * What queries select or order by has a column of its own; objects that only a reader of
	 * the whole run wants are JSON text, as in the document. seed is text: SQLite's integers
	 * are signed.
	 */
	{ 1, "CREATE TABLE run ("
	     " id TEXT PRIMARY KEY NOT NULL,"
	     " status TEXT NOT NULL,"
	     " created_s INTEGER,"
	     " elapsed_s REAL,"
	     " tool TEXT,"
	     " command TEXT,"
	     " host TEXT,"
	     " kernel TEXT,"
	     " seed TEXT NOT NULL,"
	     " plan TEXT,"
	     " environment TEXT,"
	     " warnings TEXT NOT NULL,"
	     " scores TEXT NOT NULL"
	     ") WITHOUT ROWID;"
	     "CREATE INDEX run_by_age ON run (created_s, id);"
	     "CREATE TABLE series ("
	     " run TEXT NOT NULL REFERENCES run (id) ON DELETE CASCADE,"
	     " number INTEGER NOT NULL,"
	     " test TEXT NOT NULL,"
	     " title TEXT NOT NULL,"
	     " unit TEXT NOT NULL,"
	     " params TEXT NOT NULL,"
	     " copies INTEGER NOT NULL,"
	     " side TEXT,"
	     " baseline REAL,"
	     " content_hash TEXT,"
	     " program_hash TEXT,"
	     " note TEXT,"
	     " reason TEXT,"
	     " not_steady INTEGER NOT NULL,"
	     " estimate TEXT NOT NULL,"
	     " first_result TEXT NOT NULL,"
	     " modes TEXT NOT NULL,"
	     " \"index\" REAL,"
	     " PRIMARY KEY (run, number)"
	     ") WITHOUT ROWID;"
	     "CREATE INDEX series_by_test ON series (test, copies);"
	     "CREATE TABLE slot ("
	     " run TEXT NOT NULL,"
	     " series INTEGER NOT NULL,"
	     " number INTEGER NOT NULL,"
	     " block INTEGER NOT NULL,"
	     " ordinal INTEGER NOT NULL,"
	     " status TEXT NOT NULL,"
	     " rerun INTEGER NOT NULL,"
	     " start_ns INTEGER NOT NULL,"
	     " length_ns INTEGER NOT NULL,"
	     " rate REAL,"
	     " error TEXT,"
	     " evidence TEXT,"
	     " counts TEXT,"
	     " PRIMARY KEY (run, series, number),"
	     " FOREIGN KEY (run, series) REFERENCES series (run, number) ON DELETE CASCADE"
	     ") WITHOUT ROWID;" },
	/* A run that is saved again keeps its tags: the reference is looked at when that is done.
	 * number: the order in which names were given. */
	{ 2, "CREATE TABLE tag ("
	     " name TEXT NOT NULL,"
	     " run TEXT NOT NULL REFERENCES run (id) DEFERRABLE INITIALLY DEFERRED,"
	     " number INTEGER NOT NULL,"
	     " PRIMARY KEY (name, run)"
	     ") WITHOUT ROWID;"
	     "CREATE INDEX tag_by_run ON tag (run, name);" },
};

_Static_assert(sizeof(migrations) / sizeof(migrations[0]) == STORE_SCHEMA_VERSION,
	       "one migration per schema version");

static int query_integer(struct store *store, const char *sql, sqlite3_int64 *value,
			 struct error *err)
{
	sqlite3_stmt *statement = NULL;
	int rc = store_prepare(store, sql, NULL, &statement, "opening it", err);

	if (!rc) {
		int result = sqlite3_step(statement);

		if (result == SQLITE_ROW)
			*value = sqlite3_column_int64(statement, 0);
		else
			rc = store_error(store, result, "opening it", err);
	}
	sqlite3_finalize(statement);
	return rc;
}

/* Reads the version; refuses what is not ours and what is from the future, before anything is
 * written. */
static int version_check(struct store *store, sqlite3_int64 *version, struct error *err)
{
	sqlite3_int64 application = 0, tables = 0;
	int rc = query_integer(store, "PRAGMA application_id", &application, err);

	if (!rc)
		rc = query_integer(store, "PRAGMA user_version", version, err);
	if (!rc)
		rc = query_integer(store, "SELECT count(*) FROM sqlite_master", &tables, err);
	if (rc)
		return rc;
	if (application != APPLICATION_ID && (application || *version || tables))
		return error_set(err, -EUCLEAN,
				 "%s: an SQLite database, but not one of onproc; it is left as it "
				 "is: name another with --db",
				 store->path);
	if (*version > STORE_SCHEMA_VERSION)
		return error_set(err, -ENOTSUP,
				 "%s: made by a newer onproc: its schema has version %lld, this "
				 "onproc reads up to version %d",
				 store->path, (long long)*version, STORE_SCHEMA_VERSION);
	return 0;
}

static int apply(struct store *store, sqlite3_int64 version, struct error *err)
{
	char pragma[80];
	int rc = 0;

	for (size_t i = 0; !rc && i < sizeof(migrations) / sizeof(migrations[0]); i++) {
		if (migrations[i].version <= version)
			continue;
		rc = store_execute(store, migrations[i].sql, "migrating it", err);
		if (rc)
			break;
		sqlite3_snprintf(sizeof(pragma), pragma,
				 "PRAGMA application_id=%d; PRAGMA user_version=%d", APPLICATION_ID,
				 migrations[i].version);
		rc = store_execute(store, pragma, "migrating it", err);
	}
	return rc;
}

int store_migrate(struct store *store, struct error *err)
{
	sqlite3_int64 version = 0;
	int rc = store_execute(store, "BEGIN", "opening it", err);

	/* One snapshot: another process may be making the tables just now, and half of what it does
	 * looks like a database that is not ours. */
	if (!rc)
		rc = version_check(store, &version, err);
	sqlite3_exec(store->db, "COMMIT", NULL, NULL, NULL);
	if (rc || version == STORE_SCHEMA_VERSION)
		return rc;
	if (store->is_read_only)
		return error_set(err, -EROFS,
				 "%s: of an older onproc: it has to be migrated, and cannot be "
				 "written",
				 store->path);
	rc = store_execute(store, "BEGIN IMMEDIATE", "migrating it", err);
	if (rc)
		return rc;
	/* Another process may have been quicker. */
	rc = version_check(store, &version, err);
	if (!rc)
		rc = apply(store, version, err);
	if (!rc)
		rc = store_execute(store, "COMMIT", "migrating it", err);
	if (rc)
		sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
	return rc;
}
