/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * classic.h - UnixBench's own rule for a test's score, for those who must publish that number.
 *
 * The passes are sorted by their raw count (not by their rate), the lowest floor(n/3) are dropped,
 * and the score is the geometric mean of the others' rates. It leans upwards: nothing is ever
 * dropped at the top.
 */
#ifndef ONPROC_STATS_CLASSIC_H
#define ONPROC_STATS_CLASSIC_H

#include <stddef.h>

/* Passes that are left of n, once the worst third is dropped. */
size_t classic_kept(size_t n);

/*
 * count[i]: iterations of pass i over all copies; rate[i]: its rate. Passes of equal count are
 * dropped in the order they ran. *kept, if not NULL: number of passes in the score. 0; -EINVAL for
 * n == 0, a rate that is no finite number > 0, or a count that is not finite; -ENOMEM.
 */
int classic_score(const double *count, const double *rate, size_t n, double *score, size_t *kept);

#endif
