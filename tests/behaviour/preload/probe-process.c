// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * probe-process.c - locks before main, in forked children, under signals, in libraries loaded
 * later, in the C library's own threads, and all of them under contention.
 */
#include "probe.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;

/* Before main; the count shows whether it excluded. */
static long early_count;
static int early_errors;

static void *count_early(void *unused)
{
	(void)unused;
	for (int i = 0; i < 5000; i++) {
		early_errors |= pthread_mutex_lock(&mutex);
		*(volatile long *)&early_count += 1;
		early_errors |= pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

__attribute__((constructor(101))) static void before_main(void)
{
	pthread_t threads[3];

	for (int i = 0; i < 3; i++)
		early_errors |= pthread_create(&threads[i], NULL, count_early, NULL);
	for (int i = 0; i < 3; i++)
		early_errors |= pthread_join(threads[i], NULL);
	early_errors |= pthread_rwlock_rdlock(&rwlock);
	early_errors |= pthread_rwlock_unlock(&rwlock);
	early_errors |= pthread_cond_broadcast(&cond);
}

static void used_before_main(void)
{
	say("all", early_errors);
	say_number("count", early_count);
}

static void join_child(pid_t child)
{
	int status = -1;

	must(child < 0, "fork");
	must(waitpid(child, &status, 0) != child, "waitpid");
	say_number("child", status);
}

static void child_unlocks(void)
{
	pid_t child;

	must(pthread_mutex_lock(&mutex), "lock");
	must(pthread_rwlock_rdlock(&rwlock), "read");
	child = fork();
	if (!child) {
		alarm(60);
		_exit(pthread_mutex_unlock(&mutex) || pthread_mutex_lock(&mutex) ||
		      pthread_mutex_unlock(&mutex) || pthread_rwlock_unlock(&rwlock) ||
		      pthread_rwlock_wrlock(&rwlock) || pthread_rwlock_unlock(&rwlock));
	}
	must(pthread_mutex_unlock(&mutex), "unlock");
	must(pthread_rwlock_unlock(&rwlock), "unlock");
	join_child(child);
}

static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t errorcheck = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;

/* The C library knows its owners by the number of their thread, which is another in a child. */
static void child_unlocks_what_has_an_owner(void)
{
	pid_t child;

	must(pthread_mutex_lock(&recursive), "lock");
	must(pthread_mutex_lock(&errorcheck), "lock");
	must(pthread_rwlock_wrlock(&rwlock), "write");
	child = fork();
	if (!child) {
		alarm(60);
		_exit(pthread_mutex_lock(&recursive) || pthread_mutex_unlock(&recursive) ||
		      pthread_mutex_unlock(&recursive) || pthread_mutex_unlock(&errorcheck) ||
		      pthread_mutex_lock(&errorcheck) || pthread_rwlock_unlock(&rwlock) ||
		      pthread_rwlock_rdlock(&rwlock) || try_elsewhere(&recursive));
	}
	join_child(child);
}

static int sleeper_threads[6];
static int sleepers_done;

static void *take_and_give(void *thread)
{
	__atomic_store_n((int *)thread, (int)syscall(SYS_gettid), __ATOMIC_RELEASE);
	must(pthread_mutex_lock(&mutex), "lock");
	sleepers_done++;
	must(pthread_mutex_unlock(&mutex), "unlock");
	return NULL;
}

static void *write_and_give(void *thread)
{
	__atomic_store_n((int *)thread, (int)syscall(SYS_gettid), __ATOMIC_RELEASE);
	must(pthread_rwlock_wrlock(&rwlock), "write");
	must(pthread_rwlock_unlock(&rwlock), "unlock");
	return NULL;
}

static void *wait_for_all(void *thread)
{
	must(pthread_mutex_lock(&mutex), "lock");
	__atomic_store_n((int *)thread, (int)syscall(SYS_gettid), __ATOMIC_RELEASE);
	while (!sleepers_done)
		must(pthread_cond_wait(&cond, &mutex), "wait");
	must(pthread_mutex_unlock(&mutex), "unlock");
	return NULL;
}

/* What a child does with locks for which threads wait that it does not have. */
static int use_all(void)
{
	int error = pthread_mutex_unlock(&mutex) || pthread_rwlock_unlock(&rwlock);

	for (int i = 0; i < 300 && !error; i++) {
		error = pthread_mutex_lock(&mutex) || pthread_cond_signal(&cond) ||
			pthread_mutex_unlock(&mutex) || pthread_rwlock_wrlock(&rwlock) ||
			pthread_rwlock_unlock(&rwlock) || pthread_rwlock_rdlock(&rwlock) ||
			pthread_rwlock_unlock(&rwlock);
	}
	return error || pthread_cond_broadcast(&cond);
}

static void *use_in_thread(void *unused)
{
	(void)unused;
	for (int i = 0; i < 300; i++) {
		must(pthread_mutex_lock(&mutex), "lock");
		must(pthread_mutex_unlock(&mutex), "unlock");
	}
	return NULL;
}

static void child_unlocks_while_threads_sleep(void)
{
	static void *(*const bodies[])(void *) = { wait_for_all,  wait_for_all,	  take_and_give,
						   take_and_give, write_and_give, write_and_give };
	pthread_t threads[6];
	pid_t child;

	for (int i = 0; i < 6; i++) {
		if (i == 2) {
			must(pthread_mutex_lock(&mutex), "lock");
			must(pthread_rwlock_wrlock(&rwlock), "write");
		}
		must(pthread_create(&threads[i], NULL, bodies[i], &sleeper_threads[i]), "create");
		await(&sleeper_threads[i]);
		await_sleep(sleeper_threads[i]);
	}
	usleep(40000); /* so that all are due, and ask for the lock */
	child = fork();
	if (!child) {
		pthread_t thread;

		alarm(60);
		must(use_all(), "in the child");
		must(pthread_create(&thread, NULL, use_in_thread, NULL), "create");
		use_in_thread(NULL);
		must(pthread_join(thread, NULL), "join");
		_exit(0);
	}
	join_child(child);
	must(pthread_mutex_unlock(&mutex), "unlock");
	must(pthread_rwlock_unlock(&rwlock), "unlock");
	must(pthread_mutex_lock(&mutex), "lock");
	sleepers_done = 1;
	must(pthread_cond_broadcast(&cond), "broadcast");
	must(pthread_mutex_unlock(&mutex), "unlock");
	for (int i = 0; i < 6; i++)
		must(pthread_join(threads[i], NULL), "join");
	say_number("done", sleepers_done >= 1);
}

static void lock_all(void)
{
	must(pthread_mutex_lock(&mutex), "lock");
}

static void unlock_all(void)
{
	must(pthread_mutex_unlock(&mutex), "unlock");
}

static int stop;

static void *lock_until_stopped(void *unused)
{
	(void)unused;
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		must(pthread_mutex_lock(&mutex), "lock");
		must(pthread_mutex_unlock(&mutex), "unlock");
	}
	return NULL;
}

/* What a library does so that its children find its locks free. */
static void fork_handlers(void)
{
	pthread_t threads[4];

	must(pthread_atfork(lock_all, unlock_all, unlock_all), "pthread_atfork");
	for (int i = 0; i < 4; i++)
		must(pthread_create(&threads[i], NULL, lock_until_stopped, NULL), "create");
	for (int i = 0; i < 20; i++) {
		pid_t child = fork();
		int status;

		if (!child) {
			alarm(60);
			use_in_thread(NULL);
			_exit(0);
		}
		must(waitpid(child, &status, 0) != child || status, "child");
	}
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	for (int i = 0; i < 4; i++)
		must(pthread_join(threads[i], NULL), "join");
	say("all", 0);
}

static void after_vfork(void)
{
	pid_t child;

	must(pthread_mutex_lock(&mutex), "lock");
	child = vfork(); /* NOLINT(clang-analyzer-security.insecureAPI.vfork): the subject */
	if (!child) {
		execl("/bin/true", "true", (char *)NULL);
		_exit(127);
	}
	join_child(child);
	say("unlock", pthread_mutex_unlock(&mutex));
	say("try", try_elsewhere(&mutex));
}

static pthread_mutex_t of_handler = PTHREAD_MUTEX_INITIALIZER;
static long handled;

static void handle(int number)
{
	(void)number;
	if (!pthread_mutex_trylock(&of_handler))
		pthread_mutex_unlock(&of_handler);
	__atomic_fetch_add(&handled, 1, __ATOMIC_RELAXED);
}

static int waits[3];

static void *wait_for_mutex(void *thread)
{
	__atomic_store_n((int *)thread, (int)syscall(SYS_gettid), __ATOMIC_RELEASE);
	must(pthread_mutex_lock(&mutex), "lock");
	must(pthread_mutex_unlock(&mutex), "unlock");
	return NULL;
}

static void *wait_for_rwlock(void *thread)
{
	__atomic_store_n((int *)thread, (int)syscall(SYS_gettid), __ATOMIC_RELEASE);
	must(pthread_rwlock_wrlock(&rwlock), "write");
	must(pthread_rwlock_unlock(&rwlock), "unlock");
	return NULL;
}

static pthread_mutex_t of_cond = PTHREAD_MUTEX_INITIALIZER;
static int condition;

static void *wait_for_cond(void *thread)
{
	must(pthread_mutex_lock(&of_cond), "lock");
	__atomic_store_n((int *)thread, (int)syscall(SYS_gettid), __ATOMIC_RELEASE);
	while (!condition)
		must(pthread_cond_wait(&cond, &of_cond), "wait");
	must(pthread_mutex_unlock(&of_cond), "unlock");
	return NULL;
}

/* Waits that handlers interrupt go on; a handler may lock, too. */
static void signals_during_waits(void)
{
	static void *(*const bodies[])(void *) = { wait_for_mutex, wait_for_rwlock, wait_for_cond };
	struct sigaction action = { .sa_handler = handle };
	pthread_t threads[3];

	must(sigaction(SIGUSR1, &action, NULL), "sigaction");
	must(pthread_mutex_lock(&mutex), "lock");
	must(pthread_rwlock_wrlock(&rwlock), "write");
	for (int i = 0; i < 3; i++) {
		must(pthread_create(&threads[i], NULL, bodies[i], &waits[i]), "create");
		await(&waits[i]);
		await_sleep(waits[i]);
	}
	for (int round = 0; round < 100; round++) {
		long before = __atomic_load_n(&handled, __ATOMIC_RELAXED);

		for (int i = 0; i < 3; i++)
			must(pthread_kill(threads[i], SIGUSR1), "pthread_kill");
		while (__atomic_load_n(&handled, __ATOMIC_RELAXED) == before)
			usleep(100);
	}
	must(pthread_mutex_unlock(&mutex), "unlock");
	must(pthread_rwlock_unlock(&rwlock), "unlock");
	must(pthread_mutex_lock(&of_cond), "lock");
	condition = 1;
	must(pthread_cond_signal(&cond), "signal");
	must(pthread_mutex_unlock(&of_cond), "unlock");
	for (int i = 0; i < 3; i++)
		must(pthread_join(threads[i], NULL), "join");
	say("all", 0);
}

/* The library lies beside the program. */
static void loaded_later(void)
{
	char path[PATH_MAX], *slash;
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 20);
	int (*count)(int);
	void *library;

	must(length < 0, "readlink");
	path[length] = 0;
	slash = strrchr(path, '/');
	if (!slash)
		fail("the path of the program");
	memcpy(slash, "/libprobe-late.so", sizeof("/libprobe-late.so"));
	library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!library)
		fail("dlopen");
	*(void **)&count = dlsym(library, "probe_late_count");
	if (!count)
		fail("dlsym");
	say_number("count", count(4));
	must(dlclose(library), "dlclose");
}

