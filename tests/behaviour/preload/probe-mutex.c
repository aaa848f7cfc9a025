// SPDX-License-Identifier: GPL-2.0-or-later
/* probe-mutex.c - what mutexes of every kind answer. */
#include "probe.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t zeroed;
static pthread_mutex_t adaptive = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t errorcheck = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;

static void make(pthread_mutex_t *mutex, int type, int protocol, int robust, int shared)
{
	pthread_mutexattr_t attributes;

	must(pthread_mutexattr_init(&attributes), "init");
	must(pthread_mutexattr_settype(&attributes, type), "settype");
	must(pthread_mutexattr_setprotocol(&attributes, protocol), "setprotocol");
	must(pthread_mutexattr_setrobust(&attributes, robust), "setrobust");
	must(pthread_mutexattr_setpshared(&attributes, shared), "setpshared");
	must(pthread_mutex_init(mutex, &attributes), "pthread_mutex_init");
	must(pthread_mutexattr_destroy(&attributes), "destroy");
}

static void *unlock(void *mutex)
{
	return (void *)(long)pthread_mutex_unlock(mutex);
}

static void plain_answers(pthread_mutex_t *mutex)
{
	say("lock", pthread_mutex_lock(mutex));
	say("try own", pthread_mutex_trylock(mutex));
	say("try elsewhere", try_elsewhere(mutex));
	say("unlock", pthread_mutex_unlock(mutex));
	say("try free", pthread_mutex_trylock(mutex));
	say("unlock", pthread_mutex_unlock(mutex));
	say("try elsewhere", try_elsewhere(mutex));
}

static void initialised_statically(void)
{
	plain_answers(&plain);
	plain_answers(&zeroed);
	plain_answers(&adaptive);
}

static void recursive_answers(pthread_mutex_t *mutex)
{
	say("lock", pthread_mutex_lock(mutex));
	say("lock again", pthread_mutex_lock(mutex));
	say("try again", pthread_mutex_trylock(mutex));
	say("unlock elsewhere", (int)(long)elsewhere(unlock, mutex));
	say("unlock", pthread_mutex_unlock(mutex));
	say("try elsewhere", try_elsewhere(mutex));
	say("unlock", pthread_mutex_unlock(mutex));
	say("try elsewhere", try_elsewhere(mutex));
	say("unlock", pthread_mutex_unlock(mutex));
	say("try elsewhere", try_elsewhere(mutex));
	say("unlock free", pthread_mutex_unlock(mutex));
}

static void recursive_statically(void)
{
	recursive_answers(&recursive);
}

static void recursive_by_attribute(void)
{
	pthread_mutex_t mutex;

	make(&mutex, PTHREAD_MUTEX_RECURSIVE, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_STALLED,
	     PTHREAD_PROCESS_PRIVATE);
	recursive_answers(&mutex);
	say("destroy", pthread_mutex_destroy(&mutex));
}

static void errorcheck_answers(pthread_mutex_t *mutex)
{
	struct timespec at = in_ms(CLOCK_REALTIME, -1000);

	say("unlock free", pthread_mutex_unlock(mutex));
	say("lock", pthread_mutex_lock(mutex));
	say("lock own", pthread_mutex_lock(mutex));
	say("try own", pthread_mutex_trylock(mutex));
	say("timed own", pthread_mutex_timedlock(mutex, &at));
	say("unlock elsewhere", (int)(long)elsewhere(unlock, mutex));
	say("unlock", pthread_mutex_unlock(mutex));
	say("unlock again", pthread_mutex_unlock(mutex));
}

static void errorcheck_statically(void)
{
	errorcheck_answers(&errorcheck);
}

static void errorcheck_by_attribute(void)
{
	pthread_mutex_t mutex;

	make(&mutex, PTHREAD_MUTEX_ERRORCHECK, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_STALLED,
	     PTHREAD_PROCESS_PRIVATE);
	errorcheck_answers(&mutex);
}

static void *timed_tries(void *argument)
{
	pthread_mutex_t *mutex = argument;
	struct timespec past = in_ms(CLOCK_REALTIME, -5000), soon = in_ms(CLOCK_REALTIME, 20);
	struct timespec steady = in_ms(CLOCK_MONOTONIC, 20), bad = { 0, 1000000000 };
	struct timespec negative = { -1, 0 }, minus = { 1, -1 };

	say("in the past", pthread_mutex_timedlock(mutex, &past));
	say("in 20 ms", pthread_mutex_timedlock(mutex, &soon));
	say("steady in 20 ms", pthread_mutex_clocklock(mutex, CLOCK_MONOTONIC, &steady));
	say("of day in the past", pthread_mutex_clocklock(mutex, CLOCK_REALTIME, &past));
	say("before 1970", pthread_mutex_timedlock(mutex, &negative));
	say("no time", pthread_mutex_timedlock(mutex, &bad));
	say("no time either", pthread_mutex_clocklock(mutex, CLOCK_MONOTONIC, &minus));
	say("no such clock", pthread_mutex_clocklock(mutex, CLOCK_PROCESS_CPUTIME_ID, &soon));
	return NULL;
}

