/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * edgeworth.h - distribution of a symmetric statistic that is almost normal.
 *
 * Edgeworth series to the order n^-2 (Cramér 1946, 17.7); odd cumulants are 0.
 */
#ifndef ONPROC_STATS_EDGEWORTH_H
#define ONPROC_STATS_EDGEWORTH_H

/*
 * P(X <= x) for z = (x - mean) / sqrt(k2), excess = k4 / k2^2 and order6 = k6 / k2^3 with the
 * cumulants k of X. In [0, 1].
 *
 * A statistic on whole numbers has no density; with U uniform on (-1/2, 1/2) added it has one, and
 * at x + 1/2 the same distribution. So ask for z at x + 1/2, with EDGEWORTH_UNIFORM_* added.
 */
double edgeworth_cdf(double z, double excess, double order6);

#define EDGEWORTH_UNIFORM_K2 (1.0 / 12)
#define EDGEWORTH_UNIFORM_K4 (-1.0 / 120)
#define EDGEWORTH_UNIFORM_K6 (1.0 / 252)

/* Sums of the first n powers: 1^4 + … + n^4, 1^6 + … + n^6. */
double edgeworth_sum4(double n);
double edgeworth_sum6(double n);

#endif
