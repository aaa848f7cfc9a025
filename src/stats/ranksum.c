// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ranksum.c - null distribution of Mann and Whitney's U.
 *
 * Exact: the numbers of orders with U = u are the coefficients of the Gaussian binomial
 * prod (1 - q^(n+i)) / (1 - q^i), i = 1 … m. Each factor costs one subtraction and one addition per
 * coefficient, O(m) passes in all. Subtractions would eat the digits of a double, so the
 * coefficients are integers of 256 bits, which wrap around without harm.
 *
 * Approximation: the odd cumulants are 0; those of even order are B_r / r × sum((n+i)^r - i^r),
 * i = 1 … m, with Bernoulli's numbers 1/6, -1/30, 1/42: the cumulants of discrete uniforms on
 * 0 … n+i-1, less those on 0 … i-1.
 */
#include "stats/ranksum.h"

#include "stats/edgeworth.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#define WORDS 4

struct wide {
	uint64_t word[WORDS]; /* the least first */
};

static void wide_add(struct wide *sum, const struct wide *other)
{
	bool carry = false;

	for (int i = 0; i < WORDS; i++) {
		bool first = __builtin_add_overflow(sum->word[i], other->word[i], &sum->word[i]);
		bool second = __builtin_add_overflow(sum->word[i], carry, &sum->word[i]);

		carry = first || second;
	}
}

static void wide_subtract(struct wide *difference, const struct wide *other)
{
	bool borrow = false;

	for (int i = 0; i < WORDS; i++) {
		bool first = __builtin_sub_overflow(difference->word[i], other->word[i],
						    &difference->word[i]);
		bool second =
			__builtin_sub_overflow(difference->word[i], borrow, &difference->word[i]);

		borrow = first || second;
	}
}

static double wide_to_double(const struct wide *wide)
{
	double x = 0;

	for (int i = WORDS; i-- > 0;)
		x = ldexp(x, 64) + (double)wide->word[i];
	return x;
}

int ranksum_exact(size_t n_a, size_t n_b, double *cdf, size_t count)
{
	size_t m = n_a < n_b ? n_a : n_b, n = n_a < n_b ? n_b : n_a;
	double orders = 1; /* binomial n + m over m; every step is a whole number */
	struct wide sum = { { 0 } };
	struct wide *number;

	if (count == 0)
		return 0;
	number = calloc(count, sizeof(*number));
	if (!number)
		return -ENOMEM;
	number[0].word[0] = 1;
	for (size_t i = 1; i <= m; i++) {
		orders = orders * (double)(n + i) / (double)i;
		for (size_t u = count; u-- > n + i;)
			wide_subtract(&number[u], &number[u - n - i]);
		for (size_t u = i; u < count; u++)
			wide_add(&number[u], &number[u - i]);
	}
	for (size_t u = 0; u < count; u++) {
		wide_add(&sum, &number[u]);
		cdf[u] = wide_to_double(&sum) / orders;
	}
	free(number);
	return 0;
}

double ranksum_edgeworth(size_t n_a, size_t n_b, size_t u)
{
	double m = (double)n_a, n = (double)n_b;
	double sum4 = edgeworth_sum4(m + n) - edgeworth_sum4(m) - edgeworth_sum4(n);
	double sum6 = edgeworth_sum6(m + n) - edgeworth_sum6(m) - edgeworth_sum6(n);
	double variance = m * n * (m + n + 1) / 12 + EDGEWORTH_UNIFORM_K2;
	double k4 = -sum4 / 120 + EDGEWORTH_UNIFORM_K4;
	double k6 = sum6 / 252 + EDGEWORTH_UNIFORM_K6;
	double z = ((double)u + 0.5 - m * n / 2) / sqrt(variance);

	return edgeworth_cdf(z, k4 / (variance * variance), k6 / (variance * variance * variance));
}

bool ranksum_is_exact(size_t n_a, size_t n_b)
{
	size_t fewer = n_a < n_b ? n_a : n_b;

	return n_a + n_b <= RANKSUM_EXACT_MAX ||
	       (fewer <= RANKSUM_FEW && n_a * n_b <= RANKSUM_FEW_PAIRS);
}

/* The lower half of the distribution, up to the middle. NULL: no memory. */
static double *exact_lower_half(size_t n_a, size_t n_b, size_t *count)
{
	double *cdf;

	*count = n_a * n_b / 2 + 1;
	cdf = malloc(*count * sizeof(*cdf));
	if (cdf && ranksum_exact(n_a, n_b, cdf, *count)) {
		free(cdf);
		cdf = NULL;
	}
	return cdf;
}

int ranksum_cdf(size_t n_a, size_t n_b, size_t u, double *p)
{
	size_t top = n_a * n_b, count;
	double *cdf;

	if (u >= top) {
		*p = 1;
		return 0;
	}
	if (!ranksum_is_exact(n_a, n_b)) {
		*p = ranksum_edgeworth(n_a, n_b, u);
		return 0;
	}
	cdf = exact_lower_half(n_a, n_b, &count);
	if (!cdf)
		return -ENOMEM;
	*p = u < count ? cdf[u] : 1 - cdf[top - u - 1]; /* symmetric about the middle */
	free(cdf);
	return 0;
}

static void edgeworth_critical(size_t n_a, size_t n_b, double tail, size_t *k, double *below)
{
	size_t low = 0, high = n_a * n_b / 2; /* P at high is about 1/2 */

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (ranksum_edgeworth(n_a, n_b, middle) > tail)
			high = middle;
		else
			low = middle + 1;
	}
	*k = low;
	*below = low ? ranksum_edgeworth(n_a, n_b, low - 1) : 0;
}

int ranksum_critical(size_t n_a, size_t n_b, double tail, size_t *k, double *below)
{
	size_t count;
	double *cdf;

	if (!ranksum_is_exact(n_a, n_b)) {
		edgeworth_critical(n_a, n_b, tail, k, below);
		return 0;
	}
	cdf = exact_lower_half(n_a, n_b, &count);
	if (!cdf)
		return -ENOMEM;
	*k = 0;
	while (*k < count && cdf[*k] <= tail)
		(*k)++;
	*below = *k ? cdf[*k - 1] : 0;
	free(cdf);
	return 0;
}
