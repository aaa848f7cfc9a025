/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * escape.h - text from outside made safe to print: no control character reaches a terminal.
 *
 * Control characters (C0, DEL, C1), bytes that are not UTF-8 and characters that change the
 * direction of text are written as "\n", "\t", "\x1b" or "\u202e"; a backslash stays as it is,
 * since this is for reading and not for reading back.
 */
#ifndef ONPROC_BASE_ESCAPE_H
#define ONPROC_BASE_ESCAPE_H

#include <stddef.h>
#include <stdio.h>

/*
 * Escapes text into out, at most bytes with the terminating zero; what does not fit is left out,
 * never half of a character. Returns the bytes that the whole needs without the zero, as snprintf()
 * does.
 */
size_t escape_text(const char *text, char *out, size_t bytes);

/* Escapes text straight into a stream; errors show in ferror(). */
void escape_print(const char *text, FILE *out);

/* Columns that UTF-8 text takes on a terminal, one for each character. */
size_t escape_columns(const char *text);

#endif
