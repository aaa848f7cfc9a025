/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * random.h - random samples of fixed seeds for simulations in tests.
 */
#ifndef ONPROC_TESTS_RANDOM_H
#define ONPROC_TESTS_RANDOM_H

#include "base/rng.h"

#include <math.h>

/* In (0, 1). */
static inline double random_uniform(struct rng *rng)
{
	return ((double)(rng_next(rng) >> 11) + 0.5) / 9007199254740992.0; /* 2^53 */
}

/* Standard normal, by Box and Muller. */
static inline double random_normal(struct rng *rng)
{
	double radius = sqrt(-2 * log(random_uniform(rng)));

	return radius * cos(2 * M_PI * random_uniform(rng));
}

/* Student's t with 3 degrees of freedom: infinite fourth moment, so outliers are its nature. */
static inline double random_t3(struct rng *rng)
{
	double a = random_normal(rng), b = random_normal(rng), c = random_normal(rng);

	return random_normal(rng) / sqrt((a * a + b * b + c * c) / 3);
}

#endif
