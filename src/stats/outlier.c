// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * outlier.c - modified z-values.
 */
#include "stats/outlier.h"

#include "stats/order.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NORMAL_QUARTILE 0.6745 /* makes the MAD of a normal sample its standard deviation */

int outlier_modified_z(const double *x, size_t n, double *z)
{
	double *sorted;
	double median, mad;

	if (!order_all_finite(x, n))
		return -EINVAL;
	if (n == 0)
		return 0;
	sorted = malloc(n * sizeof(*sorted));
	if (!sorted)
		return -ENOMEM;
	memcpy(sorted, x, n * sizeof(*sorted));
	order_sort(sorted, n);
	median = order_median(sorted, n);
	for (size_t i = 0; i < n; i++)
		sorted[i] = fabs(x[i] - median);
	order_sort(sorted, n);
	mad = order_median(sorted, n);
	free(sorted);
	for (size_t i = 0; i < n; i++)
		z[i] = mad > 0 ? NORMAL_QUARTILE * (x[i] - median) / mad : NAN;
	return 0;
}

bool outlier_marked(double z)
{
	return fabs(z) > OUTLIER_MODIFIED_Z;
}