static void timed(void)
{
	struct timespec past = in_ms(CLOCK_REALTIME, -5000), bad = { 0, 1000000000 };

	must(pthread_mutex_lock(&plain), "lock");
	elsewhere(timed_tries, &plain);
	must(pthread_mutex_unlock(&plain), "unlock");
	say("free in the past", pthread_mutex_timedlock(&plain, &past));
	must(pthread_mutex_unlock(&plain), "unlock");
	say("free at no time", pthread_mutex_timedlock(&plain, &bad));
	must(pthread_mutex_unlock(&plain), "unlock");
	must(pthread_mutex_lock(&recursive), "lock");
	elsewhere(timed_tries, &recursive);
	say("own in the past", pthread_mutex_timedlock(&recursive, &past));
	must(pthread_mutex_unlock(&recursive), "unlock");
	must(pthread_mutex_unlock(&recursive), "unlock");
}

static void destroying(void)
{
	pthread_mutex_t mutex;

	must(pthread_mutex_init(&mutex, NULL), "init");
	must(pthread_mutex_lock(&mutex), "lock");
	say("destroy locked", pthread_mutex_destroy(&mutex));
	must(pthread_mutex_unlock(&mutex), "unlock");
	say("destroy", pthread_mutex_destroy(&mutex));
	say("lock destroyed", pthread_mutex_lock(&mutex));
	say("try destroyed", pthread_mutex_trylock(&mutex));
	must(pthread_mutex_init(&mutex, NULL), "init");
	say("lock made again", pthread_mutex_lock(&mutex));
	say("unlock", pthread_mutex_unlock(&mutex));
}

static void *lock_and_end(void *mutex)
{
	must(pthread_mutex_lock(mutex), "lock");
	return NULL;
}

static void robust(void)
{
	pthread_mutex_t mutex;

	make(&mutex, PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_ROBUST,
	     PTHREAD_PROCESS_PRIVATE);
	elsewhere(lock_and_end, &mutex);
	say("after its owner ended", pthread_mutex_lock(&mutex));
	say("consistent", pthread_mutex_consistent(&mutex));
	say("unlock", pthread_mutex_unlock(&mutex));
	say("lock", pthread_mutex_lock(&mutex));
	say("unlock", pthread_mutex_unlock(&mutex));
	elsewhere(lock_and_end, &mutex);
	say("after its owner ended", pthread_mutex_trylock(&mutex));
	say("unlock inconsistent", pthread_mutex_unlock(&mutex));
	say("lock", pthread_mutex_lock(&mutex));
	say("consistent plain", pthread_mutex_consistent(&plain));
}

/* A thread ends with it locked: whoever comes waits, for ever or until its time. */
static void owner_ended(void)
{
	static pthread_mutex_t mutexes[3];
	struct timespec soon = in_ms(CLOCK_REALTIME, 20);

	make(&mutexes[0], PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_STALLED,
	     PTHREAD_PROCESS_PRIVATE);
	make(&mutexes[1], PTHREAD_MUTEX_RECURSIVE, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_STALLED,
	     PTHREAD_PROCESS_PRIVATE);
	make(&mutexes[2], PTHREAD_MUTEX_ERRORCHECK, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_STALLED,
	     PTHREAD_PROCESS_PRIVATE);
	for (int i = 0; i < 3; i++) {
		elsewhere(lock_and_end, &mutexes[i]);
		/* A new thread, perhaps where the old one lay. */
		say("try", try_elsewhere(&mutexes[i]));
		say("timed", pthread_mutex_timedlock(&mutexes[i], &soon));
	}
}

static void inherits_priority(void)
{
	pthread_mutex_t mutex;
	int ceiling;

	make(&mutex, PTHREAD_MUTEX_ERRORCHECK, PTHREAD_PRIO_INHERIT, PTHREAD_MUTEX_STALLED,
	     PTHREAD_PROCESS_PRIVATE);
	errorcheck_answers(&mutex);
	say("ceiling", pthread_mutex_getprioceiling(&mutex, &ceiling));
	say("ceiling plain", pthread_mutex_getprioceiling(&plain, &ceiling));
	say("destroy", pthread_mutex_destroy(&mutex));
}

