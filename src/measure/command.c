// SPDX-License-Identifier: GPL-2.0-or-later
/* command.c - see command.h: the declaration of an instrument. It is run by command_slot.c. */
#include "measure/command.h"

#include "measure/command_adapter.h"
#include "measure/command_words.h"
#include "measure/plan_member.h"
#include "measure/utf8.h"
#include "workload/tools.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_CHARS  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"
#define NAME_BYTES  40
#define TITLE_BYTES 29 /* as wide as the titles of onproc's own tests */
#define HASH_SHOWN  8

static int no_memory(struct error *err)
{
	return error_set(err, -ENOMEM, "no memory for a command");
}

const char *instrument_text(const struct instrument *instrument, int side)
{
	return side == 1 && instrument->text[1] ? instrument->text[1] : instrument->text[0];
}

static int check_texts(const struct instrument *instrument, struct error *err)
{
	const char *const texts[] = { instrument->text[0], instrument->text[1], instrument->prepare,
				      instrument->cleanup, instrument->metric_text };
	int rc = 0;

	if (!instrument->text[0])
		return error_set(err, -EINVAL, "expected a command");
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]) && !rc; i++) {
		char **words = NULL;

		if (!texts[i])
			continue;
		if (!text_is_utf8(texts[i]))
			return error_set(err, -EINVAL, "\"%.100s\": expected UTF-8", texts[i]);
		if (texts[i] == instrument->metric_text)
			continue;
		/* A shell says at its time what is wrong with a command; nobody else would. */
		if (instrument->no_shell && command_words(texts[i], &words, err))
			rc = error_context(err, "%.100s", texts[i]);
		else if (!texts[i][strspn(texts[i], " \t\n")])
			rc = error_set(err, -EINVAL, "expected a command, found nothing");
		free(words);
	}
	if (!rc && instrument->name &&
	    (!instrument->name[0] || strlen(instrument->name) > NAME_BYTES ||
	     instrument->name[strspn(instrument->name, NAME_CHARS)]))
		rc = error_set(err, -EINVAL,
			       "\"%.60s\": expected a name of at most %d letters, digits, dots, "
			       "underscores and dashes",
			       instrument->name, NAME_BYTES);
	return rc;
}

/* Each part ends with a zero, so that no two lists of parts run together. */
static void add_text(struct sha256 *sha, const char *text)
{
	sha256_add(sha, text ? text : "", text ? strlen(text) + 1 : 1);
}

static void make_hash(struct instrument *instrument)
{
	static const char *const kinds[] = {
		[METRIC_TIME] = "time", [METRIC_JSON] = "json", [METRIC_REGEX] = "regex"
	};
	const struct metric *metric = &instrument->metric;
	struct sha256 sha;

	sha256_init(&sha);
	add_text(&sha, instrument->text[0]);
	add_text(&sha, instrument->text[1]);
	add_text(&sha, kinds[metric->kind]);
	add_text(&sha, metric->pattern);
	add_text(&sha, metric->rate_unit);
	add_text(&sha, instrument->no_shell ? "none" : "sh");
	sha256_hex(&sha, instrument->hash);
}

/* The beginning of a text, cut before a character that does not fit whole. */
static char *beginning(const char *text)
{
	size_t length = strlen(text);

	if (length < TITLE_BYTES)
		return strdup(text);
	length = TITLE_BYTES - 1;
	while (length && ((unsigned char)text[length] & 0xc0) == 0x80)
		length--;
	return strndup(text, length);
}

int instrument_complete(struct instrument *instrument, struct error *err)
{
	const struct adapter *adapter;
	int rc = check_texts(instrument, err);

	if (rc)
		return rc;
	adapter = instrument->metric_text ? NULL : adapter_for(instrument->text[0]);
	if (adapter) {
		instrument->metric_text = strdup(adapter->metric);
		if (!instrument->metric_text)
			return no_memory(err);
	}
	rc = metric_parse(instrument->metric_text, &instrument->metric, err);
	if (rc)
		return rc;
	make_hash(instrument);
	instrument->title = beginning(instrument->name ? instrument->name : instrument->text[0]);
	if (asprintf(&instrument->id, "cmd/%.*s@1", instrument->name ? NAME_BYTES : HASH_SHOWN,
		     instrument->name ? instrument->name : instrument->hash) < 0)
		instrument->id = NULL;
	if (!instrument->id || !instrument->title)
		return no_memory(err);
	instrument->workload = (struct workload){
		.id = instrument->id,
		.title = instrument->title,
		.help = "a complete run of a command",
		.unit = instrument->metric.rate_unit,
		.units_per_iteration = 1,
		.class = CLASS_EXEC,
		.rate = RATE_WHOLE_RUN,
		.processes = 1,
	};
	return 0;
}

