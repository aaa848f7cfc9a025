// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * store_rows.c - a run to rows and back.
 *
 * Both ways go through the members of the run's document: a column is a member of the same name, so
 * the reader's checks of types and bounds are those of run_from_json(), and a damaged row is
 * reported with its path.
 */
#include "store/record_json.h"
#include "store/store_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum column_kind { COLUMN_TEXT, COLUMN_INTEGER, COLUMN_REAL, COLUMN_BOOL, COLUMN_JSON };

struct column {
	const char *name;
	enum column_kind kind;
};

/* In the order of the statements below, after the columns of the key. */
static const struct column run_columns[] = {
	{ "status", COLUMN_TEXT },
	{ "created_s", COLUMN_INTEGER },
	{ "elapsed_s", COLUMN_REAL },
	{ "tool", COLUMN_TEXT },
	{ "command", COLUMN_TEXT },
	{ "host", COLUMN_TEXT },
	{ "seed", COLUMN_TEXT },
	{ "plan", COLUMN_JSON },
	{ "environment", COLUMN_JSON },
	{ "warnings", COLUMN_JSON },
	{ NULL },
};
static const struct column series_columns[] = {
	{ "test", COLUMN_TEXT },
	{ "title", COLUMN_TEXT },
	{ "unit", COLUMN_TEXT },
	{ "params", COLUMN_JSON },
	{ "copies", COLUMN_INTEGER },
	{ "side", COLUMN_TEXT },
	{ "baseline", COLUMN_REAL },
	{ "content_hash", COLUMN_TEXT },
	{ "program_hash", COLUMN_TEXT },
	{ "note", COLUMN_TEXT },
	{ "reason", COLUMN_TEXT },
	{ "not_steady", COLUMN_BOOL },
	{ "estimate", COLUMN_JSON },
	{ "first_result", COLUMN_JSON },
	{ "modes", COLUMN_JSON },
	{ "index", COLUMN_REAL },
	{ NULL },
};
static const struct column slot_columns[] = {
	{ "block", COLUMN_INTEGER },
	{ "ordinal", COLUMN_INTEGER },
	{ "status", COLUMN_TEXT },
	{ "rerun", COLUMN_BOOL },
	{ "start_ns", COLUMN_INTEGER },
	{ "length_ns", COLUMN_INTEGER },
	{ "rate", COLUMN_REAL },
	{ "error", COLUMN_TEXT },
	{ "evidence", COLUMN_JSON },
	{ "counts", COLUMN_JSON },
	{ NULL },
};

#define RUN_COLUMNS                                                                                \
	"status, created_s, elapsed_s, tool, command, host, seed, plan, environment, warnings"
#define SERIES_COLUMNS                                                                             \
	"test, title, unit, params, copies, side, baseline, content_hash, program_hash, note,"     \
	" reason, not_steady, estimate, first_result, modes, \"index\""
#define SLOT_COLUMNS                                                                               \
	"block, ordinal, status, rerun, start_ns, length_ns, rate, error, evidence, counts"

static const char insert_run[] = "INSERT INTO run (id, kernel, scores, " RUN_COLUMNS ")"
				 " VALUES (?,?,?, ?,?,?,?,?,?,?,?,?,?)";
static const char insert_series[] = "INSERT INTO series (run, number, " SERIES_COLUMNS ")"
				    " VALUES (?,?, ?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)";
static const char insert_slot[] = "INSERT INTO slot (run, series, number, " SLOT_COLUMNS ")"
				  " VALUES (?,?,?, ?,?,?,?,?,?,?,?,?,?)";
static const char select_run[] = "SELECT id, scores, " RUN_COLUMNS " FROM run WHERE id = ?1";
static const char select_series[] =
	"SELECT number, " SERIES_COLUMNS
	" FROM series WHERE run = ?1 AND (?2 < 0 OR number = ?2) ORDER BY number";
static const char select_slot[] =
	"SELECT series, number, " SLOT_COLUMNS " FROM slot WHERE run = ?1 ORDER BY series, number";

static int bind_json(sqlite3_stmt *statement, int place, const json_t *value)
{
	char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);

	return text ? sqlite3_bind_text(statement, place, text, -1, free) : SQLITE_NOMEM;
}

