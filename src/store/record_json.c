// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * record_json.c - a run as one JSON document (docs/schema/onproc.run.schema.json) and back.
 *
 * The tables below are the format: both directions follow them. What is null has NAME_reason beside
 * it, except where null means "none" (side, note, reason, error) or where `reason` itself stands
 * there.
 */
#include "store/record_json.h"
#include "store/law.h"
#include "store/lock_summary.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COPIES_MAX   1000000.0
#define SIZE_MAX_53  9007199254740992.0
#define NOT_RECORDED "not recorded"

_Static_assert(sizeof(enum run_status) == sizeof(int), "MEMBER_ENUM reads and writes an int");
_Static_assert(sizeof(enum slot_status) == sizeof(int), "MEMBER_ENUM reads and writes an int");

static const char *const no_names[] = { NULL };
static const char *const side_names[] = { "A", "B", NULL };

#define AT(type, field) offsetof(struct type, field)

static const struct member run_members[] = {
	{ "id", "an id of [0-9a-z-], 1 to 31 characters", MEMBER_CHARS, .offset = AT(run, id),
	  .bytes = RUN_ID_BYTES },
	{ "status", "\"running\", \"complete\", \"interrupted\" or \"imported\"", MEMBER_ENUM,
	  .offset = AT(run, status), .choices = run_status_names },
	{ "created_s", "an integer > 0 (Unix time) or null", MEMBER_U64, .nullable = true,
	  .reason = NOT_RECORDED, .offset = AT(run, created_s), .min = 1, .max = SIZE_MAX_53 },
	{ "elapsed_s", "a number >= 0 or null", MEMBER_NUMBER, .nullable = true,
	  .reason = NOT_RECORDED, .offset = AT(run, elapsed_s), .min = 0, .max = HUGE_VAL },
	{ "tool", "a string or null", MEMBER_TEXT, .nullable = true, .reason = NOT_RECORDED,
	  .offset = AT(run, tool) },
	{ "command", "a string or null", MEMBER_TEXT, .nullable = true, .reason = NOT_RECORDED,
	  .offset = AT(run, command) },
	{ "host", "a string or null", MEMBER_TEXT, .nullable = true, .reason = NOT_RECORDED,
	  .offset = AT(run, host) },
	{ "seed", "a string of decimal digits below 2^64", MEMBER_SEED, .offset = AT(run, seed) },
	{ "plan", "an object or null", MEMBER_OBJECT, .nullable = true, .reason = NOT_RECORDED,
	  .offset = AT(run, plan) },
	{ "environment", "an object or null", MEMBER_OBJECT, .nullable = true,
	  .reason = NOT_RECORDED, .offset = AT(run, environment) },
	{ "warnings", "an array of strings", MEMBER_STRINGS, .offset = AT(run, warnings) },
	{ 0 },
};

static const struct member series_members[] = {
	{ "test", "a test id", MEMBER_TEXT, .offset = AT(series, test), .min = 1 },
	{ "title", "a string", MEMBER_TEXT, .offset = AT(series, title) },
	{ "unit", "a string", MEMBER_TEXT, .offset = AT(series, unit) },
	{ "params", "an object", MEMBER_OBJECT, .offset = AT(series, params) },
	{ "copies", "an integer from 1 to 1000000", MEMBER_U32, .offset = AT(series, copies),
	  .min = 1, .max = COPIES_MAX },
	{ "side", "\"A\", \"B\" or null", MEMBER_TEXT, .nullable = true, .offset = AT(series, side),
	  .choices = side_names },
	{ "baseline", "a number > 0 or null", MEMBER_BASELINE, .nullable = true,
	  .reason = "outside any index", .offset = AT(series, baseline) },
	{ "content_hash", "a string or null", MEMBER_TEXT, .nullable = true, .reason = NOT_RECORDED,
	  .offset = AT(series, content_hash) },
	{ "program_hash", "a string or null", MEMBER_TEXT, .nullable = true, .reason = NOT_RECORDED,
	  .offset = AT(series, program_hash) },
	{ "note", "a string or null", MEMBER_TEXT, .nullable = true, .offset = AT(series, note) },
	{ "reason", "a string or null", MEMBER_TEXT, .nullable = true,
	  .offset = AT(series, reason) },
	{ 0 },
};

