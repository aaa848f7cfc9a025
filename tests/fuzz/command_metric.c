// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * command_metric.c - any bytes as a metric, up to the first newline, and what a command printed,
 * behind it; and the first line as a command in words.
 *
 * Only json: metrics read the output here: how long a regular expression takes is its author's
 * affair.
 */
#include "measure/command_metric.h"
#include "fuzz.h"
#include "measure/command_words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void check_metric(const char *text, char *output, size_t count)
{
	struct error err = { 0 };
	struct metric metric;
	double value;

	if (metric_parse(text, &metric, &err)) {
		if (!err.text[0])
			abort();
	} else if (metric.kind == METRIC_JSON) {
		int rc = metric_read(&metric, output, count, &value, &err);

		if (rc ? !err.text[0] : !isfinite(value) || value <= 0)
			abort();
	}
	metric_free(&metric);
}

static void check_words(const char *text)
{
	struct error err = { 0 };
	char **words = NULL;

	if (command_words(text, &words, &err) ? !err.text[0] || words : !words[0])
		abort();
	free(words);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
	char *text = calloc(1, count + 1);
	char *end;

	if (!text)
		return 0;
	memcpy(text, bytes, count);
	end = memchr(text, '\n', count);
	if (end) {
		*end = '\0';
		/* A whole regular expression may take what it likes to compile, too. */
		if (strncmp(text, "regex:", 6) != 0)
			check_metric(text, end + 1, count - (size_t)(end + 1 - text));
	}
	check_words(text);
	free(text);
	return 0;
}
