// SPDX-License-Identifier: GPL-2.0-or-later
/* cond.c - what onproc_cond promises, on the native machine. */
#include "onproc/cond.h"

#include "threads.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

#define THREADS 16
#define ITEMS	20000
#define PLACES	4
#define MOST	70

struct shared {
	struct onproc_mutex mutex;
	struct onproc_cond cond, *other;
	unsigned int waiting, tokens, returned, rounds;
	unsigned int order[MOST];
	int go;
};

static void lock(struct shared *shared)
{
	assert_int_equal(onproc_mutex_lock(&shared->mutex), 0);
}

static void unlock(struct shared *shared)
{
	assert_int_equal(onproc_mutex_unlock(&shared->mutex), 0);
}

/* Returns with the mutex locked, when so many wait. */
static void lock_when_waiting(struct shared *shared, unsigned int threads)
{
	for (;;) {
		lock(shared);
		if (shared->waiting >= threads)
			return;
		unlock(shared);
		usleep(1000);
	}
}

/* Waits for a token and takes it. */
static void *take_token(void *argument)
{
	struct shared *shared = argument;
	unsigned int place;

	onproc_mutex_lock(&shared->mutex);
	place = shared->waiting++;
	while (!shared->tokens) {
		if (onproc_cond_wait(&shared->cond, &shared->mutex))
			return argument;
	}
	shared->tokens--;
	shared->order[shared->returned++] = place;
	onproc_mutex_unlock(&shared->mutex);
	return NULL;
}

/* Locks when that many new threads wait for a token. */
static void lock_with_waiters(struct shared *shared, pthread_t *waiter, unsigned int count)
{
	unsigned int n;

	for (n = 0; n < count; n++)
		waiter[n] = start(take_token, shared);
	lock_when_waiting(shared, count);
}

static void a_signal_wakes_a_waiter(void **state)
{
	struct shared shared = { 0 };
	pthread_t waiter = start(take_token, &shared);

	(void)state;
	lock_when_waiting(&shared, 1);
	shared.tokens = 1;
	assert_int_equal(onproc_cond_signal(&shared.cond), 0);
	unlock(&shared);
	finish(waiter);
	assert_int_equal(onproc_cond_destroy(&shared.cond), 0);
}

static void a_signal_needs_no_mutex(void **state)
{
	struct shared shared = { 0 };
	pthread_t waiter = start(take_token, &shared);

	(void)state;
	lock_when_waiting(&shared, 1);
	shared.tokens = 1;
	unlock(&shared);
	assert_int_equal(onproc_cond_signal(&shared.cond), 0);
	finish(waiter);
}

static void a_signal_without_waiters_is_not_kept(void **state)
{
	struct shared shared = { 0 };
	struct timespec at = in_ms(CLOCK_MONOTONIC, 10);

	(void)state;
	assert_int_equal(onproc_cond_signal(&shared.cond), 0);
	assert_int_equal(onproc_cond_broadcast(&shared.cond), 0);
	lock(&shared);
	assert_int_equal(onproc_cond_timedwait(&shared.cond, &shared.mutex, CLOCK_MONOTONIC, &at),
			 -ETIMEDOUT);
	unlock(&shared);
}

static void signals_wake_the_oldest_first(void **state)
{
	struct shared shared = { 0 };
	pthread_t waiter[THREADS];
	unsigned int n;

	(void)state;
	for (n = 0; n < THREADS; n++) {
		waiter[n] = start(take_token, &shared);
		lock_when_waiting(&shared, n + 1);
		unlock(&shared);
	}
	for (n = 0; n < THREADS; n++) {
		lock(&shared);
		shared.tokens++;
		assert_int_equal(onproc_cond_signal(&shared.cond), 0);
		unlock(&shared);
		finish(waiter[n]);
		assert_int_equal(shared.order[n], n);
	}
}

static void a_broadcast_wakes_all(void **state)
{
	struct shared shared = { 0 };
	pthread_t waiter[THREADS];
	unsigned int n;

	(void)state;
	lock_with_waiters(&shared, waiter, THREADS);
	shared.tokens = THREADS;
	assert_int_equal(onproc_cond_broadcast(&shared.cond), 0);
	unlock(&shared);
	for (n = 0; n < THREADS; n++)
		finish(waiter[n]);
	assert_int_equal(shared.returned, THREADS);
}

