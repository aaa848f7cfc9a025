// SPDX-License-Identifier: GPL-2.0-or-later
/* rwsem.c - what onproc_rwsem promises, on the native machine. */
#include "onproc/rwsem.h"

#include "threads.h"

#include <errno.h>
#include <stdlib.h>

#define THREADS 16
#define ROUNDS	4000

struct shared {
	struct onproc_rwsem rwsem;
	uint64_t first, second; /* equal whenever no writer is inside */
	uint64_t writes;	/* counted beside the lock */
	uint32_t stop, inside, done;
	uint32_t seed;
};

static void set(uint32_t *word)
{
	__atomic_store_n(word, 1, __ATOMIC_RELEASE);
}

static int is_set(uint32_t *word)
{
	return __atomic_load_n(word, __ATOMIC_ACQUIRE) != 0;
}

static void wait_for(uint32_t *word)
{
	while (!is_set(word))
		usleep(1000);
}

static void written(struct shared *shared)
{
	shared->first++;
	shared->second++;
	__atomic_fetch_add(&shared->writes, 1, __ATOMIC_RELAXED);
}

static void *try_to_read(void *argument)
{
	return onproc_rwsem_read_trylock(argument) ? argument : NULL;
}

static void *try_to_write(void *argument)
{
	return onproc_rwsem_write_trylock(argument) ? argument : NULL;
}

/* Does the try succeed in another thread? */
static int succeeds(void *(*try)(void *), struct onproc_rwsem *rwsem)
{
	pthread_t thread = start(try, rwsem);
	void *failed;

	pthread_join(thread, &failed);
	return !failed;
}

static void *read_to_the_end(void *argument)
{
	struct shared *shared = argument;

	if (onproc_rwsem_read_lock(&shared->rwsem))
		return argument;
	set(&shared->inside);
	wait_for(&shared->stop);
	return onproc_rwsem_read_unlock(&shared->rwsem) ? argument : NULL;
}

static void *write_to_the_end(void *argument)
{
	struct shared *shared = argument;

	if (onproc_rwsem_write_lock(&shared->rwsem))
		return argument;
	set(&shared->inside);
	wait_for(&shared->stop);
	return onproc_rwsem_write_unlock(&shared->rwsem) ? argument : NULL;
}

static void *read_once(void *argument)
{
	struct shared *shared = argument;

	if (onproc_rwsem_read_lock(&shared->rwsem) || onproc_rwsem_read_unlock(&shared->rwsem))
		return argument;
	set(&shared->done);
	return NULL;
}

static void *write_once(void *argument)
{
	struct shared *shared = argument;

	if (onproc_rwsem_write_lock(&shared->rwsem) || onproc_rwsem_write_unlock(&shared->rwsem))
		return argument;
	set(&shared->done);
	return NULL;
}

static void zeroed_memory_is_an_unlocked_rwsem(void **state)
{
	struct onproc_rwsem *rwsem = calloc(1, sizeof(*rwsem));

	(void)state;
	assert_int_equal(sizeof(*rwsem), 16);
	assert_int_equal(onproc_rwsem_write_lock(rwsem), 0);
	assert_int_equal(onproc_rwsem_write_unlock(rwsem), 0);
	assert_int_equal(onproc_rwsem_read_lock(rwsem), 0);
	assert_int_equal(onproc_rwsem_read_unlock(rwsem), 0);
	assert_int_equal(onproc_rwsem_destroy(rwsem), 0);
	free(rwsem);
}

static void readers_share_it(void **state)
{
	struct onproc_rwsem rwsem = ONPROC_RWSEM_INITIALIZER;

	(void)state;
	assert_int_equal(onproc_rwsem_read_lock(&rwsem), 0);
	assert_true(succeeds(try_to_read, &rwsem));
	assert_false(succeeds(try_to_write, &rwsem));
}