static mtx_t c11_mutex;
static cnd_t c11_cond;
static long c11_count;

static int c11_thread(void *unused)
{
	(void)unused;
	for (int i = 0; i < 5000; i++) {
		mtx_lock(&c11_mutex);
		c11_count++;
		cnd_signal(&c11_cond);
		mtx_unlock(&c11_mutex);
	}
	return 0;
}

/* Whoever takes mtx_* over must take cnd_* over, too. */
static void c11_threads(void)
{
	thrd_t threads[4];
	struct timespec soon;

	must(mtx_init(&c11_mutex, mtx_timed | mtx_recursive) != thrd_success, "mtx_init");
	must(cnd_init(&c11_cond) != thrd_success, "cnd_init");
	for (int i = 0; i < 4; i++)
		must(thrd_create(&threads[i], c11_thread, NULL) != thrd_success, "thrd_create");
	mtx_lock(&c11_mutex);
	while (c11_count < 20000)
		cnd_wait(&c11_cond, &c11_mutex);
	soon = in_ms(CLOCK_REALTIME, 20);
	say_number("timed", cnd_timedwait(&c11_cond, &c11_mutex, &soon) == thrd_timedout);
	mtx_unlock(&c11_mutex);
	for (int i = 0; i < 4; i++)
		thrd_join(threads[i], NULL);
	say_number("count", c11_count);
	cnd_destroy(&c11_cond);
	mtx_destroy(&c11_mutex);
}