static void a_broadcast_needs_no_mutex(void **state)
{
	struct shared shared = { 0 };
	pthread_t waiter[THREADS];
	unsigned int n;

	(void)state;
	lock_with_waiters(&shared, waiter, THREADS);
	shared.tokens = THREADS;
	unlock(&shared);
	assert_int_equal(onproc_cond_broadcast(&shared.cond), 0);
	for (n = 0; n < THREADS; n++)
		finish(waiter[n]);
}

/* A broadcast walks in lots: more waiters than two of them hold. */
static void a_broadcast_wakes_more_than_one_lot(void **state)
{
	struct shared shared = { 0 };
	pthread_t waiter[MOST];
	unsigned int n;

	(void)state;
	lock_with_waiters(&shared, waiter, MOST);
	shared.tokens = MOST;
	assert_int_equal(onproc_cond_broadcast(&shared.cond), 0);
	unlock(&shared);
	for (n = 0; n < MOST; n++)
		finish(waiter[n]);
}

static long sleeps_of_all(void)
{
	struct rusage usage;

	assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
	return usage.ru_nvcsw;
}

/* They go to sleep again behind the mutex by being moved there, not by trying. */
static void a_broadcast_wakes_nobody_while_the_mutex_is_held(void **state)
{
	struct shared shared = { 0 };
	pthread_t waiter[THREADS];
	unsigned int n;
	long before;

	(void)state;
	lock_with_waiters(&shared, waiter, THREADS);
	/* The last of them may still be on its way to sleep. */
	usleep(50000);
	shared.tokens = THREADS;
	before = sleeps_of_all();
	assert_int_equal(onproc_cond_broadcast(&shared.cond), 0);
	usleep(50000);
	assert_true(sleeps_of_all() - before <= THREADS / 4);
	unlock(&shared);
	for (n = 0; n < THREADS; n++)
		finish(waiter[n]);
	assert_int_equal(onproc_mutex_destroy(&shared.mutex), 0);
}

/* Nobody else comes: each of them is woken by the broadcast or by the one before it. */
static void moved_waiters_get_the_mutex_without_further_unlocks(void **state)
{
	unsigned int round, n;

	(void)state;
	for (round = 0; round < 200; round++) {
		struct shared shared = { 0 };
		pthread_t waiter[3];

		lock_with_waiters(&shared, waiter, 3);
		shared.tokens = 3;
		if (round % 2)
			unlock(&shared);
		assert_int_equal(onproc_cond_broadcast(&shared.cond), 0);
		if (!(round % 2))
			unlock(&shared);
		for (n = 0; n < 3; n++)
			finish(waiter[n]);
		assert_int_equal(onproc_mutex_destroy(&shared.mutex), 0);
	}
}

/* Waits 50 ms at most. Returns NULL if that was signalled. */
static void *wait_briefly(void *argument)
{
	struct shared *shared = argument;
	struct timespec at = in_ms(CLOCK_MONOTONIC, 50);
	int rc = 0;

	onproc_mutex_lock(&shared->mutex);
	shared->waiting++;
	while (!shared->go && !rc)
		rc = onproc_cond_timedwait(&shared->cond, &shared->mutex, CLOCK_MONOTONIC, &at);
	shared->returned++;
	onproc_mutex_unlock(&shared->mutex);
	return rc ? argument : NULL;
}

static void a_moved_waiter_does_not_time_out(void **state)
{
	struct shared shared = { 0 };
	pthread_t waiter[4];
	unsigned int n;

	(void)state;
	for (n = 0; n < 4; n++)
		waiter[n] = start(wait_briefly, &shared);
	lock_when_waiting(&shared, 4);
	shared.go = 1;
	assert_int_equal(onproc_cond_broadcast(&shared.cond), 0);
	usleep(100000);
	/* Its time is over, and it does not return without the mutex. */
	assert_int_equal(shared.returned, 0);
	unlock(&shared);
	for (n = 0; n < 4; n++)
		finish(waiter[n]);
	assert_int_equal(onproc_mutex_destroy(&shared.mutex), 0);
}

struct two_mutexes {
	struct shared shared;
	struct onproc_mutex held;
};

