// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * comparison_index.c - the index ratio: the geometric mean of the ratios of a suite's tests.
 *
 * Its value is that of the rows, so that a reader can check it; one row alone has none beside its
 * own. Its interval keeps what tests of
 * one block have in common, by block means D_j over the tests. Paired: those of ln(B/A), as in
 * stats/index.h. Unpaired: those of ln(rate) on each side, whose shift has the Mann-Whitney
 * interval [L, U] and the estimate E; then exp(c + L - E) … exp(c + U - E) as there. A side whose
 * tests have no blocks in common (an import) has no interval.
 */
#include "compare/comparison_private.h"
#include "stats/index.h"
#include "stats/shift.h"
#include "store/suite.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The rows of one suite at one copy count. */
struct index_rows {
	const struct comparison_test **tests;
	const struct sample **samples;
	size_t count;
};

static const char no_blocks[] = "too few blocks hold all tests of the index";

static const struct block_values *blocks_of(const struct sample *sample, char side)
{
	return side == 'A' ? &sample->by_block_a : &sample->by_block_b;
}

/* n_blocks × count values of the blocks of the row with the fewest; NAN where a test has none. */
static double *block_table(const struct index_rows *rows, char side, size_t *n_blocks)
{
	const struct block_values *shortest = blocks_of(rows->samples[0], side);
	double *table;

	for (size_t k = 1; k < rows->count; k++) {
		if (blocks_of(rows->samples[k], side)->count < shortest->count)
			shortest = blocks_of(rows->samples[k], side);
	}
	*n_blocks = shortest->count;
	table = calloc(shortest->count + 1, rows->count * sizeof(*table));
	for (size_t j = 0; table && j < shortest->count; j++) {
		for (size_t k = 0; k < rows->count; k++)
			table[j * rows->count + k] = block_value_in(
				blocks_of(rows->samples[k], side), shortest->value[j].block);
	}
	return table;
}

/* Means over the tests of the blocks that hold all of them, into the front of the table. */
static size_t block_means(double *table, size_t n_blocks, size_t n_rows)
{
	size_t complete = 0;

	for (size_t j = 0; j < n_blocks; j++) {
		double sum = 0;

		for (size_t k = 0; k < n_rows; k++)
			sum += table[j * n_rows + k];
		if (!isnan(sum))
			table[complete++] = sum / (double)n_rows;
	}
	return complete;
}

static double smallest_alpha(const struct index_rows *rows)
{
	double alpha = 1;

	for (size_t k = 0; k < rows->count; k++)
		alpha = fmin(alpha, rows->samples[k]->alpha);
	return alpha;
}

static int paired_interval(const struct index_rows *rows, struct estimate *ratio)
{
	double *row = malloc(rows->count * sizeof(*row)), *table;
	size_t n_blocks;
	int rc = -ENOMEM;

	table = block_table(rows, 'A', &n_blocks);
	if (!row || !table)
		goto out;
	for (size_t k = 0; k < rows->count; k++)
		row[k] = rows->tests[k]->log_ratio.value;
	rc = index_estimate(row, rows->count, table, n_blocks, smallest_alpha(rows), ratio);
	if (rc)
		goto out;
	ratio->value = log(ratio->value);
	ratio->lo = log(ratio->lo);
	ratio->hi = log(ratio->hi);
out:
	free(row);
	free(table);
	return rc;
}

static int unpaired_interval(const struct index_rows *rows, double centre, struct estimate *ratio)
{
	size_t n_a, n_b;
	double *a = block_table(rows, 'A', &n_a), *b = block_table(rows, 'B', &n_b);
	int rc = a && b ? 0 : -ENOMEM;

	if (rc)
		goto out;
	n_a = block_means(a, n_a, rows->count);
	n_b = block_means(b, n_b, rows->count);
	if (!n_a || !n_b) {
		estimate_none(ratio, 0, no_blocks);
		ratio->value = centre;
		goto out;
	}
	rc = estimate_shift(a, n_a, b, n_b, smallest_alpha(rows), ratio);
	if (rc)
		goto out;
	ratio->lo = centre + ratio->lo - ratio->value;
	ratio->hi = centre + ratio->hi - ratio->value;
	ratio->value = centre;
out:
	free(a);
	free(b);
	return rc;
}

static bool is_single(const struct index_rows *rows)
{
	for (size_t k = 0; k < rows->count; k++) {
		if (rows->tests[k]->a_n > 1 && rows->tests[k]->b_n > 1)
			return false;
	}
	return true;
}

static int index_ratio(const struct comparison *comparison, const struct index_rows *rows,
		       struct estimate *ratio)
{
	double centre = 0;

	for (size_t k = 0; k < rows->count; k++)
		centre += rows->tests[k]->log_ratio.value / (double)rows->count;
	if (comparison->design == DESIGN_ABBA)
		return paired_interval(rows, ratio);
	if (is_single(rows)) {
		estimate_none(ratio, 1, "n=1, no interval");
		ratio->value = centre;
		return 0;
	}
	return unpaired_interval(rows, centre, ratio);
}

/* As the imported report had it; it may differ in its last digit from what its rows give. */
static double printed_score(const struct run *run, uint32_t copies, double otherwise)
{
	const json_t *imported = json_object_get(run->environment, "imported");
	const json_t *scores = json_object_get(imported, "scores");

	for (size_t i = 0; i < json_array_size(scores); i++) {
		const json_t *score = json_array_get(scores, i);
		double printed = json_number_value(json_object_get(score, "printed"));

		if (json_integer_value(json_object_get(score, "copies")) == copies && printed > 0)
			return printed;
	}
	return otherwise;
}

