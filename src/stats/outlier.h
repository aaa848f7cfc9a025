/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * outlier.h - marks values far from the others. A mark is shown with its evidence; nothing is ever
 * dropped by its value.
 */
#ifndef ONPROC_STATS_OUTLIER_H
#define ONPROC_STATS_OUTLIER_H

#include <stdbool.h>
#include <stddef.h>

#define OUTLIER_MODIFIED_Z 3.5 /* Iglewicz and Hoaglin 1993 */

/*
 * z: room for n; receives 0.6745 (x - median) / MAD. All are NAN when the MAD is 0: half of the
 * values are equal then, and there is no scale to judge the others by. 0, -EINVAL for a value that
 * is not finite, -ENOMEM.
 */
int outlier_modified_z(const double *x, size_t n, double *z);

/* |z| > OUTLIER_MODIFIED_Z; false for NAN. */
bool outlier_marked(double z);

#endif
