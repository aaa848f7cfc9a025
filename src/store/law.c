// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * law.c - from the copy counts of a test to its scaling law.
 *
 * The law knows one kind of CPU. So copies up to the number of cores, those on CPUs that share a
 * core with another, and those beyond all CPUs are fitted apart, wherever a range has more counts
 * than the law has parameters; a range that has not goes together with the one above it.
 */
#include "store/law.h"

#include "store/block_values.h"
#include "store/score.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ALPHA	     0.05
#define RANGES	     3
#define RANGE_POINTS (SCALING_COUNTS_MIN + 1)

void laws_free(struct run *run)
{
	for (size_t i = 0; i < run->n_laws; i++) {
		free(run->laws[i].test);
		free(run->laws[i].unit);
		free(run->laws[i].points);
	}
	free(run->laws);
	run->laws = NULL;
	run->n_laws = 0;
}

/* Highest copy counts of the ranges; the last is open. */
static void knees_find(const struct run *run, uint32_t knee[RANGES])
{
	const json_t *topology = json_object_get(run->environment, "topology");
	json_int_t cores = json_integer_value(json_object_get(topology, "cores"));
	json_int_t allowed = json_integer_value(json_object_get(topology, "allowed"));

	if (allowed < 0 || allowed > UINT32_MAX)
		allowed = 0;
	knee[0] = cores > 0 && cores < allowed ? (uint32_t)cores : 0;
	knee[1] = (uint32_t)allowed;
	knee[2] = UINT32_MAX;
}

/*
 * Where each range of ascending copy counts ends. Returns the number of ranges, none of which has
 * too few points for a law unless all together have.
 */
static size_t ranges_find(const struct run *run, struct series *const *series, size_t count,
			  size_t end[RANGES])
{
	uint32_t knee[RANGES];
	size_t ranges = 0, start = 0;

	knees_find(run, knee);
	for (size_t i = 0; i < RANGES; i++) {
		size_t stop = start;

		while (stop < count && series[stop]->copies <= knee[i])
			stop++;
		if (stop - start < RANGE_POINTS && i + 1 < RANGES)
			continue;
		if (stop - start >= RANGE_POINTS || !ranges)
			ranges++;
		end[ranges - 1] = stop;
		start = stop;
	}
	return ranges;
}

