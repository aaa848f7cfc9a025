// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * shift.c - two-sample Hodges-Lehmann estimate, its exact interval and the p-value by inversion.
 */
#include "stats/shift.h"

#include "stats/differences.h"
#include "stats/order.h"
#include "stats/ranksum.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* Both samples, sorted. */
struct samples {
	double *a, *b;
	size_t n_a, n_b;
};

static void samples_free(struct samples *samples)
{
	free(samples->a);
	free(samples->b);
}

/* To be freed after an error too. */
static int samples_sort(struct samples *samples, const double *a, size_t n_a, const double *b,
			size_t n_b)
{
	*samples = (struct samples){ .n_a = n_a, .n_b = n_b };
	if (n_a > UINT32_MAX || n_b > UINT32_MAX || !order_all_finite(a, n_a) ||
	    !order_all_finite(b, n_b))
		return -EINVAL;
	samples->a = order_sorted_copy(a, n_a);
	samples->b = order_sorted_copy(b, n_b);
	if (!samples->a || !samples->b)
		return -ENOMEM;
	if (n_a && n_b &&
	    (isinf(samples->b[n_b - 1] - samples->a[0]) ||
	     isinf(samples->b[0] - samples->a[n_a - 1])))
		return -ERANGE;
	return 0;
}

static const char *too_small(const struct samples *samples)
{
	static const char *const text[] = {
		"n too small (0 values of a side)", "n too small (1 value of a side)",
		"n too small (2 values of a side)", "n too small (3 values of a side)",
		"n too small for this level",
	};
	size_t fewer = samples->n_a < samples->n_b ? samples->n_a : samples->n_b;

	return text[fewer < 4 ? fewer : 4];
}

static int estimate_samples(const struct samples *samples, double alpha, struct estimate *out)
{
	const double *a = samples->a, *b = samples->b;
	size_t n_a = samples->n_a, n_b = samples->n_b, k;
	double below;
	int rc;

	out->value = differences_median(a, n_a, b, n_b);
	out->exact = ranksum_is_exact(n_a, n_b);
	rc = ranksum_critical(n_a, n_b, alpha / 2, &k, &below);
	if (rc)
		return rc;
	if (k == 0) {
		out->reason = too_small(samples);
		return 0;
	}
	out->k = k;
	out->lo = differences_select(a, n_a, b, n_b, k);
	out->hi = differences_select(a, n_a, b, n_b, n_a * n_b + 1 - k);
	out->level = 1 - 2 * below;
	return 0;
}

int estimate_shift(const double *a, size_t n_a, const double *b, size_t n_b, double alpha,
		   struct estimate *out)
{
	struct samples samples;
	int rc;

	estimate_none(out, n_a + n_b, "a difference is not a finite number");
	if (!(alpha > 0 && alpha < 1))
		return -EINVAL;
	rc = samples_sort(&samples, a, n_a, b, n_b);
	if (!rc) {
		estimate_none(out, n_a + n_b, NULL);
		rc = estimate_samples(&samples, alpha, out);
	}
	samples_free(&samples);
	return rc;
}

int estimate_shift_p(const double *a, size_t n_a, const double *b, size_t n_b, double *u, double *p)
{
	size_t all = n_a * n_b, not_above, not_below;
	struct samples samples;
	double left, right;
	int rc;

	*u = *p = NAN;
	rc = samples_sort(&samples, a, n_a, b, n_b);
	if (rc)
		goto out;
	not_above = differences_at_most(samples.a, n_a, samples.b, n_b, 0);
	not_below = all - differences_at_most(samples.a, n_a, samples.b, n_b, nextafter(0, -1));
	rc = ranksum_cdf(n_a, n_b, not_above, &left);
	if (rc)
		goto out;
	rc = ranksum_cdf(n_a, n_b, not_below, &right);
	if (rc)
		goto out;
	*u = (double)(all - not_below) + (double)(not_above + not_below - all) / 2;
	*p = fmin(1, 2 * fmin(left, right));
out:
	samples_free(&samples);
	return rc;
}
