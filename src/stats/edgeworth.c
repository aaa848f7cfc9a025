// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * edgeworth.c - the series, and the sums of powers that cumulants of ranks are made of.
 */
#include "stats/edgeworth.h"

#include <math.h>

double edgeworth_cdf(double z, double excess, double order6)
{
	double z2 = z * z;
	double he3 = z * (z2 - 3);
	double he5 = z * (z2 * z2 - 10 * z2 + 15);
	double he7 = z * (z2 * z2 * z2 - 21 * z2 * z2 + 105 * z2 - 105);
	double density = exp(-z2 / 2) / sqrt(2 * M_PI);
	double p = 0.5 * erfc(-z * M_SQRT1_2) - density * (excess / 24 * he3 + order6 / 720 * he5 +
							   excess * excess / 1152 * he7);

	return fmin(fmax(p, 0), 1);
}

double edgeworth_sum4(double n)
{
	return n * (n + 1) * (2 * n + 1) / 30 * (3 * n * n + 3 * n - 1);
}

double edgeworth_sum6(double n)
{
	return n * (n + 1) * (2 * n + 1) / 42 * (3 * n * n * n * n + 6 * n * n * n - 3 * n + 1);
}
