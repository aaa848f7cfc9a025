// SPDX-License-Identifier: GPL-2.0-or-later
/* words.c - names and counts as every block of the report writes them; see blocks.h. */
#include "report/blocks.h"

#include <stdlib.h>
#include <string.h>

#define MOST_CPUS 1000000 /* as COPIES_MAX */

const char *test_name(const char *id, char name[TEST_NAME_BYTES])
{
	const char *slash = strchr(id, '/');
	const char *start = slash ? slash + 1 : id;
	size_t length = slash ? strcspn(start, "@") : strlen(start);

	if (!length || length >= TEST_NAME_BYTES)
		return id;
	memcpy(name, start, length);
	name[length] = '\0';
	return name;
}

void paragraph_add_test_id(struct paragraph *line, const char *id)
{
	char name[TEST_NAME_BYTES];

	paragraph_add_outside(line, test_name(id, name));
}

void paragraph_add_test(struct paragraph *line, const struct series *series)
{
	paragraph_add_test_id(line, series->test ? series->test : "unknown");
	if (series->side) {
		paragraph_add(line, " ");
		paragraph_add_outside(line, series->side);
	}
}

void paragraph_add_copies(struct paragraph *line, uint32_t copies)
{
	paragraph_add(line, "%u %s", copies, copies == 1 ? "copy" : "copies");
}

const char *list_separator(size_t i, size_t n)
{
	if (i == 0)
		return "";
	return i + 1 == n ? " and " : ", ";
}

uint32_t count_cpus(const char *list)
{
	uint64_t cpus = 0;

	while (list && *list) {
		char *end;
		unsigned long first = strtoul(list, &end, 10), last = first;

		if (end == list)
			return 0;
		if (*end == '-') {
			list = end + 1;
			last = strtoul(list, &end, 10);
			if (end == list)
				return 0;
		}
		if (last < first || last > MOST_CPUS || (*end && *end != ','))
			return 0;
		cpus += last - first + 1;
		list = *end ? end + 1 : end;
	}
	return cpus <= MOST_CPUS ? (uint32_t)cpus : 0;
}
