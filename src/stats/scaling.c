// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * scaling.c - the universal scalability law by weighted linear least squares.
 *
 * y = N / X = a + b (N - 1) + c N (N - 1) with weights 1/y², that is, columns and y divided by y.
 * In terms of the law lambda = 1/a, sigma = b/a, kappa = c/a. Solved by Gram and Schmidt's
 * orthogonalisation of at most three columns, which keeps the digits that normal equations lose.
 */
#include "stats/scaling.h"

#include "stats/order.h"
#include "stats/quantile.h"
#include "stats/walsh.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define TERMS 3

static double term(int which, double copies)
{
	switch (which) {
	case 0:
		return 1;
	case 1:
		return copies - 1;
	default:
		return copies * (copies - 1);
	}
}

static double product(const double *x, const double *y, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i] * y[i];
	return sum;
}

/*
 * Coefficients of the terms that are used, 0 for the others. column: room for TERMS × count and
 * count more.
 */
static void solve(const double *copies, const double *rate, size_t count, const bool used[TERMS],
		  double *column, double coefficient[TERMS])
{
	double *rest = column + TERMS * count;
	double upper[TERMS][TERMS] = { { 0 } }, right[TERMS] = { 0 };

	for (size_t i = 0; i < count; i++)
		rest[i] = 1; /* y / y */
	for (int j = 0; j < TERMS; j++) {
		double *own = column + (size_t)j * count;

		if (!used[j])
			continue;
		for (size_t i = 0; i < count; i++)
			own[i] = term(j, copies[i]) * (rate[i] / copies[i]);
		for (int k = 0; k < j; k++) {
			const double *other = column + (size_t)k * count;

			if (!used[k])
				continue;
			upper[k][j] = product(other, own, count);
			for (size_t i = 0; i < count; i++)
				own[i] -= upper[k][j] * other[i];
		}
		upper[j][j] = sqrt(product(own, own, count));
		for (size_t i = 0; i < count; i++)
			own[i] /= upper[j][j];
		right[j] = product(own, rest, count);
		for (size_t i = 0; i < count; i++)
			rest[i] -= right[j] * own[i];
	}
	for (int j = TERMS; j-- > 0;) {
		coefficient[j] = 0;
		if (!used[j])
			continue;
		for (int k = j + 1; k < TERMS; k++)
			right[j] -= upper[j][k] * coefficient[k];
		coefficient[j] = right[j] / upper[j][j];
	}
}

static void find_peak(struct scaling_law *law)
{
	if (law->kappa > 0)
		law->peak_n = sqrt(fmax(1 - law->sigma, 0) / law->kappa);
	else
		law->peak_n = law->sigma < 1 ? INFINITY : 1;
	law->peak_n = fmax(law->peak_n, 1);
	if (isfinite(law->peak_n))
		law->peak_rate = scaling_rate(law, law->peak_n);
	else if (law->sigma > 0)
		law->peak_rate = law->lambda / law->sigma;
	else
		law->peak_rate = INFINITY;
}

static int count_different(const double *copies, size_t count, size_t *different)
{
	double *sorted = order_sorted_copy(copies, count);

	if (!sorted)
		return -ENOMEM;
	*different = count > 0;
	for (size_t i = 1; i < count; i++)
		*different += sorted[i] > sorted[i - 1];
	free(sorted);
	return 0;
}

static int check_points(const double *copies, const double *rate, size_t count, size_t *different)
{
	int rc;

	for (size_t i = 0; i < count; i++) {
		if (!(copies[i] >= 1) || isinf(copies[i]) || !(rate[i] > 0) || isinf(rate[i]))
			return -EINVAL;
	}
	rc = count_different(copies, count, different);
	if (rc)
		return rc;
	return *different < SCALING_COUNTS_MIN ? -ENODATA : 0;
}

static void no_law(struct scaling_law *law)
{
	*law = (struct scaling_law){
		.lambda = NAN,
		.sigma = NAN,
		.kappa = NAN,
		.relative_rmse = NAN,
		.peak_n = NAN,
		.peak_rate = NAN,
	};
}

int scaling_fit(const double *copies, const double *rate, size_t count, struct scaling_law *law)
{
	bool used[TERMS] = { true, true, true };
	double coefficient[TERMS], squares = 0;
	size_t different, parameters = TERMS;
	double *column;
	int rc;

	no_law(law);
	rc = check_points(copies, rate, count, &different);
	if (rc)
		return rc;
	column = calloc(count, (TERMS + 1) * sizeof(*column));
	if (!column)
		return -ENOMEM;
	solve(copies, rate, count, used, column, coefficient);
	for (int j = TERMS; j-- > 1;) {
		if (coefficient[j] >= 0)
			continue;
		used[j] = false;
		parameters--;
		solve(copies, rate, count, used, column, coefficient);
		j = TERMS; /* without it another one may turn negative */
	}
	free(column);
	if (!(coefficient[0] > 0))
		return 0;
	law->lambda = 1 / coefficient[0];
	law->sigma = coefficient[1] / coefficient[0];
	law->kappa = coefficient[2] / coefficient[0];
	for (size_t i = 0; i < count; i++) {
		double error = rate[i] / scaling_rate(law, copies[i]) - 1;

		squares += error * error;
	}
	law->unproven = different <= parameters;
	if (!law->unproven)
		law->relative_rmse = sqrt(squares / (double)count);
	law->fits = law->unproven || law->relative_rmse <= SCALING_ERROR_MAX;
	find_peak(law);
	return 0;
}

