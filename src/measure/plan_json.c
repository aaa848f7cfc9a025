// SPDX-License-Identifier: GPL-2.0-or-later
/* plan_json.c - a plan as JSON, in the record of its run; see plan.h. */
#include "base/clock.h"
#include "base/sha256.h"
#include "measure/ab_sides.h"
#include "measure/command.h"
#include "measure/plan.h"
#include "measure/plan_member.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define DURATION_MAX_NS (366ull * 24 * 3600 * NS_PER_S) /* nobody measures for longer */
#define SLOTS_MAX	1000000u
#define ROWS_MAX	((size_t)COPIES_MAX_COUNTS * 1000)

static json_t *params_to_json(const struct plan_row *row)
{
	const struct workload_param *param = row->workload->params;
	json_t *object = json_object();

	for (int i = 0; object && param && param[i].name; i++) {
		json_t *value = param[i].choices ? json_string(param[i].choices[row->param[i]])
						 : json_integer(row->param[i]);

		if (json_object_set_new(object, param[i].name, value)) {
			json_decref(object);
			return NULL;
		}
	}
	return object;
}

json_t *plan_row_params(const struct plan_row *row)
{
	return row->instrument ? instrument_params(row->instrument) : params_to_json(row);
}

static json_t *row_to_json(const struct plan_row *row)
{
	char hash[SHA256_HEX_BYTES];

	plan_row_hash(row, hash);
	return json_pack("{s:s, s:s, s:o, s:I, s:b, s:s?}", "test", row->workload->id,
			 "content_hash", hash, "params", params_to_json(row), "copies",
			 (json_int_t)row->copies, "by_name", row->by_name, "unsupported",
			 row->unsupported);
}

