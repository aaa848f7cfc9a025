// SPDX-License-Identifier: GPL-2.0-or-later
/* name.c - the names that a test answers to. Part of onproc and of every workload program. */
#include "workload/workload.h"

#include <stdio.h>
#include <string.h>

const char *workload_name(const struct workload *workload, char *name, int bytes)
{
	const char *slash = strrchr(workload->id, '/');
	const char *start = slash ? slash + 1 : workload->id;

	snprintf(name, (size_t)bytes, "%.*s", (int)strcspn(start, "@"), start);
	return name;
}

bool workload_answers_to(const struct workload *workload, const char *name)
{
	const char *slash = strrchr(workload->id, '/');
	const char *start = slash ? slash + 1 : workload->id;
	size_t bytes = strlen(name);

	if (!strcmp(workload->id, name))
		return true;
	if (!strncmp(workload->id, name, bytes) && workload->id[bytes] == '@')
		return true;
	return !strncmp(start, name, bytes) && start[bytes] == '@';
}

uint32_t workload_counters(const struct workload *workload, const int64_t *param)
{
	return workload->counters ? workload->counters(param) : 0;
}

int workload_param_count(const struct workload *workload)
{
	int count = 0;

	while (workload->params && workload->params[count].name)
		count++;
	return count;
}
