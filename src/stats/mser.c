// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mser.c - MSER truncation in one pass from the end.
 */
#include "stats/mser.h"

#include "stats/order.h"

#include <errno.h>
#include <math.h>

int mser_truncate(const double *x, size_t n, size_t *d, double *value)
{
	double mean = 0, squares = 0; /* of the values from i on (Welford 1962) */

	*d = 0;
	*value = NAN;
	if (n == 0 || !order_all_finite(x, n))
		return -EINVAL;
	*value = INFINITY;
	for (size_t i = n; i-- > 0;) {
		double m = (double)(n - i);
		double step = x[i] - mean;

		mean += step / m;
		squares += step * (x[i] - mean);
		if (i <= n / 2 && squares / (m * m) <= *value) {
			*value = squares / (m * m);
			*d = i;
		}
	}
	return 0;
}

static double mean_of(const double *x, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i];
	return sum / (double)n;
}

int mser_wants_more(const double *x, size_t n, size_t given, bool *wants_more)
{
	double value, rest, squares = 0, error;
	size_t d;
	int rc;

	*wants_more = false;
	rc = mser_truncate(x, n, &d, &value);
	if (rc || d <= given || n - d < 2)
		return rc;
	rest = mean_of(x + d, n - d);
	for (size_t i = d; i < n; i++)
		squares += (x[i] - rest) * (x[i] - rest);
	error = sqrt(squares / (double)(n - d - 1) *
		     (1 / (double)(d - given) + 1 / (double)(n - d)));
	*wants_more = fabs(mean_of(x + given, d - given) - rest) > MSER_STEP * error;
	return 0;
}