static int compare_blocks(const void *left, const void *right)
{
	const uint32_t *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

/* All blocks of which one of the series has a value, ascending. */
static int blocks_collect(const struct block_values *values, size_t count, uint32_t **blocks,
			  size_t *n_blocks)
{
	size_t n = 0, kept = 0;
	uint32_t *all;

	for (size_t i = 0; i < count; i++)
		n += values[i].count;
	all = malloc((n + 1) * sizeof(*all));
	if (!all)
		return -ENOMEM;
	n = 0;
	for (size_t i = 0; i < count; i++) {
		for (size_t j = 0; j < values[i].count; j++)
			all[n++] = values[i].value[j].block;
	}
	qsort(all, n, sizeof(*all), compare_blocks);
	for (size_t i = 0; i < n; i++) {
		if (!kept || all[kept - 1] != all[i])
			all[kept++] = all[i];
	}
	*blocks = all;
	*n_blocks = kept;
	return 0;
}

/* Rates as rate[block × count + i]; a run without slots has its estimates as the only block. */
static int rates_collect(struct series *const *series, size_t count, double **rate,
			 size_t *n_blocks)
{
	struct block_values *values = calloc(count, sizeof(*values));
	uint32_t *blocks = NULL;
	int rc = values ? 0 : -ENOMEM;

	*rate = NULL;
	for (size_t i = 0; !rc && i < count; i++)
		rc = block_values_of(series[i], &values[i]);
	if (!rc)
		rc = blocks_collect(values, count, &blocks, n_blocks);
	if (rc)
		goto out;
	*rate = calloc(*n_blocks + 1, count * sizeof(**rate));
	if (!*rate) {
		rc = -ENOMEM;
		goto out;
	}
	for (size_t i = 0; i < count; i++) {
		for (size_t j = 0; j < *n_blocks; j++)
			(*rate)[j * count + i] = exp(block_value_in(&values[i], blocks[j]));
		if (!*n_blocks)
			(*rate)[i] = series[i]->estimate.value;
	}
	if (!*n_blocks)
		*n_blocks = 1;
out:
	for (size_t i = 0; values && i < count; i++)
		block_values_free(&values[i]);
	free(values);
	free(blocks);
	return rc;
}

static struct law *law_add(struct run *run, const struct series *series, size_t points)
{
	struct law *grown = reallocarray(run->laws, run->n_laws + 1, sizeof(*grown));
	struct law *law;

	if (!grown)
		return NULL;
	run->laws = grown;
	law = &grown[run->n_laws];
	*law = (struct law){ .test = strdup(series->test),
			     .unit = series->unit ? strdup(series->unit) : NULL,
			     .points = calloc(points, sizeof(*law->points)),
			     .n_points = points };
	run->n_laws++;
	return law->test && law->points && (law->unit || !series->unit) ? law : NULL;
}

static int law_keep(struct run *run, struct series *const *series, size_t count,
		    const struct scaling_law *fit, const struct estimate *curve)
{
	struct law *law = law_add(run, series[0], count);

	if (!law)
		return -ENOMEM;
	law->fit = *fit;
	for (size_t i = 0; i < count; i++)
		law->points[i] = (struct law_point){ .copies = series[i]->copies,
						     .rate = series[i]->estimate.value,
						     .curve = curve[i] };
	return 0;
}

/* No law is no error: the rates stand in their tables. */
static int range_fit(struct run *run, struct series *const *series, size_t count)
{
	struct estimate *curve = calloc(count, sizeof(*curve));
	double *copies = calloc(count, sizeof(*copies)), *rate = NULL;
	struct scaling_law fit;
	size_t n_blocks = 0;
	int rc = curve && copies ? 0 : -ENOMEM;

	for (size_t i = 0; !rc && i < count; i++)
		copies[i] = series[i]->copies;
	if (!rc)
		rc = rates_collect(series, count, &rate, &n_blocks);
	if (!rc)
		rc = scaling_of_blocks(copies, rate, count, n_blocks, ALPHA, &fit, curve);
	if (!rc)
		rc = law_keep(run, series, count, &fit, curve);
	free(curve);
	free(copies);
	free(rate);
	return rc == -ENOMEM ? rc : 0;
}

/* By test, then by copy count. */
static int compare_series(const void *left, const void *right)
{
	const struct series *const *a = left, *const *b = right;
	int order = strcmp((*a)->test, (*b)->test);

	if (order)
		return order;
	return ((*a)->copies > (*b)->copies) - ((*a)->copies < (*b)->copies);
}

/* One test: its series are ascending by copies, each count once. */
static int test_fit(struct run *run, struct series **series, size_t count)
{
	size_t end[RANGES], start = 0, ranges;
	int rc = 0;

	if (count < SCALING_COUNTS_MIN)
		return 0;
	ranges = ranges_find(run, series, count, end);
	for (size_t i = 0; !rc && i < ranges; i++) {
		rc = range_fit(run, series + start, end[i] - start);
		start = end[i];
	}
	return rc;
}

/* Those of one test that have a rate, each copy count once (the first); moved to the front. */
static size_t points_choose(struct series **series, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		if (!isfinite(series[i]->estimate.value) || series[i]->estimate.value <= 0 ||
		    (kept && series[kept - 1]->copies == series[i]->copies))
			continue;
		series[kept++] = series[i];
	}
	return kept;
}

int run_fit_laws(struct run *run)
{
	struct series **series = calloc(run->n_series + 1, sizeof(struct series *));
	size_t count = 0;
	int rc = series ? 0 : -ENOMEM;

	laws_free(run);
	for (size_t i = 0; !rc && i < run->n_series; i++) {
		if (run->series[i].test && !run->series[i].side)
			series[count++] = &run->series[i];
	}
	if (!rc)
		qsort(series, count, sizeof(struct series *), compare_series);
	for (size_t start = 0, end; !rc && start < count; start = end) {
		for (end = start + 1; end < count; end++) {
			if (strcmp(series[end]->test, series[start]->test) != 0)
				break;
		}
		rc = test_fit(run, series + start, points_choose(series + start, end - start));
	}
	free(series);
	return rc;
}
