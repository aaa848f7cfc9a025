/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import_table_line.h - a line of a table as people draw it in mails, in cells. */
#ifndef ONPROC_STORE_IMPORT_TABLE_LINE_H
#define ONPROC_STORE_IMPORT_TABLE_LINE_H

#include "store/import_lines.h"
#include "store/import_number.h"

#include <stdbool.h>
#include <stddef.h>

#define TABLE_COLUMNS 24

/* A cell is zero-terminated text without blanks at its ends; "" is an empty one. */
struct table_line {
	char bytes[LINE_BYTES];
	const char *cell[TABLE_COLUMNS];
	size_t count;
	bool has_borders; /* "|" or "+" between the cells */
};

/* Only "-", "=", "_", "+", "|", ":" and blanks, and enough of them. */
bool table_is_border(const char *text);

/*
 * Splits a line at its "|", or at "+" that stand alone. false: it has none, or too many cells. With
 * `by_words` a line without them is split where two blanks or more stand.
 */
bool table_split(const char *text, bool by_words, struct table_line *line);

/*
 * A line without borders: the label of a test of UnixBench, then numbers with or without units, one
 * cell each; what is in percent or brackets is left out. false: it is none.
 */
bool table_split_label(const char *text, struct table_line *line);

/* A number, with a unit behind it or not. unit: "" for none; points into the line. */
bool table_cell_number(const char *cell, struct printed *number, const char **unit);

#endif
