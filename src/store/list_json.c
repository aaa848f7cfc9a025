// SPDX-License-Identifier: GPL-2.0-or-later
/* list_json.c - the list of runs as a JSON document (docs/schema/onproc.list.schema.json). */
#include "store/record_json.h"
#include "store/store.h"

#define AT(field)    offsetof(struct run_head, field)
#define NOT_RECORDED "not recorded"

static const struct member head_members[] = {
	{ "id", NULL, MEMBER_CHARS, .offset = AT(id), .bytes = RUN_ID_BYTES },
	{ "status", NULL, MEMBER_ENUM, .offset = AT(status), .choices = run_status_names },
	{ "created_s", NULL, MEMBER_U64, .nullable = true, .reason = NOT_RECORDED,
	  .offset = AT(created_s) },
	{ "host", NULL, MEMBER_TEXT, .nullable = true, .reason = NOT_RECORDED, .offset = AT(host) },
	{ "tool", NULL, MEMBER_TEXT, .nullable = true, .reason = NOT_RECORDED, .offset = AT(tool) },
	{ "kernel", NULL, MEMBER_TEXT, .nullable = true, .reason = NOT_RECORDED,
	  .offset = AT(kernel) },
	{ "command", NULL, MEMBER_TEXT, .nullable = true, .reason = NOT_RECORDED,
	  .offset = AT(command) },
	{ "tags", NULL, MEMBER_STRINGS, .offset = AT(tags) },
	{ "tests", NULL, MEMBER_U32, .offset = AT(tests) },
	{ "series", NULL, MEMBER_U32, .offset = AT(series) },
	{ "slots", NULL, MEMBER_U32, .offset = AT(slots) },
	{ 0 },
};

/* The scores of a head, in the shape of a run's document. */
static json_t *head_scores(const struct run_head *head)
{
	const struct run run = { .scores = head->scores, .n_scores = head->n_scores };

	return scores_to_json(&run);
}

json_t *run_heads_to_json(const struct run_head *heads, size_t count)
{
	json_t *document = json_object(), *runs = json_array();

	if (!document || json_object_set_new(document, "schema", json_string(LIST_SCHEMA)) ||
	    json_object_set_new(document, "schema_version", json_integer(LIST_SCHEMA_VERSION)) ||
	    json_object_set(document, "runs", runs))
		goto no_memory;
	for (size_t i = 0; i < count; i++) {
		json_t *object = members_to_json(head_members, &heads[i]);

		if (!object || json_object_set_new(object, "scores", head_scores(&heads[i]))) {
			json_decref(object);
			goto no_memory;
		}
		if (json_array_append_new(runs, object))
			goto no_memory;
	}
	json_decref(runs);
	return document;
no_memory:
	json_decref(runs);
	json_decref(document);
	return NULL;
}
