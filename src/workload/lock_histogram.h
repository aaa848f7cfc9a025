/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lock_histogram.h - how often a wait took how long: a log-linear histogram, one writer.
 *
 * Each power of two has LOCK_HISTOGRAM_STEPS buckets of equal width, values below that one bucket
 * each. A quantile is the middle of its bucket: within 1 / (2 × LOCK_HISTOGRAM_STEPS) = 1.6 % of a
 * recorded value. The largest value is kept as it is. Values are in the unit of whoever adds them.
 */
#ifndef ONPROC_WORKLOAD_LOCK_HISTOGRAM_H
#define ONPROC_WORKLOAD_LOCK_HISTOGRAM_H

#include <stdint.h>

#define LOCK_HISTOGRAM_BITS    5
#define LOCK_HISTOGRAM_STEPS   (1u << LOCK_HISTOGRAM_BITS)
#define LOCK_HISTOGRAM_LARGEST ((1ull << 44) - 1) /* larger ones count in the last bucket */
#define LOCK_HISTOGRAM_BUCKETS ((44 - LOCK_HISTOGRAM_BITS + 1) * LOCK_HISTOGRAM_STEPS)

struct lock_histogram {
	uint64_t count, max;
	uint32_t bucket[LOCK_HISTOGRAM_BUCKETS];
};

static inline uint32_t lock_histogram_bucket(uint64_t value)
{
	uint32_t power;

	if (value < LOCK_HISTOGRAM_STEPS)
		return (uint32_t)value;
	if (value > LOCK_HISTOGRAM_LARGEST)
		value = LOCK_HISTOGRAM_LARGEST;
	power = 63 - (uint32_t)__builtin_clzll(value);
	return (power - LOCK_HISTOGRAM_BITS) * LOCK_HISTOGRAM_STEPS +
	       (uint32_t)(value >> (power - LOCK_HISTOGRAM_BITS));
}

static inline void lock_histogram_add(struct lock_histogram *histogram, uint64_t value)
{
	histogram->bucket[lock_histogram_bucket(value)]++;
	histogram->count++;
	if (value > histogram->max)
		histogram->max = value;
}

/* Adds all of `from`. A bucket that would overflow stays full. */
void lock_histogram_merge(struct lock_histogram *into, const struct lock_histogram *from);

/* The value that a share of all values does not exceed; 0 for an empty one, max for share 1. */
double lock_histogram_quantile(const struct lock_histogram *histogram, double share);

/*
 * Jain's index of fairness of counts: (Σx)² / (n Σx²), 1 where all are equal, 1/n where one has
 * all. 0 where all are 0: the flags of the programs know no NAN.
 */
double lock_jain(const uint64_t *count, uint32_t n);

#endif
