// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * estimate.c - Hodges-Lehmann estimate, its exact interval and the p-value by inversion.
 */
#include "stats/estimate.h"

#include "stats/order.h"
#include "stats/signrank.h"
#include "stats/walsh.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* Why n values have no interval at a level that needs `least`: static texts for every small pair.
 */
#define TOO_SMALL(n, least) "n too small (" #n " < " #least ")"
#define TOO_SMALL_ROW(least)                                                                       \
	{                                                                                          \
		TOO_SMALL(0, least), TOO_SMALL(1, least), TOO_SMALL(2, least),                     \
			TOO_SMALL(3, least), TOO_SMALL(4, least), TOO_SMALL(5, least),             \
			TOO_SMALL(6, least), TOO_SMALL(7, least), TOO_SMALL(8, least),             \
			TOO_SMALL(9, least), TOO_SMALL(10, least), TOO_SMALL(11, least),           \
	}

#define LEAST_MIN 2  /* alpha < 1 */
#define LEAST_MAX 12 /* alpha >= 2/2^12 */

static const char *too_small(size_t n, double alpha)
{
	static const char *const text[LEAST_MAX - LEAST_MIN + 1][LEAST_MAX] = {
		TOO_SMALL_ROW(2),  TOO_SMALL_ROW(3),  TOO_SMALL_ROW(4),	 TOO_SMALL_ROW(5),
		TOO_SMALL_ROW(6),  TOO_SMALL_ROW(7),  TOO_SMALL_ROW(8),	 TOO_SMALL_ROW(9),
		TOO_SMALL_ROW(10), TOO_SMALL_ROW(11), TOO_SMALL_ROW(12),
	};
	size_t least = LEAST_MIN;

	while (least <= LEAST_MAX && ldexp(2, -(int)least) > alpha)
		least++;
	if (least > LEAST_MAX || n >= least)
		return "n too small for this level";
	return text[least - LEAST_MIN][n];
}

void estimate_none(struct estimate *out, size_t n, const char *reason)
{
	*out = (struct estimate){
		.n = n,
		.value = NAN,
		.lo = NAN,
		.hi = NAN,
		.level = NAN,
		.exact = true,
		.reason = reason,
	};
}

static int estimate_sorted(const double *sorted, size_t n, double alpha, struct estimate *out)
{
	double below;
	size_t k;
	int rc;

	out->exact = n <= SIGNRANK_EXACT_MAX;
	out->value = walsh_median(sorted, n);
	rc = signrank_critical(n, alpha / 2, &k, &below);
	if (rc)
		return rc;
	if (k == 0) {
		out->reason = too_small(n, alpha);
		return 0;
	}
	out->k = k;
	out->lo = walsh_select(sorted, n, k);
	out->hi = walsh_select(sorted, n, walsh_count(n) + 1 - k);
	out->level = 1 - 2 * below;
	return 0;
}

int estimate_hl(const double *x, size_t n, double alpha, struct estimate *out)
{
	double *sorted;
	int rc;

	estimate_none(out, n, "a value is not a finite number");
	if (!(alpha > 0 && alpha < 1) || n > UINT32_MAX || !order_all_finite(x, n))
		return -EINVAL;
	sorted = order_sorted_copy(x, n);
	if (!sorted)
		return -ENOMEM;
	estimate_none(out, n, NULL);
	rc = estimate_sorted(sorted, n, alpha, out);
	free(sorted);
	return rc;
}

/* exp(x), which for a centre of logarithms lies between the least and the greatest of the rates. */
static double back_to_rate(double x, double least, double greatest)
{
	return isnan(x) ? x : fmin(fmax(exp(x), least), greatest);
}

int estimate_rate(const double *rate, size_t n, double alpha, struct estimate *out)
{
	double least = INFINITY, greatest = 0;
	double *logs;
	int rc;

	estimate_none(out, n, "a rate is not a number > 0");
	for (size_t i = 0; i < n; i++) {
		if (!(rate[i] > 0) || isinf(rate[i]))
			return -EINVAL;
		least = fmin(least, rate[i]);
		greatest = fmax(greatest, rate[i]);
	}
	logs = malloc((n ? n : 1) * sizeof(*logs));
	if (!logs)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		logs[i] = log(rate[i]);
	rc = estimate_hl(logs, n, alpha, out);
	free(logs);
	if (rc)
		return rc;
	out->value = back_to_rate(out->value, least, greatest);
	out->lo = back_to_rate(out->lo, least, greatest);
	out->hi = back_to_rate(out->hi, least, greatest);
	return 0;
}

double estimate_half_width(const struct estimate *estimate)
{
	if (!(estimate->value > 0)) /* NAN too */
		return NAN;
	return (estimate->hi - estimate->lo) / 2 / estimate->value;
}

int estimate_p(const double *x, size_t n, double *v, double *p)
{
	size_t all = walsh_count(n), not_above, not_below;
	double *sorted;
	double left, right;
	int rc;

	*v = *p = NAN;
	if (n > UINT32_MAX || !order_all_finite(x, n))
		return -EINVAL;
	sorted = order_sorted_copy(x, n);
	if (!sorted)
		return -ENOMEM;
	not_above = walsh_at_most(sorted, n, 0);
	not_below = all - walsh_at_most(sorted, n, nextafter(0, -1));
	free(sorted);
	rc = signrank_cdf(n, not_above, &left);
	if (rc)
		return rc;
	rc = signrank_cdf(n, not_below, &right);
	if (rc)
		return rc;
	*v = (double)(all - not_above) + (double)(not_above + not_below - all) / 2;
	*p = fmin(1, 2 * fmin(left, right));
	return 0;
}
