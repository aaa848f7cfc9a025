// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * store_rates.c - the slots of a run without what costs most to read: a comparison of long runs
 * needs their rates and blocks, and not the documents of evidence.
 *
 * Straight from the columns, by the same bounds as slot_object_from_json().
 */
#include "store/record_json.h"
#include "store/store_private.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static const char select_rates[] = "SELECT series, block, ordinal, status, rate FROM slot"
				   " WHERE run = ?1 ORDER BY series, number";

static bool read_u32(sqlite3_stmt *statement, int column, uint32_t *value)
{
	sqlite3_int64 integer = sqlite3_column_int64(statement, column);

	*value = (uint32_t)integer;
	return sqlite3_column_type(statement, column) == SQLITE_INTEGER && integer >= 0 &&
	       integer <= UINT32_MAX;
}

static bool read_status(sqlite3_stmt *statement, int column, enum slot_status *status)
{
	const char *text = (const char *)sqlite3_column_text(statement, column);

	for (int i = 0; text && slot_status_names[i]; i++) {
		if (!strcmp(text, slot_status_names[i])) {
			*status = (enum slot_status)i;
			return true;
		}
	}
	return false;
}

/* A number > 0, and NULL in a slot that failed. */
static bool read_rate(sqlite3_stmt *statement, int column, struct slot *slot)
{
	int type = sqlite3_column_type(statement, column);

	if (slot->status == SLOT_FAILED)
		return type == SQLITE_NULL;
	slot->rate = sqlite3_column_double(statement, column);
	return (type == SQLITE_FLOAT || type == SQLITE_INTEGER) && slot->rate > 0 &&
	       isfinite(slot->rate);
}

/* NULL, or the member that is not what it must be. */
static const char *read_slot(sqlite3_stmt *statement, struct slot *slot)
{
	if (!read_u32(statement, 1, &slot->block))
		return "block";
	if (!read_u32(statement, 2, &slot->ordinal))
		return "ordinal";
	if (!read_status(statement, 3, &slot->status))
		return "status";
	return read_rate(statement, 4, slot) ? NULL : "rate";
}

static int add_slot(sqlite3_stmt *statement, struct run *run, struct error *err)
{
	sqlite3_int64 number = sqlite3_column_int64(statement, 0);
	const struct where at = { NULL, "series", 0 };
	const struct where in_series = { &at, NULL, (size_t)number };
	const struct where slots = { &in_series, "slots", 0 };
	struct where element = { &slots, NULL, 0 };
	struct series *series;
	const char *wrong;
	struct slot *slot;

	if (number < 0 || (size_t)number >= run->n_series)
		return where_error(err, &in_series, NULL, "a series of this number", NULL);
	series = &run->series[number];
	element.index = series->n_slots;
	slot = series_add_slot(series, series->copies);
	if (!slot)
		return error_set(err, -ENOMEM, "no memory for a run");
	wrong = read_slot(statement, slot);
	return wrong ? where_error(err, &element, wrong, "a valid value in the database", NULL) : 0;
}

int load_slot_rates(struct store *store, struct run *run, struct error *err)
{
	sqlite3_stmt *statement = NULL;
	int rc = store_prepare(store, select_rates, run->id, &statement, "reading a run", err);
	int result = SQLITE_DONE;

	while (!rc && (result = sqlite3_step(statement)) == SQLITE_ROW)
		rc = add_slot(statement, run, err);
	if (!rc && result != SQLITE_DONE)
		rc = store_error(store, result, "reading a run", err);
	sqlite3_finalize(statement);
	return rc;
}
