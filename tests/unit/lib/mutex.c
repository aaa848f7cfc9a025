// SPDX-License-Identifier: GPL-2.0-or-later
/* mutex.c - what onproc_mutex promises, on the native machine. */
#include "onproc/mutex.h"

#include "threads.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/wait.h>

#define THREADS 16
#define ROUNDS	20000

struct shared {
	struct onproc_mutex mutex;
	uint64_t first, second; /* equal whenever the mutex is free */
	int wrong;
};

static void section(struct shared *shared)
{
	if (shared->first != shared->second)
		shared->wrong = 1;
	shared->first++;
	shared->second++;
}

static void *lock_and_unlock(void *argument)
{
	struct shared *shared = argument;
	int n;

	for (n = 0; n < ROUNDS; n++) {
		if (onproc_mutex_lock(&shared->mutex))
			return argument;
		section(shared);
		if (onproc_mutex_unlock(&shared->mutex))
			return argument;
	}
	return NULL;
}

/* Waits of every kind that mostly end early, so that the list is left and entered at random. */
static void *lock_or_give_up(void *argument)
{
	struct shared *shared = argument;
	uint64_t taken = 0;
	int n;

	for (n = 0; n < ROUNDS / 10; n++) {
		struct timespec at = in_ms(n % 2 ? CLOCK_MONOTONIC : CLOCK_REALTIME, n % 3);
		int rc = n % 5 ? onproc_mutex_timedlock(&shared->mutex,
							n % 2 ? CLOCK_MONOTONIC : CLOCK_REALTIME,
							&at)
			       : onproc_mutex_trylock(&shared->mutex);

		if (rc && rc != -ETIMEDOUT && rc != -EBUSY)
			return argument;
		if (rc)
			continue;
		section(shared);
		taken++;
		if (onproc_mutex_unlock(&shared->mutex))
			return argument;
	}
	return (void *)(uintptr_t)(taken * 2);
}

static uint64_t run_all(struct shared *shared, void *(*function)(void *), int *failed)
{
	pthread_t thread[THREADS];
	uint64_t sum = 0;
	int n;

	*failed = 0;
	for (n = 0; n < THREADS; n++)
		assert_int_equal(pthread_create(&thread[n], NULL, function, shared), 0);
	for (n = 0; n < THREADS; n++) {
		void *result;

		pthread_join(thread[n], &result);
		*failed += result == shared;
		sum += (uintptr_t)result / 2;
	}
	return sum;
}

static void mutex_keeps_threads_apart(void **state)
{
	struct shared *shared = calloc(1, sizeof(*shared));
	int failed;

	(void)state;
	run_all(shared, lock_and_unlock, &failed);
	assert_int_equal(failed, 0);
	assert_int_equal(shared->wrong, 0);
	assert_int_equal(shared->first, (uint64_t)THREADS * ROUNDS);
	assert_int_equal(onproc_mutex_destroy(&shared->mutex), 0);
	free(shared);
}

static void mutex_keeps_threads_apart_that_give_up(void **state)
{
	struct shared *shared = calloc(1, sizeof(*shared));
	uint64_t taken;
	int failed;

	(void)state;
	taken = run_all(shared, lock_or_give_up, &failed);
	assert_int_equal(failed, 0);
	assert_int_equal(shared->wrong, 0);
	assert_int_equal(shared->first, taken);
	/* With all gone, those that left the list early are no obstacle. */
	assert_int_equal(onproc_mutex_lock(&shared->mutex), 0);
	assert_int_equal(onproc_mutex_unlock(&shared->mutex), 0);
	assert_int_equal(onproc_mutex_destroy(&shared->mutex), 0);
	free(shared);
}

static void mutex_is_eight_bytes_and_any_zeroed_memory(void **state)
{
	struct onproc_mutex zeroed = ONPROC_MUTEX_INITIALIZER, cleared;

	(void)state;
	memset(&cleared, 0, sizeof(cleared));
	assert_int_equal(sizeof(cleared), 8);
	assert_int_equal(onproc_mutex_lock(&zeroed), 0);
	assert_int_equal(onproc_mutex_lock(&cleared), 0);
	assert_int_equal(onproc_mutex_unlock(&cleared), 0);
	assert_int_equal(onproc_mutex_unlock(&zeroed), 0);
	assert_memory_equal(&zeroed, &cleared, sizeof(zeroed));
}

static void *try_it(void *argument)
{
	return (void *)(intptr_t)onproc_mutex_trylock(argument);
}

static void mutex_trylock_of_a_locked_one_is_busy(void **state)
{
	struct onproc_mutex mutex = ONPROC_MUTEX_INITIALIZER;
	pthread_t thread;
	void *result;

	(void)state;
	assert_int_equal(onproc_mutex_trylock(&mutex), 0);
	assert_int_equal(onproc_mutex_trylock(&mutex), -EBUSY);
	pthread_create(&thread, NULL, try_it, &mutex);
	pthread_join(thread, &result);
	assert_int_equal((intptr_t)result, -EBUSY);
	assert_int_equal(onproc_mutex_unlock(&mutex), 0);
}