static const struct member series_derived_members[] = {
	{ "index", "a number > 0 or null", MEMBER_RATE, .nullable = true,
	  .reason = "outside any index, or without result", .offset = AT(series, index) },
	{ "not_steady", "true or false", MEMBER_BOOL, .offset = AT(series, not_steady) },
	{ 0 },
};

static const struct member estimate_members[] = {
	{ "value", "a number or null", MEMBER_NUMBER, .nullable = true,
	  .offset = AT(estimate, value) },
	{ "lo", "a number or null", MEMBER_NUMBER, .nullable = true, .offset = AT(estimate, lo) },
	{ "hi", "a number or null", MEMBER_NUMBER, .nullable = true, .offset = AT(estimate, hi) },
	{ "level", "a number from 0 to 1 or null", MEMBER_NUMBER, .nullable = true,
	  .offset = AT(estimate, level), .min = 0, .max = 1 },
	{ "n", "an integer >= 0", MEMBER_SIZE, .offset = AT(estimate, n) },
	{ "k", "an integer >= 0", MEMBER_SIZE, .offset = AT(estimate, k) },
	{ "exact", "true or false", MEMBER_BOOL, .offset = AT(estimate, exact) },
	{ "reason", "a string or null", MEMBER_REASON, .nullable = true,
	  .offset = AT(estimate, reason) },
	{ 0 },
};

/* A mode is an estimate and these two, in one object. */
static const struct member mode_members[] = {
	{ "share", "a number from 0 to 1", MEMBER_NUMBER, .offset = AT(mode, share), .min = 0,
	  .max = 1 },
	{ "placement", "a string of at most 23 characters or null", MEMBER_CHARS, .nullable = true,
	  .reason = "not known", .offset = AT(mode, placement),
	  .bytes = sizeof(((struct mode *)0)->placement) },
	{ 0 },
};

static const struct member slot_members[] = {
	{ "block", "an integer from 0 to 4294967295", MEMBER_U32, .offset = AT(slot, block) },
	{ "ordinal", "an integer from 0 to 4294967295", MEMBER_U32, .offset = AT(slot, ordinal) },
	{ "status", "\"ok\", \"replaced\" or \"failed\"", MEMBER_ENUM, .offset = AT(slot, status),
	  .choices = slot_status_names },
	{ "rerun", "true or false", MEMBER_BOOL, .offset = AT(slot, rerun) },
	{ "start_ns", "an integer >= 0", MEMBER_U64, .offset = AT(slot, start_ns) },
	{ "length_ns", "an integer >= 0", MEMBER_U64, .offset = AT(slot, length_ns) },
	{ "rate", "a number > 0 or null", MEMBER_RATE, .nullable = true,
	  .reason = "the slot failed", .offset = AT(slot, rate) },
	{ "error", "a string or null", MEMBER_TEXT, .nullable = true, .offset = AT(slot, error) },
	{ "evidence", "an object or null", MEMBER_OBJECT, .nullable = true, .reason = "none taken",
	  .offset = AT(slot, evidence) },
	{ 0 },
};

static const struct member score_members[] = {
	{ "copies", "an integer from 1 to 1000000", MEMBER_U32, .offset = AT(score, copies),
	  .min = 1, .max = COPIES_MAX },
	{ "suite", "the name of a suite", MEMBER_TEXT, .offset = AT(score, suite), .min = 1 },
	{ "value", "a number > 0 or null", MEMBER_RATE, .nullable = true,
	  .offset = AT(score, value) },
	{ "lo", "a number or null", MEMBER_NUMBER, .nullable = true, .offset = AT(score, lo) },
	{ "hi", "a number or null", MEMBER_NUMBER, .nullable = true, .offset = AT(score, hi) },
	{ "level", "a number from 0 to 1 or null", MEMBER_NUMBER, .nullable = true,
	  .offset = AT(score, level), .min = 0, .max = 1 },
	{ "reason", "a string or null", MEMBER_REASON, .nullable = true,
	  .offset = AT(score, reason) },
	{ "tests", "an integer >= 0", MEMBER_U32, .offset = AT(score, tests) },
	{ "tests_full", "an integer >= 0", MEMBER_U32, .offset = AT(score, tests_full) },
	{ "rests_on_modes", "true or false", MEMBER_BOOL, .offset = AT(score, rests_on_modes) },
	{ 0 },
};

