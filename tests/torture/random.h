/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * random.h - numbers that depend on a seed alone: SplitMix64 (Steele, Lea and Flood 2014).
 *
 * Each operation gets a generator of its own, made from the seed, the thread and its number, so
 * that what an operation met does not change which ones follow.
 */
#ifndef TORTURE_RANDOM_H
#define TORTURE_RANDOM_H

#include <stdint.h>

struct random {
	uint64_t state;
};

static inline uint64_t random_next(struct random *random)
{
	uint64_t z = random->state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

/* 0 to below - 1. */
static inline uint32_t random_below(struct random *random, uint32_t below)
{
	return (uint32_t)((random_next(random) >> 32) * below >> 32);
}

static inline struct random random_of(uint64_t seed, uint64_t a, uint64_t b)
{
	struct random random = { seed };

	random.state = random_next(&random) ^ a;
	random.state = random_next(&random) ^ b;
	return random;
}

#endif
