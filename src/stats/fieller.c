// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fieller.c - Fieller's interval in closed form.
 */
#include "stats/fieller.h"

#include "stats/moments.h"
#include "stats/order.h"
#include "stats/quantile.h"

#include <errno.h>
#include <math.h>

/* Square of the half-width of a mean's t interval. */
static double half_width_squared(const struct moments *moments, double alpha)
{
	double t = student_quantile(1 - alpha / 2, (double)(moments->n - 1));

	return t * t * moments->variance / (double)moments->n;
}

int fieller_ratio(const double *a, size_t n_a, const double *b, size_t n_b, double alpha,
		  struct estimate *out)
{
	struct moments of_a, of_b;
	double product, divisor, root;

	estimate_none(out, n_a + n_b, "a value is not a finite number");
	if (!(alpha > 0 && alpha < 1) || n_a == 0 || n_b == 0 || !order_all_finite(a, n_a) ||
	    !order_all_finite(b, n_b))
		return -EINVAL;
	of_a = moments_of(a, n_a);
	of_b = moments_of(b, n_b);
	out->exact = false;
	out->value = of_b.mean / of_a.mean;
	if (n_a < 2 || n_b < 2) {
		out->reason = "n too small (1 value of a side)";
		return 0;
	}
	product = of_a.mean * of_b.mean;
	divisor = of_a.mean * of_a.mean - half_width_squared(&of_a, alpha);
	if (!(divisor > 0)) {
		out->reason = "the mean of A is not apart from 0";
		return 0;
	}
	root = sqrt(product * product -
		    divisor * (of_b.mean * of_b.mean - half_width_squared(&of_b, alpha)));
	out->reason = NULL;
	out->lo = (product - root) / divisor;
	out->hi = (product + root) / divisor;
	out->level = 1 - alpha;
	return 0;
}
