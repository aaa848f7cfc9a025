/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rng.h - SplitMix64 (Steele, Lea, Flood 2014): the one source of drawn order, seeded and recorded.
 *
 * Seed 1 gives 910a2dec89025cc1, beeb8da1658eec67, f893a2eefb32555e.
 */
#ifndef ONPROC_BASE_RNG_H
#define ONPROC_BASE_RNG_H

#include <stddef.h>
#include <stdint.h>

struct rng {
	uint64_t state;
};

static inline uint64_t rng_next(struct rng *rng)
{
	uint64_t z = rng->state += 0x9e3779b97f4a7c15ull;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}

/* Fisher-Yates over count indexes: for i = count-1 … 1, j = next mod (i+1). */
static inline void rng_shuffle(struct rng *rng, size_t *index, size_t count)
{
	for (size_t i = count; i-- > 1;) {
		size_t j = (size_t)(rng_next(rng) % (i + 1));
		size_t swap = index[i];

		index[i] = index[j];
		index[j] = swap;
	}
}

#endif
