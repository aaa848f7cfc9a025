/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * csv_cells.h - cells of RFC 4180 as every CSV here writes them.
 *
 * Text cells that a spreadsheet would take for a formula (they start with = + - @) get an
 * apostrophe before them: quoting does not stop it.
 */
#ifndef ONPROC_REPORT_CSV_CELLS_H
#define ONPROC_REPORT_CSV_CELLS_H

#include <stdio.h>

/* Quoted and escaped; NULL and "" are an empty cell. -ENOMEM. */
int csv_put_text(FILE *out, const char *text);

/* The shortest form that reads back as the same double; nothing for what is not a number. */
void csv_put_number(FILE *out, double number);

#endif
