// SPDX-License-Identifier: MIT
/*
 * thread.c - slots of threads: given, recycled, kept across fork; see thread.h.
 *
 * A slot is FREE, USED by a thread, or ORPHANED: its thread has ended while one of its nodes was
 * still part of a queue. The next search takes an orphan whose nodes are free again.
 */
#include "thread.h"

#include "machine/machine.h"
#include "sensor/sensor.h"
#include "sleepers.h"
#include "slot.h"

#include <pthread.h>
#include <stdlib.h>

enum use {
	USE_FREE = 0,
	USE_THREAD,
	USE_SPARE,
	USE_ORPHAN,
};

#define SPARES_PER_THREAD 4

struct slot thread_slots[M_SLOTS];
static uint8_t use_of[M_SLOTS];
static uint32_t search_from;

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
static uint32_t take(uint8_t use)
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

/* In the child only the calling thread is left. */
static void forked(void)
{
	uint32_t slot, n;

	for (slot = 0; slot < M_SLOTS; slot++) {
		if (use_of[slot] && slot + 1 != thread_number_plus_one)
			use_of[slot] = USE_ORPHAN;
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

uint32_t thread_register(void)
{
	uint32_t slot;

	pthread_once(&once, initialise);
	slot = take(USE_THREAD);
	if (slot == M_NO_SLOT)
		return slot;
	thread_number_plus_one = slot + 1;
	/* Any value but NULL makes the destructor run. */
	pthread_setspecific(at_thread_end, thread_slots);
	sensor_thread_begins(slot);
	return slot;
}

uint32_t thread_spare(void)
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

void thread_each(void (*function)(uint32_t slot))
{
	uint32_t slot;

	for (slot = 0; slot < M_SLOTS; slot++) {
		if (__atomic_load_n(&use_of[slot], __ATOMIC_ACQUIRE) == USE_THREAD)
			function(slot);
	}
}
