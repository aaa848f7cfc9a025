// SPDX-License-Identifier: GPL-2.0-or-later
/* spinlock.c - what onproc_spinlock promises, on the native machine. */
#include "onproc/spinlock.h"

#include "threads.h"

#include <errno.h>
#include <stdlib.h>

#define THREADS 64
#define ROUNDS	2000

struct shared {
	struct onproc_spinlock lock;
	uint64_t first, second; /* equal whenever the lock is free */
	uint32_t held, stop;
};

static void *hold(void *argument)
{
	struct shared *shared = argument;

	onproc_spinlock_lock(&shared->lock);
	__atomic_store_n(&shared->held, 1, __ATOMIC_RELEASE);
	while (!__atomic_load_n(&shared->stop, __ATOMIC_ACQUIRE))
		usleep(1000);
	shared->first++;
	shared->second++;
	onproc_spinlock_unlock(&shared->lock);
	return NULL;
}

static void *count(void *argument)
{
	struct shared *shared = argument;
	int n;

	for (n = 0; n < ROUNDS; n++) {
		if (n % 7 == 0) {
			if (onproc_spinlock_trylock(&shared->lock))
				onproc_spinlock_lock(&shared->lock);
		} else {
			onproc_spinlock_lock(&shared->lock);
		}
		if (shared->first != shared->second)
			return argument;
		shared->first++;
		shared->second++;
		onproc_spinlock_unlock(&shared->lock);
	}
	return NULL;
}

static void zeroed_memory_of_4_bytes_is_an_unlocked_one(void **state)
{
	struct onproc_spinlock *lock = calloc(1, sizeof(*lock));

	(void)state;
	assert_int_equal(sizeof(*lock), 4);
	assert_int_equal(onproc_spinlock_lock(lock), 0);
	assert_int_equal(onproc_spinlock_unlock(lock), 0);
	assert_int_equal(onproc_spinlock_trylock(lock), 0);
	assert_int_equal(onproc_spinlock_trylock(lock), -EBUSY);
	assert_int_equal(onproc_spinlock_unlock(lock), 0);
	free(lock);
}

static void locking_it_twice_is_refused(void **state)
{
	struct onproc_spinlock lock = ONPROC_SPINLOCK_INITIALIZER;

	(void)state;
	assert_int_equal(onproc_spinlock_lock(&lock), 0);
	assert_int_equal(onproc_spinlock_lock(&lock), -EDEADLK);
	assert_int_equal(onproc_spinlock_unlock(&lock), 0);
}

static void process_shared_ones_are_refused(void **state)
{
	struct onproc_spinlock lock;

	(void)state;
	assert_int_equal(onproc_spinlock_init(&lock, ONPROC_SPINLOCK_SHARED), -ENOTSUP);
	assert_int_equal(onproc_spinlock_init(&lock, 1u << 31), -EINVAL);
	assert_int_equal(onproc_spinlock_init(&lock, 0), 0);
}

static void a_held_one_is_not_destroyed(void **state)
{
	struct onproc_spinlock lock = ONPROC_SPINLOCK_INITIALIZER;

	(void)state;
	assert_int_equal(onproc_spinlock_lock(&lock), 0);
	assert_int_equal(onproc_spinlock_destroy(&lock), -EBUSY);
	assert_int_equal(onproc_spinlock_unlock(&lock), 0);
	assert_int_equal(onproc_spinlock_destroy(&lock), 0);
}

/* The CPU time of the whole process: of 16 threads that wait for one that sleeps. */
static void waiters_for_a_sleeping_owner_sleep_too(void **state)
{
	struct shared shared = { 0 };
	pthread_t holder = start(hold, &shared), waiter[16];
	struct timespec before, after;
	int64_t cpu_ms;
	size_t n;

	(void)state;
	while (!__atomic_load_n(&shared.held, __ATOMIC_ACQUIRE))
		usleep(1000);
	__atomic_store_n(&shared.stop, 0, __ATOMIC_RELEASE);
	for (n = 0; n < 16; n++)
		waiter[n] = start(count, &shared);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
	usleep(400000);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
	cpu_ms = (after.tv_sec - before.tv_sec) * 1000 + (after.tv_nsec - before.tv_nsec) / 1000000;
	/* One that polled would burn all of it; sixteen that sleep burn a few per cent of one CPU.
	 */
	assert_true(cpu_ms < 300);
	__atomic_store_n(&shared.stop, 1, __ATOMIC_RELEASE);
	finish(holder);
	for (n = 0; n < 16; n++)
		finish(waiter[n]);
	assert_int_equal(shared.first, 16 * ROUNDS + 1);
}

static void threads_beyond_the_cpus_keep_the_data_whole(void **state)
{
	struct shared shared = { 0 };

	(void)state;
	run_together(count, &shared, THREADS);
	assert_int_equal(shared.first, THREADS * ROUNDS);
	assert_int_equal(onproc_spinlock_destroy(&shared.lock), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(zeroed_memory_of_4_bytes_is_an_unlocked_one),
		cmocka_unit_test(locking_it_twice_is_refused),
		cmocka_unit_test(process_shared_ones_are_refused),
		cmocka_unit_test(a_held_one_is_not_destroyed),
		cmocka_unit_test(waiters_for_a_sleeping_owner_sleep_too),
		cmocka_unit_test(threads_beyond_the_cpus_keep_the_data_whole),
	};

	return cmocka_run_group_tests_name("spinlock", tests, guard, NULL);
}