static void has_ceiling(void)
{
	pthread_mutex_t mutex;
	pthread_mutexattr_t attributes;
	int ceiling = 0;

	must(pthread_mutexattr_init(&attributes), "init");
	must(pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_PROTECT), "setprotocol");
	must(pthread_mutexattr_setprioceiling(&attributes, 7), "setprioceiling");
	say("init", pthread_mutex_init(&mutex, &attributes));
	say("ceiling", pthread_mutex_getprioceiling(&mutex, &ceiling));
	say_number("ceiling", ceiling);
	say("destroy", pthread_mutex_destroy(&mutex));
}

static void shared(void)
{
	pthread_mutex_t *mutex = mmap(NULL, sizeof(*mutex), PROT_READ | PROT_WRITE,
				      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status;
	pid_t child;

	must(mutex == MAP_FAILED, "mmap");
	make(mutex, PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_STALLED,
	     PTHREAD_PROCESS_SHARED);
	must(pthread_mutex_lock(mutex), "lock");
	/* A process without the library must find what it knows. */
	say_number("owner by its number", mutex->__data.__owner == (int)syscall(SYS_gettid));
	child = fork();
	if (!child) {
		int error = pthread_mutex_trylock(mutex);

		if (error == EBUSY)
			error = pthread_mutex_lock(mutex);
		_exit(error || pthread_mutex_unlock(mutex));
	}
	usleep(20000);
	must(pthread_mutex_unlock(mutex), "unlock");
	must(waitpid(child, &status, 0) != child, "waitpid");
	say_number("child", status);
	say("try", pthread_mutex_trylock(mutex));
}

/* What a mutex is made from stays what it was. */
static void attributes(void)
{
	static const int types[] = { PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_RECURSIVE,
				     PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_ADAPTIVE_NP };
	pthread_mutexattr_t attributes;
	int value;

	must(pthread_mutexattr_init(&attributes), "init");
	for (int i = 0; i < 4; i++) {
		pthread_mutex_t mutex;

		say("settype", pthread_mutexattr_settype(&attributes, types[i]));
		say("init", pthread_mutex_init(&mutex, &attributes));
		say("gettype", pthread_mutexattr_gettype(&attributes, &value));
		say_number("type", value);
		say("lock", pthread_mutex_lock(&mutex));
		say("try", pthread_mutex_trylock(&mutex));
	}
	say("settype", pthread_mutexattr_settype(&attributes, 77));
	say("setprotocol", pthread_mutexattr_setprotocol(&attributes, 77));
}

/* The lock is of use right after an unlock elsewhere: nothing touches its memory any more. */
struct counted {
	pthread_mutex_t mutex;
	int users;
};

static void *drop(void *argument)
{
	struct counted *counted = argument;
	int left;

	must(pthread_mutex_lock(&counted->mutex), "lock");
	left = --counted->users;
	must(pthread_mutex_unlock(&counted->mutex), "unlock");
	if (!left) {
		must(pthread_mutex_destroy(&counted->mutex), "destroy");
		memset(counted, 0xa5, sizeof(*counted));
		free(counted);
	}
	return NULL;
}

static void freed_by_the_last_user(void)
{
	for (int round = 0; round < 300; round++) {
		struct counted *counted = malloc(sizeof(*counted));
		pthread_t threads[3];

		if (!counted)
			fail("malloc");
		must(pthread_mutex_init(&counted->mutex, NULL), "init");
		counted->users = 3;
		for (int i = 0; i < 3; i++)
			must(pthread_create(&threads[i], NULL, drop, counted), "pthread_create");
		for (int i = 0; i < 3; i++)
			must(pthread_join(threads[i], NULL), "pthread_join");
	}
	say("all", 0);
}

/* Undefined, but so much in use that it must work. */
static void unlocked_by_another_thread(void)
{
	must(pthread_mutex_lock(&plain), "lock");
	say("unlock elsewhere", (int)(long)elsewhere(unlock, &plain));
	say("lock", pthread_mutex_lock(&plain));
	say("unlock", pthread_mutex_unlock(&plain));
}

const struct probe probes[] = {
	{ "mutex_static_initialisers", initialised_statically },
	{ "mutex_recursive_static", recursive_statically },
	{ "mutex_recursive_by_attribute", recursive_by_attribute },
	{ "mutex_errorcheck_static", errorcheck_statically },
	{ "mutex_errorcheck_by_attribute", errorcheck_by_attribute },
	{ "mutex_timed_and_clock_locks", timed },
	{ "mutex_destroy", destroying },
	{ "mutex_robust_stays_the_c_librarys", robust },
	{ "mutex_of_a_thread_that_ended", owner_ended },
	{ "mutex_that_inherits_priority", inherits_priority },
	{ "mutex_with_a_ceiling", has_ceiling },
	{ "mutex_shared_between_processes", shared },
	{ "mutex_attributes", attributes },
	{ "mutex_freed_by_its_last_user", freed_by_the_last_user },
	{ "mutex_unlocked_by_another_thread", unlocked_by_another_thread },
	{ NULL, NULL },
};
