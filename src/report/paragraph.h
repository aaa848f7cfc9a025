/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * paragraph.h - one growing paragraph, printed wrapped at REPORT_COLUMNS.
 *
 * All functions are safe after a failed allocation, which `failed` keeps for the caller to see at
 * the end: a report is written in one go and fails as a whole.
 */
#ifndef ONPROC_REPORT_PARAGRAPH_H
#define ONPROC_REPORT_PARAGRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define REPORT_COLUMNS 80

/* A space at which no line breaks. Escaped text has no control characters: it is never in one. */
#define PARAGRAPH_STAY "\x1f"

struct paragraph {
	char *text; /* NULL while empty; UTF-8 without control characters but PARAGRAPH_STAY */
	size_t length, room;
	bool failed;
};

void paragraph_add(struct paragraph *paragraph, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* What came from outside, escaped; NULL adds "unknown". */
void paragraph_add_outside(struct paragraph *paragraph, const char *outside);

/* Nanoseconds in words: "250 ms", "1 s", "5 min 48 s". */
void paragraph_add_duration(struct paragraph *paragraph, double ns);

/* Spaces until `columns` columns are taken. */
void paragraph_pad(struct paragraph *paragraph, size_t columns);

/*
 * Columns that the paragraph takes on one line. Wide characters (East Asian, emoji) count as two,
 * and so does everything from U+1100 on: rather too much than a line too long.
 */
size_t paragraph_columns(const struct paragraph *paragraph);

/*
 * Prints the paragraph and empties it: lines break at spaces, a word longer than a line breaks
 * anywhere, lines after the first start with `hang` spaces, trailing spaces go.
 */
void paragraph_print(struct paragraph *paragraph, FILE *out, size_t hang);

/* The same within other columns, with `before` (ASCII) at the start of each line. */
void paragraph_print_within(struct paragraph *paragraph, FILE *out, const char *before, size_t hang,
			    size_t columns);

void paragraph_free(struct paragraph *paragraph);

#endif
