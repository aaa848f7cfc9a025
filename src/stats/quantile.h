/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * quantile.h - the normal distribution and Student's t. 12 digits.
 */
#ifndef ONPROC_STATS_QUANTILE_H
#define ONPROC_STATS_QUANTILE_H

/* P(Z <= z). */
double normal_cdf(double z);

/* z with P(Z <= z) = p; infinite at 0 and 1, NAN outside. */
double normal_quantile(double p);

/* P(T <= t) with df > 0 degrees of freedom, whole or not; NAN for another df. */
double student_cdf(double t, double df);

/* t with P(T <= t) = p; infinite at 0 and 1, NAN outside. */
double student_quantile(double p, double df);

#endif
