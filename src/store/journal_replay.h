/* SPDX-License-Identifier: GPL-2.0-or-later */
/* journal_replay.h - the lines of a journal: made from a run, and made into one again. */
#ifndef ONPROC_STORE_JOURNAL_REPLAY_H
#define ONPROC_STORE_JOURNAL_REPLAY_H

#include "store/record.h"

#define JOURNAL_SCHEMA	       "onproc.journal"
#define JOURNAL_SCHEMA_VERSION 1

/* New objects, one per line; NULL: no memory. */
json_t *journal_run_line(const struct run *run);
json_t *journal_series_line(const struct run *run, size_t series);
json_t *journal_slot_line(const struct run *run, size_t series, size_t slot);
json_t *journal_warnings_line(const struct run *run);

/*
 * Replays the text of a journal into run. whole: bytes of the whole lines that were kept. A last
 * line that is cut or damaged is dropped; a damaged line before it is -EUCLEAN with its number, run
 * keeps all before it. path is for the text.
 */
int journal_replay(const char *path, const char *bytes, size_t count, struct run *run,
		   size_t *whole, struct error *err);

#endif
