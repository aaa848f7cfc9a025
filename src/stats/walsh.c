// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * walsh.c - Walsh averages without making them.
 *
 * Doubles of one sign order like their bit patterns, so the k-th smallest average is found by
 * bisecting patterns and counting how many averages lie at or below the middle one. The rounded
 * average is monotone in both numbers, so one walk with two ends counts a sorted sample.
 */
#include "stats/walsh.h"

#include "stats/order.h"

#include <math.h>
#include <stdint.h>

size_t walsh_count(size_t n)
{
	return n % 2 ? (n + 1) / 2 * n : n / 2 * (n + 1);
}

size_t walsh_at_most(const double *sorted, size_t n, double limit)
{
	size_t count = 0, end = n; /* averages of i with j < end are <= limit */

	for (size_t i = 0; i < n; i++) {
		while (end > i && order_middle(sorted[i], sorted[end - 1]) > limit)
			end--;
		if (end == i)
			break;
		count += end - i;
	}
	return count;
}

double walsh_select(const double *sorted, size_t n, size_t k)
{
	uint64_t low, high;

	if (k < 1 || k > walsh_count(n))
		return NAN;
	low = order_key(sorted[0]);
	high = order_key(sorted[n - 1]);
	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		if (walsh_at_most(sorted, n, order_from_key(middle)) >= k)
			high = middle;
		else
			low = middle + 1;
	}
	return order_from_key(low) + 0.0; /* -0.0 becomes 0.0 */
}

double walsh_median(const double *sorted, size_t n)
{
	size_t count = walsh_count(n);

	if (n == 0)
		return NAN;
	if (count % 2)
		return walsh_select(sorted, n, (count + 1) / 2);
	return order_middle(walsh_select(sorted, n, count / 2),
			    walsh_select(sorted, n, count / 2 + 1));
}