/* The run's own score where it is of the same tests. */
static double score_of(const struct run *run, const struct comparison_index *index)
{
	for (size_t i = 0; i < run->n_scores; i++) {
		const struct score *score = &run->scores[i];

		if (score->copies == index->copies && score->tests == index->tests &&
		    score->suite && !strcmp(score->suite, index->suite))
			return printed_score(run, index->copies, score->value);
	}
	return NAN;
}

static double index_of_side(const struct index_rows *rows, char side)
{
	double sum = 0;

	for (size_t k = 0; k < rows->count; k++)
		sum += log(side == 'A' ? rows->tests[k]->a : rows->tests[k]->b) -
		       log(rows->samples[k]->baseline);
	return INDEX_OF_BASELINE * exp(sum / (double)rows->count);
}

static int index_add(struct comparison *comparison, const struct suite *suite, uint32_t copies,
		     const struct index_rows *rows, const struct run *a, const struct run *b)
{
	struct comparison_index *grown, *index;
	int rc;

	grown = reallocarray(comparison->indexes, comparison->n_indexes + 1, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	comparison->indexes = grown;
	index = &grown[comparison->n_indexes];
	*index = (struct comparison_index){
		.suite = strdup(suite->name),
		.copies = copies,
		.tests = (uint32_t)rows->count,
		.tests_full = suite->tests,
	};
	if (!index->suite)
		return -ENOMEM;
	comparison->n_indexes++;
	index->a = comparison->design == DESIGN_UNPAIRED ? score_of(a, index) : NAN;
	index->b = comparison->design == DESIGN_UNPAIRED ? score_of(b, index) : NAN;
	if (!isfinite(index->a))
		index->a = index_of_side(rows, 'A');
	if (!isfinite(index->b))
		index->b = index_of_side(rows, 'B');
	rc = index_ratio(comparison, rows, &index->log_ratio);
	if (rc == -ERANGE || rc == -EINVAL) {
		estimate_none(&index->log_ratio, 0, "the index is beyond the range of numbers");
		rc = 0;
	}
	index->reason = index->log_ratio.reason;
	return rc ? rc
		  : verdict_decide(&index->log_ratio, log1p(comparison->margin), &index->decision);
}

static bool is_row_of(const struct comparison_test *test, const struct sample *sample,
		      const struct suite *suite, const struct index_rows *rows)
{
	if (!isfinite(test->log_ratio.value) || !(sample->baseline > 0) ||
	    !suite_has(suite, test->test))
		return false;
	for (size_t k = 0; k < rows->count; k++) {
		if (!strcmp(rows->tests[k]->test, test->test))
			return false;
	}
	return true;
}

/* By copy count, then in the order of the comparison. */
static int compare_copies(const void *left, const void *right)
{
	const struct comparison_test *a = *(const struct comparison_test *const *)left;
	const struct comparison_test *b = *(const struct comparison_test *const *)right;

	if (a->copies != b->copies)
		return a->copies < b->copies ? -1 : 1;
	return (a > b) - (a < b);
}

/* The index of a suite at each copy count of tests that are sorted by it. */
static int suite_indexes(struct making *making, const struct suite *suite,
			 const struct comparison_test **sorted, struct index_rows *rows,
			 const struct run *a, const struct run *b)
{
	struct comparison *comparison = making->comparison;
	int rc = 0;

	for (size_t i = 0; !rc && i < comparison->n_tests;) {
		uint32_t copies = sorted[i]->copies;

		rows->count = 0;
		for (; i < comparison->n_tests && sorted[i]->copies == copies; i++) {
			const struct sample *sample =
				&making->samples[sorted[i] - comparison->tests];

			if (!is_row_of(sorted[i], sample, suite, rows))
				continue;
			rows->tests[rows->count] = sorted[i];
			rows->samples[rows->count++] = sample;
		}
		if (rows->count > 1)
			rc = index_add(comparison, suite, copies, rows, a, b);
	}
	return rc;
}

int indexes_make(struct making *making, const struct run *a, const struct run *b, struct error *err)
{
	size_t n = making->comparison->n_tests;
	const struct comparison_test **sorted =
		calloc(n + 1, sizeof(const struct comparison_test *));
	struct index_rows rows = { calloc(n + 1, sizeof(const struct comparison_test *)),
				   calloc(n + 1, sizeof(const struct sample *)), 0 };
	struct suite suites[SUITES_MAX];
	size_t n_suites = suites_of(a, suites);
	int rc = sorted && rows.tests && rows.samples ? 0 : -ENOMEM;

	for (size_t i = 0; !rc && i < n; i++)
		sorted[i] = &making->comparison->tests[i];
	if (!rc)
		qsort(sorted, n, sizeof(const struct comparison_test *), compare_copies);
	for (size_t i = 0; !rc && i < n_suites; i++)
		rc = suite_indexes(making, &suites[i], sorted, &rows, a, b);
	free(sorted);
	free(rows.tests);
	free(rows.samples);
	if (rc == -ENOMEM)
		return comparison_no_memory(err);
	return rc ? error_errno(err, rc, "the index of a comparison") : 0;
}
