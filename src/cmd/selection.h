/* SPDX-License-Identifier: GPL-2.0-or-later */
/* selection.h - which tests were asked for: names, ids, groups and suites. */
#ifndef ONPROC_CMD_SELECTION_H
#define ONPROC_CMD_SELECTION_H

#include "base/error.h"
#include "measure/command_preset.h"
#include "workload/workload.h"

#include <stdbool.h>
#include <stddef.h>

#define DEFAULT_SUITE "unixbench6"

struct chosen {
	const struct workload *workload;
	bool by_name; /* not as a member of a group or suite */
};

struct selection {
	struct chosen *tests; /* each once, in the order asked for */
	size_t count;
	const struct preset *preset; /* a command among them, NULL: none */
	const char *suite;	     /* whose index is printed, NULL: none */
};

/*
 * names[count]: tests and groups; none: all of the suite. suite NULL: the first suite that was
 * named, else the first that one of the tests belongs to. -EINVAL for an unknown name, with a near
 * one, and for two commands. To be freed in any case.
 */
int selection_make(char *const *names, int count, const char *suite, struct selection *selection,
		   struct error *err);
void selection_free(struct selection *selection);

/* Calls `each` for the name of every test, command and group, until it returns false. */
void selection_names(bool (*each)(const char *name, void *context), void *context);

#endif
