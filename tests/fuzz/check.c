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

/* As the verb does before it stores them. */
static void check_runs(struct run *runs, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!*runs[i].id)
			run_make_id(&runs[i], 1);
		fuzz_check_run(&runs[i]);
		if (run_summarise(&runs[i]))
			abort();
		fuzz_check_run(&runs[i]);
	}
	import_free(runs, count);
}

void fuzz_check_import(const uint8_t *bytes, size_t count,
		       int (*read)(const struct import_source *source, struct imported *imported,
				   struct error *err))
{
	char *text = calloc(1, count + 1);
	const struct import_source source = { "fuzz", text, count };
	struct imported imported = { 0 };
	struct error err = { 0 };
	struct run *runs;
	size_t n;

	if (!text)
		return;
	memcpy(text, bytes, count);
	if (!read(&source, &imported, &err) && !imported.no_memory)
		check_runs(imported.runs, imported.count);
	else
		import_free(imported.runs, imported.count);
	json_decref(imported.pending);
	if (!import_bytes(&source, &runs, &n, &err))
		check_runs(runs, n);
	free(text);
}
