// SPDX-License-Identifier: MIT
/*
 * thread_clock.c - the clock of the slow paths: the CPU's counter where it is steady.
 *
 * A counter of the CPU is read in 8 ns where clock_gettime(CLOCK_MONOTONIC) takes 25. Its rate is
 * measured against the latter, over the last seconds only: CLOCK_MONOTONIC stands still while a
 * machine sleeps, is paused or moved, and counters may go on or start anew. Each thread takes up
 * CLOCK_MONOTONIC again once a second, so that errors do not add up.
 */
#include "small_file.h"
#include "thread.h"

#include <string.h>
#include <time.h>

#define ANCHOR_NS		1000000000u
#define LONGEST_CALIBRATION_NS	4000000000u
#define SHORTEST_CALIBRATION_NS 2000000u /* reads of both clocks differ by some 100 ns: 0.01 % */

/* ns = ticks * ns_per_tick >> 32; 0: not known yet, or no steady counter. */
static uint64_t ns_per_tick_32;
static bool steady;

/* Both clocks at a moment, read within so many ticks. */
struct reading {
	uint64_t ns, ticks, within;
};

/* Where the measurement of the rate began; one thread at a time, the others do without. */
static struct {
	bool taken;
	struct reading at;
} base;

static __thread struct {
	uint64_t ns, ticks;
} anchor __attribute__((tls_model("initial-exec")));

static uint64_t monotonic_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static inline uint64_t counter(void)
{
#if defined(__x86_64__)
	return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	uint64_t ticks;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
	return ticks;
#else
	return 0;
#endif
}

/* Is the CPU's counter what the kernel itself counts with? */
static bool counter_is_steady(void)
{
#if defined(__aarch64__)
	return true;
#elif defined(__x86_64__)
	char name[16];

	/* A KVM guest's clock is made of the counter. */
	return small_file_read("/sys/devices/system/clocksource/clocksource0/current_clocksource",
			       name, sizeof(name)) &&
	       (!strncmp(name, "tsc", 3) || !strncmp(name, "kvm-clock", 9));
#else
	return false;
#endif
}

/*
 * Reads both clocks as if at once. A thread may lose its CPU in between, and a rate measured from
 * such a pair would be wrong by any factor: the closest of a few tries is taken.
 */
static struct reading read_both(void)
{
	struct reading best = { .within = UINT64_MAX };
	int n;

	for (n = 0; n < 3; n++) {
		uint64_t before = counter(), ns = monotonic_ns(), within = counter() - before;

		if (within < best.within)
			best = (struct reading){ ns, before + within / 2, within };
	}
	return best;
}

void thread_clock_initialise(void)
{
	steady = counter_is_steady();
	base.at = read_both();
}

/* Is the rate between both known to 0.5 %? */
static bool is_close(const struct reading *first, const struct reading *second)
{
	return first->within + second->within < (second->ticks - first->ticks) / 200;
}

static void measure_rate(const struct reading *now)
{
	const struct reading *at = &base.at;

	if (!steady || __atomic_exchange_n(&base.taken, true, __ATOMIC_ACQUIRE))
		return;
	if (now->ns - at->ns >= SHORTEST_CALIBRATION_NS && now->ticks > at->ticks &&
	    is_close(at, now))
		__atomic_store_n(&ns_per_tick_32,
				 (uint64_t)(((unsigned __int128)(now->ns - at->ns) << 32) /
					    (now->ticks - at->ticks)),
				 __ATOMIC_RELAXED);
	if (now->ns - at->ns >= LONGEST_CALIBRATION_NS || now->ticks < at->ticks)
		base.at = *now;
	__atomic_store_n(&base.taken, false, __ATOMIC_RELEASE);
}

static void take_anchor(void)
{
	struct reading now = read_both();

	anchor.ns = now.ns;
	anchor.ticks = now.ticks;
	measure_rate(&now);
}

uint64_t thread_now_ns(void)
{
	uint64_t scale = __atomic_load_n(&ns_per_tick_32, __ATOMIC_RELAXED), passed;

	if (!scale) {
		take_anchor();
		return anchor.ns;
	}
	passed = (uint64_t)(((unsigned __int128)(counter() - anchor.ticks) * scale) >> 32);
	if (passed >= ANCHOR_NS) {
		take_anchor();
		return anchor.ns;
	}
	return anchor.ns + passed;
}
