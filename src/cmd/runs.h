/* SPDX-License-Identifier: GPL-2.0-or-later */
/* runs.h - what verbs that name runs share: loading one, and saying which were cut off. */
#ifndef ONPROC_CMD_RUNS_H
#define ONPROC_CMD_RUNS_H

#include "cmd/options.h"
#include "store/store.h"

/* Loads a run by what was typed (id, prefix, "last", "last~N"), summarised. To be freed in any
 * case. */
int runs_load(struct store *store, const char *name, struct run *run, struct error *err);

/* The same with rates alone (store_load_rates()), and what is derived as it was stored. */
int runs_load_rates(struct store *store, const char *name, struct run *run, struct error *err);

/* On stderr, a line for each run whose journal was left by a killed onproc; is_asked false: only
 * for those of which no such line was written before. */
void runs_mention_orphans(const char *verb, const struct store *store, bool is_asked);

/* On stderr, a line for each side that a killed `onproc ab` may have left set. db: --db, or NULL.
 */
void runs_mention_sides(const char *verb, const char *db);

/* -EBUSY while a side that another run than `except` (NULL: any) switched to may still be set: what
 * is measured then would be of no known side. */
int runs_refuse_left_side(const char *db, const char *except, struct error *err);

#endif
