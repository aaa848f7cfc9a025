/* SPDX-License-Identifier: MIT */
/*
 * machine.h - the operations that every lock of this library is written against.
 *
 * The same lock source is compiled for several machines: `native` (atomics of C11, futex, the
 * sensor), `check` (each operation is a step of an interleaving explorer over a weak memory) and
 * that of the simulator (each operation is an event in virtual time). A lock touches shared memory,
 * waits and learns of other threads through nothing but what stands here.
 *
 * Rules for lock code:
 *  - Every object that two threads may touch is accessed through m_load… to m_or…, with one width
 *    only. Zeroed memory is a valid initial state.
 *  - `order` is one of memory_order_relaxed to memory_order_seq_cst and a constant.
 *  - No loop waits for a step of another thread without m_should_yield() or a park in it.
 *
 * Each machine defines, as functions or macros of these shapes (N is 16, 32 or 64):
 *
 *  uintN_t m_loadN(const uintN_t *p, order)
 *  void    m_storeN(uintN_t *p, uintN_t value, order)
 *  uintN_t m_exchangeN(uintN_t *p, uintN_t value, order)          the old value
 *  bool    m_compareN(uintN_t *p, uintN_t *expected, uintN_t desired, order, order_of_failure)
 *          strong compare-exchange; on failure *expected (a local) is what was found. The order of
 *          failure is no stronger than that of success
 *  uintN_t m_addN(uintN_t *p, uintN_t value, order)               the old value
 *  uintN_t m_andN(…), m_orN(…)                                    the old value
 *  void    m_fence(order)
 *
 *  void     m_pause(void)           a turn of a loop that polls; no yield, no system call
 *  uint32_t m_self(void)            slot of the calling thread, below M_SLOTS; registers it at its
 *                                   first call. M_NO_SLOT: all are taken
 *  uint32_t m_me(void)              m_self() + 1, or 0 for a thread that is not registered yet: for
 *                                   fast paths, which then need no frame for a call
 *  uint32_t m_spare(void)           another slot for the caller, whose waiter it may use while its
 *                                   own is still listed somewhere; M_NO_SLOT: none
 *  struct slot *m_slot(uint32_t n)  the record of a slot (slot.h), valid for ever
 *  bool     m_sensing(void)         is there a sensor? Asked once on a slow path's entry
 *  bool     m_preempted(uint32_t n) is the thread of slot n known not to be on a CPU (preempted or
 *                                   sleeping)? A hint: may be wrong or late; false when unknown
 *  bool     m_blocked(uint32_t n)   is it known to be off its CPU because it sleeps? A hint, as
 * above void     m_contradicts(uint32_t n)  tells the sensor that it was wrong about slot n: it had
 * said "not on a CPU", but the thread acted within the same wait uint32_t m_cpus(void) CPUs that
 * the caller may use, at least 1; a CPU quota counts
 *
 *  uint32_t m_cpu(void)             the CPU that the caller is on: a hint
 *
 *  void m_spin_begin(struct m_spin *spin, uint32_t budget_ns)   starts a wait by polling
 *  bool m_should_yield(struct m_spin *spin)    should the caller stop polling? True when the budget
 *                                   is spent or only one CPU is allowed; once true, always true
 *
 *  uint64_t m_now(void)             nanoseconds of a steady clock, for spans below a second
 *  int  m_park(uint32_t *word, uint32_t expected, const struct m_deadline *until)
 *          sleeps while *word == expected. 0: woken, perhaps for no reason; -EAGAIN: *word differs;
 *          -EINTR: a signal; -ETIMEDOUT. Orders nothing: load the word again
 *  int  m_park_for(uint32_t *word, uint32_t expected, uint64_t ns)    the same for a span from now
 *  uint64_t m_left(const struct m_deadline *until)    ns until then; 0: passed; UINT64_MAX for NULL
 *  void m_unpark(uint32_t *word, uint32_t threads)      wakes up to that many that sleep on word
 *
 *  void m_count(enum stat_event event)                  statistics (stat.h); nothing when off
 */
#ifndef ONPROC_LIB_MACHINE_H
#define ONPROC_LIB_MACHINE_H

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define M_SLOTS                                                                                    \
	65534u /* numbers 0 to 65533, so that number + 1 fits in 16 bits with 0 for none           \
		*/
#define M_NO_SLOT M_SLOTS /* its + 1 still fits, and stands for a thread without a slot */

/* An absolute time. clock: CLOCK_MONOTONIC or CLOCK_REALTIME. NULL in its place: for ever. */
struct m_deadline {
	clockid_t clock;
	struct timespec at;
};

struct slot;

#if defined(ONPROC_MACHINE_CHECK)
#	include "machine/check.h"
#elif defined(ONPROC_MACHINE_C11)
#	include "machine/c11.h"
#elif defined(ONPROC_MACHINE_SIM)
#	include "machine/sim.h"
#else
#	include "machine/native.h"
#endif

#endif
