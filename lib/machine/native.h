/* SPDX-License-Identifier: MIT */
/*
 * native.h - the machine that programs run on: atomics of the compiler, futex, the sensor.
 *
 * Everything on a fast path is inline. See machine.h for what each operation promises.
 */
#ifndef ONPROC_LIB_MACHINE_NATIVE_H
#define ONPROC_LIB_MACHINE_NATIVE_H

#include "sensor/sensor.h"
#include "slot.h"
#include "stat.h"
#include "thread.h"

#define M_NATIVE_WIDTH(n)                                                                          \
	static inline __attribute__((always_inline))                                               \
	uint##n##_t m_load##n(const uint##n##_t *p, int order)                                     \
	{                                                                                          \
		return __atomic_load_n(p, order);                                                  \
	}                                                                                          \
	static inline __attribute__((always_inline)) void m_store##n(uint##n##_t *p,               \
								     uint##n##_t value, int order) \
	{                                                                                          \
		__atomic_store_n(p, value, order);                                                 \
	}                                                                                          \
	static inline __attribute__((always_inline))                                               \
	uint##n##_t m_exchange##n(uint##n##_t *p, uint##n##_t value, int order)                    \
	{                                                                                          \
		return __atomic_exchange_n(p, value, order);                                       \
	}                                                                                          \
	static inline __attribute__((always_inline)) bool m_compare##n(                            \
		uint##n##_t *p, uint##n##_t *expected, uint##n##_t desired, int order,             \
		int order_of_failure)                                                              \
	{                                                                                          \
		return __atomic_compare_exchange_n(p, expected, desired, false, order,             \
						   order_of_failure);                              \
	}                                                                                          \
	static inline __attribute__((always_inline))                                               \
	uint##n##_t m_add##n(uint##n##_t *p, uint##n##_t value, int order)                         \
	{                                                                                          \
		return __atomic_fetch_add(p, value, order);                                        \
	}                                                                                          \
	static inline __attribute__((always_inline))                                               \
	uint##n##_t m_and##n(uint##n##_t *p, uint##n##_t value, int order)                         \
	{                                                                                          \
		return __atomic_fetch_and(p, value, order);                                        \
	}                                                                                          \
	static inline __attribute__((always_inline))                                               \
	uint##n##_t m_or##n(uint##n##_t *p, uint##n##_t value, int order)                          \
	{                                                                                          \
		return __atomic_fetch_or(p, value, order);                                         \
	}
M_NATIVE_WIDTH(16)
M_NATIVE_WIDTH(32)
M_NATIVE_WIDTH(64)
#undef M_NATIVE_WIDTH

static inline __attribute__((always_inline)) void m_fence(int order)
{
	__atomic_thread_fence(order);
}

static inline __attribute__((always_inline)) void m_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	/* Not WFE: a wait that watches one line cannot also see the sensor. ISB stalls for tens of
	 * cycles where YIELD is a no-operation on most cores. */
	__asm__ volatile("isb" ::: "memory");
#else
	__asm__ volatile("" ::: "memory");
#endif
}

static inline __attribute__((always_inline)) uint32_t m_self(void)
{
	uint32_t number = thread_number_plus_one;

	return __builtin_expect(number != 0, 1) ? number - 1 : thread_register();
}

static inline __attribute__((always_inline)) uint32_t m_me(void)
{
	return thread_number_plus_one;
}

static inline uint32_t m_spare(void)
{
	return thread_spare();
}

static inline __attribute__((always_inline)) struct slot *m_slot(uint32_t n)
{
	return &thread_slots[n];
}

static inline bool m_sensing(void)
{
	return sensor_states() != NULL;
}

static inline __attribute__((always_inline)) bool m_preempted(uint32_t n)
{
	const volatile uint8_t *states = sensor_states();

	return states && sensor_state_of(states, n) >= SENSOR_OFF_CPU;
}

static inline bool m_blocked(uint32_t n)
{
	const volatile uint8_t *states = sensor_states();

	return states && sensor_state_of(states, n) == SENSOR_SLEEPING;
}

static inline void m_contradicts(uint32_t n)
{
	sensor_contradicts(n);
}

static inline uint32_t m_cpus(void)
{
	return thread_cpus();
}

static inline uint32_t m_cpu(void)
{
	return thread_cpu();
}

/* A wait by polling. Every 16 turns (some 0.5 to 1 µs) it beats and reads the clock. */
struct m_spin {
	uint64_t until_ns;
	uint32_t turns;
	bool over;
};

static inline void m_spin_begin(struct m_spin *spin, uint32_t budget_ns)
{
	spin->turns = 0;
	spin->over = thread_cpus() == 1;
	spin->until_ns = thread_now_ns() + budget_ns;
	sensor_beat();
}

static inline bool m_should_yield(struct m_spin *spin)
{
	if (!spin->over && ++spin->turns % 16 == 0) {
		sensor_beat();
		spin->over = thread_now_ns() >= spin->until_ns;
	}
	return spin->over;
}

static inline uint64_t m_now(void)
{
	return thread_now_ns();
}

int native_park(uint32_t *word, uint32_t expected, const struct m_deadline *until);
int native_park_for(uint32_t *word, uint32_t expected, uint64_t ns);
uint64_t native_left(const struct m_deadline *until);
void native_unpark(uint32_t *word, uint32_t threads);

static inline int m_park(uint32_t *word, uint32_t expected, const struct m_deadline *until)
{
	return native_park(word, expected, until);
}

static inline int m_park_for(uint32_t *word, uint32_t expected, uint64_t ns)
{
	return native_park_for(word, expected, ns);
}

static inline uint64_t m_left(const struct m_deadline *until)
{
	return until ? native_left(until) : UINT64_MAX;
}

static inline void m_unpark(uint32_t *word, uint32_t threads)
{
	native_unpark(word, threads);
}

static inline void m_count(enum stat_event event)
{
	struct stat_thread *stat = thread_stat;

	if (__builtin_expect(stat != NULL, 0))
		stat->count[event]++;
}

#endif
