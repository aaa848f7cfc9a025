// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * workers.c - the threads: each does what the seed says, ends now and then, and is replaced.
 *
 * A thread may be cancelled at any time, and ends at its next point between two operations: locks
 * are no cancellation points. One that dies elsewhere is a failure.
 */
#include "torture.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SMALL_STACK_BYTES (256u << 10)
#define HANDLER_TURNS	  4000	     /* some microseconds */
#define STALL_NS	  100000000u /* the watcher looks every millisecond */

static __thread struct worker *self;

struct worker *worker_self(void)
{
	return self;
}

void worker_waited(struct worker *worker, uint64_t since_ns)
{
	uint64_t waited_ns = now_ns() - since_ns;
	uint32_t operation = worker->operation - 1;

	if (waited_ns > worker->longest_ns[operation])
		worker->longest_ns[operation] = waited_ns;
}

static void signals(int how)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(how, &set, NULL);
}

/* Runs at the end of every thread. */
static void worker_ends(void *argument)
{
	struct worker *worker = argument;

	signals(SIG_BLOCK);
	if (worker->operation || worker->inside_handler)
		fail(worker->torture, worker, NULL, "cancelled inside an operation");
	__atomic_store_n(&worker->ended, 1, __ATOMIC_RELEASE);
}

/* Its slot + 1, as the words of locks show it. */
static uint32_t own_slot(void)
{
	struct onproc_mutex mutex = ONPROC_MUTEX_INITIALIZER;
	uint32_t slot;

	onproc_mutex_lock(&mutex);
	slot = mutex.word & 0xffff;
	onproc_mutex_unlock(&mutex);
	return slot;
}

static void turn(struct worker *worker)
{
	struct torture *torture = worker->torture;
	struct random random = random_of(torture->options->seed, worker->index, worker->operations);
	struct lock *lock;
	const struct operation *operation = operation_choose(torture, &random, &lock);

	__atomic_store_n(&worker->lock, lock ? lock->index + 1 : 0, __ATOMIC_RELAXED);
	__atomic_store_n(&worker->since_ns, now_ns(), __ATOMIC_RELAXED);
	__atomic_store_n(&worker->operation, (uint32_t)(operation - operations) + 1,
			 __ATOMIC_RELAXED);
	errno = (int)worker->index + 1;
	operation->run(worker, lock, &random);
	/* A sanitizer's report of a race in a broken lock does not keep it. */
	if (operation->needs != NEEDS_FORK && torture->options->broken == BROKEN_NONE &&
	    errno != (int)worker->index + 1)
		fail(torture, worker, lock, "errno was not kept: it is %d", errno);
	__atomic_store_n(&worker->operation, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&worker->since_ns, now_ns(), __ATOMIC_RELAXED);
	worker->count[operation - operations]++;
	__atomic_store_n(&worker->operations, worker->operations + 1, __ATOMIC_RELAXED);
}

static void *worker_runs(void *argument)
{
	struct worker *worker = argument;

	self = worker;
	__atomic_store_n(&worker->tid, (uint32_t)syscall(SYS_gettid), __ATOMIC_RELAXED);
	pthread_cleanup_push(worker_ends, worker);
	signals(SIG_UNBLOCK);
	__atomic_store_n(&worker->slot, own_slot(), __ATOMIC_RELAXED);
	while (worker->left-- && !__atomic_load_n(&worker->torture->stop, __ATOMIC_RELAXED)) {
		turn(worker);
		pthread_testcancel();
	}
	pthread_cleanup_pop(1);
	return NULL;
}

/* Lives for some 20 to 20,000 operations; the first of a place until the next number is drawn. */
static void worker_start(struct worker *worker)
{
	struct torture *torture = worker->torture;
	struct random random =
		random_of(~torture->options->seed, worker->index, worker->operations);
	pthread_attr_t attributes;
	int rc;

	worker->ended = 0;
	worker->incarnation++;
	worker->left = 20u << random_below(&random, 11);
	__atomic_store_n(&worker->since_ns, now_ns(), __ATOMIC_RELAXED);
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, SMALL_STACK_BYTES);
	rc = pthread_create(&worker->thread, &attributes, worker_runs, worker);
	pthread_attr_destroy(&attributes);
	if (rc)
		fail(torture, worker, NULL, "pthread_create: error %d", rc);
}

