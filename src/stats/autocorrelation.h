/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * autocorrelation.h - do neighbours in time resemble each other? A flag beside an interval, not a
 * cure: the cure is drawing the order of every block afresh.
 */
#ifndef ONPROC_STATS_AUTOCORRELATION_H
#define ONPROC_STATS_AUTOCORRELATION_H

#include <stdbool.h>
#include <stddef.h>

/* r1 = sum((x_t - mean)(x_t+1 - mean)) / sum((x_t - mean)^2). NAN when that is not defined. */
double autocorrelation_lag1(const double *x, size_t n);

/* r1 above 1.645 / sqrt(n): the upper 5 % of independent values. False when r1 is not defined. */
bool autocorrelation_flag(const double *x, size_t n);

#endif
