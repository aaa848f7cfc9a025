// SPDX-License-Identifier: GPL-2.0-or-later
/* runs.c - see runs.h. */
#include "cmd/runs.h"
#include "measure/ab_note.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A killed run is in no database, but it is not lost. */
static int say_cut_off(const struct store *store, const char *name, struct error *err)
{
	char(*ids)[RUN_ID_BYTES] = NULL;
	size_t count = 0, length = strlen(name);

	if (!journal_orphans(store, &ids, &count, NULL)) {
		for (size_t i = 0; i < count; i++) {
			if (strncmp(ids[i], name, length) != 0)
				continue;
			error_set(err, -ENOENT,
				  "run %s was cut off; onproc resume %s goes on with it", ids[i],
				  ids[i]);
			break;
		}
	}
	free(ids);
	return -ENOENT;
}

int runs_load(struct store *store, const char *name, struct run *run, struct error *err)
{
	char id[RUN_ID_BYTES];
	int rc;

	run_init(run);
	rc = store_resolve(store, name, id, err);
	if (rc == -ENOENT)
		rc = say_cut_off(store, name, err);
	if (!rc)
		rc = store_load(store, id, run, err);
	if (!rc && run_summarise(run))
		rc = error_set(err, -ENOMEM, "run %s: no memory", id);
	return rc;
}

int runs_load_rates(struct store *store, const char *name, struct run *run, struct error *err)
{
	run_init(run);
	return store_load_rates(store, name, run, err);
}

void runs_mention_orphans(const char *verb, const struct store *store, bool is_asked)
{
	char(*ids)[RUN_ID_BYTES] = NULL;
	size_t count = 0;

	/* a notice: what is wrong with the journals shows when one of them is used */
	if (!journal_orphans(store, &ids, &count, NULL)) {
		for (size_t i = 0; i < count; i++) {
			bool is_new = journal_is_told_first(store, ids[i]);

			if (is_new || is_asked)
				verb_note(verb,
					  "run %s was cut off; onproc resume %s goes on with it",
					  ids[i], ids[i]);
		}
	}
	free(ids);
}

static void mention_side(const struct ab_left *left, void *verb)
{
	char side[100], restore[600];

	if (!left->letter || !left->restore) {
		verb_note(verb,
			  "run %s left a note that cannot be read: the machine may not be as it "
			  "was; onproc rm %s forgets",
			  left->run, left->run);
		return;
	}
	side_words(left->letter, left->name, side, sizeof(side));
	ab_restore_words(left->restore, left->path, restore, sizeof(restore));
	verb_note(
		verb,
		"run %s did not put the machine back: %s may still be set; %s restores, as onproc "
		"resume %s does at its end; onproc rm %s forgets",
		left->run, side, restore, left->run, left->run);
}

static void each_left(const char *db, void (*each)(const struct ab_left *left, void *context),
		      void *context)
{
	char *path = db ? NULL : store_default_path();

	if (db || path)
		ab_notes_left(db ? db : path, each, context);
	free(path);
}

void runs_mention_sides(const char *verb, const char *db)
{
	each_left(db, mention_side, (void *)(uintptr_t)verb);
}

struct left_search {
	const char *except;
	char run[RUN_ID_BYTES]; /* empty: none */
};

static void find_left(const struct ab_left *left, void *context)
{
	struct left_search *search = context;

	if (!search->except || strcmp(search->except, left->run) != 0)
		snprintf(search->run, sizeof(search->run), "%s", left->run);
}

int runs_refuse_left_side(const char *db, const char *except, struct error *err)
{
	struct left_search search = { .except = except };

	each_left(db, find_left, &search);
	if (!search.run[0])
		return 0;
	return error_set(err, -EBUSY,
			 "a side of run %s may still be set, so that nothing is compared: onproc "
			 "resume %s restores, onproc rm %s forgets",
			 search.run, search.run, search.run);
}
