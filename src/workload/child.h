/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * child.h - child processes of a copy: they die with it, and how one ended is told in words.
 */
#ifndef ONPROC_WORKLOAD_CHILD_H
#define ONPROC_WORKLOAD_CHILD_H

#include <stddef.h>
#include <sys/types.h>

/*
 * First thing in a child that lives longer than an iteration: SIGKILL when parent dies, and an end
 * at once when it is dead already.
 */
void child_bind(pid_t parent);

/* Waits for the child, through signals. 0 and its wait status, or a negative errno. */
int child_wait(pid_t child, int *status);

/* Kills the child and waits for it. */
void child_kill(pid_t child);

/* "ended with status 3" or "was killed by signal 9 (Killed)", into text. Returns text. */
const char *child_end(int status, char *text, size_t bytes);

/* What to do about a failed fork(2) of this errno, in words. */
const char *child_fork_advice(int code);

#endif
