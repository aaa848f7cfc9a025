/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * import_lines.h - text that went through consoles and mails, as the lines that it once was.
 *
 * Taken away are quote marks ("> > "), stamps of build services, carriage returns, terminal
 * sequences and zeros; tabs and the blanks of Unicode become blanks, box drawings "|", "+" and "-";
 * quoted-printable is decoded where a header asks for it. A file in which blanks that do not break
 * came out as "?" gets blanks.
 */
#ifndef ONPROC_STORE_IMPORT_LINES_H
#define ONPROC_STORE_IMPORT_LINES_H

#include "store/import.h"

#include <stdbool.h>
#include <stddef.h>

#define LINE_BYTES 1024 /* what is longer is no line of a report, and is cut */

struct import_line {
	char *text;    /* without blanks at either end */
	size_t number; /* in the file, from 1 */
	bool is_cut;   /* the file ends here, without a newline */
};

struct import_lines {
	struct import_line *line;
	size_t count;
	char *bytes; /* owns the texts */
};

/* 0, -EFBIG or -ENOMEM. */
int import_lines_make(const struct import_source *source, struct import_lines *lines,
		      struct error *err);
void import_lines_free(struct import_lines *lines);

/*
 * Lines first … first + count - 1, without empty ones, as one with a blank between them: what a
 * mail program wrapped. false: there are not so many, an empty one is among them, or it is too
 * long.
 */
bool import_lines_join(const struct import_lines *lines, size_t first, size_t count,
		       char text[LINE_BYTES]);

/* Whether the bytes hold the text anywhere. */
bool source_has(const struct import_source *source, const char *text);

bool text_begins(const char *text, const char *with);
bool text_ends(const char *text, const char *with);

#endif