static int bind_column(sqlite3_stmt *statement, int place, enum column_kind kind,
		       const json_t *value)
{
	if (!value || json_is_null(value))
		return sqlite3_bind_null(statement, place);
	switch (kind) {
	case COLUMN_TEXT:
		return sqlite3_bind_text(statement, place, json_string_value(value), -1,
					 SQLITE_TRANSIENT);
	case COLUMN_INTEGER:
		return sqlite3_bind_int64(statement, place, json_integer_value(value));
	case COLUMN_REAL:
		return sqlite3_bind_double(statement, place, json_number_value(value));
	case COLUMN_BOOL:
		return sqlite3_bind_int(statement, place, json_is_true(value));
	case COLUMN_JSON:
		return bind_json(statement, place, value);
	}
	return SQLITE_MISUSE;
}

/* Binds the members after `place` columns of the key, steps, and makes the statement ready for the
 * next. */
static int insert_row(struct store *store, sqlite3_stmt *statement, int place,
		      const struct column *columns, const json_t *object, struct error *err)
{
	int result = SQLITE_OK;

	for (; result == SQLITE_OK && columns->name; columns++)
		result = bind_column(statement, ++place, columns->kind,
				     json_object_get(object, columns->name));
	if (result == SQLITE_OK)
		result = sqlite3_step(statement);
	if (result != SQLITE_DONE)
		return store_error(store, result, "saving a run", err);
	sqlite3_reset(statement);
	return 0;
}

static int no_memory(struct error *err)
{
	return error_set(err, -ENOMEM, "no memory for a run");
}

static int save_run_row(struct store *store, const struct run *run, struct error *err)
{
	json_t *object = run_object_to_json(run), *scores = scores_to_json(run);
	const json_t *kernel = json_object_get(run->environment, "kernel_release");
	sqlite3_stmt *statement = NULL;
	int rc;

	if (!object || !scores) {
		rc = no_memory(err);
		goto out;
	}
	rc = store_prepare(store, insert_run, run->id, &statement, "saving a run", err);
	if (rc)
		goto out;
	if (bind_column(statement, 2, COLUMN_TEXT, json_is_string(kernel) ? kernel : NULL) !=
		    SQLITE_OK ||
	    bind_json(statement, 3, scores) != SQLITE_OK)
		rc = no_memory(err);
	else
		rc = insert_row(store, statement, 3, run_columns, object, err);
out:
	sqlite3_finalize(statement);
	json_decref(scores);
	json_decref(object);
	return rc;
}

static int save_slot_rows(struct store *store, sqlite3_stmt *statement, size_t number,
			  const struct series *series, struct error *err)
{
	int rc = 0;

	sqlite3_bind_int64(statement, 2, (sqlite3_int64)number);
	for (size_t i = 0; !rc && i < series->n_slots; i++) {
		json_t *object = slot_object_to_json(series, &series->slots[i]);

		sqlite3_bind_int64(statement, 3, (sqlite3_int64)i);
		rc = object ? insert_row(store, statement, 3, slot_columns, object, err)
			    : no_memory(err);
		json_decref(object);
	}
	return rc;
}

static int save_series_rows(struct store *store, const struct run *run, struct error *err)
{
	sqlite3_stmt *statement = NULL, *slots = NULL;
	int rc = store_prepare(store, insert_series, run->id, &statement, "saving a run", err);

	if (!rc)
		rc = store_prepare(store, insert_slot, run->id, &slots, "saving a run", err);
	for (size_t i = 0; !rc && i < run->n_series; i++) {
		json_t *object = series_object_to_json(&run->series[i], true);

		sqlite3_bind_int64(statement, 2, (sqlite3_int64)i);
		rc = object ? insert_row(store, statement, 2, series_columns, object, err)
			    : no_memory(err);
		json_decref(object);
		if (!rc)
			rc = save_slot_rows(store, slots, i, &run->series[i], err);
	}
	sqlite3_finalize(slots);
	sqlite3_finalize(statement);
	return rc;
}

static int delete_row(struct store *store, const char *id, struct error *err)
{
	sqlite3_stmt *statement = NULL;
	int rc = store_prepare(store, "DELETE FROM run WHERE id = ?1", id, &statement,
			       "saving a run", err);

	if (!rc) {
		int result = sqlite3_step(statement);

		if (result != SQLITE_DONE)
			rc = store_error(store, result, "saving a run", err);
	}
	sqlite3_finalize(statement);
	return rc;
}

