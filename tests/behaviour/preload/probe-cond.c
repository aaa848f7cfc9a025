// SPDX-License-Identifier: GPL-2.0-or-later
/* probe-cond.c - waits for conditions: cancelled, timed, and with mutexes of every kind. */
#include "probe.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* What waits and who wakes it. */
struct place {
	pthread_mutex_t *mutex;
	pthread_cond_t *cond;
	int thread; /* of the kernel, once it is there */
	int ready;  /* the condition */
	int held;   /* was the mutex held where a clean-up handler ran? */
};

static void clean_up(void *argument)
{
	struct place *place = argument;

	place->held = try_elsewhere(place->mutex) == EBUSY;
	pthread_mutex_unlock(place->mutex);
}

static void *wait_for_ready(void *argument)
{
	struct place *place = argument;
	int error = pthread_mutex_lock(place->mutex);

	must(error, "lock");
	pthread_cleanup_push(clean_up, place);
	__atomic_store_n(&place->thread, (int)syscall(SYS_gettid), __ATOMIC_RELEASE);
	while (!error && !place->ready)
		error = pthread_cond_wait(place->cond, place->mutex);
	pthread_cleanup_pop(1);
	return (void *)(long)error;
}

static pthread_t start_waiting(struct place *place, void *(*wait)(void *))
{
	pthread_t thread;

	place->thread = 0;
	must(pthread_create(&thread, NULL, wait, place), "pthread_create");
	await(&place->thread);
	await_sleep(place->thread);
	/* It has let go of the mutex. */
	must(pthread_mutex_lock(place->mutex), "lock");
	must(pthread_mutex_unlock(place->mutex), "unlock");
	return thread;
}

static void make_ready(struct place *place, int (*wake)(pthread_cond_t *))
{
	must(pthread_mutex_lock(place->mutex), "lock");
	place->ready = 1;
	say("wake", wake(place->cond));
	must(pthread_mutex_unlock(place->mutex), "unlock");
}

static void wakes(pthread_cond_t *cond, pthread_mutex_t *mutex, int (*wake)(pthread_cond_t *))
{
	struct place place = { .mutex = mutex, .cond = cond };
	pthread_t thread = start_waiting(&place, wait_for_ready);
	void *result;

	make_ready(&place, wake);
	must(pthread_join(thread, &result), "pthread_join");
	say("waited", (int)(long)result);
	say_number("mutex held", place.held);
	say("try", try_elsewhere(mutex));
}

static void signals_and_broadcasts(void)
{
	static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

	say("signal to nobody", pthread_cond_signal(&cond));
	say("broadcast to nobody", pthread_cond_broadcast(&cond));
	wakes(&cond, &mutex, pthread_cond_signal);
	wakes(&cond, &mutex, pthread_cond_broadcast);
	say("destroy", pthread_cond_destroy(&cond));
}

static void is_cancelled(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
	struct place place = { .mutex = mutex, .cond = cond };
	pthread_t thread = start_waiting(&place, wait_for_ready);
	void *result;

	must(pthread_cancel(thread), "pthread_cancel");
	must(pthread_join(thread, &result), "pthread_join");
	say_number("cancelled", result == PTHREAD_CANCELED);
	say_number("mutex held", place.held);
	say("try", try_elsewhere(mutex));
}

static void cancelled(void)
{
	static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
	static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

	is_cancelled(&cond, &mutex);
	wakes(&cond, &mutex, pthread_cond_signal);
	is_cancelled(&cond, &mutex);
	is_cancelled(&cond, &recursive);
	wakes(&cond, &recursive, pthread_cond_broadcast);
}

/* The mutex is not free when the cancellation comes: the clean-up handler runs with it all the
 * same, later. */
static void cancelled_while_the_mutex_is_held(void)
{
	static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
	struct place place = { .mutex = &mutex, .cond = &cond };
	pthread_t thread = start_waiting(&place, wait_for_ready);
	void *result;

	must(pthread_mutex_lock(&mutex), "lock");
	must(pthread_cancel(thread), "pthread_cancel");
	usleep(20000);
	say_number("mutex held", place.held);
	must(pthread_mutex_unlock(&mutex), "unlock");
	must(pthread_join(thread, &result), "pthread_join");
	say_number("cancelled", result == PTHREAD_CANCELED);
	say_number("mutex held", place.held);
}

