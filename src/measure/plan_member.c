// SPDX-License-Identifier: GPL-2.0-or-later
/* plan_member.c - see plan_member.h. */
#include "measure/plan_member.h"

#include <errno.h>
#include <string.h>

int plan_expected(const struct place *place, const char *member, const char *what,
		  struct error *err)
{
	error_set(err, -EINVAL, "%s.%s: expected %s", place->text, member, what);
	return -EINVAL;
}

int plan_get_count(const json_t *object, const struct place *place, const char *member,
		   uint64_t min, uint64_t max, uint64_t *value, struct error *err)
{
	const json_t *number = json_object_get(object, member);

	if (!json_is_integer(number) || json_integer_value(number) < 0 ||
	    (uint64_t)json_integer_value(number) < min ||
	    (uint64_t)json_integer_value(number) > max)
		return error_set(err, -EINVAL, "%s.%s: expected a whole number from %llu to %llu",
				 place->text, member, (unsigned long long)min,
				 (unsigned long long)max);
	*value = (uint64_t)json_integer_value(number);
	return 0;
}

int plan_get_count32(const json_t *object, const struct place *place, const char *member,
		     uint32_t min, uint32_t max, uint32_t *value, struct error *err)
{
	uint64_t wide = 0;
	int rc = plan_get_count(object, place, member, min, max, &wide, err);

	*value = (uint32_t)wide;
	return rc;
}

int plan_get_flag(const json_t *object, const struct place *place, const char *member, bool *value,
		  struct error *err)
{
	const json_t *flag = json_object_get(object, member);

	if (!json_is_boolean(flag))
		return plan_expected(place, member, "true or false", err);
	*value = json_is_true(flag);
	return 0;
}

/* A text or null, copied; NULL for null. */
int plan_get_text(const json_t *object, const struct place *place, const char *member, char **value,
		  struct error *err)
{
	const json_t *text = json_object_get(object, member);

	if (json_is_null(text))
		return 0;
	if (!json_is_string(text) || strlen(json_string_value(text)) != json_string_length(text))
		return plan_expected(place, member, "a text or null", err);
	*value = strdup(json_string_value(text));
	return *value ? 0 : error_set(err, -ENOMEM, "no memory for a plan");
}