int store_save(struct store *store, const struct run *run, struct error *err)
{
	int rc;

	if (!run_id_is_valid(run->id))
		return error_set(err, -EINVAL, "saving a run: \"%.31s\" is no id of a run",
				 run->id);
	rc = store_execute(store, "BEGIN IMMEDIATE", "saving a run", err);
	if (rc)
		return rc;
	rc = delete_row(store, run->id, err);
	if (!rc)
		rc = save_run_row(store, run, err);
	if (!rc)
		rc = save_series_rows(store, run, err);
	if (!rc)
		rc = store_execute(store, "COMMIT", "saving a run", err);
	/* Some errors have rolled back already; then this one fails, and nothing is lost by it. */
	if (rc)
		sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
	return rc;
}

/* The value of a column as a member; NULL: not what the kind says, or no memory. */
static json_t *column_to_json(sqlite3_stmt *statement, int place, enum column_kind kind)
{
	int type = sqlite3_column_type(statement, place);
	const char *text;

	if (type == SQLITE_NULL)
		return json_null();
	if (kind == COLUMN_TEXT || kind == COLUMN_JSON) {
		text = (const char *)sqlite3_column_text(statement, place);
		if (type != SQLITE_TEXT || !text)
			return NULL;
		if (kind == COLUMN_JSON)
			return json_loads(text, JSON_REJECT_DUPLICATES, NULL);
		return json_string(text);
	}
	if (type != SQLITE_INTEGER && type != SQLITE_FLOAT)
		return NULL;
	if (kind == COLUMN_BOOL)
		return json_boolean(sqlite3_column_int(statement, place));
	if (type == SQLITE_INTEGER)
		return json_integer(sqlite3_column_int64(statement, place));
	return json_real(sqlite3_column_double(statement, place));
}

static json_t *row_to_json(sqlite3_stmt *statement, int place, const struct column *columns,
			   const struct where *where, struct error *err)
{
	json_t *object = json_object();

	for (; object && columns->name; columns++) {
		json_t *value = column_to_json(statement, place++, columns->kind);

		if (json_object_set_new(object, columns->name, value)) {
			where_error(err, where, columns->name, "a valid value in the database",
				    NULL);
			json_decref(object);
			return NULL;
		}
	}
	return object;
}

static int load_run_row(struct store *store, const char *id, struct run *run, struct error *err)
{
	const struct where at = { NULL, "run", 0 }, scores_at = { NULL, "scores", 0 };
	json_t *object = NULL, *scores = NULL;
	sqlite3_stmt *statement = NULL;
	int rc = store_prepare(store, select_run, id, &statement, "reading a run", err), result;

	if (rc)
		goto out;
	result = sqlite3_step(statement);
	if (result != SQLITE_ROW) {
		rc = result == SQLITE_DONE
			     ? error_set(err, -ENOENT, "%s: no such run in %s", id, store->path)
			     : store_error(store, result, "reading a run", err);
		goto out;
	}
	object = row_to_json(statement, 2, run_columns, &at, err);
	scores = column_to_json(statement, 1, COLUMN_JSON);
	rc = -EINVAL;
	if (object && !json_object_set_new(object, "id", json_string(id)))
		rc = run_object_from_json(object, &at, run, err);
	if (!rc)
		rc = scores_from_json(scores, &scores_at, run, err);
out:
	json_decref(scores);
	json_decref(object);
	sqlite3_finalize(statement);
	return rc;
}

#define ALL_SERIES (-1)

/* All series of the run, or the one of this number. */
static int load_series_rows(struct store *store, struct run *run, sqlite3_int64 only,
			    struct error *err)
{
	const struct where at = { NULL, "series", 0 };
	sqlite3_stmt *statement = NULL;
	int rc = store_prepare(store, select_series, run->id, &statement, "reading a run", err);
	int result = SQLITE_DONE;

