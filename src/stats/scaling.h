/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scaling.h - how throughput grows with the number of copies: Gunther's universal scalability law
 * (2007),
 *
 *	X(N) = lambda N / (1 + sigma (N - 1) + kappa N (N - 1))
 *
 * lambda: rate of one copy; sigma: share of work that is serial; kappa: cost of copies agreeing
 * with each other. Fitted in closed form: N / X is linear in N - 1 and N (N - 1).
 *
 * The law knows one kind of CPU: fit copies up to the number of cores apart from those that share
 * cores (SMT), by giving the points of one range.
 */
#ifndef ONPROC_STATS_SCALING_H
#define ONPROC_STATS_SCALING_H

#include "stats/estimate.h"

#include <stdbool.h>
#include <stddef.h>

#define SCALING_COUNTS_MIN 3	/* different numbers of copies: as many as the law has parameters */
#define SCALING_ERROR_MAX  0.05 /* above this relative error the law does not fit */
#define SCALING_BLOCKS_MIN 3	/* for a jackknife */

struct scaling_law {
	double lambda, sigma, kappa; /* NAN: no law with lambda > 0 comes near the points */
	double relative_rmse;	     /* root mean square of (X - X(N)) / X(N); NAN, as `unproven` */
	bool fits;		     /* relative_rmse <= SCALING_ERROR_MAX, or unproven */
	bool unproven;		     /* through all points, whatever they are: too few of them */
	double peak_n, peak_rate;    /* where X(N) is greatest; peak_n INFINITY: it only grows */
};

/*
 * Least squares over `count` points (copies, rate), weighted for a constant relative error. A
 * kappa, then a sigma, that would be negative is 0. 0; -ENODATA for fewer than SCALING_COUNTS_MIN
 * different numbers of copies; -EINVAL for copies below 1 or a rate that is no finite number > 0;
 * -ENOMEM.
 */
int scaling_fit(const double *copies, const double *rate, size_t count, struct scaling_law *law);

/* X(copies). */
double scaling_rate(const struct scaling_law *law, double copies);

/*
 * Fit and curve of rates measured in blocks: rate[block × count + i] of copies[i], NAN where a
 * block lacks it. The law is fitted to the Hodges-Lehmann estimates over the blocks. curve: room
 * for count; curve[i] is X(copies[i]) with a t interval by leave-one-block-out jackknife on
 * logarithms, or no interval and the reason. 0, or as scaling_fit(), -EINVAL too for copies without
 * any rate.
 */
int scaling_of_blocks(const double *copies, const double *rate, size_t count, size_t blocks,
		      double alpha, struct scaling_law *law, struct estimate *curve);

#endif
