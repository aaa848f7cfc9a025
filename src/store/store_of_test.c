// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * store_of_test.c - one test over all runs, for its history: only the rows that hold it are read.
 */
#include "store/store_private.h"
#include "store/suite.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define DOING "reading a history"

struct place {
	char run[RUN_ID_BYTES];
	int64_t number; /* of the series in the run */
};

struct places {
	struct place *place;
	size_t count, room;
};

static int places_add(struct places *places, const char *run, int64_t number)
{
	if (places->count == places->room) {
		size_t room = places->room ? 2 * places->room : 64;
		struct place *grown = reallocarray(places->place, room, sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		places->place = grown;
		places->room = room;
	}
	places->place[places->count].number = number;
	snprintf(places->place[places->count++].run, RUN_ID_BYTES, "%s", run ? run : "");
	return 0;
}

static int find_places(struct store *store, const char *test, uint32_t copies,
		       struct places *places, struct error *err)
{
	sqlite3_stmt *statement = NULL;
	int rc = store_prepare(store,
			       "SELECT series.run, series.number FROM series"
			       " JOIN run ON run.id = series.run"
			       " WHERE series.test = ?1 AND series.side IS NULL"
			       " AND (?2 = 0 OR series.copies = ?2) AND run.status <> 'running'"
			       " ORDER BY run.created_s, run.id, series.number",
			       test, &statement, DOING, err);
	int result = SQLITE_DONE;

	if (!rc)
		sqlite3_bind_int64(statement, 2, copies);
	while (!rc && (result = sqlite3_step(statement)) == SQLITE_ROW) {
		if (places_add(places, (const char *)sqlite3_column_text(statement, 0),
			       sqlite3_column_int64(statement, 1)))
			rc = error_set(err, -ENOMEM, "no memory for a history");
	}
	if (!rc && result != SQLITE_DONE)
		rc = store_error(store, result, DOING, err);
	sqlite3_finalize(statement);
	return rc;
}

static int find_tests(struct store *store, const char *name, uint32_t copies, struct places *places,
		      size_t *ids, struct error *err)
{
	sqlite3_stmt *statement = NULL;
	int rc = store_prepare(store, "SELECT DISTINCT test FROM series ORDER BY test", NULL,
			       &statement, DOING, err);
	int result = SQLITE_DONE;

	*ids = 0;
	while (!rc && (result = sqlite3_step(statement)) == SQLITE_ROW) {
		const char *test = (const char *)sqlite3_column_text(statement, 0);

		if (!test || !test_is_called(test, name))
			continue;
		(*ids)++;
		rc = find_places(store, test, copies, places, err);
	}
	if (!rc && result != SQLITE_DONE)
		rc = store_error(store, result, DOING, err);
	sqlite3_finalize(statement);
	return rc;
}

int store_each_of_test(struct store *store, const char *name, uint32_t copies,
		       int (*each)(struct run *run, void *context), void *context, size_t *ids,
		       struct error *err)
{
	struct places places = { 0 };
	/* One transaction: what was found is still there when it is read. */
	int rc = store_execute(store, "BEGIN", DOING, err);

	if (rc)
		return rc;
	rc = find_tests(store, name, copies, &places, ids, err);
	for (size_t i = 0; !rc && i < places.count; i++) {
		struct run run;

		rc = store_load_part(store, places.place[i].run, places.place[i].number, &run, err);
		if (rc)
			break;
		rc = each(&run, context);
		run_free(&run);
	}
	sqlite3_exec(store->db, "COMMIT", NULL, NULL, NULL);
	free(places.place);
	return rc;
}
