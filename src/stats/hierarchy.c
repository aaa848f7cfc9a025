// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * hierarchy.c - variances of nested repetitions.
 */
#include "stats/hierarchy.h"

#include "stats/moments.h"
#include "stats/order.h"
#include "stats/quantile.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int check(const size_t *count, unsigned int levels, double alpha, size_t *values)
{
	if (levels < 1 || levels > HIERARCHY_LEVELS_MAX || !(alpha > 0 && alpha < 1))
		return -EINVAL;
	*values = 1;
	for (unsigned int level = 0; level < levels; level++) {
		if (count[level] < 2 || __builtin_mul_overflow(*values, count[level], values))
			return -EINVAL;
	}
	return 0;
}

/* Half-width of the t interval of a mean of n units with this variance. */
static double half_width_of(double variance, size_t n, double alpha)
{
	return student_quantile(1 - alpha / 2, (double)(n - 1)) * sqrt(variance / (double)n);
}

int hierarchy_analyse(const double *x, const size_t *count, unsigned int levels, double alpha,
		      struct hierarchy *hierarchy)
{
	size_t values;
	double *means;
	int rc;

	*hierarchy = (struct hierarchy){ .mean = NAN, .half_width = NAN };
	rc = check(count, levels, alpha, &values);
	if (rc)
		return rc;
	if (!order_all_finite(x, values))
		return -EINVAL;
	means = malloc(values * sizeof(*means));
	if (!means)
		return -ENOMEM;
	memcpy(means, x, values * sizeof(*means));
	hierarchy->levels = levels;
	for (unsigned int level = 0; level < levels; level++) {
		size_t n = count[level], groups = values / n;

		for (size_t group = 0; group < groups; group++) {
			struct moments moments = moments_of(means + group * n, n);

			hierarchy->s2[level] += moments.variance / (double)groups;
			means[group] = moments.mean; /* of values that were read already */
		}
		hierarchy->t2[level] = hierarchy->s2[level];
		if (level > 0)
			hierarchy->t2[level] -= hierarchy->s2[level - 1] / (double)count[level - 1];
		hierarchy->count[level] = n;
		values = groups;
	}
	hierarchy->mean = means[0];
	hierarchy->half_width = half_width_of(hierarchy->s2[levels - 1], count[levels - 1], alpha);
	free(means);
	return 0;
}

int hierarchy_optimum(const struct hierarchy *hierarchy, const double *cost, double *optimal,
		      size_t *repeat)
{
	for (unsigned int level = 0; level < hierarchy->levels; level++) {
		if (!(cost[level] > 0) || isinf(cost[level]))
			return -EINVAL;
	}
	for (unsigned int level = 0; level + 1 < hierarchy->levels; level++) {
		unsigned int above = level + 1;
		double cost_above = cost[above];

		while (above + 1 < hierarchy->levels && !(hierarchy->t2[above] > 0))
			cost_above += cost[++above];
		if (!(hierarchy->t2[level] > 0))
			optimal[level] = 0;
		else if (!(hierarchy->t2[above] > 0))
			optimal[level] = INFINITY;
		else
			optimal[level] = sqrt(cost_above / cost[level] * hierarchy->t2[level] /
					      hierarchy->t2[above]);
		if (isinf(optimal[level]))
			repeat[level] = hierarchy->count[level];
		else
			repeat[level] =
				(size_t)fmin(fmax(ceil(optimal[level]), 1), HIERARCHY_UNITS_MAX);
	}
	return 0;
}

int hierarchy_units_needed(const struct hierarchy *hierarchy, const size_t *repeat,
			   double half_width, double alpha, size_t *units)
{
	double variance = 0, inside = 1;
	size_t low = 1, high = HIERARCHY_UNITS_MAX;

	*units = 0;
	if (!(half_width > 0) || !(alpha > 0 && alpha < 1) || hierarchy->levels < 1)
		return -EINVAL;
	for (unsigned int level = hierarchy->levels; level-- > 0;) {
		if (level + 1 < hierarchy->levels) {
			size_t times = repeat ? repeat[level] : hierarchy->count[level];

			if (times < 1)
				return -EINVAL;
			inside *= (double)times;
		}
		variance += hierarchy->t2[level] / inside;
	}
	variance = fmax(variance, 0);
	if (half_width_of(variance, high, alpha) > half_width)
		return -ERANGE;
	while (high - low > 1) { /* low units are too few, high are enough */
		size_t middle = low + (high - low) / 2;

		if (half_width_of(variance, middle, alpha) > half_width)
			low = middle;
		else
			high = middle;
	}
	*units = high;
	return 0;
}
