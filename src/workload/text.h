/* SPDX-License-Identifier: GPL-2.0-or-later */
/* text.h - English-like text for the shell tests: always the same, and what must be found in it. */
#ifndef ONPROC_WORKLOAD_TEXT_H
#define ONPROC_WORKLOAD_TEXT_H

#include <stddef.h>

/* The size of the input of UnixBench's shell test. */
#define TEXT_BYTES 8546
#define TEXT_LINES 362

/* A word that is rarer than the others, about one line of 25 in long lines. */
#define TEXT_RARE_WORD "lantern"

/* What wc(1) would print. */
struct text_count {
	size_t lines, words, bytes;
};

/*
 * Fills text with exactly `bytes` bytes in `lines` lines, each ended by a newline; no terminating
 * zero. Needs at least 8 bytes a line.
 */
void text_make(char *text, size_t bytes, size_t lines);

/* Counts the lines that have `needle` somewhere; NULL: all. */
struct text_count text_count(const char *text, size_t bytes, const char *needle);

#endif
