/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bare.h - a workload without a harness: the `--bare` form of work_main(). libc only. */
#ifndef ONPROC_WORKLOAD_BARE_H
#define ONPROC_WORKLOAD_BARE_H

#include "workload/work.h"

/*
 * Runs work->workload for the time that the words ask for (MS [WARM_MS [NAME=VALUE…]]) and prints
 * its count. Returns the exit code of the program: 0, 1 after a failure, 2 for bad words.
 */
int bare_run(struct work *work, int words, char **word);

/* Parts of a copy's life that both forms share: see work.c. */
int work_set_up(struct work *work);
int work_run(struct work *work);

#endif