	if (!rc)
		sqlite3_bind_int64(statement, 2, only);
	while (!rc && (result = sqlite3_step(statement)) == SQLITE_ROW) {
		sqlite3_int64 number = sqlite3_column_int64(statement, 0);
		const struct where element = { &at, NULL, run->n_series };
		json_t *object = row_to_json(statement, 1, series_columns, &element, err);
		struct series *series = run_add_series(run);

		if (!series)
			rc = no_memory(err);
		else if (!object)
			rc = -EINVAL;
		else if (only == ALL_SERIES && number != (sqlite3_int64)run->n_series - 1)
			rc = where_error(err, &element, NULL, "a series of this number", NULL);
		else
			rc = series_object_from_json(object, &element, run, series, true, err);
		json_decref(object);
	}
	if (!rc && result != SQLITE_DONE)
		rc = store_error(store, result, "reading a run", err);
	sqlite3_finalize(statement);
	return rc;
}

static int load_slot_rows(struct store *store, struct run *run, struct error *err)
{
	const struct where at = { NULL, "series", 0 };
	sqlite3_stmt *statement = NULL;
	int rc = store_prepare(store, select_slot, run->id, &statement, "reading a run", err);
	int result = SQLITE_DONE;

	while (!rc && (result = sqlite3_step(statement)) == SQLITE_ROW) {
		sqlite3_int64 number = sqlite3_column_int64(statement, 0);
		const struct where in_series = { &at, NULL, (size_t)number };
		const struct where slots = { &in_series, "slots", 0 };
		struct where element = { &slots, NULL, 0 };
		struct series *series;
		struct slot *slot;
		json_t *object;

		if (number < 0 || (size_t)number >= run->n_series) {
			rc = where_error(err, &in_series, NULL, "a series of this number", NULL);
			break;
		}
		series = &run->series[number];
		element.index = series->n_slots;
		slot = series_add_slot(series, series->copies);
		object = row_to_json(statement, 2, slot_columns, &element, err);
		if (!slot)
			rc = no_memory(err);
		else if (!object)
			rc = -EINVAL;
		else
			rc = slot_object_from_json(object, &element, run, series, slot, err);
		json_decref(object);
	}
	if (!rc && result != SQLITE_DONE)
		rc = store_error(store, result, "reading a run", err);
	sqlite3_finalize(statement);
	return rc;
}

typedef int load_slots(struct store *store, struct run *run, struct error *err);

/* A row that no reader would take is damage of the file. */
static int damaged(const struct store *store, const char *id, struct error *err)
{
	error_context(err, "%s: run %s is damaged", store->path, id);
	if (err)
		err->code = -EUCLEAN;
	return -EUCLEAN;
}

int store_load_part(struct store *store, const char *id, int64_t number, struct run *run,
		    struct error *err)
{
	int rc;

	run_init(run);
	rc = load_run_row(store, id, run, err);
	if (!rc && number >= 0)
		rc = load_series_rows(store, run, number, err);
	if (rc == -EINVAL)
		rc = damaged(store, id, err);
	if (rc)
		run_free(run);
	return rc;
}

int store_load_head(struct store *store, const char *id, struct run *run, struct error *err)
{
	char full[RUN_ID_BYTES];
	int rc = store_resolve(store, id, full, err);

	run_init(run);
	return rc ? rc : store_load_part(store, full, -1, run, err);
}

static int load_run(struct store *store, const char *id, load_slots *slots, struct run *run,
		    struct error *err)
{
	char full[RUN_ID_BYTES];
	int rc;

	run_init(run);
	/* One transaction: three selects of the same state while others write. */
	rc = store_execute(store, "BEGIN", "reading a run", err);
	if (rc)
		return rc;
	rc = store_resolve(store, id, full, err);
	if (rc)
		goto out;
	rc = load_run_row(store, full, run, err);
	if (!rc)
		rc = load_series_rows(store, run, ALL_SERIES, err);
	if (!rc)
		rc = slots(store, run, err);
	if (rc == -EINVAL)
		rc = damaged(store, full, err);
out:
	sqlite3_exec(store->db, "COMMIT", NULL, NULL, NULL);
	if (rc)
		run_free(run);
	return rc;
}

int store_load(struct store *store, const char *id, struct run *run, struct error *err)
{
	return load_run(store, id, load_slot_rows, run, err);
}

int store_load_rates(struct store *store, const char *id, struct run *run, struct error *err)
{
	return load_run(store, id, load_slot_rates, run, err);
}
