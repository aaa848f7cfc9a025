/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * import_run.h - what the readers of other tools' files make runs with.
 *
 * All are safe after a failed allocation, which imported->no_memory keeps for import_bytes() to
 * see. A pointer to a run is good until the next imported_begin(), one to a series until the next
 * imported_series() of its run.
 */
#ifndef ONPROC_STORE_IMPORT_RUN_H
#define ONPROC_STORE_IMPORT_RUN_H

#include "store/import.h"
#include "store/record.h"

#include <stdbool.h>
#include <stddef.h>

#define IMPORT_NO_SLOTS	   "imported: no slots" /* why an estimate has no interval */
#define IMPORT_ID_BYTES	   128
#define IMPORT_SERIES_MOST 5000 /* of a run: tests are looked up one by one */

struct imported {
	struct run *runs;
	size_t count, room;
	json_t *pending; /* warnings of what stood before the first run */
	size_t unsaid;	 /* warnings of the last run beyond the most that are kept */
	bool no_memory;
};

/* An initialised run, nothing else; NULL: no memory. */
struct run *imported_add(struct imported *imported);

/*
 * A run of status "imported", with warnings and an environment whose member "imported" says which
 * format it had and on which line it began (0: no line). NULL: no memory, or too many, which is
 * said.
 */
struct run *imported_begin(struct imported *imported, const char *tool, const char *format,
			   size_t line);

/* Adds a member to environment.imported of the run; takes the reference. */
void imported_detail(struct imported *imported, struct run *run, const char *name, json_t *value);

/* Of a run with a date whose zone was not given otherwise (detail "zone"): it is not known. */
void imported_zone_unknown(struct imported *imported, struct run *run);

/* A warning of the last run, "imported: line LINE: TEXT"; line 0: no line. Any bytes may be in it.
 */
void imported_warn(struct imported *imported, size_t line, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Says how many more warnings there were, where not all were kept. Called at the end of a run. */
void imported_end(struct imported *imported);

/* A series without result so far. Texts are copied. NULL: no memory, or too many, which is said. */
struct series *imported_series(struct imported *imported, struct run *run, const char *test,
			       const char *title, const char *unit, uint32_t copies);

/* A result without slots: rate is finite and > 0. */
void imported_rate(struct series *series, double rate);

/*
 * One observation of length_s (NAN: unknown). A rate that is no finite number > 0 fails the slot,
 * for this reason (NULL: a text of our own). NULL: no memory.
 */
struct slot *imported_slot(struct imported *imported, struct series *series, double rate,
			   double length_s, const char *reason);

/* Replaces a text of the record. NULL format: to NULL. */
void imported_text(struct imported *imported, char **text, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * A test id of a tool's own name: "PREFIX/NAME@1", where what is no letter, digit or one of "._+-"
 * becomes a dash, and a long name is cut and ends in a hash of all of it.
 */
void imported_id(const char *prefix, const char *name, char id[IMPORT_ID_BYTES]);

#endif
