// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * moments.c - mean and variance in one pass.
 */
#include "stats/moments.h"

#include <math.h>

struct moments moments_of(const double *x, size_t n)
{
	struct moments moments = { .n = n, .mean = n ? 0 : NAN, .variance = NAN };
	double squares = 0;

	for (size_t i = 0; i < n; i++) {
		double step = x[i] - moments.mean;

		moments.mean += step / (double)(i + 1);
		squares += step * (x[i] - moments.mean);
	}
	if (n > 1)
		moments.variance = squares / (double)(n - 1);
	return moments;
}