static void *time_out(void *argument)
{
	struct timespec past = { 1, 0 }, soon = in_ms(CLOCK_MONOTONIC, 20),
			wrong = { 0, 1000000000 };
	struct timespec real = in_ms(CLOCK_REALTIME, 20);
	struct timespec before = { -20000000000, 0 }, first = { INT64_MIN, 999999999 };

	if (onproc_mutex_timedlock(argument, CLOCK_MONOTONIC, &past) != -ETIMEDOUT ||
	    onproc_mutex_timedlock(argument, CLOCK_MONOTONIC, &before) != -ETIMEDOUT ||
	    onproc_mutex_timedlock(argument, CLOCK_REALTIME, &first) != -ETIMEDOUT ||
	    onproc_mutex_timedlock(argument, CLOCK_MONOTONIC, &soon) != -ETIMEDOUT ||
	    onproc_mutex_timedlock(argument, CLOCK_REALTIME, &real) != -ETIMEDOUT ||
	    onproc_mutex_timedlock(argument, CLOCK_PROCESS_CPUTIME_ID, &soon) != -EINVAL ||
	    onproc_mutex_timedlock(argument, CLOCK_MONOTONIC, &wrong) != -EINVAL)
		return argument;
	return NULL;
}

static void mutex_timedlock_ends_at_its_time(void **state)
{
	struct onproc_mutex mutex = ONPROC_MUTEX_INITIALIZER;
	pthread_t thread;
	void *result;

	(void)state;
	assert_int_equal(onproc_mutex_lock(&mutex), 0);
	pthread_create(&thread, NULL, time_out, &mutex);
	pthread_join(thread, &result);
	assert_null(result);
	assert_int_equal(onproc_mutex_unlock(&mutex), 0);
}

static void mutex_timedlock_of_a_free_one_needs_no_time(void **state)
{
	struct onproc_mutex mutex = ONPROC_MUTEX_INITIALIZER;
	struct timespec past = { 1, 0 };

	(void)state;
	assert_int_equal(onproc_mutex_timedlock(&mutex, CLOCK_MONOTONIC, &past), 0);
	assert_int_equal(onproc_mutex_unlock(&mutex), 0);
}

static void *unlock_it(void *argument)
{
	return (void *)(intptr_t)onproc_mutex_unlock(argument);
}

static void mutex_that_checks_refuses_the_wrong_thread(void **state)
{
	struct onproc_mutex mutex;
	pthread_t thread;
	void *result;

	(void)state;
	assert_int_equal(onproc_mutex_init(&mutex, ONPROC_MUTEX_ERRORCHECK), 0);
	assert_int_equal(onproc_mutex_unlock(&mutex), -EPERM);
	assert_int_equal(onproc_mutex_lock(&mutex), 0);
	assert_int_equal(onproc_mutex_lock(&mutex), -EDEADLK);
	pthread_create(&thread, NULL, unlock_it, &mutex);
	pthread_join(thread, &result);
	assert_int_equal((intptr_t)result, -EPERM);
	assert_int_equal(onproc_mutex_unlock(&mutex), 0);
	assert_int_equal(onproc_mutex_trylock(&mutex), 0);
	assert_int_equal(onproc_mutex_unlock(&mutex), 0);
	assert_int_equal(onproc_mutex_destroy(&mutex), 0);
}

static void mutex_shared_between_processes_is_refused(void **state)
{
	struct onproc_mutex mutex;

	(void)state;
	assert_int_equal(onproc_mutex_init(&mutex, ONPROC_MUTEX_SHARED), -ENOTSUP);
	assert_int_equal(onproc_mutex_init(&mutex, 1u << 30), -EINVAL);
}

static void mutex_that_is_locked_is_not_destroyed(void **state)
{
	struct onproc_mutex mutex = ONPROC_MUTEX_INITIALIZER;

	(void)state;
	assert_int_equal(onproc_mutex_lock(&mutex), 0);
	assert_int_equal(onproc_mutex_destroy(&mutex), -EBUSY);
	assert_int_equal(onproc_mutex_unlock(&mutex), 0);
	assert_int_equal(onproc_mutex_destroy(&mutex), 0);
}

static void mutex_held_at_fork_is_unlocked_by_the_child(void **state)
{
	struct onproc_mutex mutex = ONPROC_MUTEX_INITIALIZER;
	int status;
	pid_t child;

	(void)state;
	assert_int_equal(onproc_mutex_lock(&mutex), 0);
	child = fork();
	if (!child)
		_exit(onproc_mutex_unlock(&mutex) || onproc_mutex_trylock(&mutex) ||
		      onproc_mutex_unlock(&mutex));
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_int_equal(onproc_mutex_unlock(&mutex), 0);
}

static void *wait_for_it(void *argument)
{
	errno = 1234;
	if (onproc_mutex_lock(argument) || onproc_mutex_unlock(argument))
		return argument;
	return errno == 1234 ? NULL : argument;
}

