// SPDX-License-Identifier: GPL-2.0-or-later
/* topology_cpulist.c - see topology_cpulist.h. */
#include "measure/topology_cpulist.h"

#include "base/scan.h"

#include <errno.h>
#include <stdlib.h>

struct list {
	int *cpus;
	size_t count, room;
};

static int list_add_range(struct list *list, int first, int last)
{
	size_t more = (size_t)(last - first) + 1;

	if (list->count + more > CPU_NUMBERS)
		return -E2BIG;
	if (list->count + more > list->room) {
		size_t room = (list->count + more) * 2;
		int *cpus = reallocarray(list->cpus, room, sizeof(*cpus));

		if (!cpus)
			return -ENOMEM;
		list->cpus = cpus;
		list->room = room;
	}
	for (int cpu = first; cpu <= last; cpu++)
		list->cpus[list->count++] = cpu;
	return 0;
}

static int range_next(struct scan *scan, struct list *list, struct error *err)
{
	uint64_t first, last;
	int rc;

	if (!scan_u64(scan, &first) || first >= CPU_NUMBERS)
		return scan_expected(scan, err, "a CPU number below 65536");
	last = first;
	if (scan_char(scan, '-') && (!scan_u64(scan, &last) || last >= CPU_NUMBERS || last < first))
		return scan_expected(scan, err, "a last CPU not below the first");
	rc = list_add_range(list, (int)first, (int)last);
	if (rc)
		error_set(err, rc, rc == -E2BIG ? "more than 65536 CPUs" : "no memory");
	return rc;
}

int cpu_list_parse(const char *text, size_t len, int **cpus, size_t *count, struct error *err)
{
	struct scan scan = scan_start(text, len);
	struct list list = { 0 };
	int rc = 0;

	if (!scan_is_line_end(&scan)) {
		do {
			rc = range_next(&scan, &list, err);
		} while (!rc && scan_char(&scan, ','));
	}
	if (!rc) {
		scan_char(&scan, '\n');
		if (!scan_is_end(&scan))
			rc = scan_expected(&scan, err, "a comma or the end of the list");
	}
	if (rc) {
		free(list.cpus);
		return rc;
	}
	*cpus = list.cpus;
	*count = list.count;
	return 0;
}
