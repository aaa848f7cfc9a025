// SPDX-License-Identifier: GPL-2.0-or-later
/* history_json.c - a history as a JSON document (docs/schema/onproc.history.schema.json). */
#include "compare/history.h"

#include <math.h>

static json_t *number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

/* Takes over value. */
static int set(json_t *object, const char *name, json_t *value)
{
	return json_object_set_new(object, name, value);
}

static int set_text(json_t *object, const char *name, const char *value)
{
	return set(object, name, value ? json_string(value) : json_null());
}

static int point_fill(json_t *object, const struct history_point *point)
{
	int failed = set_text(object, "run", point->run) ||
		     set(object, "created_s", json_integer((json_int_t)point->created_s)) ||
		     set(object, "value", number(point->value)) ||
		     set(object, "lo", number(point->lo)) || set(object, "hi", number(point->hi));

	for (size_t i = 0; !failed && i < CIRCUMSTANCES; i++)
		failed = set_text(object, history_circumstances[i], point->circumstance[i]);
	return failed;
}

/* What was recorded beside the points on both sides of a change, where it differs. */
static int differences_fill(json_t *array, const struct history_point *before,
			    const struct history_point *after)
{
	for (size_t i = 0; i < CIRCUMSTANCES; i++) {
		json_t *a, *b, *difference;

		a = before->circumstance[i] ? json_string(before->circumstance[i]) : json_null();
		b = after->circumstance[i] ? json_string(after->circumstance[i]) : json_null();
		if (json_equal(a, b)) {
			json_decref(a);
			json_decref(b);
			continue;
		}
		difference = json_pack("{s:s, s:o, s:o}", "path", history_circumstances[i], "a", a,
				       "b", b);
		if (json_array_append_new(array, difference))
			return -1;
	}
	return 0;
}

static int change_fill(json_t *object, const struct history_series *series,
		       const struct change *change)
{
	const struct history_point *before = &series->points[change->at - 1];
	const struct history_point *after = &series->points[change->at];
	json_t *differences = json_array();
	int failed = !differences || differences_fill(differences, before, after);

	failed = failed || set(object, "at", json_integer((json_int_t)change->at)) ||
		 set_text(object, "last_before", before->run) ||
		 set_text(object, "first_after", after->run) ||
		 set(object, "ratio", number(exp(change->log_ratio.value))) ||
		 set(object, "lo", number(exp(change->log_ratio.lo))) ||
		 set(object, "hi", number(exp(change->log_ratio.hi))) ||
		 set(object, "level", number(change->log_ratio.level)) ||
		 set(object, "divergence", number(change->q)) ||
		 set(object, "q", number(change->q)) || set(object, "p", number(change->p)) ||
		 set_text(object, "state", change_state_name(change->state)) ||
		 set(object, "differences", json_incref(differences));
	json_decref(differences);
	return failed;
}

static int series_fill(json_t *object, const struct history_series *series)
{
	json_t *points = json_array(), *changes = json_array();
	int failed = !points || !changes || set_text(object, "fingerprint", series->fingerprint) ||
		     set_text(object, "test", series->test) ||
		     set_text(object, "title", series->title) ||
		     set_text(object, "label", series->label) ||
		     set_text(object, "unit", series->unit) ||
		     set_text(object, "machine", series->machine) ||
		     set(object, "copies", json_integer(series->copies));

	for (size_t i = 0; !failed && i < series->n_points; i++) {
		json_t *point = json_object();

		failed = !point || point_fill(point, &series->points[i]) ||
			 json_array_append(points, point);
		json_decref(point);
	}
	for (size_t i = 0; !failed && i < series->n_changes; i++) {
		json_t *change = json_object();

		failed = !change || change_fill(change, series, &series->changes[i]) ||
			 json_array_append(changes, change);
		json_decref(change);
	}
	failed = failed || json_object_set(object, "points", points) ||
		 json_object_set(object, "changes", changes);
	json_decref(points);
	json_decref(changes);
	return failed;
}

json_t *history_to_json(const struct history *history)
{
	json_t *document = json_object(), *array = json_array();
	int failed =
		!document || !array || set_text(document, "schema", HISTORY_SCHEMA) ||
		set(document, "schema_version", json_integer(HISTORY_SCHEMA_VERSION)) ||
		set(document, "margin", number(history->margin)) ||
		set(document, "alpha", number(history->alpha)) ||
		set(document, "undated", json_integer((json_int_t)history->undated)) ||
		set(document, "without_result", json_integer((json_int_t)history->without_result));

	for (size_t i = 0; !failed && i < history->n_series; i++) {
		json_t *series = json_object();

		failed = !series || series_fill(series, &history->series[i]) ||
			 json_array_append(array, series);
		json_decref(series);
	}
	failed = failed || json_object_set(document, "series", array);
	json_decref(array);
	if (!failed)
		return document;
	json_decref(document);
	return NULL;
}
