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

/* The bound itself decides nothing, so at least one more. */
static size_t blocks_beyond(double n, double times)
{
	return (size_t)fmin(floor(n * times) + 1 - n, 1e15);
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
	return blocks_beyond(n, fmin(apart, within));
}

size_t further_blocks_of_gate(const struct estimate *log_ratio, const struct estimate *adjusted,
			      double margin)
{
	double above = log_ratio->value + margin, n = (double)log_ratio->n;

	if (!isfinite(above) || !isfinite(log_ratio->lo) || !isfinite(adjusted->hi) ||
	    !(margin > 0) || log_ratio->lo > -margin || adjusted->hi < -margin)
		return 0;
	return blocks_beyond(n, above > 0 ? growth(log_ratio->value - log_ratio->lo, above)
					  : growth(adjusted->hi - log_ratio->value, -above));
}
