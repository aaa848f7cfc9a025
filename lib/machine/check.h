/* SPDX-License-Identifier: MIT */
/*
 * check.h - the machine of the tests: each operation is a step of an interleaving explorer.
 *
 * The explorer (tests/explorer) provides the check_ functions; docs/checking.md says what it
 * models. Values live in the explorer only: real memory is read once per execution, at the first
 * touch of an address, and never written, so static objects stay as they are and every execution
 * starts equal. See machine.h for what each operation promises.
 */
#ifndef ONPROC_LIB_MACHINE_CHECK_H
#define ONPROC_LIB_MACHINE_CHECK_H

#include "slot.h"
#include "stat.h"

/* Where an operation stands, and what it names: for traces. */
struct check_site {
	const char *file;
	int line;
	const char *function;
	const char *expression;
};

#define CHECK_SITE(text)                                                                           \
	__extension__({                                                                            \
		static const struct check_site check_site_ = { __FILE__, __LINE__, __func__,       \
							       text };                             \
		&check_site_;                                                                      \
	})

uint64_t check_load(const void *p, unsigned int bytes, int order, const struct check_site *site);
void check_store(void *p, unsigned int bytes, uint64_t value, int order,
		 const struct check_site *site);
uint64_t check_exchange(void *p, unsigned int bytes, uint64_t value, int order,
			const struct check_site *site);
bool check_compare(void *p, unsigned int bytes, uint64_t *expected, uint64_t desired, int order,
		   int order_of_failure, const struct check_site *site);
uint64_t check_add(void *p, unsigned int bytes, uint64_t value, int order,
		   const struct check_site *site);
uint64_t check_and(void *p, unsigned int bytes, uint64_t value, int order,
		   const struct check_site *site);
uint64_t check_or(void *p, unsigned int bytes, uint64_t value, int order,
		  const struct check_site *site);
void check_fence(int order, const struct check_site *site);
void check_pause(const struct check_site *site);
uint32_t check_self(void);
uint32_t check_me(void);
uint32_t check_spare(void);
struct slot *check_slot(uint32_t n);
bool check_sensing(void);
bool check_preempted(uint32_t n, const struct check_site *site);
uint32_t check_cpus(void);
bool check_should_yield(const struct check_site *site);
uint64_t check_now(const struct check_site *site);
uint64_t check_left(const struct m_deadline *until, const struct check_site *site);
int check_park(uint32_t *word, uint32_t expected, const struct m_deadline *until,
	       const struct check_site *site);
int check_park_for(uint32_t *word, uint32_t expected, uint64_t ns, const struct check_site *site);
void check_unpark(uint32_t *word, uint32_t threads, const struct check_site *site);

