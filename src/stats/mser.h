/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mser.h - how much of the start of a slot is not like the rest: MSER truncation (White 1997).
 *
 * x are rates of equal sub-slices in order of time.
 */
#ifndef ONPROC_STATS_MSER_H
#define ONPROC_STATS_MSER_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The cut d <= n/2 that minimises sum((x - mean)^2) / m^2 over the m = n - d values after it; the
 * smallest of equal ones. *value is that minimum. 0; -EINVAL for n == 0 or a value that is not
 * finite.
 */
int mser_truncate(const double *x, size_t n, size_t *d, double *value);

/*
 * How far the level of what MSER cuts beyond the warm-up must differ from the rest, in standard
 * errors. MSER cuts more than a fifth of pure noise in one sample of ten; with this too it is below
 * 0.6 % for 25 slices of which 5 are warm-up, 3 % for 10 without warm-up.
 */
#define MSER_STEP 4.0

/*
 * True in *wants_more when MSER cuts more than the first `given` slices, which are the warm-up, and
 * the further ones that it cuts differ from the rest by more than noise does. Errors as above.
 */
int mser_wants_more(const double *x, size_t n, size_t given, bool *wants_more);

#endif