/* Puts all members of `more` into object and lets go of it. NULL for either: no memory, and both
 * are gone. */
static json_t *merged(json_t *object, json_t *more)
{
	if (!object || !more || json_object_update(object, more)) {
		json_decref(object);
		object = NULL;
	}
	json_decref(more);
	return object;
}

/* Interval members and value are null only with a reason: there is always one to read. */
static int ensure_reason(json_t *object)
{
	bool lacks = json_is_null(json_object_get(object, "value")) ||
		     json_is_null(json_object_get(object, "lo")) ||
		     json_is_null(json_object_get(object, "hi"));

	if (!lacks || !json_is_null(json_object_get(object, "reason")))
		return 0;
	return json_object_set_new(object, "reason", json_string("not computed"));
}

json_t *estimate_to_json(const struct estimate *estimate)
{
	json_t *object = members_to_json(estimate_members, estimate);

	if (object && ensure_reason(object)) {
		json_decref(object);
		object = NULL;
	}
	return object;
}

static json_t *modes_to_json(const struct series *series)
{
	json_t *array = json_array();

	for (size_t i = 0; array && i < series->n_modes; i++) {
		const struct mode *mode = &series->modes[i];
		json_t *object = merged(estimate_to_json(&mode->estimate),
					members_to_json(mode_members, mode));

		if (json_array_append_new(array, object)) {
			json_decref(array);
			array = NULL;
		}
	}
	return array;
}

static json_t *counts_to_json(const struct slot *slot)
{
	json_t *array = json_array();

	for (uint32_t i = 0; array && i < slot->copies; i++) {
		double count = slot->counts[i];
		json_t *number = count == floor(count) && fabs(count) < SIZE_MAX_53
					 ? json_integer((json_int_t)count)
					 : json_real(count);

		if (json_array_append_new(array, number)) {
			json_decref(array);
			array = NULL;
		}
	}
	return array;
}

json_t *run_object_to_json(const struct run *run)
{
	return members_to_json(run_members, run);
}

json_t *slot_object_to_json(const struct series *series, const struct slot *slot)
{
	json_t *object = members_to_json(slot_members, slot);
	bool counted = slot->counts && slot->copies == series->copies;
	int failed;

	if (!object)
		return NULL;
	if (counted)
		failed = json_object_set_new(object, "counts", counts_to_json(slot));
	else
		failed = json_object_set_new(object, "counts", json_null()) ||
			 json_object_set_new(object, "counts_reason", json_string(NOT_RECORDED));
	if (failed) {
		json_decref(object);
		object = NULL;
	}
	return object;
}

json_t *series_object_to_json(const struct series *series, bool with_derived)
{
	json_t *object = members_to_json(series_members, series);

	/* A record in the making may lack its parameters: no parameters. */
	if (object && !series->params && json_object_set_new(object, "params", json_object()))
		goto no_memory;
	if (!object || !with_derived)
		return object;
	if (json_object_set_new(object, "estimate", estimate_to_json(&series->estimate)) ||
	    json_object_set_new(object, "first_result", estimate_to_json(&series->first_result)) ||
	    json_object_set_new(object, "modes", modes_to_json(series)))
		goto no_memory;
	if (series->lock && json_object_update(object, series->lock))
		goto no_memory;
	return merged(object, members_to_json(series_derived_members, series));
no_memory:
	json_decref(object);
	return NULL;
}

