/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * variables.h - the environment variables of a process that is about to be started.
 *
 * Made before fork(2), so that the child has nothing to allocate.
 */
#ifndef ONPROC_MEASURE_VARIABLES_H
#define ONPROC_MEASURE_VARIABLES_H

#include <stdbool.h>
#include <stddef.h>

struct variables {
	char **entry; /* "NAME=VALUE", NULL-terminated: as execve(2) takes it; NULL while empty */
	size_t count, room;
};

/* A name and "=", as in a shell: [A-Za-z_][A-Za-z0-9_]*=… */
bool variable_is_assignment(const char *text);

/* Does the assignment name a variable that onproc itself gives to commands? */
bool variable_is_own(const char *assignment);

/* Sets or replaces one; assignment is "NAME=VALUE". 0 or -ENOMEM. */
int variables_put(struct variables *variables, const char *assignment);
int variables_set(struct variables *variables, const char *name, const char *value);

/* All of a NULL-terminated array, which may be NULL. 0 or -ENOMEM. */
int variables_put_all(struct variables *variables, char *const *assignments);

void variables_free(struct variables *variables); /* safe on a zeroed one */

#endif
