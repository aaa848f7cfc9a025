// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * signrank.c - null distribution of the signed-rank statistic.
 *
 * Exact: rank i joins the sum or not, so P_i(v) = (P_{i-1}(v) + P_{i-1}(v - i)) / 2; exact in
 * doubles up to n = 53, relative error below n × 2^-53 above.
 *
 * Approximation: the odd cumulants are 0; those of even order are sums over the ranks of i^r times
 * those of a fair coin, 1/4, -1/8, 1/4.
 */
#include "stats/signrank.h"

#include "stats/edgeworth.h"
#include "stats/walsh.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

void signrank_exact(size_t n, double *cdf, size_t count)
{
	size_t top = 0; /* largest sum of the ranks so far */

	if (count == 0)
		return;
	cdf[0] = 1;
	for (size_t v = 1; v < count; v++)
		cdf[v] = 0;
	for (size_t rank = 1; rank <= n; rank++) {
		top += rank;
		for (size_t v = top < count ? top : count - 1;; v--) {
			cdf[v] = (cdf[v] + (v >= rank ? cdf[v - rank] : 0)) / 2;
			if (v == 0)
				break;
		}
	}
	for (size_t v = 1; v < count; v++)
		cdf[v] += cdf[v - 1];
}

double signrank_edgeworth(size_t n, size_t v)
{
	double m = (double)n;
	double variance = m * (m + 1) * (2 * m + 1) / 24 + EDGEWORTH_UNIFORM_K2;
	double k4 = -edgeworth_sum4(m) / 8 + EDGEWORTH_UNIFORM_K4;
	double k6 = edgeworth_sum6(m) / 4 + EDGEWORTH_UNIFORM_K6;
	double z = ((double)v + 0.5 - m * (m + 1) / 4) / sqrt(variance);

	return edgeworth_cdf(z, k4 / (variance * variance), k6 / (variance * variance * variance));
}

/* The lower half of the distribution, up to the middle sum. NULL: no memory. */
static double *exact_lower_half(size_t n, size_t *count)
{
	double *cdf;

	*count = walsh_count(n) / 2 + 1;
	cdf = malloc(*count * sizeof(*cdf));
	if (cdf)
		signrank_exact(n, cdf, *count);
	return cdf;
}

int signrank_cdf(size_t n, size_t v, double *p)
{
	size_t top = walsh_count(n), count;
	double *cdf;

	if (v >= top) {
		*p = 1;
		return 0;
	}
	if (n > SIGNRANK_EXACT_MAX) {
		*p = signrank_edgeworth(n, v);
		return 0;
	}
	cdf = exact_lower_half(n, &count);
	if (!cdf)
		return -ENOMEM;
	*p = v < count ? cdf[v] : 1 - cdf[top - v - 1]; /* symmetric about the middle */
	free(cdf);
	return 0;
}

static void edgeworth_critical(size_t n, double tail, size_t *k, double *below)
{
	size_t low = 0, high = walsh_count(n) / 2; /* P at high is about 1/2 */

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (signrank_edgeworth(n, middle) > tail)
			high = middle;
		else
			low = middle + 1;
	}
	*k = low;
	*below = low ? signrank_edgeworth(n, low - 1) : 0;
}

int signrank_critical(size_t n, double tail, size_t *k, double *below)
{
	size_t count;
	double *cdf;

	if (n > SIGNRANK_EXACT_MAX) {
		edgeworth_critical(n, tail, k, below);
		return 0;
	}
	cdf = exact_lower_half(n, &count);
	if (!cdf)
		return -ENOMEM;
	*k = 0;
	while (*k < count && cdf[*k] <= tail)
		(*k)++;
	*below = *k ? cdf[*k - 1] : 0;
	free(cdf);
	return 0;
}
