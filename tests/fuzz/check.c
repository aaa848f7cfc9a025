// SPDX-License-Identifier: GPL-2.0-or-later
/* check.c - see fuzz.h. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *text_of(const struct run *run, json_t **document)
{
	char *text;

	*document = run_to_json(run, true);
	text = *document ? json_dumps(*document, 0) : NULL;
	if (!text)
		abort(); /* no memory, or a number or text that is no JSON */
	return text;
}

void fuzz_check_run(const struct run *run)
{
	json_t *document, *second;
	char *text = text_of(run, &document), *again;
	struct error err = { 0 };
	struct run read;

	if (run_from_json(document, &read, &err)) {
		fprintf(stderr, "not read back: %s\n", err.text);
		abort();
	}
	again = text_of(&read, &second);
	if (strcmp(text, again) != 0) {
		fprintf(stderr, "%s\nread back as\n%s\n", text, again);
		abort();
	}
	run_free(&read);
	free(text);
	free(again);
	json_decref(document);
	json_decref(second);
}
