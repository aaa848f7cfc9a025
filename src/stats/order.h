/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * order.h - sorted numbers and their median, the ground of every robust estimate here.
 */
#ifndef ONPROC_STATS_ORDER_H
#define ONPROC_STATS_ORDER_H

#include <stdbool.h>
#include <stddef.h>

/* Ascending, in place. No NaN among the n numbers: check with order_all_finite() before. */
void order_sort(double *x, size_t n);

/* Mean of the two middle numbers for an even n; NAN for n == 0. */
double order_median(const double *sorted, size_t n);

/* The middle of a and b, correctly rounded: no overflow, and monotone in both. */
double order_middle(double a, double b);

bool order_all_finite(const double *x, size_t n);

#endif
