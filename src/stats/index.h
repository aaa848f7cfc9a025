/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * index.h - one number over the tests of a suite: the geometric mean of their ratios, with an
 * interval that keeps what tests measured in the same block have in common.
 */
#ifndef ONPROC_STATS_INDEX_H
#define ONPROC_STATS_INDEX_H

#include "stats/estimate.h"

#include <stddef.h>

#define INDEX_OF_BASELINE 10.0 /* the index of a machine whose every score is its baseline */

/* 10 × rate / baseline. NAN unless both are finite numbers > 0. */
double index_of_rate(double rate, double baseline);

/*
 * row: for each of n_rows tests the estimate of ln(ratio) over all its slots. block: n_blocks ×
 * n_rows values ln(ratio), those of one block side by side; NAN where a test has no value in that
 * block.
 *
 * value is exp(c), c = mean of row, so that a reader can check it from the table. The interval is
 * exp(c + L - E) … exp(c + U - E) with the Hodges-Lehmann estimate E and its interval [L, U] of the
 * block means D_j = mean over the tests; only blocks with a value of every test have one. out->n is
 * their number; too few: no interval, with the reason. Multiply all three by INDEX_OF_BASELINE when
 * the ratios are to baselines.
 *
 * 0; -EINVAL for no rows, a row that is not finite, or an infinity in a complete block; -ERANGE
 * for an index that is no finite number; -ENOMEM.
 */
int index_estimate(const double *row, size_t n_rows, const double *block, size_t n_blocks,
		   double alpha, struct estimate *out);

#endif
