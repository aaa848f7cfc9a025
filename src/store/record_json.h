/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record_json.h - the pieces of a run's document, for the store and the journal, which keep them
 * apart.
 */
#ifndef ONPROC_STORE_RECORD_JSON_H
#define ONPROC_STORE_RECORD_JSON_H

#include "store/json_member.h"
#include "store/record.h"

/* "schema" and "schema_version" of a document: -EINVAL another schema, -ENOTSUP one from the
 * future. */
int schema_check(const json_t *document, const char *schema, int version, struct error *err);

/* The "run" object; a series without its slots, and without what is derived from them; a slot. */
json_t *run_object_to_json(const struct run *run);
json_t *series_object_to_json(const struct series *series, bool with_derived);
json_t *slot_object_to_json(const struct series *series, const struct slot *slot);
json_t *scores_to_json(const struct run *run);
json_t *estimate_to_json(const struct estimate *estimate);

/* Their readers fill an initialised run, a fresh series or slot. `also` as in members_from_json().
 */
int run_object_from_json(const json_t *object, const struct where *where, struct run *run,
			 struct error *err);
int series_object_from_json(const json_t *object, const struct where *where, struct run *run,
			    struct series *series, bool with_derived, struct error *err);
int slot_object_from_json(const json_t *object, const struct where *where, struct run *run,
			  const struct series *series, struct slot *slot, struct error *err);
int scores_from_json(const json_t *array, const struct where *where, struct run *run,
		     struct error *err);

#endif
