// SPDX-License-Identifier: GPL-2.0-or-later
/* fixture.c - see fixture.h. */
#include "fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COLUMNS 80

static char *duplicate(const char *text)
{
	char *copy = strdup(text);

	assert_non_null(copy);
	return copy;
}

void fixture_load(const char *name, struct run *run)
{
	struct error err = { 0 };
	json_error_t where;
	json_t *document;
	char path[512];

	snprintf(path, sizeof(path), TEST_DATA "/runs/%s.json", name);
	document = json_load_file(path, 0, &where);
	if (!document)
		fail_msg("%s:%d: %s", path, where.line, where.text);
	run_init(run);
	if (run_from_json(document, run, &err))
		fail_msg("%s: %s", path, err.text);
	assert_int_equal(run_summarise(run), 0);
	json_decref(document);
}

struct series *fixture_series(struct run *run, const char *test, double value, double lo, double hi)
{
	struct series *series;

	run_init(run);
	snprintf(run->id, sizeof(run->id), "20261130-142233-1a2b3c");
	run->status = RUN_COMPLETE;
	run->created_s = 1796047353;
	run->elapsed_s = 12;
	run->tool = duplicate("onproc 0.1.0");
	run->host = duplicate("build1");
	series = run_add_series(run);
	assert_non_null(series);
	series->test = duplicate(test);
	series->title = duplicate("A Test");
	series->unit = duplicate("lps");
	series->copies = 1;
	series->index = NAN;
	series->estimate = (struct estimate){ .n = 12,
					      .value = value,
					      .lo = lo,
					      .hi = hi,
					      .level = isfinite(lo) ? 0.9575 : NAN,
					      .k = 14,
					      .exact = true };
	series->first_result = series->estimate;
	return series;
}

char *fixture_report(const struct run *run, int (*report)(const struct run *run, FILE *out))
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	assert_non_null(out);
	assert_int_equal(report(run, out), 0);
	assert_int_equal(fclose(out), 0);
	return text;
}

static char *read_file(const char *path)
{
	FILE *file = fopen(path, "r");
	char *text = NULL;
	size_t bytes = 0;

	if (!file)
		return NULL;
	if (getdelim(&text, &bytes, '\0', file) < 0) {
		free(text);
		text = duplicate("");
	}
	fclose(file);
	return text;
}

void fixture_golden(const char *name, const char *report)
{
	char path[512];
	char *expected;
	FILE *file;

	snprintf(path, sizeof(path), TEST_DATA "/report/%s", name);
	if (getenv("UPDATE_GOLDEN")) {
		file = fopen(path, "w");
		assert_non_null(file);
		fputs(report, file);
		assert_int_equal(fclose(file), 0);
		return;
	}
	expected = read_file(path);
	if (!expected) {
		fail_msg("%s: cannot be read", path);
		return;
	}
	for (size_t i = 0; expected[i] || report[i]; i++)
		if (expected[i] != report[i])
			fail_msg(
				"%s: differs from byte %zu on:\nexpected: %.100s\ncame:     %.100s",
				path, i, expected + i, report + i);
	free(expected);
}

void fixture_has(const char *report, const char *text)
{
	if (!strstr(report, text))
		fail_msg("expected \"%s\" in:\n%s", text, report);
}

void fixture_lacks(const char *report, const char *text)
{
	if (strstr(report, text))
		fail_msg("expected no \"%s\" in:\n%s", text, report);
}

void fixture_has_line(const char *report, const char *line)
{
	size_t length = strlen(line);

	for (const char *at = strstr(report, line); at; at = strstr(at + 1, line))
		if ((at == report || at[-1] == '\n') && (at[length] == '\n' || !at[length]))
			return;
	fail_msg("expected the line \"%s\" in:\n%s", line, report);
}

/* Columns by the rule of the report: what starts at U+1100 or later may be two wide. */
static size_t columns_of(const char *line, size_t bytes)
{
	size_t columns = 0;

	for (size_t i = 0; i < bytes; i++) {
		unsigned char byte = (unsigned char)line[i];

		if ((byte & 0xc0) == 0x80)
			continue;
		columns +=
			byte > 0xe1 || (byte == 0xe1 && (unsigned char)line[i + 1] >= 0x84) ? 2 : 1;
	}
	return columns;
}

void fixture_fits(const char *report)
{
	while (*report) {
		size_t bytes = strcspn(report, "\n");

		if (columns_of(report, bytes) > COLUMNS)
			fail_msg("%zu columns: %.*s", columns_of(report, bytes), (int)bytes,
				 report);
		if (bytes && report[bytes - 1] == ' ')
			fail_msg("trailing space: %.*s", (int)bytes, report);
		for (size_t i = 0; i < bytes; i++)
			if ((unsigned char)report[i] < ' ' || report[i] == 0x7f)
				fail_msg("control character %#x: %.*s", (unsigned char)report[i],
					 (int)bytes, report);
		report += bytes;
		report += *report == '\n';
	}
}