double scaling_rate(const struct scaling_law *law, double copies)
{
	return law->lambda * copies /
	       (1 + law->sigma * (copies - 1) + law->kappa * copies * (copies - 1));
}

/* Room for the work on blocks. */
struct blocks {
	const double *copies, *rate;
	size_t count, n;
	double *centre; /* per number of copies */
	double *logs;	/* of one number of copies */
	double *curves; /* n × count: logarithm of the curve without a block */
};

static void blocks_free(struct blocks *blocks)
{
	free(blocks->centre);
	free(blocks->logs);
	free(blocks->curves);
}

/* Fits the law to the centres of all blocks but one; without >= n: of all. */
static int fit_without(struct blocks *blocks, size_t without, struct scaling_law *law)
{
	for (size_t i = 0; i < blocks->count; i++) {
		size_t n = 0;

		for (size_t j = 0; j < blocks->n; j++) {
			double rate = blocks->rate[j * blocks->count + i];

			if (j == without || isnan(rate))
				continue;
			if (!(rate > 0) || isinf(rate))
				return -EINVAL;
			blocks->logs[n++] = log(rate);
		}
		order_sort(blocks->logs, n);
		blocks->centre[i] = exp(walsh_median(blocks->logs, n)); /* NAN for n == 0 */
	}
	return scaling_fit(blocks->copies, blocks->centre, blocks->count, law);
}

/* False: some block cannot be left out. */
static bool curves_without_each(struct blocks *blocks)
{
	for (size_t j = 0; j < blocks->n; j++) {
		struct scaling_law law;

		if (fit_without(blocks, j, &law) || isnan(law.lambda))
			return false;
		for (size_t i = 0; i < blocks->count; i++)
			blocks->curves[j * blocks->count + i] =
				log(scaling_rate(&law, blocks->copies[i]));
	}
	return true;
}

/* Jackknife variance of one point of the curve: (n-1)/n × sum of squares about the mean. */
static void add_interval(const struct blocks *blocks, size_t i, double alpha, struct estimate *out)
{
	double n = (double)blocks->n, mean = 0, squares = 0, factor;

	for (size_t j = 0; j < blocks->n; j++)
		mean += blocks->curves[j * blocks->count + i] / n;
	for (size_t j = 0; j < blocks->n; j++) {
		double step = blocks->curves[j * blocks->count + i] - mean;

		squares += step * step;
	}
	factor = exp(student_quantile(1 - alpha / 2, n - 1) * sqrt((n - 1) / n * squares));
	out->lo = out->value / factor;
	out->hi = out->value * factor;
	out->level = 1 - alpha;
	out->reason = NULL;
}

int scaling_of_blocks(const double *copies, const double *rate, size_t count, size_t n_blocks,
		      double alpha, struct scaling_law *law, struct estimate *curve)
{
	struct blocks blocks = { .copies = copies, .rate = rate, .count = count, .n = n_blocks };
	bool has_curves;
	int rc;

	no_law(law);
	for (size_t i = 0; i < count; i++)
		estimate_none(&curve[i], n_blocks, "no law was fitted");
	if (!(alpha > 0 && alpha < 1))
		return -EINVAL;
	blocks.centre = calloc(count + 1, sizeof(*blocks.centre));
	blocks.logs = calloc(n_blocks + 1, sizeof(*blocks.logs));
	blocks.curves = calloc(n_blocks * count + 1, sizeof(*blocks.curves));
	rc = -ENOMEM;
	if (!blocks.centre || !blocks.logs || !blocks.curves)
		goto out;
	rc = fit_without(&blocks, n_blocks, law);
	if (rc || isnan(law->lambda))
		goto out;
	has_curves = n_blocks >= SCALING_BLOCKS_MIN && curves_without_each(&blocks);
	for (size_t i = 0; i < count; i++) {
		curve[i].exact = false;
		curve[i].value = scaling_rate(law, copies[i]);
		curve[i].reason = n_blocks < SCALING_BLOCKS_MIN
					  ? "too few blocks for a jackknife"
					  : "no law without one of the blocks";
		if (has_curves)
			add_interval(&blocks, i, alpha, &curve[i]);
	}
out:
	blocks_free(&blocks);
	return rc;
}
