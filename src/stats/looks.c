// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * looks.c - the schedule of looks and the decision at one.
 */
#include "stats/looks.h"

#include <errno.h>

int look_get(unsigned int number, double alpha, struct look *look)
{
	size_t n = LOOKS_FIRST;

	*look = (struct look){ 0 };
	if (number < 1 || number > LOOKS_MAX || !(alpha > 0 && alpha < 1))
		return -EINVAL;
	for (unsigned int i = 1; i < number; i++)
		n += (n + 1) / 2; /* 1.5 n, rounded up */
	look->number = number;
	look->n = n;
	look->alpha = alpha / ((double)number * ((double)number + 1));
	return 0;
}

int look_after(size_t n, double alpha, struct look *look)
{
	unsigned int number = 0;
	int rc;

	do {
		rc = look_get(++number, alpha, look);
	} while (!rc && look->n <= n);
	return rc;
}

int look_at(const struct look *look, const double *d, size_t n, double margin, double precision,
	    struct look_result *result)
{
	int rc;

	*result = (struct look_result){ .end = LOOK_GOES_ON };
	estimate_none(&result->log_ratio, n, "fewer blocks than the look needs");
	if (n < look->n || !(precision >= 0))
		return -EINVAL;
	rc = estimate_hl(d, look->n, look->alpha, &result->log_ratio);
	if (rc)
		return rc;
	rc = verdict_decide(&result->log_ratio, margin, &result->decision);
	if (rc)
		return rc;
	if (result->decision.verdict != VERDICT_INCONCLUSIVE)
		result->end = LOOK_DECIDED;
	else if ((result->log_ratio.hi - result->log_ratio.lo) / 2 <= precision)
		result->end = LOOK_PRECISE;
	return 0;
}