static json_t *slots_to_json(const struct series *series)
{
	json_t *array = json_array();

	for (size_t i = 0; array && i < series->n_slots; i++) {
		if (json_array_append_new(array, slot_object_to_json(series, &series->slots[i]))) {
			json_decref(array);
			array = NULL;
		}
	}
	return array;
}

json_t *scores_to_json(const struct run *run)
{
	json_t *array = json_array();

	for (size_t i = 0; array && i < run->n_scores; i++) {
		json_t *object = members_to_json(score_members, &run->scores[i]);

		if (!object || ensure_reason(object)) {
			json_decref(object);
			object = NULL;
		}
		if (json_array_append_new(array, object)) {
			json_decref(array);
			array = NULL;
		}
	}
	return array;
}

json_t *run_to_json(const struct run *run, bool with_slots)
{
	json_t *document = json_object(), *series = json_array(), *object;

	if (!document || json_object_set_new(document, "schema", json_string(RUN_SCHEMA)) ||
	    json_object_set_new(document, "schema_version", json_integer(RUN_SCHEMA_VERSION)) ||
	    json_object_set_new(document, "run", run_object_to_json(run)))
		goto no_memory;
	for (size_t i = 0; i < run->n_series; i++) {
		object = series_object_to_json(&run->series[i], true);
		if (object && with_slots &&
		    json_object_set_new(object, "slots", slots_to_json(&run->series[i]))) {
			json_decref(object);
			object = NULL;
		}
		if (json_array_append_new(series, object))
			goto no_memory;
	}
	if (json_object_set(document, "series", series) ||
	    json_object_set_new(document, "scores", scores_to_json(run)) ||
	    json_object_set_new(document, "laws", laws_to_json(run)))
		goto no_memory;
	json_decref(series);
	return document;
no_memory:
	json_decref(series);
	json_decref(document);
	return NULL;
}

int schema_check(const json_t *document, const char *schema, int version, struct error *err)
{
	const json_t *name, *number;

	if (!json_is_object(document))
		return where_error(err, NULL, NULL, "an object", document);
	name = json_object_get(document, "schema");
	number = json_object_get(document, "schema_version");
	if (!json_is_string(name) || strcmp(json_string_value(name), schema) != 0) {
		char expected[64];

		snprintf(expected, sizeof(expected), "\"%s\"", schema);
		return where_error(err, NULL, "schema", expected, name);
	}
	if (!json_is_integer(number) || json_integer_value(number) < 1)
		return where_error(err, NULL, "schema_version", "an integer >= 1", number);
	if (json_integer_value(number) > version)
		return error_set(err, -ENOTSUP,
				 "schema_version: %s version %" JSON_INTEGER_FORMAT
				 " is from a newer onproc; this one reads up to version %d",
				 schema, json_integer_value(number), version);
	return 0;
}

/* An interval has both ends or none, in order. */
static int interval_check(const struct where *where, double lo, double hi, struct error *err)
{
	json_t *found;
	int rc;

	if (isnan(lo) && isnan(hi))
		return 0;
	if (lo <= hi)
		return 0;
	found = isnan(hi) ? json_null() : json_real(hi);
	rc = where_error(err, where, "hi", "a number >= lo, or null with lo", found);
	json_decref(found);
	return rc;
}

static int estimate_from_json(const json_t *object, const struct where *where, struct run *run,
			      struct estimate *estimate, struct error *err)
{
	int rc = members_from_json(estimate_members, object, where, run, estimate, err);

	return rc ? rc : interval_check(where, estimate->lo, estimate->hi, err);
}

static int estimate_member(const json_t *object, const char *name, const struct where *where,
			   struct run *run, struct estimate *estimate, struct error *err)
{
	static const struct member *const tables[] = { estimate_members, NULL };
	const struct where at = { where, name, 0 };
	const json_t *member = json_object_get(object, name);
	int rc = members_only(tables, no_names, member, &at, err);

	return rc ? rc : estimate_from_json(member, &at, run, estimate, err);
}

