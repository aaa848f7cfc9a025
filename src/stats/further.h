/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * further.h - how many more blocks an inconclusive comparison is expected to need.
 */
#ifndef ONPROC_STATS_FURTHER_H
#define ONPROC_STATS_FURTHER_H

#include "stats/estimate.h"

#include <stddef.h>

/*
 * Blocks beyond log_ratio->n after which its interval, shrinking as 1/√n about an estimate that
 * stays, would give a verdict by verdict_decide(): it leaves 0, or fits within the margin,
 * whichever comes first. An expectation, no promise: looks with a smaller alpha need a little more.
 *
 * 0: the interval has a verdict, or there is none to judge by. margin > 0 as in verdict.h; 0 for a
 * bad one.
 */
size_t further_blocks(const struct estimate *log_ratio, double margin);

/*
 * The same until a gate is decided: the lower end of log_ratio comes above -margin (it passes), or
 * the upper end of `adjusted`, the interval that counts for a regression, below it. 0: decided, or
 * nothing to judge by.
 */
size_t further_blocks_of_gate(const struct estimate *log_ratio, const struct estimate *adjusted,
			      double margin);

#endif