/* Until the other thread is listed as a sleeper. */
static void wait_until_someone_sleeps(const struct onproc_mutex *mutex)
{
	while (!__atomic_load_n(&mutex->sleepers, __ATOMIC_RELAXED))
		usleep(1000);
}

/* Sleepers of the parent do not exist in the child and must not be given the lock. */
static void mutex_with_waiters_at_fork_is_of_use_to_the_child(void **state)
{
	struct onproc_mutex mutex = ONPROC_MUTEX_INITIALIZER;
	pthread_t thread[4];
	int status, n;
	pid_t child;

	(void)state;
#ifdef __SANITIZE_THREAD__
	print_message("skipped: this sanitizer ends a forked child that starts threads\n");
	skip();
#endif
	assert_int_equal(onproc_mutex_lock(&mutex), 0);
	for (n = 0; n < 4; n++)
		pthread_create(&thread[n], NULL, wait_for_it, &mutex);
	wait_until_someone_sleeps(&mutex);
	/* Long enough for one of them to be due and to ask for the lock. */
	usleep(50000);
	child = fork();
	if (!child) {
		pthread_t another;
		void *result = &mutex;

		alarm(60);
		if (onproc_mutex_unlock(&mutex) || onproc_mutex_trylock(&mutex))
			_exit(1);
		pthread_create(&another, NULL, wait_for_it, &mutex);
		wait_until_someone_sleeps(&mutex);
		if (onproc_mutex_unlock(&mutex))
			_exit(2);
		pthread_join(another, &result);
		_exit(result ? 3 : 0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_int_equal(onproc_mutex_unlock(&mutex), 0);
	for (n = 0; n < 4; n++)
		pthread_join(thread[n], NULL);
}

static void mutex_wait_keeps_errno(void **state)
{
	struct onproc_mutex mutex = ONPROC_MUTEX_INITIALIZER;
	pthread_t thread;
	void *result;

	(void)state;
	assert_int_equal(onproc_mutex_lock(&mutex), 0);
	pthread_create(&thread, NULL, wait_for_it, &mutex);
	wait_until_someone_sleeps(&mutex);
	assert_int_equal(onproc_mutex_unlock(&mutex), 0);
	pthread_join(thread, &result);
	assert_null(result);
}

static void *wait_though_cancelled(void *argument)
{
	pthread_cancel(pthread_self());
	onproc_mutex_lock(argument);
	onproc_mutex_unlock(argument);
	return argument;
}

/* Its first use reads files, and so do waits, once a second. */
static void mutex_lock_is_no_cancellation_point(void **state)
{
	struct onproc_mutex mutex = ONPROC_MUTEX_INITIALIZER;
	pthread_t thread;
	void *result;

	(void)state;
	assert_int_equal(onproc_mutex_lock(&mutex), 0);
	/* CPUs and quota are asked anew after a second. */
	usleep(1100000);
	pthread_create(&thread, NULL, wait_though_cancelled, &mutex);
	wait_until_someone_sleeps(&mutex);
	assert_int_equal(onproc_mutex_unlock(&mutex), 0);
	pthread_join(thread, &result);
	assert_ptr_equal(result, &mutex);
	assert_int_equal(onproc_mutex_trylock(&mutex), 0);
	assert_int_equal(onproc_mutex_unlock(&mutex), 0);
}

static void *lock_once(void *argument)
{
	return onproc_mutex_lock(argument) || onproc_mutex_unlock(argument) ? argument : NULL;
}

/* More threads than there are slots, one after the other. */
static void mutex_slots_of_ended_threads_are_used_again(void **state)
{
	struct onproc_mutex mutex = ONPROC_MUTEX_INITIALIZER;
	int n;

	(void)state;
	for (n = 0; n < 70000; n++) {
		pthread_t thread;
		void *result;

		assert_int_equal(pthread_create(&thread, NULL, lock_once, &mutex), 0);
		pthread_join(thread, &result);
		assert_null(result);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mutex_is_eight_bytes_and_any_zeroed_memory),
		cmocka_unit_test(mutex_trylock_of_a_locked_one_is_busy),
		cmocka_unit_test(mutex_timedlock_ends_at_its_time),
		cmocka_unit_test(mutex_timedlock_of_a_free_one_needs_no_time),
		cmocka_unit_test(mutex_that_checks_refuses_the_wrong_thread),
		cmocka_unit_test(mutex_shared_between_processes_is_refused),
		cmocka_unit_test(mutex_that_is_locked_is_not_destroyed),
		cmocka_unit_test(mutex_held_at_fork_is_unlocked_by_the_child),
		cmocka_unit_test(mutex_with_waiters_at_fork_is_of_use_to_the_child),
		cmocka_unit_test(mutex_wait_keeps_errno),
		cmocka_unit_test(mutex_lock_is_no_cancellation_point),
		cmocka_unit_test(mutex_slots_of_ended_threads_are_used_again),
		cmocka_unit_test(mutex_keeps_threads_apart),
		cmocka_unit_test(mutex_keeps_threads_apart_that_give_up),
	};

	return cmocka_run_group_tests_name("mutex", tests, NULL, NULL);
}
