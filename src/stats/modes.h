/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * modes.h - do the rates of a series fall into two or three modes?
 *
 * context1 runs 17 times and spawn 3 times as fast with both parties on one CPU as on two, and a
 * slot keeps the placement it got. One narrow interval over both would describe neither.
 *
 * The rule, on logarithms of rates. The sorted slots are cut into two or three groups. A boundary
 * counts when the medians beside it differ by a factor of at least MODES_RATIO and when its gap is
 * MODES_CLEAR_GAP(df) times the standard deviation pooled within the groups (df = slots - groups);
 * and either
 *
 * - all slots of one group have one placement and all of the other another: half of that gap is
 *   enough then, or the whole of it where one of them is a single slot;
 *
 * - or both hold two slots and a sixth of all, and a group of two is narrower than the gap by
 *   MODES_PAIR_GAP.
 *
 * A cut counts when all its boundaries do. The one into most groups is taken, then the one with the
 * widest gaps.
 *
 * Where none counts, slots labelled "mixed" (the parties moved while the slot was measured, so its
 * rate lies anywhere between) are set aside; if the others fall into two with a placement each,
 * those set aside join the group they lie in or make a mode of their own. A series is "spread"
 * where four groups would count, or where none do and the middle half of the slots spans a factor
 * of MODES_SPREAD_RATIO: no modes, and no one value either.
 */
#ifndef ONPROC_STATS_MODES_H
#define ONPROC_STATS_MODES_H

#include <stddef.h>

#define MODES_MAX   3
#define MODES_MIXED "mixed"

/*
 * In standard deviations. Samples with one mode are cut in less than 1 % at n = 7 and n = 12
 * without placements: normal, log-normal, t3, one slot in ten with 5 times the deviation (with 10
 * times it: 1.1 %), at a noise of 1 to 15 %. Modes at a factor of 3 with 5 % noise are about 20
 * apart and found in more than 99 %.
 */
#define MODES_CLEAR_GAP(df) (7 + 40 / ((double)(df) * (double)(df)))

/* Two slots make a mode when they agree, two outliers seldom do. */
#define MODES_PAIR_GAP 4.5

/* A mode without labels holds a sixth of the slots: fewer cannot be told from outliers. */
#define MODES_LEAST_SHARE 6

/* Above what a shared host does to equal slots: ± 8 % between them, 1.08² = 1.17. */
#define MODES_RATIO 1.25

/* Normal noise of 15 % spans 1.22 with its middle half; modes at a factor of 3 span more than 2. */
#define MODES_SPREAD_RATIO 2.0

enum modes_shape {
	MODES_ONE,     /* count 1 */
	MODES_SEVERAL, /* count 2 or 3 */
	MODES_SPREAD,  /* count 1 */
};

struct modes {
	enum modes_shape shape;
	unsigned int count;
};

/*
 * rate: n rates > 0. placement: n labels, "" or NULL for unknown; NULL: none known. group: room for
 * n; receives the mode of every slot, 0 … count-1 by ascending median rate. 0; -EINVAL for a rate
 * that is no finite number > 0; -ENOMEM.
 */
int modes_find(const double *rate, const char *const *placement, size_t n, unsigned char *group,
	       struct modes *modes);

/*
 * The placement of one mode: the label of more than half of its labelled slots, "mixed" when there
 * is none such, "" when less than half of its slots have a label. Points into placement or is
 * static.
 */
const char *modes_placement(const char *const *placement, const unsigned char *group, size_t n,
			    unsigned char mode);

#endif
