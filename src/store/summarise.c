// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * summarise.c - the bridge from a record to statistics: what a series' slots say, then the scores.
 */
#include "stats/classic.h"
#include "stats/index.h"
#include "stats/modes.h"
#include "store/law.h"
#include "store/lock_summary.h"
#include "store/record.h"
#include "store/score.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALPHA 0.05

#define CLASSIC_WARNING                                                                            \
	"classic: a value is UnixBench's own (the worst third of the passes dropped), its "        \
	"interval that of all passes"

const char run_spread_warning[] =
	"the slots spread over more than a factor of 2 without falling into modes: no one value "
	"describes them";

/* Slots that one estimate rests on. */
struct sample {
	double *rate, *count;
	const char **placement;
	size_t n;
};

static bool is_first_result(const struct slot *slot)
{
	return slot->status == SLOT_REPLACED || (slot->status == SLOT_OK && !slot->rerun);
}

/* Iterations of all copies, or what orders slots like them where they are not known. */
static double raw_count(const struct slot *slot)
{
	double sum = 0;

	if (!slot->counts)
		return slot->length_ns ? slot->rate * (double)slot->length_ns : slot->rate;
	for (uint32_t i = 0; i < slot->copies; i++)
		sum += slot->counts[i];
	return sum;
}

/* "" for one that is not known or does not fit into struct mode. */
static const char *placement_of(const struct slot *slot)
{
	const json_t *placement = json_object_get(slot->evidence, "placement");

	if (json_string_length(placement) >= sizeof(((struct mode *)0)->placement))
		return "";
	return json_is_string(placement) ? json_string_value(placement) : "";
}

static void sample_free(struct sample *sample)
{
	free(sample->rate);
	free(sample->count);
	free(sample->placement);
}

static int sample_take(struct sample *sample, const struct series *series,
		       bool (*takes)(const struct slot *slot))
{
	size_t room = series->n_slots + 1;

	*sample = (struct sample){
		.rate = malloc(room * sizeof(*sample->rate)),
		.count = malloc(room * sizeof(*sample->count)),
		.placement = malloc(room * sizeof(*sample->placement)),
	};
	if (!sample->rate || !sample->count || !sample->placement) {
		sample_free(sample);
		return -ENOMEM;
	}
	for (size_t i = 0; i < series->n_slots; i++) {
		const struct slot *slot = &series->slots[i];

		if (!takes(slot))
			continue;
		sample->rate[sample->n] = slot->rate;
		sample->count[sample->n] = raw_count(slot);
		sample->placement[sample->n++] = placement_of(slot);
	}
	return 0;
}

/* A value that cannot be had is a reason in the estimate, not an error. */
static int sample_estimate(const struct sample *sample, bool classic, struct estimate *estimate)
{
	int rc = estimate_rate(sample->rate, sample->n, ALPHA, estimate);

	if (!rc && classic && sample->n) {
		rc = classic_score(sample->count, sample->rate, sample->n, &estimate->value, NULL);
		if (rc == -EINVAL)
			estimate_none(estimate, sample->n, "a pass has no finite count");
	}
	return rc == -EINVAL ? 0 : rc;
}

static int first_result(struct series *series, bool classic)
{
	struct sample sample;
	int rc = sample_take(&sample, series, is_first_result);

	if (rc)
		return rc;
	rc = sample_estimate(&sample, classic, &series->first_result);
	sample_free(&sample);
	return rc;
}

/* Fills one mode from the slots of its group; rate has room for all. */
static int mode_fill(struct mode *mode, const struct sample *sample, const unsigned char *group,
		     unsigned char number, double *rate)
{
	size_t n = 0;

	for (size_t i = 0; i < sample->n; i++) {
		if (group[i] == number)
			rate[n++] = sample->rate[i];
	}
	mode->share = (double)n / (double)sample->n;
	snprintf(mode->placement, sizeof(mode->placement), "%s",
		 modes_placement(sample->placement, group, sample->n, number));
	return estimate_rate(rate, n, ALPHA, &mode->estimate);
}