static json_t *rows_to_json(const struct plan *plan)
{
	json_t *array = json_array();

	for (size_t i = 0; array && i < plan->n_rows; i++) {
		if (json_array_append_new(array, row_to_json(&plan->rows[i]))) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

static json_t *pin_to_json(const struct pin *pin)
{
	json_t *list;

	switch (pin->kind) {
	case PIN_NONE:
		return json_string("none");
	case PIN_SPREAD:
		return json_string("spread");
	case PIN_COMPACT:
		return json_string("compact");
	case PIN_LIST:
		break;
	}
	list = json_array();
	for (size_t i = 0; list && i < pin->count; i++) {
		if (json_array_append_new(list, json_integer(pin->list[i]))) {
			json_decref(list);
			return NULL;
		}
	}
	return list;
}

/* Ids of the tests of the suite, so that a reader of the record knows what its index lacks. */
static json_t *suite_tests(const char *suite)
{
	const struct workload_group *group = suite ? workload_group_find(suite) : NULL;
	json_t *array = json_array();

	for (size_t i = 0; array && group && group->tests[i]; i++) {
		const struct workload *workload = workload_find(group->tests[i]);

		if (!workload || workload->baseline <= 0)
			continue;
		if (json_array_append_new(array, json_string(workload->id))) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

/* What only some plans have: the command, the sides. Takes the reference of object. */
static json_t *with_parts(const struct plan *plan, json_t *object)
{
	int failed = !object;

	if (!failed && plan->instrument)
		failed = json_object_set_new(object, "command",
					     instrument_to_json(plan->instrument));
	if (!failed && plan->sides)
		failed = json_object_set_new(object, "design", json_string("abba")) ||
			 json_object_set_new(object, "looks", json_boolean(!plan->sides->blocks)) ||
			 json_object_set_new(object, "sides", sides_to_json(plan->sides));
	if (!failed)
		return object;
	json_decref(object);
	return NULL;
}

json_t *plan_to_json(const struct plan *plan)
{
	return with_parts(
		plan,
		json_pack("{s:s?, s:o, s:I, s:I, s:I, s:I, s:o, s:o, s:b, s:I, s:o, s:s?, s:o}",
			  "suite", plan->suite, "suite_tests", suite_tests(plan->suite), "seed",
			  (json_int_t)plan->seed, "slots", (json_int_t)plan->slots, "slot_ns",
			  (json_int_t)plan->slot_ns, "warmup_ns", (json_int_t)plan->warmup_ns,
			  "precision",
			  plan->precision > 0 ? json_real(plan->precision) : json_null(),
			  "budget_ns",
			  plan->budget_ns ? json_integer((json_int_t)plan->budget_ns) : json_null(),
			  "classic", plan->classic, "classic_i", (json_int_t)plan->classic_i, "pin",
			  pin_to_json(&plan->pin), "dir", plan->dir, "rows", rows_to_json(plan)));
}

static int get_pin(const json_t *object, const struct place *place, struct pin *pin,
		   struct error *err)
{
	static const char *const names[] = {
		[PIN_NONE] = "none", [PIN_SPREAD] = "spread", [PIN_COMPACT] = "compact"
	};
	const json_t *value = json_object_get(object, "pin");
	const json_t *cpu;
	size_t i;

	for (i = 0; json_is_string(value) && i < sizeof(names) / sizeof(names[0]); i++) {
		if (!strcmp(json_string_value(value), names[i])) {
			pin->kind = (enum pin_kind)i;
			return 0;
		}
	}
	if (!json_is_array(value) || !json_array_size(value))
		return plan_expected(place, "pin",
				     "\"none\", \"spread\", \"compact\" or a list of CPUs", err);
	pin->kind = PIN_LIST;
	pin->list = calloc(json_array_size(value), sizeof(*pin->list));
	if (!pin->list)
		return error_set(err, -ENOMEM, "no memory for a plan");
	json_array_foreach(value, i, cpu)
	{
		if (!json_is_integer(cpu) || json_integer_value(cpu) < 0 ||
		    json_integer_value(cpu) > COPIES_MAX)
			return plan_expected(place, "pin", "CPU numbers", err);
		pin->list[pin->count++] = (int)json_integer_value(cpu);
	}
	return 0;
}

/* One of the names; -EINVAL lists none: a plan is written by a program. */
static int get_choice(const json_t *value, const struct place *place,
		      const struct workload_param *param, int64_t *number, struct error *err)
{
	const char *name = json_string_value(value);

	for (*number = 0; name && param->choices[*number]; (*number)++) {
		if (!strcmp(param->choices[*number], name))
			return 0;
	}
	return error_set(err, -EINVAL, "%s.params.%s: expected one of its names, such as \"%s\"",
			 place->text, param->name, param->choices[0]);
}

static int get_params(const json_t *object, const struct place *place, struct plan_row *row,
		      struct error *err)
{
	const struct workload_param *param = row->workload->params;
	const json_t *values = json_object_get(object, "params");

	if (!json_is_object(values))
		return plan_expected(place, "params", "an object", err);
	for (int i = 0; param && param[i].name; i++) {
		const json_t *value = json_object_get(values, param[i].name);

		if (param[i].choices) {
			int rc = get_choice(value, place, &param[i], &row->param[i], err);

			if (rc)
				return rc;
			continue;
		}
		if (!json_is_integer(value) || json_integer_value(value) < param[i].min ||
		    json_integer_value(value) > param[i].max)
			return error_set(err, -EINVAL,
					 "%s.params.%s: expected a number from %lld to %lld",
					 place->text, param[i].name, (long long)param[i].min,
					 (long long)param[i].max);
		row->param[i] = json_integer_value(value);
	}
	return 0;
}

static int get_test(const json_t *object, const struct place *place, const struct plan *plan,
		    struct plan_row *row, struct error *err)
{
	const char *id = json_string_value(json_object_get(object, "test"));

	if (!id) {
		plan_expected(place, "test", "the id of a test", err);
		return -EINVAL;
	}
	if (plan->instrument && !strcmp(plan->instrument->id, id)) {
		row->instrument = plan->instrument;
		row->workload = &plan->instrument->workload;
		return 0;
	}
	row->workload = workload_find(id);
	if (!row->workload || strcmp(row->workload->id, id) != 0) {
		error_set(err, -ESTALE, "%s.test: this onproc has no test %.100s", place->text, id);
		return -ESTALE;
	}
	return 0;
}

/* The same test, but is it the same work? */
static int check_hash(const json_t *object, const struct place *place, const struct plan_row *row,
		      struct error *err)
{
	const char *was = json_string_value(json_object_get(object, "content_hash"));
	char hash[SHA256_HEX_BYTES];

	if (!was)
		return plan_expected(place, "content_hash", "a text", err);
	plan_row_hash(row, hash);
	if (strcmp(was, hash) != 0)
		return error_set(err, -ESTALE,
				 "%s: an iteration of %s is other work in this onproc than in the "
				 "one that began the run (content hash %.12s, was %.12s)",
				 place->text, row->workload->id, hash, was);
	return 0;
}

static int get_row(const json_t *object, const struct place *place, const struct plan *plan,
		   struct plan_row *row, struct error *err)
{
	int rc;

	if (!json_is_object(object))
		return error_set(err, -EINVAL, "%s: expected an object", place->text);
	rc = get_test(object, place, plan, row, err);
	if (!rc)
		rc = get_params(object, place, row, err);
	if (!rc)
		rc = check_hash(object, place, row, err);
	if (!rc)
		rc = plan_get_count32(object, place, "copies", 1, COPIES_MAX, &row->copies, err);
	if (!rc)
		rc = plan_get_flag(object, place, "by_name", &row->by_name, err);
	if (!rc)
		rc = plan_get_text(object, place, "unsupported", &row->unsupported, err);
	return rc;
}

static int get_rows(const json_t *object, const struct place *place, struct plan *plan,
		    struct error *err)
{
	const json_t *rows = json_object_get(object, "rows");
	const json_t *row;
	size_t i;

	if (!json_is_array(rows) || !json_array_size(rows) || json_array_size(rows) > ROWS_MAX)
		return plan_expected(place, "rows", "an array that is not empty", err);
	plan->rows = calloc(json_array_size(rows), sizeof(*plan->rows));
	if (!plan->rows)
		return error_set(err, -ENOMEM, "no memory for a plan");
	plan->n_rows = json_array_size(rows);
	json_array_foreach(rows, i, row)
	{
		struct place here;
		int rc;

		snprintf(here.text, sizeof(here.text), "%.16s.rows[%zu]", place->text, i);
		rc = get_row(row, &here, plan, &plan->rows[i], err);
		if (rc)
			return rc;
	}
	return 0;
}

static int get_precision(const json_t *object, const struct place *place, double *precision,
			 struct error *err)
{
	const json_t *value = json_object_get(object, "precision");

	if (json_is_null(value))
		return 0;
	if (!json_is_number(value) || !(json_number_value(value) > 0) ||
	    !(json_number_value(value) < 1))
		return plan_expected(place, "precision", "a share between 0 and 1 or null", err);
	*precision = json_number_value(value);
	return 0;
}

static int get_budget(const json_t *object, const struct place *place, uint64_t *budget_ns,
		      struct error *err)
{
	if (json_is_null(json_object_get(object, "budget_ns")))
		return 0;
	return plan_get_count(object, place, "budget_ns", 1, DURATION_MAX_NS, budget_ns, err);
}

static int get_times(const json_t *object, const struct place *place, struct plan *plan,
		     struct error *err)
{
	int rc;

	rc = plan_get_count(object, place, "seed", 0, PLAN_SEED_MAX, &plan->seed, err);
	if (!rc)
		rc = plan_get_count32(object, place, "slots", 1, SLOTS_MAX, &plan->slots, err);
	if (!rc)
		rc = plan_get_count(object, place, "slot_ns", 1, DURATION_MAX_NS, &plan->slot_ns,
				    err);
	if (!rc)
		rc = plan_get_count(object, place, "warmup_ns", 0, DURATION_MAX_NS,
				    &plan->warmup_ns, err);
	if (!rc)
		rc = get_precision(object, place, &plan->precision, err);
	if (!rc)
		rc = get_budget(object, place, &plan->budget_ns, err);
	if (!rc)
		rc = plan_get_flag(object, place, "classic", &plan->classic, err);
	if (!rc)
		rc = plan_get_count32(object, place, "classic_i", 0, SLOTS_MAX, &plan->classic_i,
				      err);
	return rc;
}

static int get_parts(const json_t *object, struct plan *plan, struct error *err)
{
	const json_t *command = json_object_get(object, "command");
	const json_t *design = json_object_get(object, "design");
	int rc = 0;

	if (command)
		rc = instrument_from_json(command, &plan->instrument, err);
	if (rc || (!design && !json_object_get(object, "sides")))
		return rc;
	if (!json_is_string(design) || strcmp(json_string_value(design), "abba") != 0)
		return error_set(err, -EINVAL, "plan.design: expected \"abba\"");
	return sides_from_json(json_object_get(object, "sides"), &plan->sides, err);
}

int plan_from_json(const json_t *object, struct plan *plan, struct error *err)
{
	static const struct place top = { "plan" };
	int rc;

	*plan = (struct plan){ 0 };
	if (!json_is_object(object))
		return error_set(err, -EINVAL, "plan: expected an object");
	rc = get_times(object, &top, plan, err);
	if (!rc)
		rc = get_pin(object, &top, &plan->pin, err);
	if (!rc)
		rc = plan_get_text(object, &top, "suite", &plan->suite, err);
	if (!rc)
		rc = plan_get_text(object, &top, "dir", &plan->dir, err);
	if (!rc && (!plan->dir || plan->dir[0] != '/'))
		rc = plan_expected(&top, "dir", "an absolute path", err);
	if (!rc)
		rc = get_parts(object, plan, err);
	if (!rc)
		rc = get_rows(object, &top, plan, err);
	return rc;
}
