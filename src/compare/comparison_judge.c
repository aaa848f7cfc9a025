// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * comparison_judge.c - from the numbers of each row to ratio, interval, p-values and verdict; then
 * what the number of rows makes of the p-values.
 *
 * A test that was stopped by looks had alpha_i to spend: in the family its p counts as
 * p × alpha / alpha_i, so that "adjusted p <= alpha" and "outside its interval" say the same.
 */
#include "compare/comparison_private.h"
#include "stats/multiplicity.h"
#include "stats/shift.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char one_value[] = "n=1, no interval";

static bool is_paired(const struct sample *sample)
{
	return sample->d != NULL;
}

static bool has_values(const struct sample *sample)
{
	return is_paired(sample) || (sample->n_a > 1 && sample->n_b > 1);
}

static int ratio_estimate(const struct sample *sample, double alpha, struct estimate *ratio)
{
	if (is_paired(sample))
		return estimate_hl(sample->d, sample->n_d, alpha, ratio);
	return estimate_shift(sample->a, sample->n_a, sample->b, sample->n_b, alpha, ratio);
}

/* Of "the centre of ln(B/A) is `centre`". */
static int ratio_p(const struct sample *sample, double centre, double *p)
{
	const double *values = is_paired(sample) ? sample->d : sample->b;
	size_t n = is_paired(sample) ? sample->n_d : sample->n_b;
	double *shifted = malloc((n + 1) * sizeof(*shifted)), statistic;
	int rc;

	if (!shifted)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		shifted[i] = values[i] - centre;
	rc = is_paired(sample)
		     ? estimate_p(shifted, n, &statistic, p)
		     : estimate_shift_p(sample->a, sample->n_a, shifted, n, &statistic, p);
	free(shifted);
	return rc;
}

/* Of "B is worse by no more than the margin": 1 where it does not even look worse by more. */
static int regression_p(const struct comparison_test *test, const struct sample *sample, double *p)
{
	if (test->log_ratio.value < -test->margin)
		return ratio_p(sample, -test->margin, p);
	*p = 1;
	return 0;
}

/* A ratio of two numbers that nothing is known about but themselves. */
static int judge_single(struct comparison_test *test)
{
	estimate_none(&test->log_ratio, 1, one_value);
	test->log_ratio.value = log(test->b) - log(test->a);
	return row_refuse(test, "%s", one_value);
}

static int judge(struct comparison_test *test, const struct sample *sample)
{
	int rc;

	if (!has_values(sample))
		return judge_single(test);
	rc = ratio_estimate(sample, sample->alpha, &test->log_ratio);
	if (rc)
		return rc;
	if (test->log_ratio.reason)
		return row_refuse(test, "%s", test->log_ratio.reason);
	rc = ratio_p(sample, 0, &test->p);
	rc = rc ? rc : regression_p(test, sample, &test->p_regression);
	return rc ? rc : verdict_decide(&test->log_ratio, test->margin, &test->decision);
}

struct ranked {
	double p;
	size_t row;
};

static int compare_ranked(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;

	if (a->p != b->p)
		return a->p < b->p ? -1 : 1;
	return (a->row > b->row) - (a->row < b->row);
}

/* The interval of each row at the level of its step of Holm's procedure: alpha / m for the smallest
 * p, and so on, until the first that is not rejected, whose level is that of all after it. */
static int step_intervals(struct making *making, const double *p)
{
	struct comparison *comparison = making->comparison;
	struct ranked *ranked = malloc((comparison->n_tests + 1) * sizeof(*ranked));
	size_t m = 0, step = 0;
	int rc = ranked ? 0 : -ENOMEM;

	for (size_t i = 0; !rc && i < comparison->n_tests; i++) {
		if (!isnan(p[i]))
			ranked[m++] = (struct ranked){ p[i], i };
	}
	if (!rc)
		qsort(ranked, m, sizeof(*ranked), compare_ranked);
	for (size_t i = 0; !rc && i < m; i++) {
		const struct sample *sample = &making->samples[ranked[i].row];
		double share = (double)(m - step);

		rc = ratio_estimate(sample, sample->alpha / share,
				    &comparison->tests[ranked[i].row].holm);
		if (ranked[i].p * share <= comparison->alpha)
			step++;
	}
	free(ranked);
	return rc;
}

static double in_family(double p, double alpha, double spent)
{
	return isnan(p) ? NAN : fmin(1, p * (alpha / spent));
}

static int judge_family(struct making *making)
{
	struct comparison *comparison = making->comparison;
	size_t n = comparison->n_tests;
	double *p = calloc(n + 1, 4 * sizeof(*p)), *regression, *q, *holm;
	int rc;

	if (!p)
		return -ENOMEM;
	regression = p + n;
	q = regression + n;
	holm = q + n;
	for (size_t i = 0; i < n; i++) {
		const struct comparison_test *test = &comparison->tests[i];
		double spent = making->samples[i].alpha;

		p[i] = in_family(test->p, comparison->alpha, spent);
		regression[i] = in_family(test->p_regression, comparison->alpha, spent);
	}
	rc = step_intervals(making, regression);
	rc = rc ? rc : multiplicity_bh(p, n, q);
	rc = rc ? rc : multiplicity_holm(p, n, holm);
	for (size_t i = 0; !rc && i < n; i++) {
		comparison->tests[i].q = q[i];
		comparison->tests[i].p_holm = holm[i];
	}
	rc = rc ? rc : multiplicity_holm(regression, n, holm);
	for (size_t i = 0; !rc && i < n; i++)
		comparison->tests[i].p_regression = holm[i];
	free(p);
	return rc;
}

int rows_judge(struct making *making, struct error *err)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < making->comparison->n_tests; i++) {
		if (!making->comparison->tests[i].reason)
			rc = judge(&making->comparison->tests[i], &making->samples[i]);
	}
	rc = rc ? rc : judge_family(making);
	if (rc == -ENOMEM)
		return comparison_no_memory(err);
	return rc ? error_errno(err, rc, "judging a comparison") : 0;
}
