/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * estimate.h - one-sample Hodges-Lehmann estimate with the exact signed-rank interval.
 *
 * Source: Hodges and Lehmann 1963; interval by inversion of Wilcoxon's signed-rank test. Works on
 * any real numbers; rates are given as natural logarithms and come back through exp().
 */
#ifndef ONPROC_STATS_ESTIMATE_H
#define ONPROC_STATS_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>

struct estimate {
	size_t n;
	double value;  /* NAN when n == 0 */
	double lo, hi; /* NAN when there is no interval: see reason */
	double level;  /* achieved, not asked: 0.9575… for n = 12 at alpha = 0.05; NAN without
			  interval */
	size_t k;      /* the interval is [w_(k), w_(M+1-k)] of the M sorted Walsh averages */
	bool exact;    /* false: null distribution by the Edgeworth-corrected normal (n > 200) */
	const char *reason; /* static text, NULL when there is an interval: "n too small (5 < 6)" */
};

/* No value and no interval, with the (static) reason. */
void estimate_none(struct estimate *out, size_t n, const char *reason);

/*
 * x: n finite numbers, any order, not changed. alpha in (0, 1): two-sided. Memory O(n), time O(n
 * log n) and O(n) times the 64 bits of a double. 0; -EINVAL for a NaN or infinity or such an alpha;
 * -ENOMEM.
 */
int estimate_hl(const double *x, size_t n, double alpha, struct estimate *out);

/* As estimate_hl() on ln(rate); value, lo and hi are rates again. -EINVAL for a rate <= 0. */
int estimate_rate(const double *rate, size_t n, double alpha, struct estimate *out);

/* Half of the interval's width as a share of the value, for a rate's estimate. NAN without
 * interval. */
double estimate_half_width(const struct estimate *estimate);

/*
 * Test of "the centre of x is 0" that belongs to the interval: p is the smallest alpha at which 0
 * lies outside estimate_hl()'s closed interval, so that both never disagree, with ties and zeros
 * too (an average that is 0 counts against leaving on both sides). v is the signed-rank statistic:
 * averages above 0, those that are 0 count 1/2. 0, -EINVAL or -ENOMEM.
 */
int estimate_p(const double *x, size_t n, double *v, double *p);

#endif
