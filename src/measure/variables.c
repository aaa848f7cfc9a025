// SPDX-License-Identifier: GPL-2.0-or-later
/* variables.c - see variables.h. */
#include "measure/variables.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool variable_is_assignment(const char *text)
{
	const char *at = text;

	if (!isalpha((unsigned char)*at) && *at != '_')
		return false;
	while (isalnum((unsigned char)*at) || *at == '_')
		at++;
	return *at == '=';
}

bool variable_is_own(const char *assignment)
{
	static const char *const names[] = { "ONPROC_SIDE", "ONPROC_BLOCK", "ONPROC_COPIES",
					     "ONPROC_DIR" };
	size_t length = strcspn(assignment, "=");

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strlen(names[i]) == length && !strncmp(assignment, names[i], length))
			return true;
	}
	return false;
}

/* Takes the reference of entry. */
static int put(struct variables *variables, char *entry)
{
	size_t name = entry ? strcspn(entry, "=") : 0;

	if (!entry)
		return -ENOMEM;
	for (size_t i = 0; i < variables->count; i++) {
		char *old = variables->entry[i];

		if (strncmp(old, entry, name) != 0 || old[name] != '=')
			continue;
		free(old);
		variables->entry[i] = entry;
		return 0;
	}
	if (variables->count + 1 >= variables->room) {
		size_t room = variables->room ? 2 * variables->room : 64;
		char **grown = reallocarray(variables->entry, room, sizeof(*grown));

		if (!grown) {
			free(entry);
			return -ENOMEM;
		}
		variables->entry = grown;
		variables->room = room;
	}
	variables->entry[variables->count++] = entry;
	variables->entry[variables->count] = NULL;
	return 0;
}

int variables_put(struct variables *variables, const char *assignment)
{
	return put(variables, strdup(assignment));
}

int variables_set(struct variables *variables, const char *name, const char *value)
{
	char *entry = NULL;

	return asprintf(&entry, "%s=%s", name, value) < 0 ? -ENOMEM : put(variables, entry);
}

int variables_put_all(struct variables *variables, char *const *assignments)
{
	int rc = 0;

	for (; assignments && *assignments && !rc; assignments++)
		rc = variables_put(variables, *assignments);
	return rc;
}

void variables_free(struct variables *variables)
{
	for (size_t i = 0; i < variables->count; i++)
		free(variables->entry[i]);
	free(variables->entry);
	*variables = (struct variables){ 0 };
}
