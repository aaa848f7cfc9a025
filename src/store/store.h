/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * store.h - the database of runs: SQLite in WAL mode, mode 0600, safe with several onproc at once.
 */
#ifndef ONPROC_STORE_STORE_H
#define ONPROC_STORE_STORE_H

#include "base/error.h"
#include "store/record.h"

struct store;

#define STORE_SCHEMA_VERSION 2

/* $XDG_DATA_HOME/onproc/onproc.db, or ~/.local/share/onproc/onproc.db. To be freed; NULL: no home.
 */
char *store_default_path(void);

/*
 * Opens and, if need be, creates (directories 0700, file 0600) or migrates the database. path NULL:
 * default. Journals of runs that are complete in the store are removed. -EUCLEAN a corrupt or
 * foreign file (never overwritten), -ENOTSUP a schema from the future, -EACCES, -EROFS, -ENOSPC,
 * -EBUSY (another writer for more than 10 s), -ENOENT no home.
 */
int store_open(const char *path, struct store **store, struct error *err);
/* As store_open(), but makes nothing: -ENOENT where there is no database yet. Opens one that
 * cannot be written for reading; writing to it is then -EROFS. */
int store_open_existing(const char *path, struct store **store, struct error *err);
void store_close(struct store *store);
const char *store_path(const struct store *store);

/* Inserts the run, or replaces the one of the same id, in one transaction. */
int store_save(struct store *store, const struct run *run, struct error *err);

/* id: full, a tag (of its runs the one that got it last), a unique prefix, "last", or "last~N"
 * (N-th before the last). -ENOENT, -ENOTUNIQ with candidates. */
/* store_load() and store_remove() take the same forms. */
int store_resolve(struct store *store, const char *id, char full[RUN_ID_BYTES], struct error *err);
/* -EUCLEAN with the path of the member that is damaged. */
int store_load(struct store *store, const char *id, struct run *run, struct error *err);
/*
 * The run with what a comparison needs of its slots: block, ordinal, status and rate, without
 * counts, evidence and errors. Ten times as fast, and as checked. What is derived is as stored.
 */
int store_load_rates(struct store *store, const char *id, struct run *run, struct error *err);
/* The run without its series. */
int store_load_head(struct store *store, const char *id, struct run *run, struct error *err);
/* Its tags and its journal go too; -EBUSY while the run is being measured. */
int store_remove(struct store *store, const char *id, struct error *err);

/*
 * A tag is a name for a run, or for several (the boots of one kernel). [A-Za-z0-9._+/-], 1 to 63
 * characters, starting with a letter; neither "last…" nor the id of a run.
 */
#define TAG_BYTES 64
bool tag_is_valid(const char *name);
/* Gives the name to the run, anew where it has it. -EINVAL: no such name; -EEXIST: a run's id. */
int store_tag(struct store *store, const char *id, const char *name, struct error *err);
/* Takes the name from the run; id NULL: from all. -ENOENT: not given. */
int store_untag(struct store *store, const char *id, const char *name, struct error *err);
/* Ids of the runs with that name, the one that got it last first; none: 0 of them. To be freed. */
int store_tagged(struct store *store, const char *name, char (**ids)[RUN_ID_BYTES], size_t *count,
		 struct error *err);

/*
 * The series of a test over all runs, oldest first: `each` gets the run without its other series
 * and without slots, until it returns another value than 0, which is returned. Sides of a
 * comparison are left out. name: an id, an id without its version, or what stands between / and @.
 * copies 0: any. *ids: different tests that are called so.
 */
int store_each_of_test(struct store *store, const char *name, uint32_t copies,
		       int (*each)(struct run *run, void *context), void *context, size_t *ids,
		       struct error *err);

/* What a list shows of a run, newest first. */
struct run_head {
	char id[RUN_ID_BYTES];
	enum run_status status;
	uint64_t created_s;
	char *host, *tool, *kernel, *command; /* NULL: unknown */
	json_t *tags;			      /* array of strings */
	uint32_t tests, series, slots;
	struct score *scores;
	size_t n_scores;
};
int store_list(struct store *store, struct run_head **heads, size_t *count, struct error *err);
void run_heads_free(struct run_head *heads, size_t count);

/* {"schema":"onproc.list","schema_version":1,"runs":[…]}. NULL: no memory. */
#define LIST_SCHEMA	    "onproc.list"
#define LIST_SCHEMA_VERSION 1
json_t *run_heads_to_json(const struct run_head *heads, size_t count);

/*
 * Journal of a run that is being measured: <database>.journal.d/<id>.jsonl, mode 0600, one JSON
 * line per event, held with flock while its writer lives. First line: the run without series; then
 * series as they appear; then a line per slot, each append fdatasync'ed, so that kill -9 loses at
 * most the slot that was running. The descriptor is close-on-exec; a child that is forked without
 * exec must close what it does not need, or it holds the lock as long as it lives.
 */
struct journal;
int journal_create(const struct store *store, const struct run *run, struct journal **journal,
		   struct error *err);
/*
 * Appends what is new in run since the last call (series and slots), changed slot states, series
 * whose reason or note changed, and warnings. On an error (-ENOSPC) the file ends with the last
 * whole line, run is untouched, and the next call tries the same again.
 */
int journal_append(struct journal *journal, const struct run *run, struct error *err);
/* The run is in the store: the journal is removed and closed, in any case. */
int journal_finish(struct journal *journal, struct error *err);
/* Keeps the file (for resume) and closes it. NULL is fine. */
void journal_close(struct journal *journal);

/*
 * Opens a journal left behind and replays it into run (a last line cut short is dropped). id: full
 * or a unique prefix; NULL: newest. The run's status is RUN_INTERRUPTED, its elapsed_s the end of
 * its last slot. -ENOENT: none; -ENOTUNIQ with candidates; -EBUSY: its writer lives. -EUCLEAN: a
 * line before the last is damaged; the text names it and what was kept, run holds that (to be
 * freed), the file is left as it is and *journal is NULL. After any other error run is empty.
 */
int journal_reopen(const struct store *store, const char *id, struct run *run,
		   struct journal **journal, struct error *err);
/* Ids of journals whose writer is gone, newest first; to be freed with one free(). */
int journal_orphans(const struct store *store, char (**ids)[RUN_ID_BYTES], size_t *count,
		    struct error *err);
/* The first time that it is asked of this journal, and that can be remembered, true; or always. */
bool journal_is_told_first(const struct store *store, const char *id);
/* Throws the journal of a run away. -ENOENT: there is none; -EBUSY: its writer lives. */
int journal_remove(const struct store *store, const char *id, struct error *err);

#endif