/* Gives up at one mutex, among whose sleepers its own sleeper is left. */
static void *give_up_and_wait(void *argument)
{
	struct two_mutexes *both = argument;
	struct timespec at = in_ms(CLOCK_MONOTONIC, 1);

	if (onproc_mutex_timedlock(&both->held, CLOCK_MONOTONIC, &at) != -ETIMEDOUT)
		return argument;
	return take_token(&both->shared) ? argument : NULL;
}

static void a_broadcast_moves_waiters_with_a_spare_sleeper(void **state)
{
	struct two_mutexes both = { 0 };
	struct shared *shared = &both.shared;
	pthread_t waiter[4];
	unsigned int n;

	(void)state;
	assert_int_equal(onproc_mutex_lock(&both.held), 0);
	for (n = 0; n < 4; n++)
		waiter[n] = start(give_up_and_wait, &both);
	lock_when_waiting(shared, 4);
	shared->tokens = 4;
	assert_int_equal(onproc_cond_broadcast(&shared->cond), 0);
	unlock(shared);
	for (n = 0; n < 4; n++)
		finish(waiter[n]);
	assert_int_equal(onproc_mutex_unlock(&both.held), 0);
}

static void a_time_in_the_past_gives_up_at_once(void **state)
{
	static const clockid_t clocks[] = { CLOCK_MONOTONIC, CLOCK_REALTIME };
	struct onproc_mutex mutex;
	struct onproc_cond cond = ONPROC_COND_INITIALIZER;
	struct timespec past = { 1, 0 };
	size_t n;

	(void)state;
	assert_int_equal(onproc_mutex_init(&mutex, ONPROC_MUTEX_ERRORCHECK), 0);
	assert_int_equal(onproc_mutex_lock(&mutex), 0);
	for (n = 0; n < 2; n++)
		assert_int_equal(onproc_cond_timedwait(&cond, &mutex, clocks[n], &past),
				 -ETIMEDOUT);
	/* It is still ours. */
	assert_int_equal(onproc_mutex_unlock(&mutex), 0);
	assert_int_equal(onproc_cond_destroy(&cond), 0);
}

static void what_is_not_a_time_is_refused(void **state)
{
	struct shared shared = { 0 };
	struct timespec wrong = { 1, -1 }, at = { 1, 0 };

	(void)state;
	lock(&shared);
	assert_int_equal(
		onproc_cond_timedwait(&shared.cond, &shared.mutex, CLOCK_MONOTONIC, &wrong),
		-EINVAL);
	assert_int_equal(onproc_cond_timedwait(&shared.cond, &shared.mutex, CLOCK_BOOTTIME, &at),
			 -EINVAL);
	unlock(&shared);
}

static void error_checking_wants_the_mutex_locked(void **state)
{
	struct onproc_mutex mutex;
	struct onproc_cond cond = ONPROC_COND_INITIALIZER;

	(void)state;
	assert_int_equal(onproc_mutex_init(&mutex, ONPROC_MUTEX_ERRORCHECK), 0);
	assert_int_equal(onproc_cond_wait(&cond, &mutex), -EPERM);
	assert_int_equal(onproc_cond_destroy(&cond), 0);
}

static void process_shared_ones_are_refused(void **state)
{
	struct onproc_cond cond;

	(void)state;
	assert_int_equal(onproc_cond_init(&cond, ONPROC_COND_SHARED), -ENOTSUP);
	assert_int_equal(onproc_cond_init(&cond, 1u << 31), -EINVAL);
	assert_int_equal(onproc_cond_init(&cond, 0), 0);
}

static void one_with_waiters_is_not_destroyed(void **state)
{
	struct shared shared = { 0 };
	pthread_t waiter = start(take_token, &shared);

	(void)state;
	lock_when_waiting(&shared, 1);
	assert_int_equal(onproc_cond_destroy(&shared.cond), -EBUSY);
	shared.tokens = 1;
	assert_int_equal(onproc_cond_signal(&shared.cond), 0);
	unlock(&shared);
	finish(waiter);
}

