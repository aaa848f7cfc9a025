// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * verdict.c - from interval and margin to a verdict.
 */
#include "stats/verdict.h"

#include <errno.h>
#include <math.h>

int verdict_decide(const struct estimate *log_ratio, double margin, struct decision *decision)
{
	double lo = log_ratio->lo, hi = log_ratio->hi;

	*decision = (struct decision){ VERDICT_INCONCLUSIVE, false };
	if (!(margin > 0) || isinf(margin))
		return -EINVAL;
	/* Every comparison with the NAN of a missing interval is false. */
	if (lo > 0 && hi >= lo)
		*decision = (struct decision){ VERDICT_BETTER, hi <= margin };
	else if (hi < 0 && lo <= hi)
		*decision = (struct decision){ VERDICT_WORSE, lo >= -margin };
	else if (lo > -margin && hi < margin)
		decision->verdict = VERDICT_SAME;
	return 0;
}

const char *verdict_name(enum verdict verdict)
{
	static const char *const names[] = {
		[VERDICT_INCONCLUSIVE] = "inconclusive",
		[VERDICT_BETTER] = "better",
		[VERDICT_WORSE] = "worse",
		[VERDICT_SAME] = "same",
	};

	return names[verdict];
}
