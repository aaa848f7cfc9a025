// SPDX-License-Identifier: GPL-2.0-or-later
/* fixture.c - see fixture.h. */
#include "fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct slot *fixture_slot(struct series *series, double rate)
{
	struct slot *slot = series_add_slot(series, series->copies);
	uint32_t number = (uint32_t)series->n_slots - 1;

	slot->block = number;
	slot->ordinal = 2 * number;
	slot->start_ns = 1250000000ull * number;
	slot->length_ns = 1000000123;
	slot->rate = rate;
	slot->counts = calloc(series->copies, sizeof(*slot->counts));
	for (uint32_t i = 0; i < series->copies; i++)
		slot->counts[i] = floor(rate / series->copies) + i;
	slot->evidence = json_pack("{s:f, s:[]}", "steal", 0.004, "external");
	return slot;
}

static struct series *fixture_series(struct run *run, const char *test, uint32_t copies)
{
	struct series *series = run_add_series(run);

	series->test = strdup(test);
	series->title = strdup("Pipe Throughput");
	series->unit = strdup("lps");
	series->content_hash = strdup("0123abcd");
	series->program_hash = strdup("4567ef");
	series->params = json_pack("{s:i}", "bytes", 512);
	series->copies = copies;
	series->baseline = 12440;
	return series;
}

static void fixture_modes(struct series *series)
{
	series->n_modes = 2;
	series->modes = calloc(2, sizeof(*series->modes));
	series->modes[0] = (struct mode){ .share = 0.25,
					  .placement = "same-cpu",
					  .estimate = { .n = 3,
							.value = 360000,
							.lo = NAN,
							.hi = NAN,
							.level = NAN,
							.reason = "n too small (3 < 6)" } };
	series->modes[1] = (struct mode){ .share = 0.75,
					  .estimate = { .n = 9,
							.value = 20000.5,
							.lo = 19999.1,
							.hi = 20001.7,
							.level = 0.9609375,
							.k = 6,
							.exact = true } };
}

void fixture_run(struct run *run, const char *id)
{
	struct series *series;
	struct slot *slot;

	run_init(run);
	snprintf(run->id, sizeof(run->id), "%s", id);
	run->status = RUN_COMPLETE;
	run->created_s = 1796048553;
	run->elapsed_s = 12.75;
	run->tool = strdup("onproc 0.1.0");
	run->command = strdup("onproc bench pipe -c 1,2");
	run->host = strdup("größe");
	run->seed = UINT64_MAX; /* not exact in a double, nor in a signed integer */
	run->plan = json_pack("{s:i}", "slots", 12);
	run->environment = json_pack("{s:s, s:n, s:s}", "kernel_release", "6.18.0", "governor",
				     "governor_reason", "no such file");
	run->warnings = json_pack("[s]", "the CPU quota is 1.5 of 2 CPUs");

	series = fixture_series(run, "unixbench6/pipe@1", 1);
	fixture_slot(series, 1000000.1);
	slot = fixture_slot(series, 900000);
	slot->status = SLOT_REPLACED;
	slot = fixture_slot(series, 1.0 / 3);
	slot->rerun = true;
	slot = fixture_slot(series, 1);
	slot->status = SLOT_FAILED;
	slot->rate = NAN;
	slot->error = strdup("copy 0 was killed by signal 9");
	free(slot->counts);
	slot->counts = NULL;
	json_decref(slot->evidence);
	slot->evidence = NULL;
	series->estimate = (struct estimate){ .n = 2,
					      .value = 1000000.1,
					      .lo = NAN,
					      .hi = NAN,
					      .level = NAN,
					      .reason = "n too small (2 < 6)" };
	series->first_result = series->estimate;
	series->index = 803.859405144694;
	series->not_steady = true;
	fixture_modes(series);

	series = fixture_series(run, "other/test@2", 2);
	series->baseline = 0;
	series->side = strdup("B");
	series->note = strdup("counts five calls as one");
	free(series->content_hash);
	series->content_hash = NULL;
	fixture_slot(series, 5e15 + 0.5);

	run->scores = calloc(1, sizeof(*run->scores));
	run->n_scores = 1;
	run->scores[0] = (struct score){ .copies = 1,
					 .suite = strdup("unixbench6"),
					 .value = 803.9,
					 .lo = 800.1,
					 .hi = 805.2,
					 .level = 0.9609375,
					 .tests = 1,
					 .tests_full = 12,
					 .rests_on_modes = true };
}

char *fixture_text(const struct run *run)
{
	json_t *document = run_to_json(run, true);
	char *text;

	assert_non_null(document);
	text = json_dumps(document, JSON_INDENT(1));
	assert_non_null(text);
	json_decref(document);
	return text;
}

void assert_same_run(const struct run *a, const struct run *b)
{
	char *of_a = fixture_text(a), *of_b = fixture_text(b);

	assert_string_equal(of_a, of_b);
	free(of_a);
	free(of_b);
}

void scratch_make(char path[64])
{
	snprintf(path, 64, "/tmp/onproc-store-XXXXXX");
	assert_non_null(mkdtemp(path));
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
	(void)status;
	(void)type;
	(void)walk;
	return remove(path);
}

void scratch_remove(const char *path)
{
	nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

const char *scratch_file(const char *directory, const char *name)
{
	static char path[4][512];
	static unsigned int next;
	char *text = path[next++ % 4];

	snprintf(text, sizeof(path[0]), "%s/%s", directory, name);
	return text;
}