static void *wait_elsewhere(void *argument)
{
	struct shared *shared = argument;
	struct timespec at = in_ms(CLOCK_REALTIME, 5);
	struct onproc_cond *cond = shared->other;

	onproc_mutex_lock(&shared->mutex);
	shared->waiting++;
	while (!shared->go) {
		int rc = shared->waiting % 2
				 ? onproc_cond_wait(cond, &shared->mutex)
				 : onproc_cond_timedwait(cond, &shared->mutex, CLOCK_REALTIME, &at);
		if (rc && rc != -ETIMEDOUT)
			return argument;
	}
	onproc_mutex_unlock(&shared->mutex);
	return NULL;
}

/* Nobody touches it after that: the memory is taken away. Some waits time out just then. */
static void its_memory_may_go_right_after_a_broadcast(void **state)
{
	unsigned int n, round;

	(void)state;
	for (round = 0; round < 30; round++) {
		struct shared shared = { 0 };
		pthread_t waiter[8];

		shared.other = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
				    -1, 0);
		assert_ptr_not_equal(shared.other, MAP_FAILED);
		for (n = 0; n < 8; n++)
			waiter[n] = start(wait_elsewhere, &shared);
		lock_when_waiting(&shared, 8);
		shared.go = 1;
		assert_int_equal(onproc_cond_broadcast(shared.other), 0);
		assert_int_equal(onproc_cond_destroy(shared.other), 0);
		assert_int_equal(munmap(shared.other, 4096), 0);
		unlock(&shared);
		for (n = 0; n < 8; n++)
			finish(waiter[n]);
	}
}

struct queue {
	struct onproc_mutex mutex;
	struct onproc_cond not_empty, not_full;
	unsigned int item[PLACES], length;
	unsigned int produced, consumed;
	uint64_t sum;
	int timed;
};

static int wait_in_queue(struct queue *queue, struct onproc_cond *cond, unsigned int n)
{
	struct timespec at;
	int rc;

	if (n % 3 || !queue->timed)
		return onproc_cond_wait(cond, &queue->mutex);
	at = in_ms(n % 2 ? CLOCK_MONOTONIC : CLOCK_REALTIME, n % 4);
	rc = onproc_cond_timedwait(cond, &queue->mutex, n % 2 ? CLOCK_MONOTONIC : CLOCK_REALTIME,
				   &at);
	return rc == -ETIMEDOUT ? 0 : rc;
}

static void *produce(void *argument)
{
	struct queue *queue = argument;

	for (;;) {
		onproc_mutex_lock(&queue->mutex);
		while (queue->length == PLACES && queue->produced < ITEMS) {
			if (wait_in_queue(queue, &queue->not_full, queue->produced))
				return argument;
		}
		if (queue->produced == ITEMS)
			break;
		queue->item[queue->length++] = ++queue->produced;
		/* Both ways of signalling. */
		if (queue->produced % 2)
			onproc_cond_signal(&queue->not_empty);
		onproc_mutex_unlock(&queue->mutex);
		onproc_cond_signal(&queue->not_empty);
	}
	onproc_cond_broadcast(&queue->not_full);
	onproc_cond_broadcast(&queue->not_empty);
	onproc_mutex_unlock(&queue->mutex);
	return NULL;
}

static void *consume(void *argument)
{
	struct queue *queue = argument;

	for (;;) {
		onproc_mutex_lock(&queue->mutex);
		while (!queue->length && queue->consumed < ITEMS) {
			if (wait_in_queue(queue, &queue->not_empty, queue->consumed))
				return argument;
		}
		if (queue->consumed == ITEMS)
			break;
		queue->sum += queue->item[--queue->length];
		queue->consumed++;
		onproc_mutex_unlock(&queue->mutex);
		onproc_cond_signal(&queue->not_full);
	}
	onproc_cond_broadcast(&queue->not_empty);
	onproc_mutex_unlock(&queue->mutex);
	return NULL;
}

/* No wait without its signal: with a lost one the queue stops, and the alarm ends the test. */
static void run_queue(int timed)
{
	struct queue queue = { .timed = timed };
	pthread_t thread[8];
	unsigned int n;

	for (n = 0; n < 8; n++)
		thread[n] = start(n % 2 ? produce : consume, &queue);
	for (n = 0; n < 8; n++)
		finish(thread[n]);
	assert_int_equal(queue.sum, (uint64_t)ITEMS * (ITEMS + 1) / 2);
	assert_int_equal(onproc_cond_destroy(&queue.not_empty), 0);
	assert_int_equal(onproc_cond_destroy(&queue.not_full), 0);
}