static void a_writer_has_it_alone(void **state)
{
	struct onproc_rwsem rwsem = ONPROC_RWSEM_INITIALIZER;

	(void)state;
	assert_int_equal(onproc_rwsem_write_lock(&rwsem), 0);
	assert_false(succeeds(try_to_read, &rwsem));
	assert_false(succeeds(try_to_write, &rwsem));
	assert_int_equal(onproc_rwsem_write_unlock(&rwsem), 0);
	assert_true(succeeds(try_to_write, &rwsem));
}

static void process_shared_ones_are_refused(void **state)
{
	struct onproc_rwsem rwsem;

	(void)state;
	assert_int_equal(onproc_rwsem_init(&rwsem, ONPROC_RWSEM_SHARED), -ENOTSUP);
	assert_int_equal(onproc_rwsem_init(&rwsem, 1u << 31), -EINVAL);
	assert_int_equal(onproc_rwsem_init(&rwsem, ONPROC_RWSEM_ERRORCHECK), 0);
}

static void a_time_in_the_past_gives_up_at_once(void **state)
{
	static const clockid_t clocks[] = { CLOCK_MONOTONIC, CLOCK_REALTIME };
	struct shared shared = { 0 };
	pthread_t thread = start(write_to_the_end, &shared);
	struct timespec past = { 1, 0 };
	size_t n;

	(void)state;
	wait_for(&shared.inside);
	for (n = 0; n < 2; n++) {
		assert_int_equal(onproc_rwsem_read_timedlock(&shared.rwsem, clocks[n], &past),
				 -ETIMEDOUT);
		assert_int_equal(onproc_rwsem_write_timedlock(&shared.rwsem, clocks[n], &past),
				 -ETIMEDOUT);
	}
	set(&shared.stop);
	finish(thread);
	assert_int_equal(onproc_rwsem_read_timedlock(&shared.rwsem, CLOCK_REALTIME, &past), 0);
	assert_int_equal(onproc_rwsem_read_unlock(&shared.rwsem), 0);
	assert_int_equal(onproc_rwsem_destroy(&shared.rwsem), 0);
}

static void a_timed_wait_lasts_until_its_time(void **state)
{
	static const clockid_t clocks[] = { CLOCK_MONOTONIC, CLOCK_REALTIME };
	struct shared shared = { 0 };
	pthread_t thread = start(write_to_the_end, &shared);
	size_t n;

	(void)state;
	wait_for(&shared.inside);
	for (n = 0; n < 2; n++) {
		struct timespec at = in_ms(clocks[n], 40), now;

		assert_int_equal(onproc_rwsem_write_timedlock(&shared.rwsem, clocks[n], &at),
				 -ETIMEDOUT);
		clock_gettime(clocks[n], &now);
		assert_true(now.tv_sec > at.tv_sec ||
			    (now.tv_sec == at.tv_sec && now.tv_nsec >= at.tv_nsec));
	}
	set(&shared.stop);
	finish(thread);
}

static void a_writer_waits_for_the_last_reader(void **state)
{
	struct shared shared = { 0 };
	pthread_t reader = start(read_to_the_end, &shared), writer;
	struct timespec at = in_ms(CLOCK_MONOTONIC, 30);

	(void)state;
	wait_for(&shared.inside);
	assert_int_equal(onproc_rwsem_write_timedlock(&shared.rwsem, CLOCK_MONOTONIC, &at),
			 -ETIMEDOUT);
	writer = start(write_once, &shared);
	usleep(30000);
	assert_false(is_set(&shared.done));
	set(&shared.stop);
	finish(reader);
	finish(writer);
}

static void what_is_not_a_time_is_refused(void **state)
{
	struct shared shared = { 0 };
	pthread_t thread = start(write_to_the_end, &shared);
	struct timespec wrong = { 1, 1000000000 }, at = { 1, 0 };

	(void)state;
	wait_for(&shared.inside);
	assert_int_equal(onproc_rwsem_read_timedlock(&shared.rwsem, CLOCK_MONOTONIC, &wrong),
			 -EINVAL);
	assert_int_equal(onproc_rwsem_write_timedlock(&shared.rwsem, CLOCK_BOOTTIME, &at), -EINVAL);
	set(&shared.stop);
	finish(thread);
}

