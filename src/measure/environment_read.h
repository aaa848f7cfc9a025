/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * environment_read.h - what the readers of the environment table share.
 *
 * A reader returns a new JSON value, or NULL after reading_because(): the row is then null with
 * that reason beside it.
 */
#ifndef ONPROC_MEASURE_ENVIRONMENT_READ_H
#define ONPROC_MEASURE_ENVIRONMENT_READ_H

#include "base/scan.h"
#include "base/text.h"
#include "measure/environment.h"

#include <jansson.h>
#include <stdbool.h>

struct reading {
	const struct environment_request *request;
	const struct environment_row *row;
	struct text text;   /* of the last file read */
	struct text config; /* of the kernel, see environment_config.h */
	bool config_is_tried;
	char config_reason[256]; /* why config is empty */
	char reason[256];	 /* why the row is null */
};

struct environment_row {
	const char *name;
	const char *help; /* what it is, for readers of the JSON */
	json_t *(*read)(struct reading *reading);
	const char *path; /* for the readers that read one file */
};

/* NULL, after storing the reason. */
json_t *reading_because(struct reading *reading, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* "" root: this machine itself, not a tree that stands in for it. */
bool reading_is_live(const struct reading *reading);

/* Reads root/path into reading->text. False, with the reason, when that fails. */
bool reading_file(struct reading *reading, const char *path);

/* Value of "key<blanks>: value" in reading->text; false when there is none. */
bool reading_key(const struct reading *reading, const char *key, struct slice *value);

/* A string of the bytes; what is not UTF-8 becomes '?'. */
json_t *string_json(const char *bytes, size_t len);

/* Readers of one file, row->path: its text without white space at the end; an integer; two states.
 */
json_t *read_text(struct reading *reading);
json_t *read_integer(struct reading *reading);
json_t *read_switch(struct reading *reading); /* 0, N, n: false; else true */

#endif
