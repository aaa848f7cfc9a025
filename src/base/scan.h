/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scan.h - a cursor over text from outside: every step checks, none reads past the end.
 *
 * A step that returns false has moved nothing (scan_blanks() apart). The line number is kept for
 * messages.
 */
#ifndef ONPROC_BASE_SCAN_H
#define ONPROC_BASE_SCAN_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct scan {
	const char *at, *end;
	unsigned line; /* from 1 */
};

/* Bytes of the scanned text, not zero-terminated. */
struct slice {
	const char *at;
	size_t len;
};

struct scan scan_start(const char *text, size_t len);

bool scan_is_end(const struct scan *scan);	/* of the text */
bool scan_is_line_end(const struct scan *scan); /* at a newline or at the end of the text */

void scan_blanks(struct scan *scan);			  /* skips spaces and tabs */
bool scan_char(struct scan *scan, char wanted);		  /* takes exactly this byte */
bool scan_word_is(struct scan *scan, const char *wanted); /* takes these bytes */
bool scan_u64(struct scan *scan, uint64_t *number); /* decimal digits; false on overflow too */
bool scan_i64(struct scan *scan, int64_t *number);  /* with an optional minus */

/* Bytes up to a blank or the end of the line; may be empty. */
struct slice scan_word(struct scan *scan);
/* Bytes up to (not with) `stop` or the end of the line, and moves over `stop`; may be empty. */
struct slice scan_until(struct scan *scan, char stop);
/* The rest of the line, without the newline; the cursor stands at the next line. */
struct slice scan_line(struct scan *scan);

bool slice_is(struct slice slice, const char *wanted);

/* -EINVAL and "line N: expected WHAT"; the caller puts the file's name before it. */
int scan_expected(const struct scan *scan, struct error *err, const char *what);

#endif