static void error_checking_refuses_the_wrong_thread(void **state)
{
	struct onproc_rwsem rwsem;

	(void)state;
	assert_int_equal(onproc_rwsem_init(&rwsem, ONPROC_RWSEM_ERRORCHECK), 0);
	assert_int_equal(onproc_rwsem_write_unlock(&rwsem), -EPERM);
	assert_int_equal(onproc_rwsem_read_unlock(&rwsem), -EPERM);
	assert_int_equal(onproc_rwsem_unlock(&rwsem), -EPERM);
	assert_int_equal(onproc_rwsem_downgrade(&rwsem), -EPERM);
	assert_int_equal(onproc_rwsem_write_lock(&rwsem), 0);
	assert_int_equal(onproc_rwsem_write_lock(&rwsem), -EDEADLK);
	assert_int_equal(onproc_rwsem_read_lock(&rwsem), -EDEADLK);
	assert_int_equal(onproc_rwsem_read_unlock(&rwsem), -EPERM);
	assert_int_equal(onproc_rwsem_unlock(&rwsem), 0);
	assert_int_equal(onproc_rwsem_read_lock(&rwsem), 0);
	assert_int_equal(onproc_rwsem_write_unlock(&rwsem), -EPERM);
	assert_int_equal(onproc_rwsem_unlock(&rwsem), 0);
	assert_int_equal(onproc_rwsem_destroy(&rwsem), 0);
}

static void *unlock_what_another_wrote(void *argument)
{
	return onproc_rwsem_write_unlock(argument) == -EPERM ? NULL : argument;
}

static void error_checking_knows_the_writer(void **state)
{
	struct onproc_rwsem rwsem;

	(void)state;
	assert_int_equal(onproc_rwsem_init(&rwsem, ONPROC_RWSEM_ERRORCHECK), 0);
	assert_int_equal(onproc_rwsem_write_lock(&rwsem), 0);
	finish(start(unlock_what_another_wrote, &rwsem));
	assert_int_equal(onproc_rwsem_write_unlock(&rwsem), 0);
}

static void a_held_one_is_not_destroyed(void **state)
{
	struct onproc_rwsem rwsem = ONPROC_RWSEM_INITIALIZER;

	(void)state;
	assert_int_equal(onproc_rwsem_read_lock(&rwsem), 0);
	assert_int_equal(onproc_rwsem_destroy(&rwsem), -EBUSY);
	assert_int_equal(onproc_rwsem_unlock(&rwsem), 0);
	assert_int_equal(onproc_rwsem_write_lock(&rwsem), 0);
	assert_int_equal(onproc_rwsem_destroy(&rwsem), -EBUSY);
	assert_int_equal(onproc_rwsem_unlock(&rwsem), 0);
	assert_int_equal(onproc_rwsem_destroy(&rwsem), 0);
}

static void downgrade_lets_sleeping_readers_in(void **state)
{
	struct shared shared = { 0 };
	pthread_t reader;

	(void)state;
	assert_int_equal(onproc_rwsem_write_lock(&shared.rwsem), 0);
	reader = start(read_once, &shared);
	usleep(50000); /* most likely asleep by then; right either way */
	assert_false(is_set(&shared.done));
	assert_int_equal(onproc_rwsem_downgrade(&shared.rwsem), 0);
	finish(reader);
	assert_false(succeeds(try_to_write, &shared.rwsem));
	assert_int_equal(onproc_rwsem_read_unlock(&shared.rwsem), 0);
	assert_int_equal(onproc_rwsem_destroy(&shared.rwsem), 0);
}

static void downgrade_lets_no_writer_in(void **state)
{
	struct shared shared = { 0 };
	pthread_t writer;

	(void)state;
	assert_int_equal(onproc_rwsem_write_lock(&shared.rwsem), 0);
	writer = start(write_once, &shared);
	usleep(50000);
	assert_int_equal(onproc_rwsem_downgrade(&shared.rwsem), 0);
	usleep(50000);
	assert_false(is_set(&shared.done));
	assert_int_equal(onproc_rwsem_read_unlock(&shared.rwsem), 0);
	finish(writer);
}