static void *wait_cancelled_before(void *argument)
{
	struct place *place = argument;

	must(pthread_mutex_lock(place->mutex), "lock");
	pthread_cleanup_push(clean_up, place);
	pthread_cancel(pthread_self());
	place->ready = 1;
	pthread_cond_wait(place->cond, place->mutex);
	place->ready = 2;
	pthread_cleanup_pop(1);
	return NULL;
}

static void *wait_not_cancellable(void *argument)
{
	struct place *place = argument;
	struct timespec soon = in_ms(CLOCK_REALTIME, 20);
	int error;

	must(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL), "pthread_setcancelstate");
	must(pthread_mutex_lock(place->mutex), "lock");
	pthread_cancel(pthread_self());
	do
		error = pthread_cond_timedwait(place->cond, place->mutex, &soon);
	while (!error);
	must(pthread_mutex_unlock(place->mutex), "unlock");
	return (void *)(long)error;
}

static void cancellation_pending(void)
{
	static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
	struct place place = { .mutex = &mutex, .cond = &cond };

	say_number("cancelled", elsewhere(wait_cancelled_before, &place) == PTHREAD_CANCELED);
	say_number("got to", place.ready);
	say_number("mutex held", place.held);
	say("disabled", (int)(long)elsewhere(wait_not_cancellable, &place));
}

static void unlock(void *mutex)
{
	pthread_mutex_unlock(mutex);
}

/* Here a clean-up handler must not be cancelled itself. */
static void *wait_and_unlock(void *argument)
{
	struct place *place = argument;

	must(pthread_mutex_lock(place->mutex), "lock");
	pthread_cleanup_push(unlock, place->mutex);
	__atomic_store_n(&place->thread, (int)syscall(SYS_gettid), __ATOMIC_RELEASE);
	while (!place->ready)
		must(pthread_cond_wait(place->cond, place->mutex), "wait");
	place->held = 1;
	pthread_cleanup_pop(1);
	return NULL;
}

/* What a broadcast has woken may be cancelled before it runs, and others go on. */
static void is_cancelled_after_a_broadcast(pthread_mutex_t *mutex)
{
	static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
	struct place places[3];
	pthread_t threads[3];

	for (int i = 0; i < 3; i++) {
		places[i] = (struct place){ .mutex = mutex, .cond = &cond };
		threads[i] = start_waiting(&places[i], wait_and_unlock);
	}
	must(pthread_mutex_lock(mutex), "lock");
	for (int i = 0; i < 3; i++)
		places[i].ready = 1;
	must(pthread_cond_broadcast(&cond), "broadcast");
	must(pthread_cancel(threads[1]), "pthread_cancel");
	usleep(20000);
	must(pthread_mutex_unlock(mutex), "unlock");
	for (int i = 0; i < 3; i++)
		must(pthread_join(threads[i], NULL), "pthread_join");
	say("try", try_elsewhere(mutex));
	say("destroy", pthread_cond_destroy(&cond));
}

static void cancelled_after_a_broadcast(void)
{
	static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
	static pthread_mutex_t errorcheck = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;

	is_cancelled_after_a_broadcast(&mutex);
	is_cancelled_after_a_broadcast(&recursive);
	is_cancelled_after_a_broadcast(&errorcheck);
}

/* A signal that a cancelled waiter took with it would be lost to the other one. */
static void cancellation_takes_no_signal(void)
{
	static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

	for (int round = 0; round < 200; round++) {
		struct place first = { .mutex = &mutex, .cond = &cond };
		struct place second = { .mutex = &mutex, .cond = &cond };
		pthread_t one = start_waiting(&first, wait_and_unlock);
		pthread_t two = start_waiting(&second, wait_and_unlock);

		must(pthread_mutex_lock(&mutex), "lock");
		first.ready = 1;
		second.ready = 1;
		must(pthread_mutex_unlock(&mutex), "unlock");
		if (round % 2)
			must(pthread_cancel(one), "pthread_cancel");
		must(pthread_cond_signal(&cond), "signal");
		if (!(round % 2))
			must(pthread_cancel(one), "pthread_cancel");
		must(pthread_join(one, NULL), "pthread_join");
		/*
		 * If the first one went by the signal, the second one gets its own. Its result does
		 * not tell: glibc's says "cancelled", too, where the cancellation comes after it
		 * has returned.
		 */
		if (first.held)
			must(pthread_cond_signal(&cond), "signal");
		must(pthread_join(two, NULL), "pthread_join");
	}
	say("all", 0);
}