/* A key's destructor that locks, after others have run: the thread is nearly gone. */
static void lock_at_end(void *argument)
{
	must(pthread_mutex_lock(&mutex), "lock");
	++*(int *)argument;
	must(pthread_mutex_unlock(&mutex), "unlock");
}

static pthread_key_t keys[3];
static int ends;

static void *end_with_keys(void *unused)
{
	(void)unused;
	for (int i = 0; i < 3; i++)
		must(pthread_setspecific(keys[i], &ends), "setspecific");
	use_in_thread(NULL);
	return NULL;
}

static void threads_that_end(void)
{
	for (int i = 0; i < 3; i++)
		must(pthread_key_create(&keys[i], lock_at_end), "key_create");
	for (int i = 0; i < 300; i++) {
		pthread_t threads[2];

		must(pthread_create(&threads[0], NULL, end_with_keys, NULL), "create");
		must(pthread_create(&threads[1], NULL, end_with_keys, NULL), "create");
		must(pthread_join(threads[0], NULL), "join");
		must(pthread_join(threads[1], NULL), "join");
	}
	say_number("ends", ends);
}

/* All at once, with data that shows whether they excluded. */
static struct {
	pthread_mutex_t plain, recursive, errorcheck, adaptive;
	pthread_rwlock_t rwlock;
	pthread_spinlock_t spin;
	volatile long counts[6];
	volatile long read_a, read_b;
	long torn;
} contended = { .plain = PTHREAD_MUTEX_INITIALIZER,
		.recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP,
		.errorcheck = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP,
		.adaptive = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP,
		.rwlock = PTHREAD_RWLOCK_INITIALIZER };

