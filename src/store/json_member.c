// SPDX-License-Identifier: GPL-2.0-or-later
/* json_member.c - see json_member.h. */
#include "store/json_member.h"

#include "store/json_text.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WHERE_BYTES  512
#define REASON_TAIL  "_reason"
#define EXACT_DOUBLE 9007199254740992.0 /* 2^53: integers up to here are exact in a double */

static void where_text(const struct where *where, char *text, size_t bytes)
{
	size_t used;

	if (!where) {
		text[0] = '\0';
		return;
	}
	where_text(where->up, text, bytes);
	used = strlen(text);
	if (where->name)
		snprintf(text + used, bytes - used, "%s%.60s", used ? "." : "", where->name);
	else
		snprintf(text + used, bytes - used, "[%zu]", where->index);
}

static const char *type_name(const json_t *value)
{
	if (!value)
		return "nothing";
	switch (json_typeof(value)) {
	case JSON_OBJECT:
		return "an object";
	case JSON_ARRAY:
		return "an array";
	case JSON_STRING:
		return "a string";
	case JSON_INTEGER:
	case JSON_REAL:
		return "a number";
	case JSON_TRUE:
		return "true";
	case JSON_FALSE:
		return "false";
	case JSON_NULL:
		return "null";
	}
	return "something else";
}

int where_error(struct error *err, const struct where *where, const char *member,
		const char *expected, const json_t *found)
{
	const struct where last = { where, member, 0 };
	char path[WHERE_BYTES], value[64] = "";

	where_text(member ? &last : where, path, sizeof(path));
	if (json_is_number(found))
		snprintf(value, sizeof(value), "%.10g", json_number_value(found));
	else if (json_is_string(found))
		snprintf(value, sizeof(value), "the string \"%.40s\"", json_string_value(found));
	return error_set(err, -EINVAL, "%s: expected %s, found %s", path[0] ? path : "document",
			 expected, value[0] ? value : type_name(found));
}

static json_t *number_to_json(double value)
{
	if (!isfinite(value))
		return json_null();
	if (value == floor(value) && fabs(value) < EXACT_DOUBLE)
		return json_integer((json_int_t)value);
	return json_real(value);
}

static json_t *u64_to_json(const struct member *member, uint64_t value)
{
	if (!value && member->nullable)
		return json_null();
	return json_integer(value > INT64_MAX ? INT64_MAX : (json_int_t)value);
}

static json_t *member_to_json(const struct member *member, const void *field)
{
	char digits[24];

	switch (member->kind) {
	case MEMBER_TEXT:
	case MEMBER_REASON:
		if (!*(char *const *)field && !member->nullable)
			return json_string("");
		return json_text(*(char *const *)field);
	case MEMBER_CHARS:
		return json_text(*(const char *)field ? (const char *)field : NULL);
	case MEMBER_U32:
		return json_integer(*(const uint32_t *)field);
	case MEMBER_U64:
		return u64_to_json(member, *(const uint64_t *)field);
	case MEMBER_SIZE:
		return json_integer((json_int_t) * (const size_t *)field);
	case MEMBER_SEED:
		snprintf(digits, sizeof(digits), "%" PRIu64, *(const uint64_t *)field);
		return json_string(digits);
	case MEMBER_BOOL:
		return json_boolean(*(const bool *)field);
	case MEMBER_NUMBER:
		return number_to_json(*(const double *)field);
	case MEMBER_RATE:
	case MEMBER_BASELINE:
		return *(const double *)field > 0 ? number_to_json(*(const double *)field)
						  : json_null();
	case MEMBER_ENUM:
		return json_string(member->choices[*(const int *)field]);
	case MEMBER_OBJECT:
		return *(json_t *const *)field ? json_incref(*(json_t *const *)field) : json_null();
	case MEMBER_STRINGS:
		return *(json_t *const *)field ? json_incref(*(json_t *const *)field)
					       : json_array();
	}
	return NULL;
}

json_t *members_to_json(const struct member *members, const void *record)
{
	json_t *object = json_object();

	for (const struct member *member = members; object && member->name; member++) {
		json_t *value = member_to_json(member, (const char *)record + member->offset);
		bool null = json_is_null(value);
		char reason[64];

		if (json_object_set_new(object, member->name, value))
			goto no_memory;
		if (!null || !member->reason)
			continue;
		snprintf(reason, sizeof(reason), "%s" REASON_TAIL, member->name);
		if (json_object_set_new(object, reason, json_string(member->reason)))
			goto no_memory;
	}
	return object;
no_memory:
	json_decref(object);
	return NULL;
}

static bool in_choices(const char *const *choices, const char *text, int *index)
{
	for (int i = 0; choices[i]; i++) {
		if (!strcmp(choices[i], text)) {
			*index = i;
			return true;
		}
	}
	return false;
}

static bool in_bounds(const struct member *member, double value)
{
	return member->max <= member->min || (value >= member->min && value <= member->max);
}

/* Digits only: strtoull() would take signs and white space. */
static bool parse_seed(const char *text, uint64_t *seed)
{
	size_t digits = strspn(text, "0123456789");

	if (!digits || text[digits] || (digits > 1 && text[0] == '0'))
		return false;
	errno = 0;
	*seed = strtoull(text, NULL, 10);
	return !errno;
}

static bool all_strings(const json_t *array)
{
	if (!json_is_array(array))
		return false;
	for (size_t i = 0; i < json_array_size(array); i++)
		if (!json_is_string(json_array_get(array, i)))
			return false;
	return true;
}

