/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * command_regex.h - a POSIX extended expression of a user's, kept away from the harness.
 *
 * To compile or match one may take a time and a memory that nobody foresees, or crash the C
 * library. So a child does it, within REGEX_CPU_S of CPU time and REGEX_MEMORY_BYTES.
 * Back-references are not taken: the C library's matches of them are wrong at times ("x=((.)\\2);"
 * finds 75 in "x=75;x=77;").
 */
#ifndef ONPROC_MEASURE_COMMAND_REGEX_H
#define ONPROC_MEASURE_COMMAND_REGEX_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

#define REGEX_CPU_S	   5
#define REGEX_MEMORY_BYTES ((size_t)256 << 20) /* beyond what the harness has itself */

struct regex_group {
	bool matches;
	size_t start, length; /* in the text */
};

/*
 * The first group of the expression's first match; ^ and $ match at lines. text NULL: the
 * expression is only looked at. -EINVAL: it cannot be compiled, within the limits, or has no group.
 * -ENOMSG: matching took more than the limits. -EINTR: a signal asked to stop. Else what fork(2) or
 * pipe(2) said.
 */
int regex_first_group(const char *expression, const char *text, struct regex_group *group,
		      struct error *err);

#endif
