// SPDX-License-Identifier: MIT
/* trust.c - see trust.h. */
#include "sensor/trust.h"

void trust_begin(struct sensor_trust *trust)
{
	__atomic_store_n(&trust->score, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&trust->second, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&trust->looks_needed, 0, __ATOMIC_RELAXED);
	trust->losses = 0; /* written by the one thread that opens and loses sensors */
}

bool trust_lower(struct sensor_trust *trust, uint32_t weight, uint64_t second)
{
	uint64_t last = __atomic_load_n(&trust->second, __ATOMIC_RELAXED);
	uint32_t score;

	/* One thread halves; a weight that is added meanwhile may get lost, which is no harm. */
	if (last != second && __atomic_compare_exchange_n(&trust->second, &last, second, false,
							  __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
		uint64_t seconds = second > last ? second - last : 1;

		score = __atomic_load_n(&trust->score, __ATOMIC_RELAXED);
		__atomic_store_n(&trust->score, seconds < 32 ? score >> seconds : 0,
				 __ATOMIC_RELAXED);
	}
	if (!weight)
		return false;
	score = __atomic_add_fetch(&trust->score, weight, __ATOMIC_RELAXED);
	return score >= TRUST_LIMIT && !trust_is_lost(trust);
}

static uint32_t looks_after(uint32_t losses)
{
	uint32_t looks = TRUST_LOOKS;

	while (--losses && looks < TRUST_LOOKS_MOST)
		looks *= 2;
	return looks;
}

void trust_lose(struct sensor_trust *trust)
{
	if (trust->losses < UINT32_MAX)
		trust->losses++;
	__atomic_store_n(&trust->score, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&trust->looks_needed, looks_after(trust->losses), __ATOMIC_RELAXED);
}

bool trust_look(struct sensor_trust *trust, bool right)
{
	uint32_t needed = right ? trust->looks_needed - 1 : looks_after(trust->losses);

	__atomic_store_n(&trust->looks_needed, needed, __ATOMIC_RELAXED);
	return !needed;
}
