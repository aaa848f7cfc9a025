/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * differences.h - the n_a × n_b differences b_j - a_i of two samples, counted and selected without
 * making them.
 *
 * All functions take a and b sorted ascending, without NaN, sizes below 2^32. As walsh.h for one
 * sample.
 */
#ifndef ONPROC_STATS_DIFFERENCES_H
#define ONPROC_STATS_DIFFERENCES_H

#include <stddef.h>

/* How many of them are <= limit. O(n_a + n_b). */
size_t differences_at_most(const double *a, size_t n_a, const double *b, size_t n_b, double limit);

/* The k-th smallest, 1 <= k <= n_a × n_b, exact; NAN outside. O(n_a + n_b) times the 64 bits of a
 * double. */
double differences_select(const double *a, size_t n_a, const double *b, size_t n_b, size_t k);

/* Median of them: the two-sample Hodges-Lehmann estimate. NAN when a sample is empty. */
double differences_median(const double *a, size_t n_a, const double *b, size_t n_b);

#endif
