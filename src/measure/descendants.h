/* SPDX-License-Identifier: GPL-2.0-or-later */
/* descendants.h - kills and reaps what a slot started, children of children included. */
#ifndef ONPROC_MEASURE_DESCENDANTS_H
#define ONPROC_MEASURE_DESCENDANTS_H

#include <sys/types.h>

/*
 * The caller must be a subreaper. SIGKILLs every process of process group `group` (but the caller)
 * and every child of the caller, reaps, and repeats until the caller has no such process left:
 * whatever a killed process had started becomes a child of the caller. Gives up after 10 s: a
 * process in uninterruptible sleep dies when it wakes.
 */
void descendants_kill(pid_t group);

#endif