static void *read_after_a_while(void *argument)
{
	usleep(50000); /* a writer is due by then */
	return read_once(argument);
}

static void one_that_gave_up_holds_nobody_up(void **state)
{
	struct shared shared = { 0 };
	pthread_t writer = start(write_to_the_end, &shared);
	struct timespec at;

	(void)state;
	wait_for(&shared.inside);
	at = in_ms(CLOCK_MONOTONIC, 5);
	assert_int_equal(onproc_rwsem_read_timedlock(&shared.rwsem, CLOCK_MONOTONIC, &at),
			 -ETIMEDOUT);
	at = in_ms(CLOCK_MONOTONIC, 5);
	assert_int_equal(onproc_rwsem_write_timedlock(&shared.rwsem, CLOCK_MONOTONIC, &at),
			 -ETIMEDOUT);
	set(&shared.stop);
	finish(writer);
	run_together(write_once, &shared, 4);
	run_together(read_once, &shared, 4);
	assert_int_equal(onproc_rwsem_destroy(&shared.rwsem), 0);
}

/* It was due, and had kept readers out, while one holds the lock. */
static void a_writer_that_gave_up_lets_readers_in(void **state)
{
	struct shared shared = { 0 };
	pthread_t reader = start(read_to_the_end, &shared), sleeper;
	struct timespec at;

	(void)state;
	wait_for(&shared.inside);
	at = in_ms(CLOCK_MONOTONIC, 100);
	sleeper = start(read_after_a_while, &shared);
	assert_int_equal(onproc_rwsem_write_timedlock(&shared.rwsem, CLOCK_MONOTONIC, &at),
			 -ETIMEDOUT);
	assert_true(succeeds(try_to_read, &shared.rwsem));
	finish(sleeper);
	set(&shared.stop);
	finish(reader);
}

/* Readers that overlap for as long as the writer has not been in: without its turn, for ever. */
static void *overlap(void *argument)
{
	struct shared *shared = argument;

	while (!is_set(&shared->done)) {
		if (onproc_rwsem_read_lock(&shared->rwsem))
			return argument;
		usleep(2000);
		if (onproc_rwsem_read_unlock(&shared->rwsem))
			return argument;
	}
	return NULL;
}

static void readers_do_not_starve_a_writer(void **state)
{
	struct shared shared = { 0 };
	pthread_t reader[8];
	size_t n;

	(void)state;
	for (n = 0; n < 8; n++)
		reader[n] = start(overlap, &shared);
	usleep(20000);
	finish(start(write_once, &shared));
	for (n = 0; n < 8; n++)
		finish(reader[n]);
}

static void *write_on_and_on(void *argument)
{
	struct shared *shared = argument;

	while (!is_set(&shared->done)) {
		if (onproc_rwsem_write_lock(&shared->rwsem))
			return argument;
		written(shared);
		if (onproc_rwsem_write_unlock(&shared->rwsem))
			return argument;
	}
	return NULL;
}

static void writers_do_not_starve_a_reader(void **state)
{
	struct shared shared = { 0 };
	pthread_t writer[8];
	size_t n;

	(void)state;
	for (n = 0; n < 8; n++)
		writer[n] = start(write_on_and_on, &shared);
	usleep(20000);
	finish(start(read_once, &shared));
	for (n = 0; n < 8; n++)
		finish(writer[n]);
	assert_int_equal(shared.first, shared.writes);
}

static void who_reads_may_read_again_if_readers_are_preferred(void **state)
{
	struct shared shared = { 0 };
	pthread_t writer;

	(void)state;
	assert_int_equal(onproc_rwsem_init(&shared.rwsem, ONPROC_RWSEM_PREFER_READERS), 0);
	assert_int_equal(onproc_rwsem_read_lock(&shared.rwsem), 0);
	writer = start(write_once, &shared);
	usleep(50000); /* the writer is due by then */
	assert_int_equal(onproc_rwsem_read_lock(&shared.rwsem), 0);
	assert_int_equal(onproc_rwsem_read_unlock(&shared.rwsem), 0);
	assert_int_equal(onproc_rwsem_read_unlock(&shared.rwsem), 0);
	finish(writer);
}

