/* SPDX-License-Identifier: GPL-2.0-or-later */
/* history.h - a history as text. C locale; what came from outside is escaped. */
#ifndef ONPROC_REPORT_HISTORY_H
#define ONPROC_REPORT_HISTORY_H

#include "compare/history.h"

#include <stdbool.h>
#include <stdio.h>

/* A sparkline for each series, its levels, and every change with what else changed there; at most
 * 80 columns. -ENOMEM. */
int report_history(const struct history *history, bool unicode, FILE *out);

/* RFC 4180, a row per point. -ENOMEM. */
int report_history_csv(const struct history *history, FILE *out);

#endif
