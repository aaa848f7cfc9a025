// SPDX-License-Identifier: GPL-2.0-or-later
/* lock_histogram.c - see lock_histogram.h. */
#include "workload/lock_histogram.h"

void lock_histogram_merge(struct lock_histogram *into, const struct lock_histogram *from)
{
	for (uint32_t i = 0; i < LOCK_HISTOGRAM_BUCKETS; i++) {
		if (__builtin_add_overflow(into->bucket[i], from->bucket[i], &into->bucket[i]))
			into->bucket[i] = UINT32_MAX;
	}
	into->count += from->count;
	if (from->max > into->max)
		into->max = from->max;
}

/* The middle of a bucket; those of one value are that value. */
static double bucket_middle(uint32_t bucket)
{
	uint32_t power = bucket / LOCK_HISTOGRAM_STEPS;
	uint64_t low, width;

	if (power <= 1)
		return bucket;
	width = 1ull << (power - 1);
	low = (LOCK_HISTOGRAM_STEPS + bucket % LOCK_HISTOGRAM_STEPS) * width;
	return (double)low + (double)(width - 1) / 2;
}

double lock_histogram_quantile(const struct lock_histogram *histogram, double share)
{
	uint64_t seen = 0;

	if (!histogram->count)
		return 0;
	for (uint32_t i = 0; share < 1 && i < LOCK_HISTOGRAM_BUCKETS; i++) {
		double middle;

		seen += histogram->bucket[i];
		if ((double)seen < share * (double)histogram->count || !seen)
			continue;
		middle = bucket_middle(i);
		return middle < (double)histogram->max ? middle : (double)histogram->max;
	}
	return (double)histogram->max;
}

double lock_jain(const uint64_t *count, uint32_t n)
{
	double sum = 0, squares = 0;

	for (uint32_t i = 0; i < n; i++) {
		sum += (double)count[i];
		squares += (double)count[i] * (double)count[i];
	}
	return squares > 0 ? sum * sum / (n * squares) : 0;
}