static void count_under(pthread_mutex_t *lock, int which)
{
	must(pthread_mutex_lock(lock), "lock");
	contended.counts[which]++;
	must(pthread_mutex_unlock(lock), "unlock");
}

static void count_timed(pthread_mutex_t *lock, int which)
{
	struct timespec at = in_ms(CLOCK_MONOTONIC, 0);

	while (pthread_mutex_clocklock(lock, CLOCK_MONOTONIC, &at))
		at = in_ms(CLOCK_MONOTONIC, 1);
	contended.counts[which]++;
	must(pthread_mutex_unlock(lock), "unlock");
}

static void *contend(void *unused)
{
	(void)unused;
	for (int i = 0; i < 3000; i++) {
		count_under(&contended.plain, 0);
		must(pthread_mutex_lock(&contended.recursive), "lock");
		count_under(&contended.recursive, 1);
		must(pthread_mutex_unlock(&contended.recursive), "unlock");
		count_under(&contended.errorcheck, 2);
		count_timed(&contended.adaptive, 3);
		must(pthread_spin_lock(&contended.spin), "spin");
		contended.counts[4]++;
		must(pthread_spin_unlock(&contended.spin), "spin unlock");
		if (i % 4 == 0) {
			must(pthread_rwlock_wrlock(&contended.rwlock), "write");
			contended.counts[5]++;
			contended.read_a++;
			contended.read_b++;
		} else {
			must(pthread_rwlock_rdlock(&contended.rwlock), "read");
			if (contended.read_a != contended.read_b)
				__atomic_fetch_add(&contended.torn, 1, __ATOMIC_RELAXED);
		}
		must(pthread_rwlock_unlock(&contended.rwlock), "rwlock unlock");
	}
	return NULL;
}