/* 0, -ENOMEM, or -EINVAL when the value is not what the member expects. */
static int text_from_json(const struct member *member, const json_t *value, struct run *run,
			  void *field)
{
	const char *text = json_string_value(value);
	int index;

	if (!text)
		return -EINVAL;
	switch (member->kind) {
	case MEMBER_TEXT:
		if (member->choices && !in_choices(member->choices, text, &index))
			return -EINVAL;
		if (!text[0] && member->min > 0)
			return -EINVAL;
		free(*(char **)field);
		*(char **)field = strdup(text);
		return *(char **)field ? 0 : -ENOMEM;
	case MEMBER_REASON:
		*(const char **)field = run_keep_reason(run, text);
		return *(const char **)field ? 0 : -ENOMEM;
	case MEMBER_CHARS:
		if (!text[0] || strlen(text) >= member->bytes)
			return -EINVAL;
		memcpy(field, text, strlen(text) + 1);
		return 0;
	case MEMBER_SEED:
		return parse_seed(text, field) ? 0 : -EINVAL;
	case MEMBER_ENUM:
		return in_choices(member->choices, text, field) ? 0 : -EINVAL;
	default:
		return -EINVAL;
	}
}

static int number_from_json(const struct member *member, const json_t *value, void *field)
{
	json_int_t integer = json_integer_value(value);

	if (member->kind == MEMBER_NUMBER || member->kind == MEMBER_RATE ||
	    member->kind == MEMBER_BASELINE) {
		double number = json_number_value(value);

		if (!json_is_number(value) || !isfinite(number) || !in_bounds(member, number) ||
		    (member->kind != MEMBER_NUMBER && !(number > 0)))
			return -EINVAL;
		*(double *)field = number;
		return 0;
	}
	if (!json_is_integer(value) || integer < 0 || !in_bounds(member, (double)integer))
		return -EINVAL;
	if (member->kind == MEMBER_U32) {
		if (integer > UINT32_MAX)
			return -EINVAL;
		*(uint32_t *)field = (uint32_t)integer;
	} else if (member->kind == MEMBER_U64) {
		*(uint64_t *)field = (uint64_t)integer;
	} else {
		*(size_t *)field = (size_t)integer;
	}
	return 0;
}

static int member_from_json(const struct member *member, json_t *value, struct run *run,
			    void *field)
{
	switch (member->kind) {
	case MEMBER_TEXT:
	case MEMBER_CHARS:
	case MEMBER_REASON:
	case MEMBER_SEED:
	case MEMBER_ENUM:
		return text_from_json(member, value, run, field);
	case MEMBER_U32:
	case MEMBER_U64:
	case MEMBER_SIZE:
	case MEMBER_NUMBER:
	case MEMBER_RATE:
	case MEMBER_BASELINE:
		return number_from_json(member, value, field);
	case MEMBER_BOOL:
		if (!json_is_boolean(value))
			return -EINVAL;
		*(bool *)field = json_is_true(value);
		return 0;
	case MEMBER_OBJECT:
	case MEMBER_STRINGS:
		if (member->kind == MEMBER_OBJECT ? !json_is_object(value) : !all_strings(value))
			return -EINVAL;
		json_decref(*(json_t **)field);
		*(json_t **)field = json_incref(value);
		return 0;
	}
	return -EINVAL;
}

static void set_null(const struct member *member, void *field)
{
	switch (member->kind) {
	case MEMBER_NUMBER:
	case MEMBER_RATE:
		*(double *)field = NAN;
		break;
	case MEMBER_BASELINE:
		*(double *)field = 0;
		break;
	case MEMBER_U64:
		*(uint64_t *)field = 0;
		break;
	case MEMBER_CHARS:
		*(char *)field = '\0';
		break;
	case MEMBER_REASON:
		*(const char **)field = NULL;
		break;
	default:
		break; /* pointers are NULL in a zeroed record */
	}
}

static bool in_table(const struct member *members, const char *name)
{
	for (const struct member *member = members; member->name; member++) {
		size_t length = strlen(member->name);

		if (!strcmp(name, member->name))
			return true;
		if (member->reason && !strncmp(name, member->name, length) &&
		    !strcmp(name + length, REASON_TAIL))
			return true;
	}
	return false;
}

int members_only(const struct member *const *tables, const char *const *others,
		 const json_t *object, const struct where *where, struct error *err)
{
	const char *name;
	json_t *value;
	int index;

	if (!json_is_object(object))
		return where_error(err, where, NULL, "an object", object);
	/* The iterator takes a json_t without const and does not change it. */
	json_object_foreach((json_t *)object, name, value)
	{
		bool known = in_choices(others, name, &index);

		for (size_t i = 0; !known && tables[i]; i++)
			known = in_table(tables[i], name);
		if (!known)
			return where_error(err, where, name, "no member of this name", value);
	}
	return 0;
}

int members_from_json(const struct member *members, const json_t *object, const struct where *where,
		      struct run *run, void *record, struct error *err)
{
	for (const struct member *member = members; member->name; member++) {
		void *field = (char *)record + member->offset;
		json_t *value = json_object_get(object, member->name);
		int rc;

		if (member->nullable && json_is_null(value)) {
			set_null(member, field);
			continue;
		}
		rc = value ? member_from_json(member, value, run, field) : -EINVAL;
		if (rc == -ENOMEM)
			return error_set(err, rc, "no memory for a run");
		if (rc)
			return where_error(err, where, member->name, member->expected, value);
	}
	return 0;
}

int member_array(const json_t *object, const char *name, const struct where *where,
		 const json_t **array, struct error *err)
{
	*array = json_object_get(object, name);
	if (!json_is_array(*array))
		return where_error(err, where, name, "an array", *array);
	return 0;
}
