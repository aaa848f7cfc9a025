// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * comparison_sides.c - the two sides of one run that interleaved them, paired by blocks.
 *
 * A block is complete when it holds two slots of each side that count; its value is the mean of
 * ln B less the mean of ln A, which a drift linear in time leaves alone.
 */
#include "compare/comparison_private.h"
#include "stats/looks.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS_OF_A_SIDE 2

bool comparison_has_sides(const struct run *run)
{
	bool has_a = false, has_b = false;

	for (size_t i = 0; i < run->n_series; i++) {
		const char *side = run->series[i].side;

		has_a |= side && !strcmp(side, "A");
		has_b |= side && !strcmp(side, "B");
	}
	return has_a && has_b;
}

/* Moves over the slots of one block; their mean, NAN where they are not two. */
static double block_take(const struct block_values *values, size_t *at, uint32_t block)
{
	double sum = 0;
	size_t n = 0;

	while (*at < values->count && values->value[*at].block < block)
		(*at)++;
	for (; *at < values->count && values->value[*at].block == block; (*at)++, n++)
		sum += values->value[*at].value;
	return n == SLOTS_OF_A_SIDE ? sum / SLOTS_OF_A_SIDE : NAN;
}

static int pair_blocks(struct sample *sample, const struct block_values *a,
		       const struct block_values *b)
{
	size_t at_a = 0, at_b = 0;

	sample->d = malloc((a->count + 1) * sizeof(*sample->d));
	sample->by_block_a.value = malloc((a->count + 1) * sizeof(*sample->by_block_a.value));
	if (!sample->d || !sample->by_block_a.value)
		return -ENOMEM;
	while (at_a < a->count) {
		uint32_t block = a->value[at_a].block;
		double ln_a = block_take(a, &at_a, block), ln_b = block_take(b, &at_b, block);

		if (isnan(ln_a) || isnan(ln_b))
			continue;
		sample->by_block_a.value[sample->by_block_a.count++] =
			(struct block_value){ block, ln_b - ln_a };
		sample->d[sample->n_d++] = ln_b - ln_a;
	}
	return 0;
}

/* A run that was stopped by looks has spent part of alpha at each of them. */
static int alpha_spend(const struct run *run, struct sample *sample)
{
	struct look look;
	int rc;

	if (!json_is_true(json_object_get(run->plan, "looks")))
		return 0;
	rc = look_after(sample->n_d ? sample->n_d - 1 : 0, sample->alpha, &look);
	if (!rc)
		sample->alpha = look.alpha;
	return rc;
}

static int row_fill(const struct run *run, struct comparison_test *test, struct sample *sample)
{
	struct block_values a = { 0 }, b = { 0 };
	int rc = block_values_of_slots(sample->series_a, &a);

	rc = rc ? rc : block_values_of_slots(sample->series_b, &b);
	rc = rc ? rc : pair_blocks(sample, &a, &b);
	block_values_free(&a);
	block_values_free(&b);
	rc = rc ? rc : alpha_spend(run, sample);
	test->units = (uint32_t)sample->n_d;
	if (!rc && !sample->n_d)
		rc = row_refuse(test, "no block is complete");
	return rc;
}

static int rows_fill(struct making *making, const struct run *run)
{
	struct comparison *comparison = making->comparison;
	int rc = 0;

	for (size_t i = 0; !rc && i < comparison->n_tests; i++) {
		struct comparison_test *test = &comparison->tests[i];

		row_describe(test, &making->samples[i]);
		if (test->reason)
			continue;
		rc = row_fill(run, test, &making->samples[i]);
		if (!test->reason && (!comparison->blocks || test->units < comparison->blocks))
			comparison->blocks = test->units;
	}
	return rc;
}

int comparison_of_sides(const struct run *run, const struct comparison_request *request,
			struct comparison *comparison, struct error *err)
{
	struct making making;
	int rc = making_start(&making, request, run, comparison, DESIGN_ABBA, err);

	if (!rc && !comparison_has_sides(run))
		rc = error_set(err, -EINVAL,
			       "run %s has no two sides: name two runs, or measure both sides of "
			       "one machine with onproc ab",
			       run->id);
	comparison->seed = run->seed;
	comparison->a.letter = "A";
	comparison->b.letter = "B";
	rc = rc ? rc : sides_name(&making, run, run, err);
	rc = rc ? rc : rows_match(&making, run, run, err);
	if (!rc && rows_fill(&making, run))
		rc = comparison_no_memory(err);
	rc = rc ? rc : rows_check(&making, err);
	rc = rc ? rc : rows_judge(&making, err);
	rc = rc ? rc : indexes_make(&making, run, run, err);
	if (!rc && comparison_warn_as(comparison, run, ""))
		rc = comparison_no_memory(err);
	return making_finish(&making, rc);
}
