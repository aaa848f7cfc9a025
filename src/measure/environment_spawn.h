/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * environment_spawn.h - what another program prints, without a shell and not for longer than a
 * deadline.
 */
#ifndef ONPROC_MEASURE_ENVIRONMENT_SPAWN_H
#define ONPROC_MEASURE_ENVIRONMENT_SPAWN_H

#include "base/error.h"
#include "base/text.h"

#define SPAWN_DEADLINE_NS 2000000000ull

/*
 * Runs argv (argv[0] by PATH or as a path) with /dev/null as input and the C locale, and reads its
 * standard output into text, at most 1 MiB. 0 when it exited with 0; -ETIME when it had to be
 * killed; -ENOEXEC with the exit status or signal in words; other errors when it could not be
 * started.
 */
int spawn_read(const char *const *argv, struct text *text, struct error *err);

#endif
