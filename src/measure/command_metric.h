/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * command_metric.h - what a run of a command says of its speed.
 *
 *   json:PATH[ UNIT][ lower]   members "a.b", elements "[0]", all elements summed "[*]", odd names
 *                              "[\"a b\"]", and sums of paths "a.x+b.x"
 *   regex:RE[ UNIT][ lower]    POSIX extended, its first group, at its first match; ^ and $ match
 *                              at lines. A last word is the unit when it has none of
 *                              ()[]{}*+?|^$.\, so a RE that ends in such a word needs a unit too.
 *   time, or none              wall time
 *
 * "lower": less is better; such values are inverted, since rates are higher-is-better inside.
 */
#ifndef ONPROC_MEASURE_COMMAND_METRIC_H
#define ONPROC_MEASURE_COMMAND_METRIC_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

#define METRIC_UNIT_BYTES 32

enum metric_kind {
	METRIC_TIME, /* wall seconds of the run: nothing is read */
	METRIC_JSON,
	METRIC_REGEX,
};

struct metric {
	enum metric_kind kind;
	char *pattern;			   /* path or expression; NULL for wall time */
	char unit[METRIC_UNIT_BYTES];	   /* of what is read: "s", "B/s" */
	char rate_unit[METRIC_UNIT_BYTES]; /* of the rate: "1/s", "B/s" */
	bool lower_is_better;
};

/* text NULL: as "time". -EINVAL says what was expected. To be freed in any case. */
int metric_parse(const char *text, struct metric *metric, struct error *err);
void metric_free(struct metric *metric);

/*
 * The value in what a run printed (zero-terminated behind count bytes, and changed: zeros in it
 * become newlines). -ENOMSG where there is none, or it is not a finite number above 0; -EINTR when
 * a signal came while an expression was matched.
 */
int metric_read(const struct metric *metric, char *output, size_t count, double *value,
		struct error *err);

/* The rate of a value, 1/value where less is better. */
double metric_rate(const struct metric *metric, double value);

#endif
