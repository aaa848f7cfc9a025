// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * journal_replay.c - see journal_replay.h.
 *
 *   {"schema":"onproc.journal","schema_version":1,"run":{…}}   the first line and no other
 *   {"series":{…},"number":0}      a series as in the run's document without what is derived from
 * its slots; a number seen before: it takes the place of that one, slots stay
 *   {"slot":{…},"series":0,"number":0}                         likewise
 *   {"warnings":["…"]}             all warnings so far
 */
#include "store/journal_replay.h"

#include "store/record_json.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Both are made new, or released together. */
static json_t *line_of(const char *name, json_t *object)
{
	json_t *line = json_object();

	if (!object || !line || json_object_set(line, name, object)) {
		json_decref(line);
		line = NULL;
	}
	json_decref(object);
	return line;
}

static json_t *with_number(json_t *line, const char *name, size_t number)
{
	if (line && json_object_set_new(line, name, json_integer((json_int_t)number))) {
		json_decref(line);
		line = NULL;
	}
	return line;
}

json_t *journal_run_line(const struct run *run)
{
	json_t *line = line_of("run", run_object_to_json(run));

	if (line &&
	    (json_object_set_new(line, "schema", json_string(JOURNAL_SCHEMA)) ||
	     json_object_set_new(line, "schema_version", json_integer(JOURNAL_SCHEMA_VERSION)))) {
		json_decref(line);
		line = NULL;
	}
	return line;
}

json_t *journal_series_line(const struct run *run, size_t series)
{
	return with_number(line_of("series", series_object_to_json(&run->series[series], false)),
			   "number", series);
}

json_t *journal_slot_line(const struct run *run, size_t series, size_t slot)
{
	const struct series *of = &run->series[series];
	json_t *line = line_of("slot", slot_object_to_json(of, &of->slots[slot]));

	return with_number(with_number(line, "series", series), "number", slot);
}

json_t *journal_warnings_line(const struct run *run)
{
	return line_of("warnings", run->warnings ? json_incref(run->warnings) : json_array());
}

/* An index from 0 to `most`. */
static int read_number(const json_t *line, const char *name, size_t most, size_t *number,
		       struct error *err)
{
	const json_t *value = json_object_get(line, name);
	char expected[64];

	if (json_is_integer(value) && json_integer_value(value) >= 0 &&
	    (size_t)json_integer_value(value) <= most) {
		*number = (size_t)json_integer_value(value);
		return 0;
	}
	snprintf(expected, sizeof(expected), "an integer from 0 to %zu", most);
	return where_error(err, NULL, name, expected, value);
}

static int replay_series(const json_t *line, struct run *run, struct error *err)
{
	const struct where at = { NULL, "series", 0 };
	struct series *series, before, fresh;
	size_t number = 0;
	int rc = read_number(line, "number", run->n_series, &number, err);

	if (rc)
		return rc;
	series = run_add_series(run);
	if (!series)
		return error_set(err, -ENOMEM, "no memory for a run");
	rc = series_object_from_json(json_object_get(line, "series"), &at, run, series, false, err);
	if (number == run->n_series - 1 && !rc)
		return 0;
	/* The new one was read into the room behind the last; it takes the place of the old one, or
	 * goes. */
	fresh = *series;
	if (!rc) {
		before = run->series[number];
		if (before.n_slots && before.copies != fresh.copies) {
			rc = where_error(err, &at, "copies", "as many copies as its slots have",
					 NULL);
		} else {
			fresh.slots = before.slots;
			fresh.n_slots = before.n_slots;
			fresh.room_slots = before.room_slots;
			before.slots = NULL;
			before.n_slots = 0;
			run->series[number] = fresh;
			*series = before;
		}
	}
	series_free(series);
	run->n_series--;
	return rc;
}

static int replay_slot(const json_t *line, struct run *run, struct error *err)
{
	const struct where at = { NULL, "slot", 0 };
	struct series *series;
	struct slot *slot;
	size_t number = 0, in = 0;
	int rc;

	if (!run->n_series)
		return where_error(err, NULL, "slot", "a series before it", NULL);
	rc = read_number(line, "series", run->n_series - 1, &in, err);
	if (rc)
		return rc;
	series = &run->series[in];
	rc = read_number(line, "number", series->n_slots, &number, err);
	if (rc)
		return rc;
	slot = series_add_slot(series, series->copies);
	if (!slot)
		return error_set(err, -ENOMEM, "no memory for a run");
	rc = slot_object_from_json(json_object_get(line, "slot"), &at, run, series, slot, err);
	if (number == series->n_slots - 1 && !rc)
		return 0;
	if (!rc) {
		struct slot before = series->slots[number];

		series->slots[number] = *slot;
		*slot = before;
	}
	slot_free(slot);
	series->n_slots--;
	return rc;
}

