// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * differences.c - differences between two samples without making them.
 *
 * The rounded difference rises with b and falls with a, so one walk along both counts those at or
 * below a limit; the k-th smallest is bisected over the keys of doubles.
 */
#include "stats/differences.h"

#include "stats/order.h"

#include <math.h>
#include <stdint.h>

size_t differences_at_most(const double *a, size_t n_a, const double *b, size_t n_b, double limit)
{
	size_t count = 0, start = 0; /* differences of j with i >= start are <= limit */

	for (size_t j = 0; j < n_b; j++) {
		while (start < n_a && b[j] - a[start] > limit)
			start++;
		if (start == n_a)
			break;
		count += n_a - start;
	}
	return count;
}

double differences_select(const double *a, size_t n_a, const double *b, size_t n_b, size_t k)
{
	uint64_t low, high;

	if (k < 1 || k > n_a * n_b)
		return NAN;
	low = order_key(b[0] - a[n_a - 1]);
	high = order_key(b[n_b - 1] - a[0]);
	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		if (differences_at_most(a, n_a, b, n_b, order_from_key(middle)) >= k)
			high = middle;
		else
			low = middle + 1;
	}
	return order_from_key(low) + 0.0; /* -0.0 becomes 0.0 */
}

double differences_median(const double *a, size_t n_a, const double *b, size_t n_b)
{
	size_t count = n_a * n_b;

	if (count == 0)
		return NAN;
	if (count % 2)
		return differences_select(a, n_a, b, n_b, (count + 1) / 2);
	return order_middle(differences_select(a, n_a, b, n_b, count / 2),
			    differences_select(a, n_a, b, n_b, count / 2 + 1));
}
