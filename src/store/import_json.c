// SPDX-License-Identifier: GPL-2.0-or-later
/* import_json.c - see import_json.h. */
#include "store/import_json.h"

#include "store/import_lines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLANKS	   " \t\r\n"
#define NAME_BYTES 64

/* The text between documents, and where it is. */
struct place {
	const char *at, *end;
	size_t line;
};

static void move_to(struct place *place, const char *to)
{
	for (; place->at < to; place->at++)
		place->line += *place->at == '\n';
}

/* A "{" or "[" that begins a line: what stands before it are messages of the tool. */
static bool find_document(struct place *place)
{
	const char *at = place->at;

	while (at < place->end) {
		const char *newline = memchr(at, '\n', (size_t)(place->end - at));

		while (at < place->end && strchr(BLANKS, *at) && *at)
			at++;
		if (at < place->end && *at == '{') {
			move_to(place, at);
			return true;
		}
		if (newline && newline >= at)
			at = newline + 1;
		else if (at < place->end && !newline)
			break;
	}
	return false;
}

/* Where the elements of the array begin: behind `"NAME" : [`. NULL: there is none. */
static const char *find_array(const struct place *place, const char *name)
{
	char quoted[NAME_BYTES];
	const char *at = place->at;

	snprintf(quoted, sizeof(quoted), "\"%s\"", name);
	while ((at = memmem(at, (size_t)(place->end - at), quoted, strlen(quoted))) != NULL) {
		at += strlen(quoted);
		at += strspn(at, BLANKS);
		if (*at != ':')
			continue;
		at++;
		at += strspn(at, BLANKS);
		if (*at == '[')
			return at + 1;
	}
	return NULL;
}

/* The whole elements at the beginning of the array. The place moves behind them. */
static json_t *read_elements(struct place *place, const char *at)
{
	json_t *elements = json_array();

	move_to(place, at);
	while (elements && place->at < place->end) {
		json_error_t why;
		json_t *element;

		move_to(place, place->at + strspn(place->at, BLANKS ","));
		if (place->at >= place->end || *place->at != '{')
			break;
		element = json_loadb(place->at, (size_t)(place->end - place->at),
				     JSON_DISABLE_EOF_CHECK, &why);
		if (!element)
			break;
		if (json_array_append_new(elements, element)) {
			json_decref(elements);
			return NULL;
		}
		move_to(place, place->at + why.position);
	}
	return elements;
}

/* What can be had of a document that was cut, or is damaged from `why` on. */
static void salvage(struct place *place, struct imported *imported, const char *array,
		    import_document each, const json_error_t *why)
{
	const char *elements_at = find_array(place, array);
	size_t first = place->line, bad = place->line + (size_t)(why->line > 0 ? why->line - 1 : 0);
	json_t *document, *elements = elements_at ? read_elements(place, elements_at) : NULL;

	if (!json_array_size(elements)) {
		json_decref(elements);
		imported_warn(imported, bad, "expected a JSON document: %s", why->text);
		return;
	}
	document = json_pack("{s:o}", array, elements);
	if (!document) {
		imported->no_memory = true;
		return;
	}
	each(imported, document, first);
	imported_warn(imported, bad,
		      "the document is damaged: %s; the first %zu of its \"%s\" are read",
		      why->text, json_array_size(json_object_get(document, array)), array);
	json_decref(document);
}

int import_json_each(const struct import_source *source, struct imported *imported,
		     const char *array, import_document each)
{
	struct place place = { source->bytes, source->bytes + source->count, 1 };

	while (!imported->no_memory && find_document(&place)) {
		json_error_t why;
		json_t *document = json_loadb(place.at, (size_t)(place.end - place.at),
					      JSON_DISABLE_EOF_CHECK, &why);

		if (!document) {
			salvage(&place, imported, array, each, &why);
			break;
		}
		each(imported, document, place.line);
		json_decref(document);
		move_to(&place, place.at + why.position);
	}
	return 0;
}

bool import_json_recognise(const struct import_source *source, const char *const *texts)
{
	struct place place = { source->bytes, source->bytes + source->count, 1 };

	/* Documents of our own may hold anything of others. */
	if (!find_document(&place) || source_has(source, "\"onproc.run\""))
		return false;
	for (; *texts; texts++)
		if (!source_has(source, *texts))
			return false;
	return true;
}

double json_positive(const json_t *value)
{
	double number = json_is_number(value) ? json_number_value(value) : NAN;

	return isfinite(number) && number > 0 ? number : NAN;
}

const char *json_text_or(const json_t *value, const char *fallback)
{
	return json_is_string(value) ? json_string_value(value) : fallback;
}
