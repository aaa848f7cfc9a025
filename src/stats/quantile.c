// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * quantile.c - normal and Student's t distribution, and their inverses by bisection.
 *
 * Tails of t are regularised incomplete beta functions, by their continued fraction (Abramowitz and
 * Stegun 26.5.8, evaluated after Lentz 1976).
 */
#include "stats/quantile.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

#define FRACTION_STEPS_MAX 100000 /* about the root of the degrees of freedom are needed */

/* Γ(x + 1/2) / Γ(x), as a logarithm. lgamma() would lose the digits of a large x. */
static double log_gamma_step(double x)
{
	double r = 1 / x;
	double r2 = r * r;

	if (x < 20)
		return lgamma(x + 0.5) - lgamma(x);
	/* Stirling's series at x + 1/2 less that at x; the next term is below 4e-15. */
	return 0.5 * log(x) - r * (1.0 / 8 - r2 * (1.0 / 192 - r2 * (1.0 / 640 - r2 * 17 / 14336)));
}

/* No divisor of the fraction may be 0. */
static double not_zero(double x)
{
	return fabs(x) < DBL_MIN ? DBL_MIN : x;
}

/* The continued fraction of the incomplete beta function, for x below (a + 1) / (a + b + 2). */
static double beta_fraction(double a, double b, double x)
{
	double c = 1, d = 1 / not_zero(1 - (a + b) * x / (a + 1));
	double value = d;

	for (int m = 1; m < FRACTION_STEPS_MAX; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		double step;

		d = 1 / not_zero(1 + even * d);
		c = not_zero(1 + even / c);
		value *= d * c;
		d = 1 / not_zero(1 + odd * d);
		c = not_zero(1 + odd / c);
		step = d * c;
		value *= step;
		if (fabs(step - 1) < DBL_EPSILON)
			break;
	}
	return value;
}

/* P(T > t) for t >= 0. */
static double student_tail(double t, double df)
{
	double a = df / 2, squared = t * t;
	double x = df / (df + squared), y = squared / (df + squared); /* y = 1 - x */
	double front; /* x^a y^(1/2) Γ(a + 1/2) / (Γ(a) Γ(1/2)) */

	if (isinf(df))
		return 0.5 * erfc(t * M_SQRT1_2);
	if (isinf(squared))
		return 0;
	front = exp(-a * log1p(squared / df) + 0.5 * log(y) + log_gamma_step(a)) / sqrt(M_PI);
	if (x < (a + 1) / (a + 2.5))
		return 0.5 * front * beta_fraction(a, 0.5, x) / a;
	return 0.5 - front * beta_fraction(0.5, a, y); /* (1 - 2 front fraction) / 2 */
}

double normal_cdf(double z)
{
	return 0.5 * erfc(-z * M_SQRT1_2);
}

double student_cdf(double t, double df)
{
	if (!(df > 0) || isnan(t))
		return NAN;
	return t > 0 ? 1 - student_tail(t, df) : student_tail(-t, df);
}

double student_quantile(double p, double df)
{
	double tail = fmin(p, 1 - p), low = 0, high = 1, t;

	if (!(df > 0) || !(p >= 0 && p <= 1))
		return NAN;
	if (tail == 0)
		return p < 0.5 ? -INFINITY : INFINITY;
	while (student_tail(high, df) > tail && high < DBL_MAX / 2)
		high *= 2;
	for (;;) {
		t = low + (high - low) / 2;
		if (t <= low || t >= high)
			break;
		if (student_tail(t, df) > tail)
			low = t;
		else
			high = t;
	}
	return p < 0.5 ? -t : t;
}

double normal_quantile(double p)
{
	return student_quantile(p, INFINITY);
}