/* A handler that takes a lock of its own, also while its thread waits for another one. */
static void on_signal(int signal)
{
	struct worker *worker = self;
	struct torture *torture;
	struct timespec past = { 1, 0 };
	int kept = errno, rc;

	(void)signal;
	if (!worker)
		return;
	torture = worker->torture;
	__atomic_store_n(&worker->inside_handler, 1, __ATOMIC_RELAXED);
	if (worker->handled % 2) {
		clock_gettime(CLOCK_MONOTONIC, &past);
		past.tv_nsec = (past.tv_nsec + 100000) % 1000000000;
	}
	rc = worker->handled % 4
		     ? onproc_mutex_timedlock(&torture->handler_mutex, CLOCK_MONOTONIC, &past)
		     : onproc_mutex_lock(&torture->handler_mutex);
	if (!rc) {
		volatile uint32_t turns = HANDLER_TURNS;

		torture->handler_guard.first++;
		while (turns)
			turns = turns - 1;
		torture->handler_guard.second++;
		if (torture->handler_guard.first != torture->handler_guard.second)
			fail(torture, worker, NULL, "mutual exclusion among signal handlers");
		if (onproc_mutex_unlock(&torture->handler_mutex))
			fail(torture, worker, NULL, "unlock in a signal handler");
	} else if (rc != -ETIMEDOUT) {
		fail(torture, worker, NULL, "lock in a signal handler: %d", rc);
	}
	worker->handled++;
	__atomic_store_n(&worker->inside_handler, 0, __ATOMIC_RELAXED);
	errno = kept;
}

void workers_start(struct torture *torture)
{
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
	uint32_t n;

	sigaction(SIGUSR1, &action, NULL);
	signals(SIG_BLOCK); /* a new thread opens itself when it is ready */
	for (n = 0; n < torture->threads; n++) {
		memset(&torture->workers[n], 0, sizeof(torture->workers[n]));
		torture->workers[n].torture = torture;
		torture->workers[n].index = n;
		worker_start(&torture->workers[n]);
	}
}

static void join(struct torture *torture, struct worker *worker)
{
	void *result;

	pthread_join(worker->thread, &result);
	torture->ended++;
	torture->cancelled += result == PTHREAD_CANCELED;
}

void workers_tend(struct torture *torture)
{
	uint32_t n;

	for (n = 0; n < torture->threads; n++) {
		struct worker *worker = &torture->workers[n];

		if (!__atomic_load_n(&worker->ended, __ATOMIC_ACQUIRE))
			continue;
		join(torture, worker);
		worker_start(worker);
	}
}

/*
 * Time as the watcher itself was there to see it: a machine that stands still as a whole for
 * seconds, as virtual ones do, has starved nobody.
 */
static void watch(struct torture *torture)
{
	uint64_t now = now_ns(), passed = now - torture->watched_at_ns;

	if (!torture->watched_at_ns)
		passed = 0;
	torture->watched_at_ns = now;
	if (passed > torture->longest_stall_ns)
		torture->longest_stall_ns = passed;
	torture->watched_ns += passed < STALL_NS ? passed : STALL_NS;
}

void workers_check_progress(struct torture *torture)
{
	uint64_t deadline_ns = (uint64_t)(torture->options->deadline_s * 1e9);
	uint32_t n;

	watch(torture);
	for (n = 0; n < torture->threads; n++) {
		struct worker *worker = &torture->workers[n];
		uint64_t since_ns = __atomic_load_n(&worker->since_ns, __ATOMIC_RELAXED);

		if (since_ns != worker->seen_since_ns ||
		    __atomic_load_n(&worker->ended, __ATOMIC_RELAXED)) {
			worker->seen_since_ns = since_ns;
			worker->seen_at_ns = torture->watched_ns;
		} else if (torture->watched_ns - worker->seen_at_ns > deadline_ns) {
			fail(torture, worker, NULL,
			     "no progress within %.1f s: a lost wake-up, a deadlock or starvation",
			     torture->options->deadline_s);
		}
	}
}

static bool all_have_ended(const struct torture *torture)
{
	uint32_t n;

	for (n = 0; n < torture->threads; n++) {
		if (!__atomic_load_n(&torture->workers[n].ended, __ATOMIC_ACQUIRE))
			return false;
	}
	return true;
}

void workers_end(struct torture *torture)
{
	uint32_t n, operation;

	__atomic_store_n(&torture->stop, 1, __ATOMIC_RELAXED);
	while (!all_have_ended(torture)) {
		cond_release(torture);
		workers_check_progress(torture);
		sleep_ns(1000000);
	}
	for (n = 0; n < torture->threads; n++) {
		struct worker *worker = &torture->workers[n];

		join(torture, worker);
		torture->handled += worker->handled;
		for (operation = 0; operation < operation_count; operation++) {
			torture->count[operation] += worker->count[operation];
			if (worker->longest_ns[operation] > torture->longest_ns[operation])
				torture->longest_ns[operation] = worker->longest_ns[operation];
		}
	}
}
