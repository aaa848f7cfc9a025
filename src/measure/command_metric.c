// SPDX-License-Identifier: GPL-2.0-or-later
/* command_metric.c - see command_metric.h. Paths are in command_path.c, expressions in
 * command_regex.c. */
#include "measure/command_metric.h"

#include "measure/command_path.h"
#include "measure/command_regex.h"
#include "measure/utf8.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN_BYTES 60 /* of a text that is no number, in a message */

static const struct {
	const char *prefix;
	enum metric_kind kind;
} kinds[] = { { "json:", METRIC_JSON }, { "regex:", METRIC_REGEX } };

/* Cuts the last word off pattern and returns it; NULL: there is only one. */
static char *last_word(char *pattern)
{
	char *blank = strrchr(pattern, ' ');
	char *word = blank ? blank + 1 : NULL;

	if (!word || !*word)
		return NULL;
	while (blank > pattern && blank[-1] == ' ')
		blank--;
	if (blank == pattern)
		return NULL;
	*blank = '\0';
	return word;
}

static bool is_unit(const char *pattern)
{
	const char *word = strrchr(pattern, ' ');

	return word && word[1] && !word[1 + strcspn(word + 1, "()[]{}*+?|^$.\\")];
}

static int check_pattern(const struct metric *metric, struct error *err)
{
	struct regex_group unused;

	if (metric->kind == METRIC_JSON)
		return path_check(metric->pattern, err);
	return regex_first_group(metric->pattern, NULL, &unused, err);
}

static int set_units(struct metric *metric, const char *unit, struct error *err)
{
	int used;

	used = snprintf(metric->unit, sizeof(metric->unit), "%s", unit);
	if (used > 0 && (size_t)used < sizeof(metric->unit))
		used = snprintf(metric->rate_unit, sizeof(metric->rate_unit), "%s%s",
				metric->lower_is_better ? "1/" : "", unit);
	if (used > 0 && (size_t)used < sizeof(metric->rate_unit) && text_is_utf8(unit))
		return 0;
	return error_set(err, -EINVAL, "\"%.60s\": expected a unit of at most %d bytes of UTF-8",
			 unit, METRIC_UNIT_BYTES - 3);
}

int metric_parse(const char *text, struct metric *metric, struct error *err)
{
	const char *rest = NULL, *unit = "units";
	char *word;
	int rc;

	*metric = (struct metric){ 0 };
	if (!text || !strcmp(text, "time")) {
		metric->lower_is_better = true;
		return set_units(metric, "s", err);
	}
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strncmp(text, kinds[i].prefix, strlen(kinds[i].prefix)) != 0)
			continue;
		metric->kind = kinds[i].kind;
		rest = text + strlen(kinds[i].prefix);
	}
	if (!rest || !*rest)
		return error_set(err, -EINVAL,
				 "\"%.200s\": expected json:PATH, regex:RE or time, with a unit "
				 "and \"lower\" where less is better",
				 text);
	metric->pattern = strdup(rest);
	if (!metric->pattern)
		return error_set(err, -ENOMEM, "no memory for a metric");
	word = strrchr(metric->pattern, ' ');
	if (word && !strcmp(word, " lower")) {
		metric->lower_is_better = true;
		last_word(metric->pattern);
	}
	if (is_unit(metric->pattern)) {
		word = last_word(metric->pattern);
		if (word)
			unit = word;
	}
	rc = set_units(metric, unit, err);
	return rc ? rc : check_pattern(metric, err);
}

void metric_free(struct metric *metric)
{
	free(metric->pattern);
	*metric = (struct metric){ 0 };
}

static int missing(const struct metric *metric, const char *what, struct error *err)
{
	return error_set(err, -ENOMSG, "metric %s:%.200s: %s",
			 metric->kind == METRIC_JSON ? "json" : "regex", metric->pattern, what);
}

/* Programs print lines before their document: it begins at the first line with "{" or "[". */
static const char *document_start(const char *output)
{
	const char *at = output;

	while (at && *at) {
		const char *word = at + strspn(at, " \t\r");

		if (*word == '{' || *word == '[')
			return word;
		at = strchr(at, '\n');
		at = at ? at + 1 : NULL;
	}
	return NULL;
}

static int read_json(const struct metric *metric, const char *output, size_t count, double *value,
		     struct error *err)
{
	const char *start = document_start(output);
	json_error_t why;
	json_t *document;
	char text[300];
	int rc;

	if (!start)
		return missing(metric, "the command printed no JSON document", err);
	document =
		json_loadb(start, count - (size_t)(start - output), JSON_DISABLE_EOF_CHECK, &why);
	if (!document) {
		snprintf(text, sizeof(text), "the command printed no whole JSON document: %s",
			 why.text);
		return missing(metric, text, err);
	}
	rc = path_value(metric->pattern, document, value, text, sizeof(text));
	json_decref(document);
	return rc ? missing(metric, text, err) : 0;
}

static int read_regex(const struct metric *metric, const char *output, double *value,
		      struct error *err)
{
	char number[SHOWN_BYTES + 1], text[SHOWN_BYTES + 80], *end;
	struct regex_group group;
	int rc = regex_first_group(metric->pattern, output, &group, err);

	if (rc)
		return rc == -EINTR ? rc : error_context(err, "metric");
	if (!group.matches)
		return missing(metric, "nothing that the command printed matches", err);
	snprintf(number, sizeof(number), "%.*s",
		 (int)(group.length < SHOWN_BYTES ? group.length : SHOWN_BYTES),
		 output + group.start);
	*value = strtod(number, &end);
	if (end != number && !*end && group.length < SHOWN_BYTES)
		return 0;
	snprintf(text, sizeof(text), "expected a number, found \"%s\"", number);
	return missing(metric, text, err);
}

int metric_read(const struct metric *metric, char *output, size_t count, double *value,
		struct error *err)
{
	char text[80];
	int rc;

	for (size_t i = 0; i < count; i++) {
		if (!output[i])
			output[i] = '\n';
	}
	if (metric->kind == METRIC_JSON)
		rc = read_json(metric, output, count, value, err);
	else
		rc = read_regex(metric, output, value, err);
	if (rc || (isfinite(*value) && *value > 0))
		return rc;
	snprintf(text, sizeof(text), "expected a finite number above 0, found %g", *value);
	return missing(metric, text, err);
}

double metric_rate(const struct metric *metric, double value)
{
	return metric->lower_is_better ? 1 / value : value;
}
