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

const struct comparison_request fixture_request = { .margin = 0.01, .alpha = 0.05 };

static char *duplicate(const char *text)
{
	char *copy = strdup(text);

	assert_non_null(copy);
	return copy;
}

void fixture_environment(struct run *run, const char *name, json_t *value)
{
	assert_int_equal(json_object_set_new(run->environment, name, value), 0);
}

void fixture_run(struct run *run, const char *id)
{
	run_init(run);
	snprintf(run->id, sizeof(run->id), "%s", id);
	run->status = RUN_COMPLETE;
	run->created_s = 1796047353;
	run->elapsed_s = 100;
	run->seed = 7;
	run->tool = duplicate("onproc 0.1.0");
	run->host = duplicate("build1");
	run->environment = json_object();
	fixture_environment(run, "host", json_string("build1"));
	fixture_environment(run, "kernel_release", json_string("6.12.0"));
	fixture_environment(run, "boot_id", json_sprintf("boot-of-%s", id));
}

struct series *fixture_series(struct run *run, const char *test, uint32_t copies, const char *side)
{
	struct series *series = run_add_series(run);

	assert_non_null(series);
	series->test = duplicate(test);
	series->title = duplicate("A Test");
	series->unit = duplicate("lps");
	series->content_hash = duplicate(FIXTURE_HASH);
	series->side = side ? duplicate(side) : NULL;
	series->params = json_object();
	series->copies = copies;
	series->baseline = 10;
	return series;
}

void fixture_slot(struct series *series, uint32_t block, double rate)
{
	struct slot *slot = series_add_slot(series, series->copies);

	assert_non_null(slot);
	slot->block = block;
	slot->ordinal = (uint32_t)series->n_slots - 1;
	slot->length_ns = 1000000000;
	slot->rate = rate;
}

struct series *fixture_rates(struct run *run, const char *test, const double *rates, size_t n)
{
	struct series *series = fixture_series(run, test, 1, NULL);

	for (size_t i = 0; i < n; i++)
		fixture_slot(series, (uint32_t)i, rates[i]);
	return series;
}

static void add_side(struct run *run, const char *test, const char *side, const double *rates,
		     size_t n)
{
	struct series *series = fixture_series(run, test, 1, side);

	for (size_t i = 0; i < n; i++) {
		fixture_slot(series, (uint32_t)i, rates[i]);
		fixture_slot(series, (uint32_t)i, rates[i]);
	}
}

void fixture_sides(struct run *run, const char *test, const double *a, const double *b, size_t n)
{
	add_side(run, test, "A", a, n);
	add_side(run, test, "B", b, n);
}

struct series *fixture_imported(struct run *run, const char *test, double value, double baseline)
{
	struct series *series = fixture_series(run, test, 1, NULL);

	run->status = RUN_IMPORTED;
	free(series->content_hash);
	series->content_hash = NULL;
	series->estimate.value = value;
	series->estimate.reason = "imported: that tool keeps no slots";
	series->baseline = baseline;
	return series;
}

void fixture_compare(struct run *a, struct run *b, struct comparison *comparison)
{
	struct error err = { 0 };

	assert_int_equal(run_summarise(a), 0);
	assert_int_equal(run_summarise(b), 0);
	if (comparison_of_runs(a, b, &fixture_request, comparison, &err))
		fail_msg("%s", err.text);
}

void fixture_compare_sides(struct run *run, struct comparison *comparison)
{
	struct error err = { 0 };

	assert_int_equal(run_summarise(run), 0);
	if (comparison_of_sides(run, &fixture_request, comparison, &err))
		fail_msg("%s", err.text);
}
