/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sparkline.h - a history in one line of text. */
#ifndef ONPROC_REPORT_SPARKLINE_H
#define ONPROC_REPORT_SPARKLINE_H

#include <stdbool.h>
#include <stddef.h>

#define SPARKLINE_LEVELS 8
#define SPARKLINE_BYTES	 4 /* of a character, at most */

/*
 * One character for each of the n values, lowest to highest; of more than `columns` values, each
 * character is the median of its share of them. text has room for columns × SPARKLINE_BYTES and the
 * terminating zero. scratch: room for n values. Equal values stand on the middle level.
 */
void sparkline(const double *values, size_t n, size_t columns, bool unicode, double *scratch,
	       char *text);

#endif
