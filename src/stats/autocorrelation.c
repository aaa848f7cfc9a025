// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * autocorrelation.c - autocorrelation at lag 1.
 */
#include "stats/autocorrelation.h"

#include "stats/order.h"

#include <math.h>

#define NORMAL_UPPER_5_PERCENT 1.645

double autocorrelation_lag1(const double *x, size_t n)
{
	double mean = 0, products = 0, squares = 0;

	if (n < 2 || !order_all_finite(x, n))
		return NAN;
	for (size_t i = 0; i < n; i++)
		mean += (x[i] - mean) / (double)(i + 1);
	for (size_t i = 0; i < n; i++) {
		squares += (x[i] - mean) * (x[i] - mean);
		if (i > 0)
			products += (x[i - 1] - mean) * (x[i] - mean);
	}
	return squares > 0 ? products / squares : NAN;
}

bool autocorrelation_flag(const double *x, size_t n)
{
	return autocorrelation_lag1(x, n) > NORMAL_UPPER_5_PERCENT / sqrt((double)n);
}
