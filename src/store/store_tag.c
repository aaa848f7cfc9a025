// SPDX-License-Identifier: GPL-2.0-or-later
/* store_tag.c - names for runs: given, taken, looked up. */
#include "store/store_private.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool tag_is_valid(const char *name)
{
	size_t length = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				     "0123456789._+/-");

	return length && !name[length] && length < TAG_BYTES && isalpha((unsigned char)name[0]) &&
	       strncmp(name, "last", 4) != 0;
}

/* Steps a statement that has no rows, with up to two texts bound. */
static int change(struct store *store, const char *sql, const char *name, const char *run,
		  const char *doing, int *changed, struct error *err)
{
	sqlite3_stmt *statement = NULL;
	int rc = store_prepare(store, sql, name, &statement, doing, err);

	if (!rc && run && sqlite3_bind_text(statement, 2, run, -1, SQLITE_TRANSIENT) != SQLITE_OK)
		rc = error_set(err, -ENOMEM, "no memory for a tag");
	if (!rc) {
		int result = sqlite3_step(statement);

		if (result != SQLITE_DONE)
			rc = store_error(store, result, doing, err);
		*changed = sqlite3_changes(store->db);
	}
	sqlite3_finalize(statement);
	return rc;
}

int store_tag(struct store *store, const char *id, const char *name, struct error *err)
{
	char full[RUN_ID_BYTES], other[RUN_ID_BYTES];
	int rc, changed = 0;

	if (!tag_is_valid(name))
		return error_set(err, -EINVAL,
				 "%s: expected a name of letters, digits and ._+/-, at most %d "
				 "characters, that starts with a letter and not with \"last\"",
				 name, TAG_BYTES - 1);
	rc = store_resolve(store, id, full, err);
	if (rc)
		return rc;
	if (!store_resolve(store, name, other, NULL) && !strcmp(other, name))
		return error_set(err, -EEXIST, "%s: a run has this id", name);
	return change(store,
		      "INSERT OR REPLACE INTO tag (name, run, number)"
		      " VALUES (?1, ?2, (SELECT coalesce(max(number), 0) + 1 FROM tag))",
		      name, full, "tagging a run", &changed, err);
}

int store_untag(struct store *store, const char *id, const char *name, struct error *err)
{
	char full[RUN_ID_BYTES];
	int rc = id ? store_resolve(store, id, full, err) : 0, changed = 0;

	if (rc)
		return rc;
	rc = change(store,
		    id ? "DELETE FROM tag WHERE name = ?1 AND run = ?2"
		       : "DELETE FROM tag WHERE name = ?1",
		    name, id ? full : NULL, "taking a tag away", &changed, err);
	if (!rc && !changed)
		return id ? error_set(err, -ENOENT, "%s: run %s has no such tag", name, full)
			  : error_set(err, -ENOENT, "%s: no run has such a tag", name);
	return rc;
}

int store_tagged(struct store *store, const char *name, char (**ids)[RUN_ID_BYTES], size_t *count,
		 struct error *err)
{
	sqlite3_stmt *statement = NULL;
	int rc, result = SQLITE_DONE;

	*ids = NULL;
	*count = 0;
	rc = store_prepare(store, "SELECT run FROM tag WHERE name = ?1 ORDER BY number DESC", name,
			   &statement, "finding runs", err);
	while (!rc && (result = sqlite3_step(statement)) == SQLITE_ROW) {
		char(*grown)[RUN_ID_BYTES] = reallocarray(*ids, *count + 1, sizeof(*grown));

		if (!grown) {
			rc = error_set(err, -ENOMEM, "no memory for runs");
			break;
		}
		*ids = grown;
		snprintf(grown[(*count)++], RUN_ID_BYTES, "%s",
			 (const char *)sqlite3_column_text(statement, 0));
	}
	if (!rc && result != SQLITE_DONE)
		rc = store_error(store, result, "finding runs", err);
	sqlite3_finalize(statement);
	if (rc) {
		free(*ids);
		*ids = NULL;
		*count = 0;
	}
	return rc;
}
