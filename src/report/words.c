// SPDX-License-Identifier: GPL-2.0-or-later
/* words.c - names and counts as every block of the report writes them; see blocks.h. */
#include "report/blocks.h"

#include <string.h>

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
