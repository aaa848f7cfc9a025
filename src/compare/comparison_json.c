// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * comparison_json.c - a comparison as a JSON document (docs/schema/onproc.comparison.schema.json).
 *
 * Ratios and their intervals are plain there, not logarithms.
 */
#include "compare/comparison.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

struct member_value {
	const char *name;
	json_t *value; /* NULL: no memory */
};

static json_t *number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static json_t *text(const char *value)
{
	return value ? json_string(value) : json_null();
}

static json_t *count(uint64_t value)
{
	return json_integer((json_int_t)value);
}

/* Takes over all values. NULL: no memory. */
static json_t *object_of(const struct member_value *members, size_t n)
{
	json_t *object = json_object();
	bool failed = !object;

	for (size_t i = 0; i < n; i++) {
		if (!failed)
			failed = json_object_set_new(object, members[i].name, members[i].value);
		else
			json_decref(members[i].value);
	}
	if (!failed)
		return object;
	json_decref(object);
	return NULL;
}

#define OBJECT(members) object_of(members, sizeof(members) / sizeof((members)[0]))

static json_t *side_to_json(const struct comparison_side *side)
{
	const struct member_value members[] = {
		{ "run", text(side->run) },
		{ "name", text(side->name) },
		{ "side", text(side->letter) },
	};

	return OBJECT(members);
}

static json_t *value_to_json(double value, double spread, uint32_t n)
{
	const struct member_value members[] = {
		{ "value", number(value) },
		{ "spread", number(spread) },
		{ "n", count(n) },
	};

	return OBJECT(members);
}

static json_t *verdict_to_json(const struct estimate *ratio, const struct decision *decision)
{
	return isfinite(ratio->value) ? text(verdict_name(decision->verdict)) : json_null();
}

static json_t *test_to_json(const struct comparison_test *test)
{
	const struct estimate *ratio = &test->log_ratio;
	const struct member_value members[] = {
		{ "test", text(test->test) },
		{ "title", text(test->title) },
		{ "params", json_incref(test->params) },
		{ "copies", count(test->copies) },
		{ "unit", text(test->unit) },
		{ "a", value_to_json(test->a, test->a_spread, test->a_n) },
		{ "b", value_to_json(test->b, test->b_spread, test->b_n) },
		{ "n", count(test->units) },
		{ "ratio", number(exp(ratio->value)) },
		{ "lo", number(exp(ratio->lo)) },
		{ "hi", number(exp(ratio->hi)) },
		{ "level", number(ratio->level) },
		{ "exact", json_boolean(ratio->exact) },
		{ "margin", number(expm1(test->margin)) },
		{ "p", number(test->p) },
		{ "q", number(test->q) },
		{ "p_holm", number(test->p_holm) },
		{ "p_regression", number(test->p_regression) },
		{ "holm_lo", number(exp(test->holm.lo)) },
		{ "holm_hi", number(exp(test->holm.hi)) },
		{ "verdict", verdict_to_json(ratio, &test->decision) },
		{ "trivial", json_boolean(test->decision.trivial) },
		{ "further", number(comparison_further_units(test)) },
		{ "reason", text(test->reason) },
	};

	return OBJECT(members);
}

static json_t *index_to_json(const struct comparison_index *index)
{
	const struct estimate *ratio;

	if (!index)
		return json_null();
	ratio = &index->log_ratio;

	const struct member_value members[] = {
		{ "suite", text(index->suite) },
		{ "copies", count(index->copies) },
		{ "a", number(index->a) },
		{ "b", number(index->b) },
		{ "ratio", number(exp(ratio->value)) },
		{ "lo", number(exp(ratio->lo)) },
		{ "hi", number(exp(ratio->hi)) },
		{ "level", number(ratio->level) },
		{ "verdict", verdict_to_json(ratio, &index->decision) },
		{ "trivial", json_boolean(index->decision.trivial) },
		{ "tests", count(index->tests) },
		{ "tests_full", count(index->tests_full) },
		{ "reason", text(index->reason) },
	};
	return OBJECT(members);
}

/* Takes over the element. */
static json_t *appended(json_t *array, json_t *element)
{
	if (!json_array_append_new(array, element))
		return array;
	json_decref(array);
	return NULL;
}

static json_t *tests_to_json(const struct comparison *comparison)
{
	json_t *array = json_array();

	for (size_t i = 0; array && i < comparison->n_tests; i++)
		array = appended(array, test_to_json(&comparison->tests[i]));
	return array;
}

static json_t *indexes_to_json(const struct comparison *comparison)
{
	json_t *array = json_array();

	for (size_t i = 0; array && i < comparison->n_indexes; i++)
		array = appended(array, index_to_json(&comparison->indexes[i]));
	return array;
}

/* Text, as in a run: a double of a reader holds only 2^53. */
static json_t *seed_to_json(const struct comparison *comparison)
{
	char digits[24];

	if (comparison->design != DESIGN_ABBA)
		return json_null();
	snprintf(digits, sizeof(digits), "%" PRIu64, comparison->seed);
	return json_string(digits);
}

json_t *comparison_to_json(const struct comparison *comparison)
{
	const struct member_value members[] = {
		{ "schema", text(COMPARISON_SCHEMA) },
		{ "schema_version", count(COMPARISON_SCHEMA_VERSION) },
		{ "a", side_to_json(&comparison->a) },
		{ "b", side_to_json(&comparison->b) },
		{ "design", text(comparison_design_names[comparison->design]) },
		{ "blocks", comparison->blocks ? count(comparison->blocks) : json_null() },
		{ "seed", seed_to_json(comparison) },
		{ "margin", number(comparison->margin) },
		{ "alpha", number(comparison->alpha) },
		{ "tests", tests_to_json(comparison) },
		{ "index", index_to_json(comparison_main_index(comparison)) },
		{ "indexes", indexes_to_json(comparison) },
		{ "differences", json_incref(comparison->differences) },
		{ "warnings", json_incref(comparison->warnings) },
		{ "notes", json_incref(comparison->notes) },
	};

	return OBJECT(members);
}
