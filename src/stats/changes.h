/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * changes.h - where did the level of a history change? E-divisive with permutations.
 *
 * Source: Matteson and James 2014, with alpha = 1 and U-statistics:
 *
 *	Q(t) = ab/(a+b) × [ 2 mean |x_i - y_j| - mean |x_i - x_k| - mean |y_j - y_l| ]
 *
 * for the a values x before t and the b values y from t on, means over pairs of two different
 * values. It is about 0 without change. The split is where Q is greatest; it is significant when
 * at most 1 % of permutations reach its Q, p = (1 + reached) / (1 + permutations). Then both sides
 * are split again.
 *
 * Values are logarithms of scores, one per point of the history, in order of time.
 */
#ifndef ONPROC_STATS_CHANGES_H
#define ONPROC_STATS_CHANGES_H

#include "stats/estimate.h"

#include <stddef.h>
#include <stdint.h>

#define CHANGES_PERMUTATIONS 999
#define CHANGES_P_MAX	     0.01
#define CHANGES_LEVEL_MIN    2 /* points on each side of a split */
#define CHANGES_CONFIRMED    3 /* points of the new level that make a change sure */

struct changes_split {
	size_t at;	      /* the first point of the right side */
	double q;	      /* greatest Q; NAN, and at = 0, for less than 4 points */
	unsigned int reached; /* permutations with a Q as great */
	double p;	      /* NAN without q */
};

/*
 * The best split of n values and what all CHANGES_PERMUTATIONS say about it: each is rng_shuffle()
 * of the values as they are, all from one generator of that seed (base/rng.h). Time O(n log n) for
 * each. 0; -EINVAL for a value that is not finite; -ERANGE for differences that are not; -ENOMEM.
 */
int changes_split(const double *y, size_t n, uint64_t seed, struct changes_split *split);

enum change_state {
	CHANGE_DRIFT,	  /* significant, and smaller than the margin: no alarm */
	CHANGE_SUSPECT,	  /* fewer than CHANGES_CONFIRMED points of the new level yet */
	CHANGE_CONFIRMED, /* neither */
};

struct change {
	size_t from, at, to;	   /* levels: y[from … at-1] before, y[at … to-1] after */
	double q, p;		   /* of the split that found it */
	struct estimate log_ratio; /* of the level after to the one before, by estimate_shift() */
	enum change_state state;
};

/*
 * All significant changes of n values, ascending. margin > 0: ln of the practical margin. alpha:
 * of the intervals. Each segment is permuted from the same seed, so what is found in one does not
 * depend on another. *changes is the caller's to free(), NULL for none. 0; -EINVAL for a value that
 * is not finite, a bad margin or alpha; -ERANGE as above; -ENOMEM.
 */
int changes_find(const double *y, size_t n, double margin, double alpha, uint64_t seed,
		 struct change **changes, size_t *n_changes);

/* "drift", "suspect", "confirmed". */
const char *change_state_name(enum change_state state);

#endif
