/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hierarchy.h - on which level does a measurement vary: slices in runs, runs in boots, boots?
 *
 * Kalibera and Jones 2013. Levels are counted from the innermost: 0 are the values, and the top
 * level is the unit that an interval rests on. With one level it is the mean's t interval.
 */
#ifndef ONPROC_STATS_HIERARCHY_H
#define ONPROC_STATS_HIERARCHY_H

#include <stddef.h>

#define HIERARCHY_LEVELS_MAX 3
#define HIERARCHY_UNITS_MAX  1000000

struct hierarchy {
	unsigned int levels;
	size_t count[HIERARCHY_LEVELS_MAX]; /* values per run, runs per boot, boots */
	double mean;
	double s2[HIERARCHY_LEVELS_MAX]; /* variance of the means of a level, pooled */
	double t2[HIERARCHY_LEVELS_MAX]; /* what the level itself adds; <= 0: nothing */
	double half_width;		 /* of the mean's interval, from the top level */
};

/*
 * x: all values, count[0] of the first run of the first boot, then those of its next run, …: every
 * group of a level has the same count; cut longer ones. Every count is at least 2: leave out a
 * level without repetition. 0; -EINVAL for less, for other than 1 … HIERARCHY_LEVELS_MAX levels, a
 * value that is not finite, or a bad alpha; -ENOMEM.
 */
int hierarchy_analyse(const double *x, const size_t *count, unsigned int levels, double alpha,
		      struct hierarchy *hierarchy);

/*
 * How often to repeat on each level below the top, when a repetition on level i costs cost[i] > 0
 * besides what is inside it (seconds; only their ratios count). optimal[i], i < levels - 1, is the
 * real number √(cost[i+1]/cost[i] × t2[i]/t2[i+1]); repeat[i] the whole one, at least 1. Levels
 * that add no variance are not repeated, and their cost goes to the level above. INFINITY where no
 * level above adds variance; repeat[i] is what was measured then. 0 or -EINVAL.
 */
int hierarchy_optimum(const struct hierarchy *hierarchy, const double *cost, double *optimal,
		      size_t *repeat);

/*
 * Fewest units of the top level, at least 2, for an interval of the mean with a half-width of at
 * most half_width > 0, when levels below are repeated as given; repeat NULL: as measured. 0;
 * -EINVAL; -ERANGE when it takes more than HIERARCHY_UNITS_MAX.
 */
int hierarchy_units_needed(const struct hierarchy *hierarchy, const size_t *repeat,
			   double half_width, double alpha, size_t *units);

#endif
