/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * anytime.h - an interval of a mean that may be looked at after every value.
 *
 * Gaussian mixture of t likelihood ratios (Lai 1976; Wang and Ramdas 2023): the whole sequence of
 * intervals covers the mean at level 1 - alpha. An alternative to the looks of looks.h: it stops a
 * little earlier on normal values, and much later on contaminated ones.
 */
#ifndef ONPROC_STATS_ANYTIME_H
#define ONPROC_STATS_ANYTIME_H

#include "stats/estimate.h"

/*
 * Mean of n values with the interval after n, ± s/√n √(ν (c-1) / (1 - c/A)), ν = n - 1, A = 1 + n
 * g, c = (A / alpha²)^(1/n). g > 0: prior variance of the mean in variances of a value, 1 unless
 * there is a reason. No interval while c >= A. 0; -EINVAL for a value that is not finite, a bad g
 * or alpha, or n == 0.
 */
int anytime_mean(const double *x, size_t n, double g, double alpha, struct estimate *out);

#endif
