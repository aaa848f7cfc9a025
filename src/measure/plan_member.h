/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan_member.h - members of a plan's document, read with a check; every text says where they lie.
 */
#ifndef ONPROC_MEASURE_PLAN_MEMBER_H
#define ONPROC_MEASURE_PLAN_MEMBER_H

#include "base/error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* Where a member lies, for texts: "plan" or "plan.rows[3]". */
struct place {
	char text[48];
};

/* -EINVAL: "plan.pin: expected WHAT". */
int plan_expected(const struct place *place, const char *member, const char *what,
		  struct error *err);

int plan_get_count(const json_t *object, const struct place *place, const char *member,
		   uint64_t min, uint64_t max, uint64_t *value, struct error *err);
int plan_get_count32(const json_t *object, const struct place *place, const char *member,
		     uint32_t min, uint32_t max, uint32_t *value, struct error *err);
int plan_get_flag(const json_t *object, const struct place *place, const char *member, bool *value,
		  struct error *err);

/* A text without zeros, copied, or null, which leaves *value alone. */
int plan_get_text(const json_t *object, const struct place *place, const char *member, char **value,
		  struct error *err);

#endif
