// SPDX-License-Identifier: GPL-2.0-or-later
/* record.c - the record in memory: made, filled, searched, freed. See record.h. */
#include "store/record.h"

#include "store/law.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

const char *const run_status_names[] = { "running", "complete", "interrupted", "imported", NULL };
const char *const slot_status_names[] = { "ok", "replaced", "failed", NULL };

void run_init(struct run *run)
{
	memset(run, 0, sizeof(*run));
	run->elapsed_s = NAN;
}

void slot_free(struct slot *slot)
{
	free(slot->counts);
	free(slot->error);
	json_decref(slot->evidence);
}

void series_free(struct series *series)
{
	for (size_t i = 0; i < series->n_slots; i++)
		slot_free(&series->slots[i]);
	free(series->slots);
	free(series->modes);
	free(series->test);
	free(series->title);
	free(series->unit);
	free(series->content_hash);
	free(series->program_hash);
	free(series->side);
	free(series->note);
	free(series->reason);
	json_decref(series->params);
	json_decref(series->lock);
}

void run_free(struct run *run)
{
	for (size_t i = 0; i < run->n_series; i++)
		series_free(&run->series[i]);
	for (size_t i = 0; i < run->n_scores; i++)
		free(run->scores[i].suite);
	laws_free(run);
	for (size_t i = 0; i < run->n_reasons; i++)
		free(run->reasons[i]);
	free(run->series);
	free(run->scores);
	free(run->reasons);
	free(run->tool);
	free(run->command);
	free(run->host);
	json_decref(run->plan);
	json_decref(run->environment);
	json_decref(run->warnings);
	run_init(run);
}

void run_make_id(struct run *run, uint32_t bits)
{
	time_t created = (time_t)run->created_s;
	char date[20] = "";
	struct tm utc;

	if (!gmtime_r(&created, &utc) || utc.tm_year > 8099 ||
	    !strftime(date, sizeof(date), "%Y%m%d-%H%M%S", &utc))
		strcpy(date, "00000000-000000");
	snprintf(run->id, sizeof(run->id), "%s-%06x", date, bits & 0xffffff);
}

bool run_id_is_valid(const char *id)
{
	size_t length = strspn(id, "0123456789abcdefghijklmnopqrstuvwxyz-");

	return length && !id[length] && length < RUN_ID_BYTES && id[0] != '-' &&
	       strncmp(id, "last", 4) != 0;
}

/* Room doubles: returns the array with room for one more, or NULL. */
static void *with_room(void *array, size_t count, size_t *room, size_t bytes)
{
	size_t more = *room ? 2 * *room : 8;
	void *grown;

	if (count < *room)
		return array;
	grown = reallocarray(array, more, bytes);
	if (grown)
		*room = more;
	return grown;
}

struct series *run_add_series(struct run *run)
{
	struct series *grown =
		with_room(run->series, run->n_series, &run->room_series, sizeof(*grown));
	struct series *series;

	if (!grown)
		return NULL;
	run->series = grown;
	series = &grown[run->n_series++];
	memset(series, 0, sizeof(*series));
	series->estimate = (struct estimate){ .value = NAN, .lo = NAN, .hi = NAN, .level = NAN };
	series->first_result = series->estimate;
	series->index = NAN;
	return series;
}

struct slot *series_add_slot(struct series *series, uint32_t copies)
{
	struct slot *grown =
		with_room(series->slots, series->n_slots, &series->room_slots, sizeof(*grown));
	struct slot *slot;

	if (!grown)
		return NULL;
	series->slots = grown;
	slot = &grown[series->n_slots++];
	memset(slot, 0, sizeof(*slot));
	slot->rate = NAN;
	slot->copies = copies;
	return slot;
}

/*
 * The last text is tried first: most documents repeat one. What a hostile document can make us hold
 * stays in proportion to its size either way.
 */
const char *run_keep_reason(struct run *run, const char *reason)
{
	char **grown;

	if (run->n_reasons && !strcmp(run->reasons[run->n_reasons - 1], reason))
		return run->reasons[run->n_reasons - 1];
	if ((run->n_reasons & (run->n_reasons - 1)) == 0) {
		size_t room = run->n_reasons ? 2 * run->n_reasons : 1;

		grown = realloc(run->reasons, room * sizeof(*grown));
		if (!grown)
			return NULL;
		run->reasons = grown;
	}
	run->reasons[run->n_reasons] = strdup(reason);
	if (!run->reasons[run->n_reasons])
		return NULL;
	return run->reasons[run->n_reasons++];
}

static bool same_side(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static bool is_series(const struct series *series, const char *test, uint32_t copies,
		      const char *side)
{
	return series->copies == copies && series->test && !strcmp(series->test, test) &&
	       same_side(series->side, side);
}

struct series *run_find_series(struct run *run, const char *test, uint32_t copies, const char *side)
{
	for (size_t i = 0; i < run->n_series; i++) {
		if (is_series(&run->series[i], test, copies, side))
			return &run->series[i];
	}
	return NULL;
}

struct series *run_find_series_with(struct run *run, const char *test, const json_t *params,
				    uint32_t copies, const char *side)
{
	for (size_t i = 0; i < run->n_series; i++) {
		struct series *series = &run->series[i];

		if (is_series(series, test, copies, side) && json_equal(series->params, params))
			return series;
	}
	return NULL;
}
