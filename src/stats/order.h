/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * order.h - sorted numbers and their median, the ground of every robust estimate here.
 */
#ifndef ONPROC_STATS_ORDER_H
#define ONPROC_STATS_ORDER_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Ascending, in place. No NaN among the n numbers: check with order_all_finite() before. */
void order_sort(double *x, size_t n);

/* Mean of the two middle numbers for an even n; NAN for n == 0. */
double order_median(const double *sorted, size_t n);

/*
 * The middle of a and b, correctly rounded: no overflow, and monotone in both. A sum in the
 * subnormal range is exact, so halving it rounds once; one that overflows has no subnormal part, so
 * its halves are exact.
 */
static inline double order_middle(double a, double b)
{
	double sum = a + b;

	return isfinite(sum) ? sum / 2 : a / 2 + b / 2;
}

bool order_all_finite(const double *x, size_t n);

/* A copy of n numbers, sorted; never NULL for n == 0. NULL: no memory. Free it with free(). */
double *order_sorted_copy(const double *x, size_t n);

/*
 * An unsigned number that orders as the double does, -0.0 just below 0.0, and the way back. So the
 * k-th smallest of many combinations is found by bisecting keys and counting, without a table.
 */
uint64_t order_key(double x);
double order_from_key(uint64_t key);

#endif
