/* SPDX-License-Identifier: GPL-2.0-or-later */
/* store_private.h - what the files of the store share. */
#ifndef ONPROC_STORE_STORE_PRIVATE_H
#define ONPROC_STORE_STORE_PRIVATE_H

#include "store/store.h"

#include <sqlite3.h>
#include <stdbool.h>

struct store {
	sqlite3 *db;
	char *path;
	bool may_only_read; /* store_open_existing(): a file that cannot be written is good enough
			     */
	bool is_read_only;
};

/* Sets err from SQLite's result code and the connection: "PATH: DOING: …" with advice. Returns
 * -errno. */
int store_error(const struct store *store, int result, const char *doing, struct error *err);

/* Runs one statement without results. */
int store_execute(struct store *store, const char *sql, const char *doing, struct error *err);

/* Prepares a statement with up to one text bound (NULL: none). To be finalised. */
int store_prepare(struct store *store, const char *sql, const char *bound, sqlite3_stmt **statement,
		  const char *doing, struct error *err);

/* store_rows.c: the run of this full id with its series of this number alone, without slots; number
 * < 0: without series. */
int store_load_part(struct store *store, const char *id, int64_t number, struct run *run,
		    struct error *err);

/* store_rates.c: adds the slots to the series of the run, without counts, evidence and errors. */
int load_slot_rates(struct store *store, struct run *run, struct error *err);

/* store_schema.c: checks that the file is ours and not newer, migrates it. */
int store_migrate(struct store *store, struct error *err);

/* journal.c: removes journals of runs that the store holds as complete. What fails is left alone.
 */
void journal_sweep(struct store *store);

/* Directory of the journals and the journal of a run, to be freed; NULL: no memory. */
char *journal_directory(const struct store *store);
char *journal_path(const struct store *store, const char *id);

#endif
