/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * verdict.h - what an interval of a logarithmic ratio says against a practical margin.
 */
#ifndef ONPROC_STATS_VERDICT_H
#define ONPROC_STATS_VERDICT_H

#include "stats/estimate.h"

#include <stdbool.h>

enum verdict {
	VERDICT_INCONCLUSIVE, /* more blocks are needed; also without interval */
	VERDICT_BETTER,	      /* the whole interval lies above 0 */
	VERDICT_WORSE,	      /* the whole interval lies below 0 */
	VERDICT_SAME,	      /* the whole interval lies within the margin, and holds 0 */
};

struct decision {
	enum verdict verdict;
	bool trivial; /* better or worse, and by no more than the margin at either end */
};

/*
 * log_ratio: of ln(B/A) by estimate_hl(), higher is better. margin: ln of the practical margin, >
 * 0: log(1.01) for 1 %. Returns 0, or -EINVAL for another margin.
 */
int verdict_decide(const struct estimate *log_ratio, double margin, struct decision *decision);

/* "better", "worse", "same", "inconclusive". */
const char *verdict_name(enum verdict verdict);

#endif
