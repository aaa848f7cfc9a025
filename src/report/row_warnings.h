/* SPDX-License-Identifier: GPL-2.0-or-later */
/* row_warnings.h - warnings of a kind that each row has or has not: long windows, no steady rate.
 */
#ifndef ONPROC_REPORT_ROW_WARNINGS_H
#define ONPROC_REPORT_ROW_WARNINGS_H

#include "report/paragraph.h"
#include "store/record.h"

#include <stdbool.h>
#include <stdio.h>

#define ROWS_APART 3 /* more rows with one kind of trouble are one paragraph */

/* Prints those of all rows, kind by kind. */
void row_warnings(const struct run *run, struct paragraph *line, FILE *out, bool *is_headed);

/* Is a warning of the run's own among them? */
bool row_warnings_have(const struct run *run, const char *text);

/* Text of a warning of the run's own; "" for one that is no text. */
const char *warning_of_run(const struct run *run, size_t i);

/* Starts a warning of one row: "  pipe, 2 copies: ". */
void warning_add_row(struct paragraph *line, const struct series *series);

/* Prints the line, if there is one, below the heading of the block. */
void warning_print(struct paragraph *line, FILE *out, bool *is_headed);

#endif
