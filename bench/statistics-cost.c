// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * statistics-cost.c - how long do the largest comparison and the longest history take?
 *
 * A comparison of two runs of 12 tests with 10,000 slots each shall take less than 2 s, a history
 * of 5,000 points less than 5 s: without change, with one, and with 20. CPU time.
 */
#include "base/rng.h"
#include "stats/changes.h"
#include "stats/shift.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { TESTS = 12, SLOTS = 10000, POINTS = 5000 };

#define MARGIN 0.00995033085316808 /* ln 1.01 */

/* About normal: the sum of four uniforms, of SD 1 %. */
static double noise(struct rng *rng)
{
	double sum = 0;

	for (int i = 0; i < 4; i++)
		sum += (double)(rng_next(rng) >> 11) / 9007199254740992.0 - 0.5; /* 2^53 */
	return 0.01 * sum / sqrt(4.0 / 12);
}

static double seconds_since(clock_t start)
{
	return (double)(clock() - start) / CLOCKS_PER_SEC;
}

static int comparison_cost(double *a, double *b)
{
	struct rng rng = { 1 };
	double seconds = 0;

	for (int test = 0; test < TESTS; test++) {
		struct estimate estimate;
		clock_t start;
		double u, p;

		for (int i = 0; i < SLOTS; i++) {
			a[i] = noise(&rng);
			b[i] = noise(&rng) + 0.001;
		}
		start = clock();
		if (estimate_hl(a, SLOTS, 0.05, &estimate) ||
		    estimate_hl(b, SLOTS, 0.05, &estimate) ||
		    estimate_shift(a, SLOTS, b, SLOTS, 0.05, &estimate) ||
		    estimate_shift_p(a, SLOTS, b, SLOTS, &u, &p))
			return 1;
		seconds += seconds_since(start);
	}
	printf("comparison of %d tests with 2 x %d slots: %.2f s\n", TESTS, SLOTS, seconds);
	return 0;
}

static int history_cost(double *y, size_t levels)
{
	struct rng rng = { 1 };
	struct change *changes;
	clock_t start;
	size_t n;

	for (size_t i = 0; i < POINTS; i++)
		y[i] = noise(&rng) + 0.02 * (double)((i * levels / POINTS) % 3);
	start = clock();
	if (changes_find(y, POINTS, MARGIN, 0.05, 1, &changes, &n))
		return 1;
	printf("history of %d points, %zu levels, %zu changes found: %.2f s\n", POINTS, levels, n,
	       seconds_since(start));
	free(changes);
	return 0;
}

int main(void)
{
	double *a = malloc(SLOTS * sizeof(*a)), *b = malloc(SLOTS * sizeof(*b));
	int rc = 1;

	if (!a || !b)
		goto out;
	rc = comparison_cost(a, b);
	for (size_t levels = 1; !rc && levels <= 21; levels = levels == 1 ? 2 : levels + 19)
		rc = history_cost(a, levels);
out:
	free(a);
	free(b);
	return rc;
}
