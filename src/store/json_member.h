/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json_member.h - a table of members drives both directions between a struct and its JSON object.
 *
 * One row per member: what it is called, where it lies, what it may be. The writer, the reader with
 * its bounds and texts, and the check for unknown members all read the same table.
 */
#ifndef ONPROC_STORE_JSON_MEMBER_H
#define ONPROC_STORE_JSON_MEMBER_H

#include "base/error.h"
#include "store/record.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

enum member_kind {
	MEMBER_TEXT,	 /* char * */
	MEMBER_CHARS,	 /* char[bytes]; "" is null */
	MEMBER_REASON,	 /* const char *, kept in the run (run_keep_reason) */
	MEMBER_U32,	 /* uint32_t */
	MEMBER_U64,	 /* uint64_t up to 2^63-1; 0 is null where nullable */
	MEMBER_SIZE,	 /* size_t */
	MEMBER_SEED,	 /* uint64_t as a decimal string: a double of a reader holds only 2^53 */
	MEMBER_BOOL,	 /* bool */
	MEMBER_NUMBER,	 /* double; NAN is null */
	MEMBER_RATE,	 /* double > 0; NAN is null */
	MEMBER_BASELINE, /* double > 0; 0 is null */
	MEMBER_ENUM,	 /* int-sized enum, index into choices */
	MEMBER_OBJECT,	 /* json_t *, an object */
	MEMBER_STRINGS,	 /* json_t *, an array of strings; NULL is [] */
};

struct member {
	const char *name;     /* NULL ends the table */
	const char *expected; /* "a number > 0 or null" */
	enum member_kind kind;
	bool nullable;
	const char *reason; /* goes into NAME_reason beside a null; NULL: null means "none" */
	size_t offset;
	size_t bytes;		    /* MEMBER_CHARS */
	double min, max;	    /* inclusive, where max > min */
	const char *const *choices; /* NULL-terminated: MEMBER_ENUM, MEMBER_TEXT */
};

/* Where in the document we are: a chain on the stack, made into "series[3].slots[0]" for an error.
 */
struct where {
	const struct where *up;
	const char *name; /* NULL: element `index` of an array */
	size_t index;
};

/* -EINVAL and "WHERE.MEMBER: expected EXPECTED, found a string". member NULL: of where itself. */
int where_error(struct error *err, const struct where *where, const char *member,
		const char *expected, const json_t *found);

/* The members of record as a new object; NULL: no memory. */
json_t *members_to_json(const struct member *members, const void *record);

/* Fills record from the object. Strings are copied, json_t referenced, reasons kept in the run. */
int members_from_json(const struct member *members, const json_t *object, const struct where *where,
		      struct run *run, void *record, struct error *err);

/*
 * Refuses what is no object, and any member that is in none of the tables (NULL-terminated list)
 * and not among the other names (NULL-terminated).
 */
int members_only(const struct member *const *tables, const char *const *others,
		 const json_t *object, const struct where *where, struct error *err);

/* The array member of an object, -EINVAL with the path when it is missing or no array. */
int member_array(const json_t *object, const char *name, const struct where *where,
		 const json_t **array, struct error *err);

#endif
