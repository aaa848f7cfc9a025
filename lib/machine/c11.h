/* SPDX-License-Identifier: MIT */
/*
 * c11.h - the machine of C11 and nothing else: for model checkers of C11, which run the clients of
 * tests/model with it. Also a plain program, so that a client can be run as it is.
 *
 * What is up to chance elsewhere is fixed or simple here: no sensor, two CPUs, a wait by polling
 * ends after SPIN_TURNS turns, a sleep ends at once and for no reason, and time passes by being
 * asked for. So safety is checked here, and the liveness of sleeping is not.
 */
#ifndef ONPROC_LIB_MACHINE_C11_H
#define ONPROC_LIB_MACHINE_C11_H

#include "slot.h"
#include "stat.h"

#define C11_SLOTS	 16u
#define C11_SPIN_TURNS	 2u
#define C11_STEP_NS	 1000000u /* by which a clock moves on each time it is read */
#define C11_FIRST_NOW_NS 1000000000u

#define C11_WIDTH(n)                                                                               \
	static inline uint##n##_t m_load##n(const uint##n##_t *p, memory_order order)              \
	{                                                                                          \
		return atomic_load_explicit((const _Atomic(uint##n##_t) *)p, order);               \
	}                                                                                          \
	static inline void m_store##n(uint##n##_t *p, uint##n##_t value, memory_order order)       \
	{                                                                                          \
		atomic_store_explicit((_Atomic(uint##n##_t) *)p, value, order);                    \
	}                                                                                          \
	static inline uint##n##_t m_exchange##n(uint##n##_t *p, uint##n##_t value,                 \
						memory_order order)                                \
	{                                                                                          \
		return atomic_exchange_explicit((_Atomic(uint##n##_t) *)p, value, order);          \
	}                                                                                          \
	static inline bool m_compare##n(uint##n##_t *p, uint##n##_t *expected,                     \
					uint##n##_t desired, memory_order order,                   \
					memory_order order_of_failure)                             \
	{                                                                                          \
		return atomic_compare_exchange_strong_explicit(                                    \
			(_Atomic(uint##n##_t) *)p, expected, desired, order, order_of_failure);    \
	}                                                                                          \
	static inline uint##n##_t m_add##n(uint##n##_t *p, uint##n##_t value, memory_order order)  \
	{                                                                                          \
		return atomic_fetch_add_explicit((_Atomic(uint##n##_t) *)p, value, order);         \
	}                                                                                          \
	static inline uint##n##_t m_and##n(uint##n##_t *p, uint##n##_t value, memory_order order)  \
	{                                                                                          \
		return atomic_fetch_and_explicit((_Atomic(uint##n##_t) *)p, value, order);         \
	}                                                                                          \
	static inline uint##n##_t m_or##n(uint##n##_t *p, uint##n##_t value, memory_order order)   \
	{                                                                                          \
		return atomic_fetch_or_explicit((_Atomic(uint##n##_t) *)p, value, order);          \
	}
C11_WIDTH(16)
C11_WIDTH(32)
C11_WIDTH(64)
#undef C11_WIDTH

/* One translation unit includes all: a lock's source and the client. */
static struct slot c11_slots[C11_SLOTS];
static atomic_uint c11_threads;
static _Thread_local uint32_t c11_number_plus_one;
static _Thread_local uint64_t c11_now_ns;

static inline void m_fence(memory_order order)
{
	atomic_thread_fence(order);
}

static inline void m_pause(void)
{
}

static inline uint32_t m_self(void)
{
	if (!c11_number_plus_one)
		c11_number_plus_one =
			atomic_fetch_add_explicit(&c11_threads, 1, memory_order_relaxed) + 1;
	return c11_number_plus_one - 1;
}

static inline uint32_t m_me(void)
{
	return c11_number_plus_one;
}

static inline uint32_t m_spare(void)
{
	return m_self() + C11_SLOTS / 2;
}

static inline struct slot *m_slot(uint32_t n)
{
	return &c11_slots[n];
}

static inline bool m_sensing(void)
{
	return false;
}

static inline bool m_preempted(uint32_t n)
{
	(void)n;
	return false;
}

static inline bool m_blocked(uint32_t n)
{
	(void)n;
	return false;
}

static inline void m_contradicts(uint32_t n)
{
	(void)n;
}

static inline uint32_t m_cpu(void)
{
	return 0;
}

static inline uint32_t m_cpus(void)
{
	return 2;
}

struct m_spin {
	uint32_t turns;
};

static inline void m_spin_begin(struct m_spin *spin, uint32_t budget_ns)
{
	(void)budget_ns;
	spin->turns = 0;
}

static inline bool m_should_yield(struct m_spin *spin)
{
	return spin->turns == C11_SPIN_TURNS || ++spin->turns == C11_SPIN_TURNS;
}

static inline uint64_t m_now(void)
{
	c11_now_ns += C11_STEP_NS;
	return C11_FIRST_NOW_NS + c11_now_ns;
}

static inline uint64_t m_left(const struct m_deadline *until)
{
	uint64_t end_ns, now_ns;

	if (!until)
		return UINT64_MAX;
	end_ns = (uint64_t)until->at.tv_sec * 1000000000u + (uint64_t)until->at.tv_nsec;
	now_ns = m_now();
	return end_ns > now_ns ? end_ns - now_ns : 0;
}

static inline int m_park(uint32_t *word, uint32_t expected, const struct m_deadline *until)
{
	if (m_load32(word, memory_order_relaxed) != expected)
		return -EAGAIN;
	return m_left(until) ? 0 : -ETIMEDOUT;
}

static inline int m_park_for(uint32_t *word, uint32_t expected, uint64_t ns)
{
	if (m_load32(word, memory_order_relaxed) != expected)
		return -EAGAIN;
	c11_now_ns += ns;
	return -ETIMEDOUT;
}

static inline void m_unpark(uint32_t *word, uint32_t threads)
{
	(void)word;
	(void)threads;
}

static inline void m_count(enum stat_event event)
{
	(void)event;
}

#endif