static void make_mutex(pthread_mutex_t *mutex, int type, int protocol, int robust, int shared)
{
	pthread_mutexattr_t attributes;

	must(pthread_mutexattr_init(&attributes), "init");
	must(pthread_mutexattr_settype(&attributes, type), "settype");
	must(pthread_mutexattr_setprotocol(&attributes, protocol), "setprotocol");
	must(pthread_mutexattr_setrobust(&attributes, robust), "setrobust");
	must(pthread_mutexattr_setpshared(&attributes, shared), "setpshared");
	must(pthread_mutex_init(mutex, &attributes), "init");
}

static void make_cond(pthread_cond_t *cond, clockid_t clock, int shared)
{
	pthread_condattr_t attributes;
	clockid_t value;

	must(pthread_condattr_init(&attributes), "init");
	must(pthread_condattr_setclock(&attributes, clock), "setclock");
	must(pthread_condattr_setpshared(&attributes, shared), "setpshared");
	must(pthread_cond_init(cond, &attributes), "init");
	must(pthread_condattr_getclock(&attributes, &value), "getclock");
	say_number("clock", value);
}

/* Conditions of ours with mutexes that stay the C library's. */
static void with_mutexes_of_the_c_library(void)
{
	pthread_cond_t cond;
	pthread_mutex_t mutex;

	make_cond(&cond, CLOCK_REALTIME, PTHREAD_PROCESS_PRIVATE);
	make_mutex(&mutex, PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_ROBUST,
		   PTHREAD_PROCESS_PRIVATE);
	wakes(&cond, &mutex, pthread_cond_signal);
	is_cancelled(&cond, &mutex);
	make_mutex(&mutex, PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_INHERIT, PTHREAD_MUTEX_STALLED,
		   PTHREAD_PROCESS_PRIVATE);
	wakes(&cond, &mutex, pthread_cond_broadcast);
	is_cancelled(&cond, &mutex);
	make_mutex(&mutex, PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_STALLED,
		   PTHREAD_PROCESS_SHARED);
	wakes(&cond, &mutex, pthread_cond_broadcast);
}

/* And the other way round. */
static void shared_with_private_mutexes(void)
{
	static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER;
	static pthread_mutex_t errorcheck = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
	struct timespec soon = in_ms(CLOCK_MONOTONIC, 20);
	pthread_cond_t cond;

	make_cond(&cond, CLOCK_MONOTONIC, PTHREAD_PROCESS_SHARED);
	for (int i = 0; i < 20; i++) {
		wakes(&cond, &plain, pthread_cond_signal);
		wakes(&cond, &errorcheck, pthread_cond_broadcast);
		is_cancelled(&cond, &plain);
	}
	must(pthread_mutex_lock(&plain), "lock");
	say("timed", pthread_cond_timedwait(&cond, &plain, &soon));
	say("try", try_elsewhere(&plain));
	must(pthread_mutex_unlock(&plain), "unlock");
	say("destroy", pthread_cond_destroy(&cond));
}

static void shared_between_processes(void)
{
	struct {
		pthread_mutex_t mutex;
		pthread_cond_t cond;
		int turn;
	} *both = mmap(NULL, sizeof(*both), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		       0);
	int status, me = 0;
	pid_t child;

	must((void *)both == MAP_FAILED, "mmap");
	make_mutex(&both->mutex, PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_STALLED,
		   PTHREAD_PROCESS_SHARED);
	make_cond(&both->cond, CLOCK_REALTIME, PTHREAD_PROCESS_SHARED);
	child = fork();
	me = child == 0;
	for (int i = 0; i < 200; i++) {
		must(pthread_mutex_lock(&both->mutex), "lock");
		while (both->turn % 2 != me)
			must(pthread_cond_wait(&both->cond, &both->mutex), "wait");
		both->turn++;
		must(pthread_cond_signal(&both->cond), "signal");
		must(pthread_mutex_unlock(&both->mutex), "unlock");
	}
	if (!child)
		_exit(0);
	must(waitpid(child, &status, 0) != child, "waitpid");
	say_number("child", status);
	say_number("turns", both->turn);
}

