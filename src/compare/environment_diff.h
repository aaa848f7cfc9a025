/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * environment_diff.h - what differs between the environments of two runs.
 *
 * Members that differ between any two runs say nothing and are left out: times, free memory, what
 * identifies a boot or a session, and the reasons why something could not be read.
 */
#ifndef ONPROC_COMPARE_ENVIRONMENT_DIFF_H
#define ONPROC_COMPARE_ENVIRONMENT_DIFF_H

#include "store/record.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * Array of {"path":"mitigations.retbleed","a":…,"b":…}, null where a side does not know; also of
 * the tool ("tool") and of the plan's members that change a slot ("plan.slot_ns"). Members of two
 * unknown environments do not differ. A new array; NULL: no memory.
 */
json_t *environment_differences(const struct run *a, const struct run *b);

/*
 * Programs that the differences are of, each of which may have several (hash, size): whoever shows
 * them says that once. *rows: differences of programs.
 */
size_t differences_of_programs(const json_t *differences, size_t *rows);
bool difference_is_of_program(const json_t *difference);

#endif
