// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lock_reference.c - two plain locks to compare others with.
 *
 * ref-futex-spin200: a word of three states (free, held, held with sleepers); polls 200 times with
 * a pause in between, then sleeps on the word. 200 pauses take another time on every CPU.
 * ref-tas-yield: test-and-test-and-set; gives up its CPU with sched_yield() while the lock is held.
 */
#include "workload/lock_kinds.h"

#include <linux/futex.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#define POLLS 200

enum futex_state { FREE, HELD, HELD_WITH_SLEEPERS };

static inline void pause_once(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("isb" ::: "memory");
#else
	__asm__ volatile("" ::: "memory");
#endif
}

static bool futex_try(_Atomic uint32_t *word)
{
	uint32_t seen = FREE;

	return atomic_compare_exchange_strong_explicit(word, &seen, HELD, memory_order_acquire,
						       memory_order_relaxed);
}

static void futex_lock(void *lock, void *node)
{
	_Atomic uint32_t *word = lock;

	(void)node;
	if (futex_try(word))
		return;
	for (int i = 0; i < POLLS; i++) {
		if (atomic_load_explicit(word, memory_order_relaxed) == FREE && futex_try(word))
			return;
		pause_once();
	}
	while (atomic_exchange_explicit(word, HELD_WITH_SLEEPERS, memory_order_acquire) != FREE)
		syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, HELD_WITH_SLEEPERS, NULL, NULL, 0);
}

static void futex_unlock(void *lock, void *node)
{
	_Atomic uint32_t *word = lock;

	(void)node;
	if (atomic_exchange_explicit(word, FREE, memory_order_release) == HELD_WITH_SLEEPERS)
		syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

const struct lock_kind lock_kind_ref_futex_spin200 = {
	.name = "ref-futex-spin200",
	.bytes = sizeof(uint32_t),
	.lock = futex_lock,
	.unlock = futex_unlock,
};

static void yield_lock(void *lock, void *node)
{
	_Atomic uint32_t *word = lock;

	(void)node;
	while (atomic_exchange_explicit(word, HELD, memory_order_acquire) != FREE) {
		while (atomic_load_explicit(word, memory_order_relaxed) != FREE)
			sched_yield();
	}
}

static void yield_unlock(void *lock, void *node)
{
	(void)node;
	atomic_store_explicit((_Atomic uint32_t *)lock, FREE, memory_order_release);
}

const struct lock_kind lock_kind_ref_tas_yield = {
	.name = "ref-tas-yield",
	.bytes = sizeof(uint32_t),
	.lock = yield_lock,
	.unlock = yield_unlock,
};