/* The typed forms, so that a wrong pointer does not compile. */
#define CHECK_WIDTH(n)                                                                             \
	static inline uint##n##_t check_load##n(const uint##n##_t *p, int order,                   \
						const struct check_site *site)                     \
	{                                                                                          \
		return (uint##n##_t)check_load(p, (n) / 8, order, site);                           \
	}                                                                                          \
	static inline void check_store##n(uint##n##_t *p, uint##n##_t value, int order,            \
					  const struct check_site *site)                           \
	{                                                                                          \
		check_store(p, (n) / 8, value, order, site);                                       \
	}                                                                                          \
	static inline uint##n##_t check_exchange##n(uint##n##_t *p, uint##n##_t value, int order,  \
						    const struct check_site *site)                 \
	{                                                                                          \
		return (uint##n##_t)check_exchange(p, (n) / 8, value, order, site);                \
	}                                                                                          \
	static inline bool check_compare##n(uint##n##_t *p, uint##n##_t *expected,                 \
					    uint##n##_t desired, int order, int order_of_failure,  \
					    const struct check_site *site)                         \
	{                                                                                          \
		uint64_t found = *expected;                                                        \
		bool done =                                                                        \
			check_compare(p, (n) / 8, &found, desired, order, order_of_failure, site); \
                                                                                                   \
		*expected = (uint##n##_t)found;                                                    \
		return done;                                                                       \
	}                                                                                          \
	static inline uint##n##_t check_add##n(uint##n##_t *p, uint##n##_t value, int order,       \
					       const struct check_site *site)                      \
	{                                                                                          \
		return (uint##n##_t)check_add(p, (n) / 8, value, order, site);                     \
	}                                                                                          \
	static inline uint##n##_t check_and##n(uint##n##_t *p, uint##n##_t value, int order,       \
					       const struct check_site *site)                      \
	{                                                                                          \
		return (uint##n##_t)check_and(p, (n) / 8, value, order, site);                     \
	}                                                                                          \
	static inline uint##n##_t check_or##n(uint##n##_t *p, uint##n##_t value, int order,        \
					      const struct check_site *site)                       \
	{                                                                                          \
		return (uint##n##_t)check_or(p, (n) / 8, value, order, site);                      \
	}
CHECK_WIDTH(16)
CHECK_WIDTH(32)
CHECK_WIDTH(64)
#undef CHECK_WIDTH

#define m_load16(p, order)	      check_load16((p), (order), CHECK_SITE(#p))
#define m_load32(p, order)	      check_load32((p), (order), CHECK_SITE(#p))
#define m_load64(p, order)	      check_load64((p), (order), CHECK_SITE(#p))
#define m_store16(p, value, order)    check_store16((p), (value), (order), CHECK_SITE(#p))
#define m_store32(p, value, order)    check_store32((p), (value), (order), CHECK_SITE(#p))
#define m_store64(p, value, order)    check_store64((p), (value), (order), CHECK_SITE(#p))
#define m_exchange16(p, value, order) check_exchange16((p), (value), (order), CHECK_SITE(#p))
#define m_exchange32(p, value, order) check_exchange32((p), (value), (order), CHECK_SITE(#p))
#define m_exchange64(p, value, order) check_exchange64((p), (value), (order), CHECK_SITE(#p))
#define m_compare16(p, expected, desired, order, failure)                                          \
	check_compare16((p), (expected), (desired), (order), (failure), CHECK_SITE(#p))
#define m_compare32(p, expected, desired, order, failure)                                          \
	check_compare32((p), (expected), (desired), (order), (failure), CHECK_SITE(#p))
#define m_compare64(p, expected, desired, order, failure)                                          \
	check_compare64((p), (expected), (desired), (order), (failure), CHECK_SITE(#p))
#define m_add16(p, value, order)       check_add16((p), (value), (order), CHECK_SITE(#p))
#define m_add32(p, value, order)       check_add32((p), (value), (order), CHECK_SITE(#p))
#define m_add64(p, value, order)       check_add64((p), (value), (order), CHECK_SITE(#p))
#define m_and16(p, value, order)       check_and16((p), (value), (order), CHECK_SITE(#p))
#define m_and32(p, value, order)       check_and32((p), (value), (order), CHECK_SITE(#p))
#define m_and64(p, value, order)       check_and64((p), (value), (order), CHECK_SITE(#p))
#define m_or16(p, value, order)	       check_or16((p), (value), (order), CHECK_SITE(#p))
#define m_or32(p, value, order)	       check_or32((p), (value), (order), CHECK_SITE(#p))
#define m_or64(p, value, order)	       check_or64((p), (value), (order), CHECK_SITE(#p))
#define m_fence(order)		       check_fence((order), CHECK_SITE("fence"))
#define m_pause()		       check_pause(CHECK_SITE("pause"))
#define m_self()		       check_self()
#define m_me()			       check_me()
#define m_spare()		       check_spare()
#define m_slot(n)		       check_slot(n)
#define m_sensing()		       check_sensing()
#define m_preempted(n)		       check_preempted((n), CHECK_SITE(#n))
#define m_blocked(n)		       check_preempted((n), CHECK_SITE(#n))
#define m_contradicts(n)	       ((void)(n))
#define m_cpus()		       check_cpus()
#define m_cpu()			       0u /* chooses among sleepers, no more */
#define m_now()			       check_now(CHECK_SITE("now"))
#define m_left(until)		       check_left((until), CHECK_SITE(#until))
#define m_park(word, expected, until)  check_park((word), (expected), (until), CHECK_SITE(#word))
#define m_park_for(word, expected, ns) check_park_for((word), (expected), (ns), CHECK_SITE(#word))
#define m_unpark(word, threads)	       check_unpark((word), (threads), CHECK_SITE(#word))
#define m_count(event)		       ((void)(event))

struct m_spin {
	bool over;
};

static inline void m_spin_begin(struct m_spin *spin, uint32_t budget_ns)
{
	(void)budget_ns;
	spin->over = check_cpus() == 1;
}

#define m_should_yield(spin)                                                                       \
	((spin)->over || ((spin)->over = check_should_yield(CHECK_SITE("yield"))))

#endif