int instrument_check_programs(const struct instrument *instrument, struct error *err)
{
	const char *const texts[] = { instrument->text[0], instrument->text[1], instrument->prepare,
				      instrument->cleanup };
	int rc = 0;

	for (size_t i = 0; instrument->no_shell && i < sizeof(texts) / sizeof(texts[0]) && !rc;
	     i++) {
		char **words = NULL, path[PATH_MAX];

		if (!texts[i])
			continue;
		rc = command_words(texts[i], &words, err);
		if (!rc && !strchr(words[0], '/') && !tool_find(words[0], path, sizeof(path)))
			rc = error_set(err, -EINVAL, "%.100s: no program \"%.100s\" in PATH",
				       texts[i], words[0]);
		free(words);
	}
	return rc;
}

json_t *instrument_to_json(const struct instrument *instrument)
{
	return json_pack("{s:s, s:s?, s:s?, s:s?, s:s?, s:s?, s:b, s:b, s:I, s:o}", "text",
			 instrument->text[0], "text_b", instrument->text[1], "name",
			 instrument->name, "metric", instrument->metric_text, "prepare",
			 instrument->prepare, "cleanup", instrument->cleanup, "shell",
			 !instrument->no_shell, "ignore_failure", instrument->ignore_failure,
			 "warmup_runs", (json_int_t)instrument->warmup_runs, "timeout_ns",
			 instrument->timeout_ns ? json_integer((json_int_t)instrument->timeout_ns)
						: json_null());
}

static int get_timeout(const json_t *object, const struct place *place, uint64_t *timeout_ns,
		       struct error *err)
{
	if (json_is_null(json_object_get(object, "timeout_ns")))
		return 0;
	return plan_get_count(object, place, "timeout_ns", 1, INT64_MAX, timeout_ns, err);
}

static int get_all(const json_t *object, const struct place *place, struct instrument *instrument,
		   struct error *err)
{
	const struct {
		const char *member;
		char **text;
	} texts[] = {
		{ "text", &instrument->text[0] },    { "text_b", &instrument->text[1] },
		{ "name", &instrument->name },	     { "metric", &instrument->metric_text },
		{ "prepare", &instrument->prepare }, { "cleanup", &instrument->cleanup },
	};
	bool shell = true;
	int rc = 0;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]) && !rc; i++)
		rc = plan_get_text(object, place, texts[i].member, texts[i].text, err);
	if (!rc)
		rc = plan_get_flag(object, place, "shell", &shell, err);
	if (!rc)
		rc = plan_get_flag(object, place, "ignore_failure", &instrument->ignore_failure,
				   err);
	if (!rc)
		rc = plan_get_count32(object, place, "warmup_runs", 0, COMMAND_WARMUP_MAX,
				      &instrument->warmup_runs, err);
	if (!rc)
		rc = get_timeout(object, place, &instrument->timeout_ns, err);
	instrument->no_shell = !shell;
	return rc;
}

int instrument_from_json(const json_t *object, struct instrument **read, struct error *err)
{
	static const struct place place = { "plan.command" };
	struct instrument *instrument;
	int rc;

	*read = NULL;
	if (!json_is_object(object))
		return error_set(err, -EINVAL, "%s: expected an object", place.text);
	instrument = calloc(1, sizeof(*instrument));
	if (!instrument)
		return no_memory(err);
	rc = get_all(object, &place, instrument, err);
	if (!rc && instrument_complete(instrument, err))
		rc = error_context(err, "%s", place.text);
	if (rc) {
		instrument_free(instrument);
		return rc;
	}
	*read = instrument;
	return 0;
}

json_t *instrument_params(const struct instrument *instrument)
{
	json_t *params = json_pack("{s:s}", "command", instrument->text[0]);
	int failed = !params;

	if (instrument->text[1])
		failed |=
			json_object_set_new(params, "command_b", json_string(instrument->text[1]));
	if (instrument->metric_text)
		failed |=
			json_object_set_new(params, "metric", json_string(instrument->metric_text));
	if (instrument->prepare)
		failed |= json_object_set_new(params, "prepare", json_string(instrument->prepare));
	if (!failed)
		return params;
	json_decref(params);
	return NULL;
}

void instrument_free(struct instrument *instrument)
{
	if (!instrument)
		return;
	free(instrument->text[0]);
	free(instrument->text[1]);
	free(instrument->name);
	free(instrument->metric_text);
	free(instrument->prepare);
	free(instrument->cleanup);
	free(instrument->id);
	free(instrument->title);
	metric_free(&instrument->metric);
	free(instrument);
}
