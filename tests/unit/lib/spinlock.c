// SPDX-License-Identifier: GPL-2.0-or-later
/* spinlock.c - what onproc_spinlock promises, on the native machine. */
#include "onproc/spinlock.h"

#include "threads.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/resource.h>

#define THREADS 64
#define ROUNDS	2000

struct shared {
	struct onproc_spinlock lock;
	uint64_t first, second; /* equal whenever the lock is free */
};

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

/* How often others than the calling thread have gone to sleep. */
static long sleeps_of_others(void)
{
	struct rusage all, mine;

	getrusage(RUSAGE_SELF, &all);
	getrusage(RUSAGE_THREAD, &mine);
	return all.ru_nvcsw - mine.ru_nvcsw;
}

/* If they polled, it would go on until the alarm. */
static void waiters_for_a_sleeping_owner_sleep_too(void **state)
{
	struct shared shared = { 0 };
	pthread_t waiter[16];
	long before;
	size_t n;

	(void)state;
	assert_int_equal(onproc_spinlock_lock(&shared.lock), 0);
	before = sleeps_of_others();
	for (n = 0; n < 16; n++)
		waiter[n] = start(count, &shared);
	while (sleeps_of_others() - before < 16L * 5)
		usleep(1000);
	assert_int_equal(onproc_spinlock_unlock(&shared.lock), 0);
	for (n = 0; n < 16; n++)
		finish(waiter[n]);
	assert_int_equal(shared.first, 16 * ROUNDS);
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