static int modes_from_json(const json_t *object, const struct where *where, struct run *run,
			   struct series *series, struct error *err)
{
	static const struct member *const tables[] = { estimate_members, mode_members, NULL };
	const struct where at = { where, "modes", 0 };
	const json_t *array;
	int rc = member_array(object, "modes", where, &array, err);

	if (rc || !json_array_size(array))
		return rc;
	series->modes = calloc(json_array_size(array), sizeof(*series->modes));
	if (!series->modes)
		return error_set(err, -ENOMEM, "no memory for a run");
	series->n_modes = json_array_size(array);
	for (size_t i = 0; !rc && i < series->n_modes; i++) {
		const struct where element = { &at, NULL, i };
		const json_t *mode = json_array_get(array, i);

		rc = members_only(tables, no_names, mode, &element, err);
		if (!rc)
			rc = members_from_json(mode_members, mode, &element, run, &series->modes[i],
					       err);
		if (!rc)
			rc = estimate_from_json(mode, &element, run, &series->modes[i].estimate,
						err);
	}
	return rc;
}

int series_object_from_json(const json_t *object, const struct where *where, struct run *run,
			    struct series *series, bool with_derived, struct error *err)
{
	static const char *const parts[] = { "estimate", "first_result", "modes",
					     "slots",	 LOCK_MEMBERS,	 NULL };
	const struct member *const tables[] = { series_members,
						with_derived ? series_derived_members : NULL,
						NULL };
	int rc = members_only(tables, with_derived ? parts : no_names, object, where, err);

	if (!rc)
		rc = members_from_json(series_members, object, where, run, series, err);
	if (rc || !with_derived)
		return rc;
	rc = members_from_json(series_derived_members, object, where, run, series, err);
	if (!rc)
		rc = estimate_member(object, "estimate", where, run, &series->estimate, err);
	if (!rc)
		rc = estimate_member(object, "first_result", where, run, &series->first_result,
				     err);
	if (!rc)
		rc = modes_from_json(object, where, run, series, err);
	return rc;
}

static int counts_from_json(const json_t *counts, const struct where *where,
			    const struct series *series, struct slot *slot, struct error *err)
{
	const struct where at = { where, "counts", 0 };

	if (json_is_null(counts))
		return 0;
	if (!json_is_array(counts) || json_array_size(counts) != series->copies) {
		char expected[64];

		snprintf(expected, sizeof(expected), "an array of %u numbers (copies) or null",
			 series->copies);
		return where_error(err, where, "counts", expected, counts);
	}
	slot->counts = calloc(series->copies, sizeof(*slot->counts));
	if (!slot->counts)
		return error_set(err, -ENOMEM, "no memory for a run");
	for (uint32_t i = 0; i < series->copies; i++) {
		const struct where element = { &at, NULL, i };
		const json_t *number = json_array_get(counts, i);

		if (!json_is_number(number) || !(json_number_value(number) >= 0))
			return where_error(err, &element, NULL, "a number >= 0", number);
		slot->counts[i] = json_number_value(number);
	}
	return 0;
}

int slot_object_from_json(const json_t *object, const struct where *where, struct run *run,
			  const struct series *series, struct slot *slot, struct error *err)
{
	static const struct member *const tables[] = { slot_members, NULL };
	static const char *const counts[] = { "counts", "counts_reason", NULL };
	int rc = members_only(tables, counts, object, where, err);

	if (!rc)
		rc = members_from_json(slot_members, object, where, run, slot, err);
	if (rc)
		return rc;
	slot->copies = series->copies;
	if (slot->status == SLOT_FAILED && !isnan(slot->rate))
		return where_error(err, where, "rate", "null in a failed slot",
				   json_object_get(object, "rate"));
	if (slot->status != SLOT_FAILED && isnan(slot->rate))
		return where_error(err, where, "rate", "a number > 0 in a slot that did not fail",
				   json_object_get(object, "rate"));
	if (slot->status == SLOT_FAILED && !slot->error)
		return where_error(err, where, "error", "the reason of a failed slot",
				   json_object_get(object, "error"));
	return counts_from_json(json_object_get(object, "counts"), where, series, slot, err);
}

