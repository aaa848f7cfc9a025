// SPDX-License-Identifier: GPL-2.0-or-later
/* store_list.c - what a list shows of each run, without reading its slots. */
#include "store/record_json.h"
#include "store/store_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static char *column_copy(sqlite3_stmt *statement, int column)
{
	const unsigned char *text = sqlite3_column_text(statement, column);

	return text ? strdup((const char *)text) : NULL;
}

/* "a,b" as an array of strings, sorted. NULL: no memory. */
static json_t *split_tags(const char *text)
{
	json_t *tags = json_array();

	while (tags && text && *text) {
		size_t length = strcspn(text, ","), at = 0;

		while (at < json_array_size(tags) &&
		       strncmp(json_string_value(json_array_get(tags, at)), text, length) < 0)
			at++;
		if (json_array_insert_new(tags, at, json_stringn(text, length))) {
			json_decref(tags);
			return NULL;
		}
		text += length + (text[length] == ',');
	}
	return tags;
}

/* scores_from_json() fills a run: the head borrows one, and keeps its scores. */
static int head_scores(const char *text, struct run_head *head, struct error *err)
{
	const struct where at = { NULL, "scores", 0 };
	json_t *array = json_loads(text ? text : "", 0, NULL);
	struct run run;
	int rc;

	run_init(&run);
	rc = scores_from_json(array, &at, &run, err);
	if (!rc) {
		for (size_t i = 0; i < run.n_scores; i++)
			run.scores[i].reason = NULL; /* lives in the run */
		head->scores = run.scores;
		head->n_scores = run.n_scores;
		run.scores = NULL;
		run.n_scores = 0;
	}
	run_free(&run);
	json_decref(array);
	return rc;
}

static int head_read(struct store *store, sqlite3_stmt *statement, struct run_head *head,
		     struct error *err)
{
	const char *status = (const char *)sqlite3_column_text(statement, 1);
	const char *id = (const char *)sqlite3_column_text(statement, 0);
	int rc = -EINVAL;

	for (int i = 0; status && run_status_names[i]; i++) {
		if (!strcmp(status, run_status_names[i])) {
			head->status = (enum run_status)i;
			rc = 0;
		}
	}
	if (rc || !id || !run_id_is_valid(id))
		return error_set(err, -EUCLEAN,
				 "%s: listing runs: run \"%.40s\" has no valid id and status",
				 store->path, id ? id : "");
	memcpy(head->id, id, strlen(id) + 1);
	head->created_s = (uint64_t)sqlite3_column_int64(statement, 2);
	head->host = column_copy(statement, 3);
	head->tool = column_copy(statement, 4);
	head->kernel = column_copy(statement, 5);
	head->command = column_copy(statement, 6);
	head->tests = (uint32_t)sqlite3_column_int64(statement, 7);
	head->series = (uint32_t)sqlite3_column_int64(statement, 8);
	head->slots = (uint32_t)sqlite3_column_int64(statement, 9);
	head->tags = split_tags((const char *)sqlite3_column_text(statement, 11));
	if (!head->tags)
		return error_set(err, -ENOMEM, "no memory to list runs");
	rc = head_scores((const char *)sqlite3_column_text(statement, 10), head, err);
	if (rc == -EINVAL) {
		error_context(err, "%s: listing runs: run %s is damaged", store->path, id);
		rc = err ? (err->code = -EUCLEAN) : -EUCLEAN;
	}
	return rc;
}

int store_list(struct store *store, struct run_head **heads, size_t *count, struct error *err)
{
	sqlite3_stmt *statement = NULL;
	struct run_head *list = NULL;
	size_t used = 0, room = 0;
	int rc, result = SQLITE_DONE;

	rc = store_prepare(store,
			   "SELECT id, status, created_s, host, tool, kernel, command,"
			   " (SELECT count(DISTINCT test) FROM series WHERE series.run = run.id),"
			   " (SELECT count(*) FROM series WHERE series.run = run.id),"
			   " (SELECT count(*) FROM slot WHERE slot.run = run.id), scores,"
			   " (SELECT group_concat(name, ',') FROM tag WHERE tag.run = run.id)"
			   " FROM run ORDER BY created_s DESC, id DESC",
			   NULL, &statement, "listing runs", err);
	while (!rc && (result = sqlite3_step(statement)) == SQLITE_ROW) {
		if (used == room) {
			struct run_head *grown;

			room = room ? 2 * room : 16;
			grown = reallocarray(list, room, sizeof(*grown));
			if (!grown) {
				rc = error_set(err, -ENOMEM, "no memory to list runs");
				break;
			}
			list = grown;
		}
		list[used] = (struct run_head){ 0 };
		rc = head_read(store, statement, &list[used++], err);
	}
	if (!rc && result != SQLITE_DONE)
		rc = store_error(store, result, "listing runs", err);
	sqlite3_finalize(statement);
	if (rc) {
		run_heads_free(list, used);
		return rc;
	}
	*heads = list;
	*count = used;
	return 0;
}

void run_heads_free(struct run_head *heads, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free(heads[i].host);
		free(heads[i].tool);
		free(heads[i].kernel);
		free(heads[i].command);
		json_decref(heads[i].tags);
		for (size_t j = 0; j < heads[i].n_scores; j++)
			free(heads[i].scores[j].suite);
		free(heads[i].scores);
	}
	free(heads);
}
