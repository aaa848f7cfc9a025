// SPDX-License-Identifier: GPL-2.0-or-later
/* import_run.c - see import_run.h. */
#include "store/import_run.h"

#include "base/sha256.h"
#include "store/json_text.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RUNS_MOST     1000 /* of a file */
#define WARNINGS_MOST 20   /* of a run: a file that is something else has one on every line */
#define WARNING_BYTES 512
#define NAME_BYTES    64 /* of a tool's name of a test in an id, before the hash */
#define HASH_DIGITS   8

struct run *imported_add(struct imported *imported)
{
	if (imported->count == imported->room) {
		size_t room = imported->room ? 2 * imported->room : 4;
		struct run *grown = reallocarray(imported->runs, room, sizeof(*grown));

		if (!grown) {
			imported->no_memory = true;
			return NULL;
		}
		imported->runs = grown;
		imported->room = room;
	}
	run_init(&imported->runs[imported->count]);
	return &imported->runs[imported->count++];
}

void imported_detail(struct imported *imported, struct run *run, const char *name, json_t *value)
{
	json_t *details = json_object_get(run->environment, "imported");

	if (!value || json_object_set_new(details, name, value))
		imported->no_memory = true;
}

void imported_zone_unknown(struct imported *imported, struct run *run)
{
	const json_t *details = json_object_get(run->environment, "imported");

	if (!run->created_s || json_object_get(details, "zone"))
		return;
	imported_detail(imported, run, "zone", json_null());
	imported_detail(imported, run, "zone_reason", json_string("the file does not say"));
}

struct run *imported_begin(struct imported *imported, const char *tool, const char *format,
			   size_t line)
{
	struct run *run;

	if (imported->count >= RUNS_MOST) {
		imported_warn(imported, line, "more than %d runs: this one is left out", RUNS_MOST);
		return NULL;
	}
	imported_end(imported);
	run = imported_add(imported);
	if (!run)
		return NULL;
	run->status = RUN_IMPORTED;
	run->warnings = imported->pending ? imported->pending : json_array();
	imported->pending = NULL;
	run->environment = json_pack("{s:{s:s}}", "imported", "format", format);
	imported_text(imported, &run->tool, "%s", tool);
	if (!run->warnings || !run->environment)
		imported->no_memory = true;
	if (line)
		imported_detail(imported, run, "line", json_integer((json_int_t)line));
	return imported->no_memory ? NULL : run;
}

static json_t **warnings_of(struct imported *imported)
{
	json_t **warnings = imported->count ? &imported->runs[imported->count - 1].warnings
					    : &imported->pending;

	if (!*warnings)
		*warnings = json_array();
	return warnings;
}

static void warn(struct imported *imported, const char *text)
{
	if (json_array_append_new(*warnings_of(imported), json_text(text)))
		imported->no_memory = true;
}

void imported_warn(struct imported *imported, size_t line, const char *format, ...)
{
	char text[WARNING_BYTES];
	va_list args;
	int used;

	if (json_array_size(*warnings_of(imported)) >= WARNINGS_MOST) {
		imported->unsaid++;
		return;
	}
	if (line)
		used = snprintf(text, sizeof(text), IMPORT_WARNING "line %zu: ", line);
	else
		used = snprintf(text, sizeof(text), IMPORT_WARNING);
	va_start(args, format);
	vsnprintf(text + used, sizeof(text) - (size_t)used, format, args);
	va_end(args);
	warn(imported, text);
}

void imported_end(struct imported *imported)
{
	char text[WARNING_BYTES];

	if (!imported->unsaid)
		return;
	snprintf(text, sizeof(text), IMPORT_WARNING "and %zu more of this kind", imported->unsaid);
	warn(imported, text);
	imported->unsaid = 0;
}

struct series *imported_series(struct imported *imported, struct run *run, const char *test,
			       const char *title, const char *unit, uint32_t copies)
{
	struct series *series;

	if (run->n_series >= IMPORT_SERIES_MOST) {
		imported_warn(imported, 0, "more than %d tests: %.80s is left out",
			      IMPORT_SERIES_MOST, title);
		return NULL;
	}
	series = run_add_series(run);
	if (!series) {
		imported->no_memory = true;
		return NULL;
	}
	series->copies = copies;
	series->params = json_object();
	series->test = strdup(test);
	series->title = strdup(title);
	series->unit = strdup(unit);
	series->estimate.reason = IMPORT_NO_SLOTS;
	series->first_result.reason = IMPORT_NO_SLOTS;
	if (series->params && series->test && series->title && series->unit)
		return series;
	imported->no_memory = true;
	return NULL;
}

void imported_rate(struct series *series, double rate)
{
	series->estimate.value = rate;
	series->first_result.value = rate;
}

struct slot *imported_slot(struct imported *imported, struct series *series, double rate,
			   double length_s, const char *reason)
{
	size_t number = series->n_slots;
	struct slot *slot = series_add_slot(series, series->copies);

	if (!slot) {
		imported->no_memory = true;
		return NULL;
	}
	slot->block = (uint32_t)number;
	slot->ordinal = (uint32_t)number;
	if (length_s > 0 && length_s < 1e9)
		slot->length_ns = (uint64_t)(length_s * 1e9);
	if (!reason && isfinite(rate) && rate > 0) {
		slot->rate = rate;
		return slot;
	}
	slot->status = SLOT_FAILED;
	imported_text(imported, &slot->error, "%s", reason ? reason : "no rate that is a number");
	return slot;
}

void imported_text(struct imported *imported, char **text, const char *format, ...)
{
	va_list args;

	free(*text);
	*text = NULL;
	va_start(args, format);
	if (vasprintf(text, format, args) < 0) {
		*text = NULL;
		imported->no_memory = true;
	}
	va_end(args);
}

void imported_id(const char *prefix, const char *name, char id[IMPORT_ID_BYTES])
{
	char hex[SHA256_HEX_BYTES], clean[NAME_BYTES + 1];
	struct sha256 sha;
	size_t used = 0;
	const char *at;

	for (at = name; *at && used < NAME_BYTES; at++) {
		if (isalnum((unsigned char)*at) || strchr("._+-", *at))
			clean[used++] = *at;
		else if (used && clean[used - 1] != '-')
			clean[used++] = '-';
	}
	while (used && clean[used - 1] == '-')
		used--;
	clean[used] = '\0';
	if (!*at && used) {
		snprintf(id, IMPORT_ID_BYTES, "%.32s/%s@1", prefix, clean);
		return;
	}
	sha256_init(&sha);
	sha256_add(&sha, name, strlen(name));
	sha256_hex(&sha, hex);
	snprintf(id, IMPORT_ID_BYTES, "%.32s/%s%s%.*s@1", prefix, clean, used ? "-" : "",
		 HASH_DIGITS, hex);
}
