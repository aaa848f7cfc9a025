/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fieller.h - ratio of two means with Fieller's interval (1954), for those who must publish means.
 *
 * It assumes normal values, and one disturbed value moves it: comparisons here use estimate_hl()
 * and estimate_shift().
 */
#ifndef ONPROC_STATS_FIELLER_H
#define ONPROC_STATS_FIELLER_H

#include "stats/estimate.h"

/*
 * mean(b) / mean(a) of unpaired samples; each side's half-width is that of its own t interval. No
 * interval, with the reason, for fewer than 2 values of a side, or when a's mean is not apart from
 * 0. 0; -EINVAL for a value that is not finite, an empty side or a bad alpha.
 */
int fieller_ratio(const double *a, size_t n_a, const double *b, size_t n_b, double alpha,
		  struct estimate *out);

#endif