static int series_modes(struct series *series, const struct sample *sample, bool *spread)
{
	unsigned char *group = malloc(sample->n + 1);
	double *rate = malloc((sample->n + 1) * sizeof(*rate));
	struct modes modes;
	int rc = -ENOMEM;

	if (!group || !rate)
		goto out;
	rc = modes_find(sample->rate, sample->placement, sample->n, group, &modes);
	if (rc)
		goto out;
	*spread = modes.shape == MODES_SPREAD;
	if (modes.shape != MODES_SEVERAL)
		goto out;
	series->modes = calloc(modes.count, sizeof(*series->modes));
	if (!series->modes) {
		rc = -ENOMEM;
		goto out;
	}
	for (unsigned char i = 0; !rc && i < modes.count; i++)
		rc = mode_fill(&series->modes[i], sample, group, i, rate);
	if (!rc)
		series->n_modes = modes.count;
out:
	free(group);
	free(rate);
	return rc;
}

static bool most_are_not_steady(const struct series *series)
{
	size_t n = 0, not_steady = 0;

	for (size_t i = 0; i < series->n_slots; i++) {
		const struct slot *slot = &series->slots[i];

		if (!slot_counts(slot))
			continue;
		n++;
		not_steady += json_is_true(json_object_get(slot->evidence, "not_steady"));
	}
	return not_steady * 2 > n;
}

static int series_summarise(struct series *series, bool classic, bool *spread)
{
	bool was_imported = series->n_slots == 0 && isfinite(series->estimate.value);
	struct sample sample;
	int rc = 0;

	*spread = false;
	if (was_imported) {
		series->index = index_of_rate(series->estimate.value, series->baseline);
		return 0;
	}
	free(series->modes);
	series->modes = NULL;
	series->n_modes = 0;
	rc = sample_take(&sample, series, slot_counts);
	if (rc)
		return rc;
	rc = sample_estimate(&sample, classic, &series->estimate);
	if (!rc && isfinite(series->estimate.value))
		rc = series_modes(series, &sample, spread);
	if (!rc)
		rc = first_result(series, classic);
	series->index = index_of_rate(series->estimate.value, series->baseline);
	series->not_steady = most_are_not_steady(series);
	sample_free(&sample);
	return rc;
}

static bool ends_with(const char *text, const char *end)
{
	size_t length = text ? strlen(text) : 0;

	return text && length >= strlen(end) && strcmp(text + length - strlen(end), end) == 0;
}

/* Takes away what an earlier summary of this run warned of. */
static void forget_warnings(struct run *run)
{
	for (size_t i = json_array_size(run->warnings); i-- > 0;) {
		const char *text = json_string_value(json_array_get(run->warnings, i));

		if (ends_with(text, CLASSIC_WARNING) || ends_with(text, run_spread_warning))
			json_array_remove(run->warnings, i);
	}
}

/* Takes over text, which may be NULL for lack of memory. */
static int warn(struct run *run, json_t *text)
{
	if (!run->warnings)
		run->warnings = json_array();
	return json_array_append_new(run->warnings, text) ? -ENOMEM : 0;
}

static json_t *spread_warning(const struct series *series)
{
	return json_sprintf("%s, %u %s: %s", series->test ? series->test : "a test", series->copies,
			    series->copies == 1 ? "copy" : "copies", run_spread_warning);
}

bool run_warning_is_spread(const char *warning, const struct series *series)
{
	json_t *own = ends_with(warning, run_spread_warning) ? spread_warning(series) : NULL;
	bool is_same = own && !strcmp(warning, json_string_value(own));

	json_decref(own);
	return is_same;
}

int run_summarise(struct run *run)
{
	bool classic = json_is_true(json_object_get(run->plan, "classic"));
	size_t slots = 0;
	int rc = 0;

	forget_warnings(run);
	for (size_t i = 0; !rc && i < run->n_series; i++) {
		struct series *series = &run->series[i];
		bool spread;

		slots += series->n_slots;
		rc = series_summarise(series, classic, &spread);
		if (!rc && spread)
			rc = warn(run, spread_warning(series));
	}
	if (!rc && classic && slots)
		rc = warn(run, json_string(CLASSIC_WARNING));
	if (!rc && (slots || !run->n_scores))
		rc = run_score(run);
	if (!rc)
		rc = run_fit_laws(run);
	if (!rc)
		rc = run_sum_locks(run);
	return rc;
}
