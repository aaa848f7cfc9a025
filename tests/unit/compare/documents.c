// SPDX-License-Identifier: GPL-2.0-or-later
/* documents.c - documents for schema.py to validate: documents DIRECTORY makes
 * {comparison,history}-NAME.json there. */
#include "base/file.h"
#include "compare/history.h"
#include "fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *directory;

static void write_document(const char *name, json_t *document)
{
	char *text = json_dumps(document, JSON_INDENT(1)), path[512];
	struct error err = { 0 };

	snprintf(path, sizeof(path), "%s/%s.json", directory, name);
	if (!text || write_atomic(path, text, strlen(text), 0600, &err)) {
		fprintf(stderr, "%s: %s\n", path, err.text);
		exit(1);
	}
	free(text);
	json_decref(document);
}

static const double rates[] = { 100, 101, 99, 100, 102, 98, 100 };
#define N (sizeof(rates) / sizeof(rates[0]))

static void sides(void)
{
	struct comparison comparison;
	struct run run;

	fixture_run(&run, "ab");
	fixture_sides(&run, "unixbench6/pipe@1", rates, rates, N);
	fixture_compare_sides(&run, &comparison);
	write_document("comparison-sides", comparison_to_json(&comparison));
	comparison_free(&comparison);
	run_free(&run);
}

/* A test that can be compared, one without interval, one that only one side has. */
static void runs(void)
{
	struct comparison comparison;
	struct run a, b;

	fixture_run(&a, "a");
	fixture_run(&b, "b");
	fixture_environment(&b, "governor", json_string("performance"));
	fixture_rates(&a, "unixbench6/pipe@1", rates, N);
	fixture_rates(&b, "unixbench6/pipe@1", rates, N);
	fixture_imported(&a, "unixbench6/spawn@1", 100, 10);
	fixture_imported(&b, "unixbench6/spawn@1", 110, 10);
	fixture_rates(&b, "unixbench6/execl@1", rates, N);
	fixture_compare(&a, &b, &comparison);
	write_document("comparison-runs", comparison_to_json(&comparison));
	comparison_free(&comparison);
	run_free(&a);
	run_free(&b);
}

static void history(void)
{
	struct history history = { 0 };
	struct error err = { 0 };

	for (unsigned int i = 0; i < 24; i++) {
		struct series *series;
		struct run run;
		char id[8];

		snprintf(id, sizeof(id), "r%u", i);
		fixture_run(&run, id);
		run.created_s += i;
		series = fixture_series(&run, "unixbench6/pipe@1", 1, NULL);
		series->estimate.value = (i < 12 ? 100 : 90) + 0.1 * (i % 5);
		if (i >= 12)
			fixture_environment(&run, "kernel_release", json_string("6.13.0"));
		if (history_add(&history, &run, series))
			exit(1);
		run_free(&run);
	}
	if (history_judge(&history, 0.01, 0.05, &err) || !history.series[0].n_changes) {
		fprintf(stderr, "no change: %s\n", err.text);
		exit(1);
	}
	write_document("history-change", history_to_json(&history));
	history_free(&history);
	write_document("history-none",
		       history_to_json(&(struct history){ .margin = 0.01, .alpha = 0.05 }));
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	directory = argv[1];
	sides();
	runs();
	history();
	return 0;
}
