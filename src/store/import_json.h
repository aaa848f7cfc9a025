/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * import_json.h - JSON documents of other tools: one, or several behind one another with lines of
 * text between them; of a document that was cut, the whole elements of its main array.
 */
#ifndef ONPROC_STORE_IMPORT_JSON_H
#define ONPROC_STORE_IMPORT_JSON_H

#include "store/import.h"
#include "store/import_run.h"

#include <jansson.h>

/* Makes a run of a document, or none when nothing in it is sound. line: where it begins. */
typedef void (*import_document)(struct imported *imported, const json_t *document, size_t line);

/*
 * Calls `each` for every document. Of one that is damaged, `array` (the name of its main array) is
 * read up to the damage, and the place of that warned of. Always 0: what is wrong is in warnings.
 */
int import_json_each(const struct import_source *source, struct imported *imported,
		     const char *array, import_document each);

/* The file begins with JSON, perhaps after some lines of text, and holds all of these texts. */
bool import_json_recognise(const struct import_source *source, const char *const *texts);

/* A number > 0 and finite, or NAN. */
double json_positive(const json_t *value);

/* A text, or the fallback for what is none. */
const char *json_text_or(const json_t *value, const char *fallback);

#endif
