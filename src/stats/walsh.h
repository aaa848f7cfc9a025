/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * walsh.h - the n(n+1)/2 Walsh averages (x_i + x_j) / 2, i <= j, counted and selected in O(n)
 * memory.
 *
 * All functions take x sorted ascending, without NaN.
 */
#ifndef ONPROC_STATS_WALSH_H
#define ONPROC_STATS_WALSH_H

#include <stddef.h>

/* n(n+1)/2; n below 2^32. */
size_t walsh_count(size_t n);

/* How many of them are <= limit. O(n). */
size_t walsh_at_most(const double *sorted, size_t n, double limit);

/* The k-th smallest, 1 <= k <= walsh_count(n), exact; NAN outside. O(n) times the 64 bits of a
 * double. */
double walsh_select(const double *sorted, size_t n, size_t k);

/* Median of them: the one-sample Hodges-Lehmann estimate. NAN for n == 0. */
double walsh_median(const double *sorted, size_t n);

#endif
