/* SPDX-License-Identifier: GPL-2.0-or-later */
/* multiplicity.h - p-values of a family of tests, adjusted. */
#ifndef ONPROC_STATS_MULTIPLICITY_H
#define ONPROC_STATS_MULTIPLICITY_H

#include <stddef.h>

/*
 * p: n values in [0, 1], any order; NAN where a test has none, which gives NAN and does not count.
 * adjusted: room for n, in the order of p. 0; -EINVAL for another value; -ENOMEM.
 */
int multiplicity_holm(const double *p, size_t n, double *adjusted); /* Holm 1979 */
int multiplicity_bh(const double *p, size_t n, double *adjusted);   /* Benjamini, Hochberg 1995 */

#endif
