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
#include "store/block_values.h"
#include "store/suite.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ALPHA 0.05

/* A series of the run, in an array to be sorted. */
struct place {
	const struct series *series;
};

/* A test of the suite at one copy count. */
struct row {
	const struct series *series;
	double log_ratio; /* ln(rate / baseline) of its estimate */
	struct block_values values;
};

bool slot_counts(const struct slot *slot)
{
	return slot->status == SLOT_OK;
}

static int row_fill(struct row *row, const struct series *series)
{
	row->series = series;
	row->log_ratio = log(series->estimate.value) - log(series->baseline);
	return block_values_of(series, &row->values);
}

static int index_of_rows(const struct row *rows, size_t n, struct estimate *index)
{
	const struct row *shortest = &rows[0];
	double *centre, *block;
	int rc = -ENOMEM;

	for (size_t k = 1; k < n; k++) {
		if (rows[k].values.count < shortest->values.count)
			shortest = &rows[k];
	}
	centre = malloc(n * sizeof(*centre));
	block = calloc(shortest->values.count + 1, n * sizeof(*block));
	if (!centre || !block)
		goto out;
	for (size_t k = 0; k < n; k++) {
		centre[k] = rows[k].log_ratio;
		for (size_t j = 0; j < shortest->values.count; j++)
			block[j * n + k] =
				block_value_in(&rows[k].values, shortest->values.value[j].block) -
				log(rows[k].series->baseline);
	}
	rc = index_estimate(centre, n, block, shortest->values.count, ALPHA, index);
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
		block_values_free(&rows[k].values);
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