static void a_queue_loses_no_wake_up(void **state)
{
	(void)state;
	run_queue(0);
}

static void time_outs_use_up_no_signal(void **state)
{
	(void)state;
	run_queue(1);
}

static int child_signals(struct shared *shared)
{
	pthread_t waiter;

	/* The parent's waiters are not here: a signal is for those that are. */
	pthread_create(&waiter, NULL, take_token, shared);
	for (;;) {
		onproc_mutex_lock(&shared->mutex);
		if (shared->waiting == 5)
			break;
		onproc_mutex_unlock(&shared->mutex);
		usleep(1000);
	}
	shared->tokens = 1;
	onproc_cond_signal(&shared->cond);
	onproc_mutex_unlock(&shared->mutex);
	pthread_join(waiter, NULL);
	return onproc_cond_destroy(&shared->cond);
}

static void a_forked_child_has_none_of_the_waiters(void **state)
{
	struct shared shared = { 0 };
	pthread_t waiter[4];
	int n, status;
	pid_t child;

	(void)state;
#ifdef __SANITIZE_THREAD__
	print_message("the thread sanitizer starts no threads in a forked child\n");
	skip();
#endif
	for (n = 0; n < 4; n++)
		waiter[n] = start(take_token, &shared);
	lock_when_waiting(&shared, 4);
	child = fork();
	if (!child) {
		alarm(60);
		onproc_mutex_unlock(&shared.mutex);
		_exit(child_signals(&shared) ? 1 : 0);
	}
	shared.tokens = 4;
	onproc_cond_broadcast(&shared.cond);
	unlock(&shared);
	for (n = 0; n < 4; n++)
		finish(waiter[n]);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

/* In the child they are among the sleepers of the mutex, and nobody is there. */
static void a_forked_child_has_none_of_the_moved_waiters(void **state)
{
	struct shared shared = { 0 };
	pthread_t waiter[4];
	int n, status;
	pid_t child;

	(void)state;
#ifdef __SANITIZE_THREAD__
	print_message("the thread sanitizer starts no threads in a forked child\n");
	skip();
#endif
	for (n = 0; n < 4; n++)
		waiter[n] = start(take_token, &shared);
	lock_when_waiting(&shared, 4);
	shared.tokens = 4;
	onproc_cond_broadcast(&shared.cond);
	child = fork();
	if (!child) {
		alarm(60);
		shared.tokens = 0;
		onproc_mutex_unlock(&shared.mutex);
		_exit(child_signals(&shared) || onproc_mutex_destroy(&shared.mutex) ? 1 : 0);
	}
	unlock(&shared);
	for (n = 0; n < 4; n++)
		finish(waiter[n]);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_signal_wakes_a_waiter),
		cmocka_unit_test(a_signal_needs_no_mutex),
		cmocka_unit_test(a_signal_without_waiters_is_not_kept),
		cmocka_unit_test(signals_wake_the_oldest_first),
		cmocka_unit_test(a_broadcast_wakes_all),
		cmocka_unit_test(a_broadcast_needs_no_mutex),
		cmocka_unit_test(a_broadcast_wakes_more_than_one_lot),
		cmocka_unit_test(a_broadcast_wakes_nobody_while_the_mutex_is_held),
		cmocka_unit_test(moved_waiters_get_the_mutex_without_further_unlocks),
		cmocka_unit_test(a_moved_waiter_does_not_time_out),
		cmocka_unit_test(a_broadcast_moves_waiters_with_a_spare_sleeper),
		cmocka_unit_test(a_time_in_the_past_gives_up_at_once),
		cmocka_unit_test(what_is_not_a_time_is_refused),
		cmocka_unit_test(error_checking_wants_the_mutex_locked),
		cmocka_unit_test(process_shared_ones_are_refused),
		cmocka_unit_test(one_with_waiters_is_not_destroyed),
		cmocka_unit_test(its_memory_may_go_right_after_a_broadcast),
		cmocka_unit_test(a_forked_child_has_none_of_the_waiters),
		cmocka_unit_test(a_forked_child_has_none_of_the_moved_waiters),
		cmocka_unit_test(a_queue_loses_no_wake_up),
		cmocka_unit_test(time_outs_use_up_no_signal),
	};

	return cmocka_run_group_tests_name("cond", tests, guard, NULL);
}
