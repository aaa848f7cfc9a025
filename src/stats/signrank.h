/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * signrank.h - null distribution of Wilcoxon's signed-rank statistic V of n values without ties.
 *
 * V is the sum of those of the ranks 1 … n whose sign is positive, each with probability 1/2. Exact
 * up to SIGNRANK_EXACT_MAX, above by the normal with Edgeworth's correction.
 */
#ifndef ONPROC_STATS_SIGNRANK_H
#define ONPROC_STATS_SIGNRANK_H

#include <stddef.h>

#define SIGNRANK_EXACT_MAX                                                                         \
	200 /* 20,101 sums: 2 ms and 80 KiB; the correction is off by < 1e-7 above */

/* P(V <= v). 0 or -ENOMEM. */
int signrank_cdf(size_t n, size_t v, double *p);

/*
 * Largest k with P(V <= k - 1) <= tail, for 0 < tail < 0.5; 0 when even P(V = 0) is larger. *below
 * is P(V <= k - 1), 0 for k == 0. [w_(k), w_(M+1-k)] of the M Walsh averages then has level 1 - 2 ×
 * below. 0 or -ENOMEM.
 */
int signrank_critical(size_t n, double tail, size_t *k, double *below);

/* The exact one for any n: cdf[v] = P(V <= v), v = 0 … count-1, by the subset-sum recurrence. */
void signrank_exact(size_t n, double *cdf, size_t count);

/* The approximation for any n > 0. */
double signrank_edgeworth(size_t n, size_t v);

#endif
