// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * import_onproc.c - documents of `onproc export`: one, an array of them, or one after the other.
 */
#include "store/import_formats.h"

#include <errno.h>
#include <string.h>

#define BLANKS " \t\r\n"

/* A document, or an array of them: no prompt "[root@host]#" on a console. */
bool import_onproc_recognise(const struct import_source *source)
{
	const char *at = source->bytes + strspn(source->bytes, BLANKS);
	const char *next = *at ? at + 1 + strspn(at + 1, BLANKS) : at;

	if (*at == '{')
		return !*next || *next == '"' || *next == '}';
	return *at == '[' && (!*next || *next == '{' || *next == ']');
}

static int import_document(const struct import_source *source, const json_t *document,
			   size_t number, struct imported *imported, struct error *err)
{
	struct run *run = imported_add(imported);
	int rc;

	if (!run)
		return error_set(err, -ENOMEM, "%s: no memory for its runs", source->path);
	rc = run_from_json(document, run, err);
	if (rc && number > 1) {
		error_context(err, "%s: document %zu", source->path, number);
		return rc;
	}
	if (rc) {
		error_context(err, "%s", source->path);
		return rc;
	}
	/* It is measured no more: nothing here will finish it. */
	if (run->status == RUN_RUNNING)
		run->status = RUN_INTERRUPTED;
	return 0;
}

static int import_value(const struct import_source *source, const json_t *value, size_t *number,
			struct imported *imported, struct error *err)
{
	int rc = 0;

	if (!json_is_array(value))
		return import_document(source, value, ++*number, imported, err);
	for (size_t i = 0; !rc && i < json_array_size(value); i++)
		rc = import_document(source, json_array_get(value, i), ++*number, imported, err);
	return rc;
}

static int count_lines(const char *from, const char *to)
{
	int lines = 0;

	for (; from < to; from++)
		lines += *from == '\n';
	return lines;
}

int import_onproc_read(const struct import_source *source, struct imported *imported,
		       struct error *err)
{
	const char *at = source->bytes, *end = source->bytes + source->count;
	size_t number = 0;
	int rc = 0;

	at += strspn(at, BLANKS);
	while (!rc && at < end) {
		json_error_t why;
		json_t *value = json_loadb(at, (size_t)(end - at),
					   JSON_REJECT_DUPLICATES | JSON_DISABLE_EOF_CHECK, &why);

		if (!value)
			return error_set(err, -EINVAL, "%s:%d: expected a JSON document: %s",
					 source->path, why.line + count_lines(source->bytes, at),
					 why.text);
		rc = import_value(source, value, &number, imported, err);
		json_decref(value);
		at += why.position;
		at += strspn(at, BLANKS);
	}
	if (!rc && !number)
		rc = error_set(err, -EINVAL,
			       "%s: expected an onproc.run document, found an empty array",
			       source->path);
	return rc;
}
