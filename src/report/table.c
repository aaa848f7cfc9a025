// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * table.c - the terminal report: its blocks in their order.
 *
 * Header, a table per copy count, scaling laws, levels of the intervals, full names of the tests,
 * warnings with evidence, kept limits, environment.
 */
#include "report/blocks.h"
#include "report/locks.h"
#include "report/report.h"
#include "store/lock_summary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define KEY_BYTES 300

static void row_key(const char *test, json_int_t copies, char key[KEY_BYTES])
{
	snprintf(key, KEY_BYTES, "%" JSON_INTEGER_FORMAT " %s", copies, test ? test : "");
}

/* Places of the plan's rows by row_key(). NULL: no memory. */
static json_t *plan_places(const struct run *run)
{
	const json_t *rows = json_object_get(run->plan, "rows");
	json_t *places = json_object();

	for (size_t i = 0; places && i < json_array_size(rows); i++) {
		const json_t *row = json_array_get(rows, i);
		char key[KEY_BYTES];

		row_key(json_string_value(json_object_get(row, "test")),
			json_integer_value(json_object_get(row, "copies")), key);
		if (json_object_set_new_nocheck(places, key, json_integer((json_int_t)i))) {
			json_decref(places);
			return NULL;
		}
	}
	return places;
}

struct placed {
	const struct series *series;
	size_t place;
};

static int compare_places(const void *left, const void *right)
{
	const struct placed *a = left, *b = right;

	if (a->place != b->place)
		return a->place < b->place ? -1 : 1;
	/* As in the run: both point into one array. */
	return a->series < b->series ? -1 : a->series > b->series;
}

const struct series **report_order(const struct run *run)
{
	const struct series **order = calloc(run->n_series + 1, sizeof(const struct series *));
	struct placed *placed = calloc(run->n_series + 1, sizeof(*placed));
	json_t *places = plan_places(run);

	if (!order || !placed || !places) {
		free(order);
		order = NULL;
		goto out;
	}
	for (size_t i = 0; i < run->n_series; i++) {
		const struct series *series = &run->series[i];
		const json_t *place;
		char key[KEY_BYTES];

		row_key(series->test, series->copies, key);
		place = json_object_get(places, key);
		placed[i].series = series;
		placed[i].place = place ? (size_t)json_integer_value(place) : SIZE_MAX;
	}
	qsort(placed, run->n_series, sizeof(*placed), compare_places);
	for (size_t i = 0; i < run->n_series; i++)
		order[i] = placed[i].series;
out:
	json_decref(places);
	free(placed);
	return order;
}

/* The smallest copy count above `after`; 0: none. Lock tests have a block of their own. */
static uint32_t next_copies(const struct run *run, uint32_t after)
{
	uint32_t next = 0;

	for (size_t i = 0; i < run->n_series; i++) {
		uint32_t copies = run->series[i].copies;

		if (!lock_is_series(&run->series[i]) && copies > after && (!next || copies < next))
			next = copies;
	}
	return next;
}

int report_table(const struct run *run, FILE *out)
{
	const uint32_t first_copies = next_copies(run, 0);
	const struct series **series = report_order(run);
	struct paragraph line = { 0 };
	int rc = 0;

	if (!series)
		return -ENOMEM;
	report_header(run, &line, out);
	for (uint32_t copies = first_copies; copies; copies = next_copies(run, copies))
		report_section(run, series, copies, first_copies, &line, out);
	report_locks(run, series, &line, out);
	report_laws(run, &line, out);
	report_levels(run, &line, out);
	report_titles(run, series, &line, out);
	report_warnings(run, &line, out);
	report_notes(run, &line, out);
	report_environment(run, &line, out);
	if (line.failed)
		rc = -ENOMEM;
	paragraph_free(&line);
	free(series);
	return rc;
}