static int lock_somehow(struct shared *shared, uint32_t random, int *writes)
{
	clockid_t clock = random & 64 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
	struct timespec at = in_ms(clock, random >> 8 & 3);

	*writes = (random & 3) == 0;
	switch (random >> 2 & 7) {
	case 0:
		return *writes ? onproc_rwsem_write_trylock(&shared->rwsem)
			       : onproc_rwsem_read_trylock(&shared->rwsem);
	case 1:
	case 2:
		return *writes ? onproc_rwsem_write_timedlock(&shared->rwsem, clock, &at)
			       : onproc_rwsem_read_timedlock(&shared->rwsem, clock, &at);
	default:
		return *writes ? onproc_rwsem_write_lock(&shared->rwsem)
			       : onproc_rwsem_read_lock(&shared->rwsem);
	}
}

static void *mix(void *argument)
{
	struct shared *shared = argument;
	uint32_t random = __atomic_add_fetch(&shared->seed, 1, __ATOMIC_RELAXED) * 2654435761u;
	int n, rc, writes;

	for (n = 0; n < ROUNDS; n++) {
		random = random * 1664525u + 1013904223u;
		rc = lock_somehow(shared, random >> 8, &writes);
		if (rc == -EBUSY || rc == -ETIMEDOUT)
			continue;
		if (rc || shared->first != shared->second)
			return argument;
		if (writes) {
			written(shared);
			/* Some hold it long enough for others to fall asleep. */
			if (n % 512 == 0)
				usleep(500);
			if (random & 1 << 30) {
				if (onproc_rwsem_downgrade(&shared->rwsem))
					return argument;
				writes = 0;
			}
		}
		if (writes ? onproc_rwsem_write_unlock(&shared->rwsem)
			   : onproc_rwsem_unlock(&shared->rwsem))
			return argument;
	}
	return NULL;
}

static void many_threads_of_all_kinds_keep_the_data_whole(void **state)
{
	struct shared shared = { 0 };

	(void)state;
	run_together(mix, &shared, THREADS);
	assert_int_equal(shared.first, shared.writes);
	assert_int_equal(shared.second, shared.writes);
	assert_int_equal(onproc_rwsem_destroy(&shared.rwsem), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(zeroed_memory_is_an_unlocked_rwsem),
		cmocka_unit_test(readers_share_it),
		cmocka_unit_test(a_writer_has_it_alone),
		cmocka_unit_test(process_shared_ones_are_refused),
		cmocka_unit_test(a_time_in_the_past_gives_up_at_once),
		cmocka_unit_test(a_timed_wait_lasts_until_its_time),
		cmocka_unit_test(a_writer_waits_for_the_last_reader),
		cmocka_unit_test(what_is_not_a_time_is_refused),
		cmocka_unit_test(error_checking_refuses_the_wrong_thread),
		cmocka_unit_test(error_checking_knows_the_writer),
		cmocka_unit_test(a_held_one_is_not_destroyed),
		cmocka_unit_test(downgrade_lets_sleeping_readers_in),
		cmocka_unit_test(downgrade_lets_no_writer_in),
		cmocka_unit_test(one_that_gave_up_holds_nobody_up),
		cmocka_unit_test(a_writer_that_gave_up_lets_readers_in),
		cmocka_unit_test(readers_do_not_starve_a_writer),
		cmocka_unit_test(writers_do_not_starve_a_reader),
		cmocka_unit_test(who_reads_may_read_again_if_readers_are_preferred),
		cmocka_unit_test(many_threads_of_all_kinds_keep_the_data_whole),
	};

	return cmocka_run_group_tests_name("rwsem", tests, guard, NULL);
}
