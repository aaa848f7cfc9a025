// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * score.c - from the rows of a suite to its index, by block means (stats/index.h).
 *
 * The blocks of an index are those of the test with the fewest slots; in each of them every other
 * test has a value, or the block is not complete and has no part in the interval. Two slots of a
 * test in one block (the repetition of one that failed) count as their geometric mean.
 */
#include "store/score.h"

#include "stats/index.h"
#include "store/suite.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ALPHA 0.05

struct block_value {
	uint32_t block;
	double log_ratio; /* ln(rate / baseline) */
};

/* A series of the run, in an array to be sorted. */
struct place {
	const struct series *series;
};

/* A test of the suite at one copy count. */
struct row {
	const struct series *series;
	double log_ratio;	   /* of its estimate */
	struct block_value *value; /* ascending by block, one for each */
	size_t n_values;
};

bool slot_counts(const struct slot *slot)
{
	return slot->status == SLOT_OK;
}

static int compare_blocks(const void *left, const void *right)
{
	const struct block_value *a = left, *b = right;

	return (a->block > b->block) - (a->block < b->block);
}

/* Replaces neighbours of one block by their mean. */
static void merge_blocks(struct row *row)
{
	size_t merged = 0;

	for (size_t i = 0; i < row->n_values;) {
		uint32_t block = row->value[i].block;
		double sum = 0;
		size_t n = 0;

		for (; i < row->n_values && row->value[i].block == block; i++, n++)
			sum += row->value[i].log_ratio;
		row->value[merged++] = (struct block_value){ block, sum / (double)n };
	}
	row->n_values = merged;
}

static int row_fill(struct row *row, const struct series *series)
{
	row->series = series;
	row->log_ratio = log(series->estimate.value) - log(series->baseline);
	row->value = malloc((series->n_slots + 1) * sizeof(*row->value));
	if (!row->value)
		return -ENOMEM;
	for (size_t i = 0; i < series->n_slots; i++) {
		const struct slot *slot = &series->slots[i];

		if (slot_counts(slot))
			row->value[row->n_values++] =
				(struct block_value){ slot->block,
						      log(slot->rate) - log(series->baseline) };
	}
	qsort(row->value, row->n_values, sizeof(*row->value), compare_blocks);
	merge_blocks(row);
	return 0;
}

static double value_in_block(const struct row *row, uint32_t block)
{
	const struct block_value key = { .block = block };
	const struct block_value *found =
		bsearch(&key, row->value, row->n_values, sizeof(key), compare_blocks);

	return found ? found->log_ratio : NAN;
}

static int index_of_rows(const struct row *rows, size_t n, struct estimate *index)
{
	const struct row *shortest = &rows[0];
	double *centre, *block;
	int rc = -ENOMEM;

	for (size_t k = 1; k < n; k++) {
		if (rows[k].n_values < shortest->n_values)
			shortest = &rows[k];
	}
	centre = malloc(n * sizeof(*centre));
	block = calloc(shortest->n_values + 1, n * sizeof(*block));
	if (!centre || !block)
		goto out;
	for (size_t k = 0; k < n; k++) {
		centre[k] = rows[k].log_ratio;
		for (size_t j = 0; j < shortest->n_values; j++)
			block[j * n + k] = value_in_block(&rows[k], shortest->value[j].block);
	}
	rc = index_estimate(centre, n, block, shortest->n_values, ALPHA, index);
	if (rc && rc != -ENOMEM) {
		estimate_none(index, 0, "the index is beyond the range of numbers");
		rc = 0;
	}
out:
	free(centre);
	free(block);
	return rc;
}

static bool is_row_of(const struct series *series, const struct suite *suite,
		      const struct row *rows, size_t n)
{
	if (series->side || !series->test || !isfinite(series->index) ||
	    !suite_has(suite, series->test))
		return false;
	for (size_t k = 0; k < n; k++) {
		if (strcmp(rows[k].series->test, series->test) == 0)
			return false;
	}
	return true;
}

static int add_score(struct run *run, const struct suite *suite, uint32_t copies,
		     const struct row *rows, size_t n)
{
	struct score *grown, score = { .copies = copies, .tests = (uint32_t)n };
	struct estimate index;
	int rc = index_of_rows(rows, n, &index);

	if (rc)
		return rc;
	score.value = INDEX_OF_BASELINE * index.value;
	score.lo = INDEX_OF_BASELINE * index.lo;
	score.hi = INDEX_OF_BASELINE * index.hi;
	score.level = index.level;
	score.reason = index.reason;
	score.tests_full = suite->tests;
	for (size_t k = 0; k < n; k++)
		score.rests_on_modes |= rows[k].series->n_modes > 1;
	score.suite = strdup(suite->name);
	grown = reallocarray(run->scores, run->n_scores + 1, sizeof(*grown));
	if (grown)
		run->scores = grown;
	if (!score.suite || !grown) {
		free(score.suite);
		return -ENOMEM;
	}
	run->scores[run->n_scores++] = score;
	return 0;
}

/* Scores the suite over count series of one copy count. */
static int score_suite(struct run *run, const struct suite *suite, const struct place *places,
		       size_t count)
{
	struct row *rows = calloc(count, sizeof(*rows));
	size_t n = 0;
	int rc = rows ? 0 : -ENOMEM;

	for (size_t i = 0; !rc && i < count; i++) {
		if (is_row_of(places[i].series, suite, rows, n))
			rc = row_fill(&rows[n++], places[i].series);
	}
	if (!rc && n)
		rc = add_score(run, suite, places[0].series->copies, rows, n);
	for (size_t k = 0; k < n; k++)
		free(rows[k].value);
	free(rows);
	return rc;
}

/* By copy count, then in the order of the run. */
static int compare_places(const void *left, const void *right)
{
	const struct place *a = left, *b = right;

	if (a->series->copies != b->series->copies)
		return a->series->copies > b->series->copies ? 1 : -1;
	return (a->series > b->series) - (a->series < b->series);
}

int run_score(struct run *run)
{
	struct place *places = malloc((run->n_series + 1) * sizeof(*places));
	struct suite suites[SUITES_MAX];
	size_t n_suites = suites_of(run, suites);
	int rc = places ? 0 : -ENOMEM;

	for (size_t i = 0; i < run->n_scores; i++)
		free(run->scores[i].suite);
	free(run->scores);
	run->scores = NULL;
	run->n_scores = 0;
	if (rc)
		return rc;
	for (size_t i = 0; i < run->n_series; i++)
		places[i].series = &run->series[i];
	qsort(places, run->n_series, sizeof(*places), compare_places);
	for (size_t start = 0, end; !rc && start < run->n_series; start = end) {
		for (end = start + 1; end < run->n_series; end++) {
			if (places[end].series->copies != places[start].series->copies)
				break;
		}
		for (size_t i = 0; !rc && i < n_suites; i++)
			rc = score_suite(run, &suites[i], places + start, end - start);
	}
	free(places);
	return rc;
}
