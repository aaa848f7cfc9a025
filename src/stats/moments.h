/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * moments.h - mean and variance, for methods that rest on them.
 */
#ifndef ONPROC_STATS_MOMENTS_H
#define ONPROC_STATS_MOMENTS_H

#include <stddef.h>

struct moments {
	size_t n;
	double mean;	 /* NAN for n == 0 */
	double variance; /* sum of squares about the mean / (n - 1); NAN for n < 2 */
};

/* Welford's recurrence (1962): no cancellation. */
struct moments moments_of(const double *x, size_t n);

#endif
