// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * anytime.c - one step of the mixture t sequence.
 */
#include "stats/anytime.h"

#include "stats/moments.h"
#include "stats/order.h"

#include <errno.h>
#include <math.h>

int anytime_mean(const double *x, size_t n, double g, double alpha, struct estimate *out)
{
	struct moments moments;
	double m = (double)n, a = 1 + m * g, c, half_width;

	estimate_none(out, n, "a value is not a finite number");
	if (n == 0 || !(alpha > 0 && alpha < 1) || !(g > 0) || isinf(g) || !order_all_finite(x, n))
		return -EINVAL;
	moments = moments_of(x, n);
	out->exact = false;
	out->value = moments.mean;
	out->reason = "n too small for a sequence of intervals";
	c = pow(a / (alpha * alpha), 1 / m);
	if (n < 2 || c >= a)
		return 0;
	half_width = sqrt(moments.variance / m * (m - 1) * (c - 1) / (1 - c / a));
	out->reason = NULL;
	out->lo = moments.mean - half_width;
	out->hi = moments.mean + half_width;
	out->level = 1 - alpha;
	return 0;
}
