/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ranksum.h - null distribution of Mann and Whitney's statistic U of two samples without ties.
 *
 * U counts the pairs in which a value of one sample lies above one of the other, 0 … n_a × n_b;
 * every order of the n_a + n_b values is equally likely. Symmetric in n_a and n_b. Exact while both
 * samples together or the smaller one alone are small, else by the normal with Edgeworth's
 * correction.
 */
#ifndef ONPROC_STATS_RANKSUM_H
#define ONPROC_STATS_RANKSUM_H

#include <stdbool.h>
#include <stddef.h>

#define RANKSUM_EXACT_MAX 200 /* n_a + n_b: 5,001 sums, 1 ms and 200 KiB */

/*
 * However large the other sample is, the correction does not get better than the smaller sample
 * allows: it is off by 6e-3 for 2 values, by < 1e-6 for more than RANKSUM_FEW. So few against many
 * stays exact, as long as the pairs are no more than RANKSUM_FEW_PAIRS (20 MiB).
 */
#define RANKSUM_FEW	  20
#define RANKSUM_FEW_PAIRS 1000000

/* Both sizes below 2^32, as everywhere here. */
bool ranksum_is_exact(size_t n_a, size_t n_b);

/* P(U <= u). 0 or -ENOMEM. */
int ranksum_cdf(size_t n_a, size_t n_b, size_t u, double *p);

/*
 * Largest k with P(U <= k - 1) <= tail, for 0 < tail < 0.5; 0 when even P(U = 0) is larger. *below
 * is P(U <= k - 1), 0 for k == 0. [d_(k), d_(M+1-k)] of the M = n_a × n_b sorted differences then
 * has level 1 - 2 × below. 0 or -ENOMEM.
 */
int ranksum_critical(size_t n_a, size_t n_b, double tail, size_t *k, double *below);

/*
 * The exact one, cdf[u] = P(U <= u), u = 0 … count-1, as long as there are less than 2^256 orders:
 * wherever ranksum_is_exact(), and up to n_a + n_b = 256. 0 or -ENOMEM.
 */
int ranksum_exact(size_t n_a, size_t n_b, double *cdf, size_t count);

/* The approximation for any sizes > 0. */
double ranksum_edgeworth(size_t n_a, size_t n_b, size_t u);

#endif
