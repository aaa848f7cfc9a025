/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * shift.h - two-sample Hodges-Lehmann estimate of a shift with the exact Mann-Whitney interval.
 *
 * Source: Hodges and Lehmann 1963; interval by inversion of Mann and Whitney's U test. For values
 * that were not paired by blocks.
 */
#ifndef ONPROC_STATS_SHIFT_H
#define ONPROC_STATS_SHIFT_H

#include "stats/estimate.h"

/*
 * Median of all b_j - a_i with its interval [d_(k), d_(M+1-k)], M = n_a × n_b. Values in any order,
 * not changed. out->n is n_a + n_b. Too few for alpha: no interval, with the reason. Memory
 * O(n_a + n_b), time O((n_a + n_b) log) times the 64 bits of a double. 0; -EINVAL for a NaN or
 * infinity or a bad alpha; -ERANGE for a difference that is no finite number; -ENOMEM.
 */
int estimate_shift(const double *a, size_t n_a, const double *b, size_t n_b, double alpha,
		   struct estimate *out);

/*
 * The test that belongs to the interval: p is the smallest alpha at which 0 lies outside the closed
 * interval. u: Mann-Whitney's U of a over b: pairs with a_i > b_j, ties count 1/2. 0, -EINVAL,
 * -ERANGE or -ENOMEM.
 */
int estimate_shift_p(const double *a, size_t n_a, const double *b, size_t n_b, double *u,
		     double *p);

#endif
