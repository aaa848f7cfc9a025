// SPDX-License-Identifier: MIT
/*
 * thread.c - slots of threads: given, recycled, kept across fork; see thread.h.
 *
 * A slot is FREE, USED by a thread, or ORPHANED: its thread has ended while one of its nodes was
 * still part of a queue. The next search takes an orphan whose nodes are free again.
 */
#include "thread.h"

#include "cond.h"
#include "machine/machine.h"
#include "osq.h"
#include "sensor/sensor.h"
#include "sleepers.h"
#include "slot.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

enum use {
	USE_FREE = 0,
	USE_THREAD,
	USE_SPARE,
	USE_ORPHAN,
};

#define SPARES_PER_THREAD 4
#define FULL_NS		  10000000u /* how long nobody looks for a slot after one was looked for in vain */

struct slot thread_slots[M_SLOTS];
static uint8_t use_of[M_SLOTS];
static uint32_t search_from;
static uint64_t full_until_ns;

__thread uint32_t thread_number_plus_one __attribute__((tls_model("initial-exec")));
__thread struct stat_thread *thread_stat __attribute__((tls_model("initial-exec")));
static __thread uint32_t spares[SPARES_PER_THREAD] __attribute__((tls_model("initial-exec")));

static pthread_key_t at_thread_end;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static bool nodes_are_free(uint32_t slot)
{
	return !m_load32(&thread_slots[slot].osq.busy, memory_order_acquire) &&
	       sleeper_is_free(slot);
}

/* From where the last search ended, so that a number is not used again at once. */
static uint32_t search(uint8_t use)
{
	uint32_t start = __atomic_load_n(&search_from, __ATOMIC_RELAXED), n;

	for (n = 0; n < M_SLOTS; n++) {
		uint32_t slot = (start + n) % M_SLOTS;
		uint8_t found = __atomic_load_n(&use_of[slot], __ATOMIC_RELAXED);

		if (found != USE_FREE && (found != USE_ORPHAN || !nodes_are_free(slot)))
			continue;
		if (__atomic_compare_exchange_n(&use_of[slot], &found, use, false, __ATOMIC_ACQ_REL,
						__ATOMIC_RELAXED)) {
			__atomic_store_n(&search_from, slot + 1, __ATOMIC_RELAXED);
			return slot;
		}
	}
	return M_NO_SLOT;
}

/* A search for what is not there takes 30 µs, and every lock and unlock would make one. */
static uint32_t take(uint8_t use)
{
	uint64_t now = thread_now_ns();
	uint32_t slot;

	if (now < __atomic_load_n(&full_until_ns, __ATOMIC_RELAXED))
		return M_NO_SLOT;
	slot = search(use);
	if (slot == M_NO_SLOT)
		__atomic_store_n(&full_until_ns, now + FULL_NS, __ATOMIC_RELAXED);
	return slot;
}

static void give_back(uint32_t slot)
{
	__atomic_store_n(&use_of[slot], nodes_are_free(slot) ? USE_FREE : USE_ORPHAN,
			 __ATOMIC_RELEASE);
}

/* The destructor of the key: runs when a thread ends or is cancelled. */
static void thread_ends(void *unused)
{
	uint32_t number = thread_number_plus_one, n;

	(void)unused;
	if (!number)
		return;
	sensor_thread_ends(number - 1);
	thread_number_plus_one = 0;
	give_back(number - 1);
	for (n = 0; n < SPARES_PER_THREAD; n++) {
		if (spares[n])
			give_back(spares[n] - 1);
		spares[n] = 0;
	}
}

/*
 * A thread that the child does not have may stand in a queue: it has left that of the sleepers or
 * of a condition variable, and whoever comes after it in a queue of spinners inherits at once.
 */
static void is_gone(uint32_t slot)
{
	struct slot *gone = &thread_slots[slot];

	if (m_load32(&gone->cond.listed, memory_order_relaxed)) {
		if (!cond_node_is_gone(&gone->cond))
			m_store32(&gone->sleeper.state, SLEEPER_FREE, memory_order_relaxed);
	}
	if (m_load32(&gone->sleeper.state, memory_order_relaxed) != SLEEPER_FREE)
		m_store32(&gone->sleeper.state, SLEEPER_LEFT, memory_order_relaxed);
	if (m_load32(&gone->osq.busy, memory_order_relaxed))
		osq_node_is_gone(&gone->osq);
	use_of[slot] = USE_ORPHAN;
}

/* In the child only the calling thread is left, with the spares that it has. */
static void forked(void)
{
	uint32_t slot, n;

	for (n = 0; n < SPARES_PER_THREAD; n++) {
		if (spares[n])
			use_of[spares[n] - 1] = USE_FREE;
	}
	for (slot = 0; slot < M_SLOTS; slot++) {
		if (use_of[slot] && slot + 1 != thread_number_plus_one)
			is_gone(slot);
	}
	for (n = 0; n < SPARES_PER_THREAD; n++) {
		if (spares[n])
			use_of[spares[n] - 1] = USE_SPARE;
	}
	sensor_forked();
	if (thread_number_plus_one)
		sensor_thread_begins(thread_number_plus_one - 1);
}

static void initialise(void)
{
	pthread_key_create(&at_thread_end, thread_ends);
	pthread_atfork(NULL, NULL, forked);
	thread_clock_initialise();
}

/*
 * Early, so that the handler of fork runs before those of the program, which may unlock. A program
 * that locks before constructors run comes here from thread_register().
 */
static __attribute__((constructor)) void initialise_early(void)
{
	pthread_once(&once, initialise);
}

/* A signal handler that locks in between would take a second slot, or wait for this thread. */
static void block_signals(sigset_t *before)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, before);
}

uint32_t thread_register(void)
{
	sigset_t before;
	uint32_t slot;
	int kept = errno;

	block_signals(&before);
	pthread_once(&once, initialise);
	slot = take(USE_THREAD);
	if (slot != M_NO_SLOT) {
		thread_number_plus_one = slot + 1;
		/* Any value but NULL makes the destructor run. */
		pthread_setspecific(at_thread_end, thread_slots);
		sensor_thread_begins(slot);
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	errno = kept;
	return slot;
}

static uint32_t spare(void)
{
	uint32_t n;

	for (n = 0; n < SPARES_PER_THREAD; n++) {
		if (!spares[n]) {
			uint32_t slot = take(USE_SPARE);

			if (slot != M_NO_SLOT)
				spares[n] = slot + 1;
			return slot;
		}
		if (nodes_are_free(spares[n] - 1))
			return spares[n] - 1;
	}
	return M_NO_SLOT;
}

uint32_t thread_spare(void)
{
	sigset_t before;
	uint32_t slot;

	block_signals(&before);
	slot = spare();
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return slot;
}

void thread_each(void (*function)(uint32_t slot))
{
	uint32_t slot;

	for (slot = 0; slot < M_SLOTS; slot++) {
		if (__atomic_load_n(&use_of[slot], __ATOMIC_ACQUIRE) == USE_THREAD)
			function(slot);
	}
}
