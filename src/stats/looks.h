/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * looks.h - when to look at a comparison that is still being measured, and at which level.
 *
 * Looks lie at n = 8, then each at 1.5 times the one before, rounded up. Look i spends
 * alpha_i = alpha / (i (i + 1)) of the error, which sums to alpha over any number of looks, so a
 * run may be resumed later and stays valid (alpha spending: Lan and DeMets 1983).
 */
#ifndef ONPROC_STATS_LOOKS_H
#define ONPROC_STATS_LOOKS_H

#include "stats/verdict.h"

#include <stdbool.h>
#include <stddef.h>

#define LOOKS_FIRST 8  /* blocks at the first look */
#define LOOKS_MAX   50 /* n is 3 × 10^9 there */

struct look {
	unsigned int number; /* from 1 */
	size_t n;	     /* blocks */
	double alpha;	     /* to spend at this look, two-sided */
};

/* Look number 1 … LOOKS_MAX of a test at alpha. 0 or -EINVAL. */
int look_get(unsigned int number, double alpha, struct look *look);

/* The first look at more than n blocks. 0; -EINVAL when there is none or for a bad alpha. */
int look_after(size_t n, double alpha, struct look *look);

enum look_end {
	LOOK_GOES_ON,
	LOOK_DECIDED, /* better, worse or same */
	LOOK_PRECISE, /* the interval is as narrow as asked; the verdict may be inconclusive */
};

struct look_result {
	struct estimate log_ratio; /* at level 1 - look->alpha or a little more */
	struct decision decision;
	enum look_end end;
};

/*
 * Looks at the first look->n of n block differences ln(B/A). margin: see verdict_decide().
 * precision: half-width of the interval in logarithms at which to stop, 0: no such wish. 0; -EINVAL
 * for fewer than look->n differences, one that is not finite, or a bad margin; -ENOMEM.
 */
int look_at(const struct look *look, const double *d, size_t n, double margin, double precision,
	    struct look_result *result);

#endif
