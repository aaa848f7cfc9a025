// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * further.c - expected number of further blocks.
 */
#include "stats/further.h"

#include "stats/verdict.h"

#include <math.h>

/* By how much n must grow for a distance to come down to room; INFINITY when it never does. */
static double growth(double distance, double room)
{
	return room > 0 ? (distance / room) * (distance / room) : INFINITY;
}

size_t further_blocks(const struct estimate *log_ratio, double margin)
{
	double value = log_ratio->value, lo = log_ratio->lo, hi = log_ratio->hi;
	double apart, within, n = (double)log_ratio->n;
	struct decision decision;

	if (verdict_decide(log_ratio, margin, &decision) ||
	    decision.verdict != VERDICT_INCONCLUSIVE || !isfinite(hi - lo) || !isfinite(value))
		return 0;
	apart = value > 0 ? growth(value - lo, value) : growth(hi - value, -value);
	within = fmax(growth(value - lo, margin + value), growth(hi - value, margin - value));
	/* The bound itself decides nothing, so at least one more. */
	return (size_t)fmin(floor(n * fmin(apart, within)) + 1 - n, 1e15);
}
