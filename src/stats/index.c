// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * index.c - suite index with its interval from block means.
 */
#include "stats/index.h"

#include "stats/order.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

double index_of_rate(double rate, double baseline)
{
	if (!(rate > 0 && baseline > 0) || isinf(rate) || isinf(baseline))
		return NAN;
	return INDEX_OF_BASELINE * (rate / baseline);
}

static double mean_of(const double *x, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i];
	return sum / (double)n;
}

int index_estimate(const double *row, size_t n_rows, const double *block, size_t n_blocks,
		   double alpha, struct estimate *out)
{
	struct estimate of_blocks;
	double *mean, centre;
	size_t complete = 0;
	int rc;

	estimate_none(out, 0, "a test has no finite estimate");
	if (n_rows == 0 || !order_all_finite(row, n_rows))
		return -EINVAL;
	mean = malloc((n_blocks ? n_blocks : 1) * sizeof(*mean));
	if (!mean)
		return -ENOMEM;
	for (size_t j = 0; j < n_blocks; j++) {
		double d = mean_of(&block[j * n_rows], n_rows);

		if (!isnan(d))
			mean[complete++] = d; /* an infinity is refused below */
	}
	rc = estimate_hl(mean, complete, alpha, &of_blocks);
	free(mean);
	if (rc)
		return rc;
	centre = mean_of(row, n_rows);
	if (isinf(exp(centre)))
		return -ERANGE;
	*out = of_blocks;
	out->value = exp(centre);
	out->lo = exp(centre + of_blocks.lo - of_blocks.value);
	out->hi = exp(centre + of_blocks.hi - of_blocks.value);
	if (of_blocks.reason && complete < n_blocks)
		out->reason = "too few blocks hold all tests of the index";
	return 0;
}