int run_object_from_json(const json_t *object, const struct where *where, struct run *run,
			 struct error *err)
{
	static const struct member *const tables[] = { run_members, NULL };
	int rc = members_only(tables, no_names, object, where, err);

	if (!rc)
		rc = members_from_json(run_members, object, where, run, run, err);
	if (!rc && !run_id_is_valid(run->id))
		rc = where_error(err, where, "id", run_members[0].expected,
				 json_object_get(object, "id"));
	return rc;
}

int scores_from_json(const json_t *array, const struct where *where, struct run *run,
		     struct error *err)
{
	static const struct member *const tables[] = { score_members, NULL };
	int rc = 0;

	if (!json_is_array(array))
		return where_error(err, where, NULL, "an array", array);
	run->scores = calloc(json_array_size(array) + 1, sizeof(*run->scores));
	if (!run->scores)
		return error_set(err, -ENOMEM, "no memory for a run");
	run->n_scores = json_array_size(array);
	for (size_t i = 0; !rc && i < run->n_scores; i++) {
		const struct where element = { where, NULL, i };
		const json_t *score = json_array_get(array, i);

		rc = members_only(tables, no_names, score, &element, err);
		if (!rc)
			rc = members_from_json(score_members, score, &element, run, &run->scores[i],
					       err);
		if (!rc)
			rc = interval_check(&element, run->scores[i].lo, run->scores[i].hi, err);
	}
	return rc;
}

/* A document made without slots has no such member: a summary is no run that could be kept. */
static int slots_from_json(const json_t *object, const struct where *where, struct run *run,
			   struct series *series, struct error *err)
{
	const struct where at = { where, "slots", 0 };
	const json_t *array;
	int rc = member_array(object, "slots", where, &array, err);

	for (size_t i = 0; !rc && i < json_array_size(array); i++) {
		const struct where element = { &at, NULL, i };
		struct slot *slot = series_add_slot(series, series->copies);

		if (!slot)
			return error_set(err, -ENOMEM, "no memory for a run");
		rc = slot_object_from_json(json_array_get(array, i), &element, run, series, slot,
					   err);
	}
	return rc;
}

int run_from_json(const json_t *document, struct run *run, struct error *err)
{
	const struct where run_at = { NULL, "run", 0 }, scores_at = { NULL, "scores", 0 };
	const struct where series_at = { NULL, "series", 0 };
	static const struct member *const no_table[] = { NULL };
	static const char *const parts[] = { "schema", "schema_version", "run", "series",
					     "scores", "laws",		 NULL };
	const json_t *array = NULL;
	int rc = schema_check(document, RUN_SCHEMA, RUN_SCHEMA_VERSION, err);

	run_init(run);
	if (!rc)
		rc = members_only(no_table, parts, document, NULL, err);
	if (!rc)
		rc = run_object_from_json(json_object_get(document, "run"), &run_at, run, err);
	if (!rc)
		rc = member_array(document, "series", NULL, &array, err);
	for (size_t i = 0; !rc && i < json_array_size(array); i++) {
		const struct where element = { &series_at, NULL, i };
		const json_t *object = json_array_get(array, i);
		struct series *series = run_add_series(run);

		if (!series) {
			rc = error_set(err, -ENOMEM, "no memory for a run");
			break;
		}
		rc = series_object_from_json(object, &element, run, series, true, err);
		if (!rc)
			rc = slots_from_json(object, &element, run, series, err);
	}
	if (!rc)
		rc = scores_from_json(json_object_get(document, "scores"), &scores_at, run, err);
	/* What "laws" and the members of lock tests say follows from the rest. */
	if (!rc && (run_fit_laws(run) || run_sum_locks(run)))
		rc = error_set(err, -ENOMEM, "no memory for a run");
	if (rc)
		run_free(run);
	return rc;
}
