// SPDX-License-Identifier: GPL-2.0-or-later
/* documents.c - documents for schema.py to validate: documents DIRECTORY makes {run,list}-NAME.json
 * there. */
#include "base/file.h"
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

/* Everything that may be unknown is. */
static void unknown_run(struct run *run)
{
	struct series *series;

	run_init(run);
	snprintf(run->id, sizeof(run->id), "0");
	run->status = RUN_IMPORTED;
	series = run_add_series(run);
	series->test = strdup("imported/x");
	series->title = strdup("X");
	series->unit = strdup("");
	series->copies = 1000000;
	run->scores = calloc(1, sizeof(*run->scores));
	run->n_scores = 1;
	run->scores[0] = (struct score){
		.copies = 1, .suite = strdup("s"), .value = NAN, .lo = NAN, .hi = NAN, .level = NAN
	};
}

/* Laws: one that fits, one that only grows, one that nothing comes near. */
static void sweep_run(struct run *run)
{
	static const double rate[3][4] = { { 1000, 1900, 2500, 2400 },
					   { 1000, 2000, 3000, 4000 },
					   { 1000, 1, 1000, 1e6 } };
	char test[16];

	run_init(run);
	snprintf(run->id, sizeof(run->id), "1");
	for (uint32_t i = 0; i < 12; i++) {
		struct series *series = run_add_series(run);

		snprintf(test, sizeof(test), "x/sweep%u@1", i / 4);
		series->test = strdup(test);
		series->title = strdup("Sweep");
		series->unit = strdup("lps");
		series->copies = 1 + i % 4;
		for (uint32_t block = 0; block < 3; block++)
			fixture_slot(series, rate[i / 4][i % 4] * (1 + block / 1000.0))->block =
				block;
	}
	run_summarise(run);
}

static void list_of(const struct run *runs, size_t count)
{
	struct run_head heads[2] = { 0 };

	for (size_t i = 0; i < count; i++) {
		memcpy(heads[i].id, runs[i].id, RUN_ID_BYTES);
		heads[i].status = runs[i].status;
		heads[i].created_s = runs[i].created_s;
		heads[i].host = runs[i].host;
		heads[i].tool = runs[i].tool;
		heads[i].command = runs[i].command;
		heads[i].scores = runs[i].scores;
		heads[i].n_scores = runs[i].n_scores;
	}
	heads[0].tags = json_pack("[s,s]", "v6.12", "vanilla");
	write_document("list-two", run_heads_to_json(heads, count));
	json_decref(heads[0].tags);
	write_document("list-none", run_heads_to_json(NULL, 0));
}

int main(int argc, char **argv)
{
	struct run runs[2], sweep;

	if (argc != 2)
		return 2;
	directory = argv[1];
	fixture_run(&runs[0], "20261130-142233-1a2b3c");
	unknown_run(&runs[1]);
	sweep_run(&sweep);
	write_document("run-sweep", run_to_json(&sweep, true));
	run_free(&sweep);
	write_document("run-full", run_to_json(&runs[0], true));
	write_document("run-without-slots", run_to_json(&runs[0], false));
	write_document("run-unknown", run_to_json(&runs[1], true));
	list_of(runs, 2);
	run_free(&runs[0]);
	run_free(&runs[1]);
	return 0;
}