static void timed(void)
{
	static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
	struct timespec past = in_ms(CLOCK_REALTIME, -5000), soon = in_ms(CLOCK_REALTIME, 20);
	struct timespec steady = in_ms(CLOCK_MONOTONIC, 20), bad = { 0, 1000000000 };
	struct timespec negative = { -1, 0 }, steady_past = in_ms(CLOCK_MONOTONIC, -20);
	struct timespec now;
	pthread_cond_t monotonic;

	must(pthread_mutex_lock(&mutex), "lock");
	say("in the past", pthread_cond_timedwait(&cond, &mutex, &past));
	say("in 20 ms", pthread_cond_timedwait(&cond, &mutex, &soon));
	say("before 1970", pthread_cond_timedwait(&cond, &mutex, &negative));
	say("no time", pthread_cond_timedwait(&cond, &mutex, &bad));
	say("steady", pthread_cond_clockwait(&cond, &mutex, CLOCK_MONOTONIC, &steady));
	say("of day", pthread_cond_clockwait(&cond, &mutex, CLOCK_REALTIME, &past));
	say("no clock", pthread_cond_clockwait(&cond, &mutex, CLOCK_PROCESS_CPUTIME_ID, &soon));
	say("try", try_elsewhere(&mutex));
	make_cond(&monotonic, CLOCK_MONOTONIC, PTHREAD_PROCESS_PRIVATE);
	say("steady in the past", pthread_cond_timedwait(&monotonic, &mutex, &steady_past));
	/* By the wrong clock it would lie in the past. */
	steady = in_ms(CLOCK_MONOTONIC, 50);
	while (!pthread_cond_timedwait(&monotonic, &mutex, &steady))
		;
	clock_gettime(CLOCK_MONOTONIC, &now);
	say_number("waited until then",
		   now.tv_sec > steady.tv_sec ||
			   (now.tv_sec == steady.tv_sec && now.tv_nsec >= steady.tv_nsec));
	say("unlock", pthread_mutex_unlock(&mutex));
	say("destroy", pthread_cond_destroy(&monotonic));
}

static void with_wrong_mutexes(void)
{
	static pthread_mutex_t errorcheck = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
	static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
	static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
	struct timespec soon = in_ms(CLOCK_REALTIME, 20);

	say("not locked", pthread_cond_timedwait(&cond, &errorcheck, &soon));
	must(pthread_mutex_lock(&recursive), "lock");
	must(pthread_mutex_lock(&recursive), "lock");
	say("locked twice", pthread_cond_timedwait(&cond, &recursive, &soon));
	say("unlock", pthread_mutex_unlock(&recursive));
	say("try", try_elsewhere(&recursive));
	say("unlock", pthread_mutex_unlock(&recursive));
	say("unlock", pthread_mutex_unlock(&recursive));
	say("destroy", pthread_cond_destroy(&cond));
}

static void *wait_locked_twice(void *argument)
{
	struct place *place = argument;

	must(pthread_mutex_lock(place->mutex), "lock");
	must(pthread_mutex_lock(place->mutex), "lock");
	__atomic_store_n(&place->thread, (int)syscall(SYS_gettid), __ATOMIC_RELEASE);
	while (!__atomic_load_n(&place->ready, __ATOMIC_ACQUIRE))
		must(pthread_cond_wait(place->cond, place->mutex), "wait");
	must(pthread_mutex_unlock(place->mutex), "unlock");
	must(pthread_mutex_unlock(place->mutex), "unlock");
	return NULL;
}

/* It is not unlocked by the wait, so that nobody unlocks it for the one that waits. */
static void broadcast_to_one_that_locked_twice(void)
{
	static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
	static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
	struct place place = { .mutex = &recursive, .cond = &cond };
	pthread_t thread;

	must(pthread_create(&thread, NULL, wait_locked_twice, &place), "pthread_create");
	await(&place.thread);
	await_sleep(place.thread);
	__atomic_store_n(&place.ready, 1, __ATOMIC_RELEASE);
	say("broadcast", pthread_cond_broadcast(&cond));
	must(pthread_join(thread, NULL), "pthread_join");
	say("try", try_elsewhere(&recursive));
}

