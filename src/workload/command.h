/* SPDX-License-Identifier: GPL-2.0-or-later */
/* command.h - one run of another program by a copy. */
#ifndef ONPROC_WORKLOAD_COMMAND_H
#define ONPROC_WORKLOAD_COMMAND_H

#include "workload/work.h"

#include <sys/types.h>

struct command {
	const char *const *argv; /* ended by NULL */
	const char *path;	 /* of the program; NULL: argv[0], searched in PATH */
	const char *in, *out;	 /* files for stdin and stdout; NULL: those of the copy */
};

/*
 * Runs it and waits for it. 0 when it ended with status 0, else a negative errno after work_fail().
 * Its process id into pid, unless that is NULL.
 */
int command_run(const struct work *work, const struct command *command, pid_t *pid);

#endif