static int replay_warnings(const json_t *line, struct run *run, struct error *err)
{
	json_t *warnings = json_object_get(line, "warnings");

	for (size_t i = 0; json_is_array(warnings) && i < json_array_size(warnings); i++)
		if (!json_is_string(json_array_get(warnings, i)))
			warnings = NULL;
	if (!json_is_array(warnings))
		return where_error(err, NULL, "warnings", "an array of strings", warnings);
	json_decref(run->warnings);
	run->warnings = json_incref(warnings);
	return 0;
}

static int replay_run(const json_t *line, struct run *run, struct error *err)
{
	static const struct member *const no_table[] = { NULL };
	static const char *const parts[] = { "schema", "schema_version", "run", NULL };
	const struct where at = { NULL, "run", 0 };
	int rc = schema_check(line, JOURNAL_SCHEMA, JOURNAL_SCHEMA_VERSION, err);

	if (!rc)
		rc = members_only(no_table, parts, line, NULL, err);
	if (!rc)
		rc = run_object_from_json(json_object_get(line, "run"), &at, run, err);
	return rc;
}

/* The kinds of lines after the first, told apart by the member that must be there. */
static const struct line_kind {
	const char *name;
	const char *members[4];
	int (*replay)(const json_t *line, struct run *run, struct error *err);
} line_kinds[] = {
	{ "slot", { "slot", "series", "number" }, replay_slot },
	{ "series", { "series", "number" }, replay_series },
	{ "warnings", { "warnings" }, replay_warnings },
};

static int replay_line(const char *text, size_t count, bool first, struct run *run,
		       struct error *err)
{
	static const struct member *const no_table[] = { NULL };
	json_error_t why;
	json_t *line = json_loadb(text, count, JSON_REJECT_DUPLICATES, &why);
	int rc;

	if (!line)
		return error_set(err, -EINVAL, "expected a JSON object: %s", why.text);
	if (first) {
		rc = replay_run(line, run, err);
		goto out;
	}
	rc = where_error(err, NULL, NULL, "a slot, a series or warnings", line);
	for (size_t i = 0; i < sizeof(line_kinds) / sizeof(line_kinds[0]); i++) {
		if (!json_object_get(line, line_kinds[i].name))
			continue;
		rc = members_only(no_table, line_kinds[i].members, line, NULL, err);
		if (!rc)
			rc = line_kinds[i].replay(line, run, err);
		break;
	}
out:
	json_decref(line);
	return rc;
}

/* A run that was being measured has been interrupted, at the earliest when its last slot ended. */
static void settle(struct run *run)
{
	double end_ns = 0;

	for (size_t i = 0; i < run->n_series; i++) {
		for (size_t j = 0; j < run->series[i].n_slots; j++) {
			const struct slot *slot = &run->series[i].slots[j];

			end_ns = fmax(end_ns, (double)slot->start_ns + (double)slot->length_ns);
		}
	}
	run->elapsed_s = end_ns / 1e9;
	run->status = RUN_INTERRUPTED;
}

static int damaged(const char *path, size_t number, int rc, const struct run *run,
		   struct error *err)
{
	size_t slots = 0;

	if (rc != -EINVAL) {
		error_context(err, "%s: line %zu", path, number);
		return rc;
	}
	for (size_t i = 0; i < run->n_series; i++)
		slots += run->series[i].n_slots;
	error_context(err,
		      "%s: line %zu is damaged (what stands before it, %zu series with %zu slots, "
		      "is kept)",
		      path, number, run->n_series, slots);
	if (err)
		err->code = -EUCLEAN;
	return -EUCLEAN;
}

int journal_replay(const char *path, const char *bytes, size_t count, struct run *run,
		   size_t *whole, struct error *err)
{
	size_t number = 0;

	run_init(run);
	*whole = 0;
	while (*whole < count) {
		const char *line = bytes + *whole;
		const char *end = memchr(line, '\n', count - *whole);
		int rc;

		if (!end)
			break; /* cut short */
		number++;
		rc = replay_line(line, (size_t)(end - line), number == 1, run, err);
		if (rc == -EINVAL && number > 1 && end + 1 == bytes + count)
			break;
		if (rc) {
			settle(run);
			return damaged(path, number, rc, run, err);
		}
		*whole += (size_t)(end - line) + 1;
	}
	if (!*whole)
		return error_set(err, -EUCLEAN, "%s: expected the line of the run, found %s", path,
				 count ? "a part of a line" : "nothing");
	settle(run);
	return 0;
}
