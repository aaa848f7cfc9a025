// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * order.c - sorted numbers and their median.
 */
#include "stats/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SIGN_BIT (1ull << 63)

static int compare(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

void order_sort(double *x, size_t n)
{
	if (n > 1)
		qsort(x, n, sizeof(*x), compare);
}

double order_median(const double *sorted, size_t n)
{
	if (n == 0)
		return NAN;
	return n % 2 ? sorted[n / 2] : order_middle(sorted[n / 2 - 1], sorted[n / 2]);
}

bool order_all_finite(const double *x, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!isfinite(x[i]))
			return false;
	}
	return true;
}

double *order_sorted_copy(const double *x, size_t n)
{
	double *sorted = malloc((n ? n : 1) * sizeof(*sorted));

	if (!sorted)
		return NULL;
	if (n)
		memcpy(sorted, x, n * sizeof(*sorted));
	order_sort(sorted, n);
	return sorted;
}

uint64_t order_key(double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return (bits & SIGN_BIT) ? ~bits : (bits | SIGN_BIT);
}

double order_from_key(uint64_t key)
{
	uint64_t bits = (key & SIGN_BIT) ? (key & ~SIGN_BIT) : ~key;
	double x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}
