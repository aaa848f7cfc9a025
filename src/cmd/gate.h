/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gate.h - what a gate prints and returns, of stored runs and of runs that are being measured. */
#ifndef ONPROC_CMD_GATE_H
#define ONPROC_CMD_GATE_H

#include "cmd/options.h"
#include "compare/gate.h"

#include <stdio.h>

/* Passed 0, regressed 1, undecided 125. */
enum exit_code gate_exit_code(const struct gate *gate);

/* A line for each test that has regressed, is undecided or lost a little; then the outcome. 0 or
 * -ENOMEM. */
int gate_print(const struct comparison *comparison, const struct gate *gate, FILE *out);

/* Judges, prints all of it to stdout and warnings to stderr; the exit code of the gate. */
enum exit_code gate_conclude(const struct comparison *comparison);

#endif