/* Whoever is woken may find the condition variable gone. */
struct gone {
	pthread_mutex_t mutex;
	pthread_cond_t cond;
	int waiting, ready;
};

static void *wait_once(void *argument)
{
	struct gone *gone = argument;

	must(pthread_mutex_lock(&gone->mutex), "lock");
	gone->waiting++;
	while (!gone->ready)
		must(pthread_cond_wait(&gone->cond, &gone->mutex), "wait");
	must(pthread_mutex_unlock(&gone->mutex), "unlock");
	return NULL;
}

static void destroyed_after_broadcast(void)
{
	for (int round = 0; round < 200; round++) {
		struct gone gone = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0 };
		pthread_t threads[3];
		int waiting = 0;

		for (int i = 0; i < 3; i++)
			must(pthread_create(&threads[i], NULL, wait_once, &gone), "create");
		while (waiting < 3) {
			must(pthread_mutex_lock(&gone.mutex), "lock");
			waiting = gone.waiting;
			if (waiting < 3)
				must(pthread_mutex_unlock(&gone.mutex), "unlock");
		}
		gone.ready = 1;
		must(pthread_cond_broadcast(&gone.cond), "broadcast");
		must(pthread_cond_destroy(&gone.cond), "destroy");
		memset(&gone.cond, 0xa5, sizeof(gone.cond));
		must(pthread_mutex_unlock(&gone.mutex), "unlock");
		for (int i = 0; i < 3; i++)
			must(pthread_join(threads[i], NULL), "join");
	}
	say("all", 0);
}

#if defined(__x86_64__)
/* Programs of before glibc 2.3.2 ask for these. */
int old_wait(pthread_cond_t *, pthread_mutex_t *);
int old_signal(pthread_cond_t *);
__asm__(".symver old_wait, pthread_cond_wait@GLIBC_2.2.5");
__asm__(".symver old_signal, pthread_cond_signal@GLIBC_2.2.5");

static pthread_cond_t old_cond;

static void *wait_in_the_old_way(void *argument)
{
	struct place *place = argument;

	must(pthread_mutex_lock(place->mutex), "lock");
	__atomic_store_n(&place->thread, (int)syscall(SYS_gettid), __ATOMIC_RELEASE);
	while (!place->ready)
		must(old_wait(place->cond, place->mutex), "wait");
	must(pthread_mutex_unlock(place->mutex), "unlock");
	return NULL;
}

static void in_the_old_way(void)
{
	static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	struct place place = { .mutex = &mutex, .cond = &old_cond };
	pthread_t thread = start_waiting(&place, wait_in_the_old_way);

	make_ready(&place, old_signal);
	must(pthread_join(thread, NULL), "pthread_join");
	say("woken", 0);
}
#else
static void in_the_old_way(void)
{
	say("there is none", 0);
}
#endif

const struct probe probes[] = {
	{ "cond_signal_and_broadcast", signals_and_broadcasts },
	{ "cond_wait_is_cancelled", cancelled },
	{ "cond_wait_is_cancelled_while_the_mutex_is_held", cancelled_while_the_mutex_is_held },
	{ "cond_wait_is_cancelled_after_a_broadcast", cancelled_after_a_broadcast },
	{ "cond_wait_with_a_cancellation_pending", cancellation_pending },
	{ "cond_cancellation_takes_no_signal", cancellation_takes_no_signal },
	{ "cond_with_mutexes_of_the_c_library", with_mutexes_of_the_c_library },
	{ "cond_shared_with_private_mutexes", shared_with_private_mutexes },
	{ "cond_shared_between_processes", shared_between_processes },
	{ "cond_timed_and_clock_waits", timed },
	{ "cond_with_wrong_mutexes", with_wrong_mutexes },
	{ "cond_broadcast_to_one_that_locked_twice", broadcast_to_one_that_locked_twice },
	{ "cond_destroyed_after_a_broadcast", destroyed_after_broadcast },
	{ "cond_of_before_glibc_2_3_2", in_the_old_way },
	{ NULL, NULL },
};