static void contention(void)
{
	pthread_t threads[8];

	must(pthread_spin_init(&contended.spin, PTHREAD_PROCESS_PRIVATE), "spin_init");
	for (int i = 0; i < 8; i++)
		must(pthread_create(&threads[i], NULL, contend, NULL), "create");
	for (int i = 0; i < 8; i++)
		must(pthread_join(threads[i], NULL), "join");
	for (int i = 0; i < 6; i++)
		say_number("count", contended.counts[i]);
	say_number("torn", contended.torn);
}

/* A bounded buffer with two conditions, 6 threads, each item counted once. */
#define ITEMS 6000
static struct {
	pthread_mutex_t mutex;
	pthread_cond_t filled, emptied;
	int items[4], used, made, taken;
	long sum;
} buffer = { .mutex = PTHREAD_MUTEX_INITIALIZER,
	     .filled = PTHREAD_COND_INITIALIZER,
	     .emptied = PTHREAD_COND_INITIALIZER };

static void *produce(void *unused)
{
	bool more = true;

	(void)unused;
	while (more) {
		must(pthread_mutex_lock(&buffer.mutex), "lock");
		while (buffer.used == 4 && buffer.made < ITEMS)
			must(pthread_cond_wait(&buffer.emptied, &buffer.mutex), "wait");
		more = buffer.made < ITEMS;
		if (more)
			buffer.items[buffer.used++] = ++buffer.made;
		must(pthread_cond_signal(&buffer.filled), "signal");
		if (!more)
			must(pthread_cond_broadcast(&buffer.emptied), "broadcast");
		must(pthread_mutex_unlock(&buffer.mutex), "unlock");
	}
	return NULL;
}

static void *consume(void *unused)
{
	bool more = true;

	(void)unused;
	while (more) {
		must(pthread_mutex_lock(&buffer.mutex), "lock");
		while (!buffer.used && buffer.taken < ITEMS)
			must(pthread_cond_wait(&buffer.filled, &buffer.mutex), "wait");
		more = buffer.used;
		if (more) {
			buffer.sum += buffer.items[--buffer.used];
			buffer.taken++;
			must(pthread_cond_signal(&buffer.emptied), "signal");
		}
		if (buffer.taken == ITEMS)
			must(pthread_cond_broadcast(&buffer.filled), "broadcast");
		must(pthread_mutex_unlock(&buffer.mutex), "unlock");
	}
	return NULL;
}

static void bounded_buffer(void)
{
	pthread_t threads[6];

	for (int i = 0; i < 6; i++)
		must(pthread_create(&threads[i], NULL, i % 2 ? produce : consume, NULL), "create");
	for (int i = 0; i < 6; i++)
		must(pthread_join(threads[i], NULL), "join");
	say_number("taken", buffer.taken);
	say_number("sum", buffer.sum);
}

const struct probe probes[] = {
	{ "locks_before_main", used_before_main },
	{ "forked_child_unlocks", child_unlocks },
	{ "ours_forked_child_unlocks_what_has_an_owner", child_unlocks_what_has_an_owner },
	{ "ours_forked_child_unlocks_while_threads_sleep", child_unlocks_while_threads_sleep },
	{ "fork_handlers_that_lock", fork_handlers },
	{ "vfork", after_vfork },
	{ "signal_handlers_interrupt_waits", signals_during_waits },
	{ "library_loaded_later", loaded_later },
	{ "c11_threads", c11_threads },
	{ "threads_that_end", threads_that_end },
	{ "contention_of_all_kinds", contention },
	{ "bounded_buffer", bounded_buffer },
	{ NULL, NULL },
};
