// SPDX-License-Identifier: GPL-2.0-or-later
/* probe-rwlock.c - what read-write locks and spin locks answer. */
#include "probe.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_rwlock_t plain = PTHREAD_RWLOCK_INITIALIZER;
static pthread_rwlock_t zeroed;
static pthread_rwlock_t writers = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;

static void *try_read(void *rwlock)
{
	int error = pthread_rwlock_tryrdlock(rwlock);

	if (!error)
		pthread_rwlock_unlock(rwlock);
	return (void *)(long)error;
}

static void *try_write(void *rwlock)
{
	int error = pthread_rwlock_trywrlock(rwlock);

	if (!error)
		pthread_rwlock_unlock(rwlock);
	return (void *)(long)error;
}

static void try_both(pthread_rwlock_t *rwlock)
{
	say("read elsewhere", (int)(long)elsewhere(try_read, rwlock));
	say("write elsewhere", (int)(long)elsewhere(try_write, rwlock));
}

static void answers(pthread_rwlock_t *rwlock)
{
	say("read", pthread_rwlock_rdlock(rwlock));
	say("read again", pthread_rwlock_rdlock(rwlock));
	try_both(rwlock);
	say("write while reading", pthread_rwlock_trywrlock(rwlock));
	say("unlock", pthread_rwlock_unlock(rwlock));
	try_both(rwlock);
	say("unlock", pthread_rwlock_unlock(rwlock));
	try_both(rwlock);
	say("write", pthread_rwlock_wrlock(rwlock));
	try_both(rwlock);
	say("write own", pthread_rwlock_wrlock(rwlock));
	say("read own", pthread_rwlock_rdlock(rwlock));
	say("try write own", pthread_rwlock_trywrlock(rwlock));
	say("try read own", pthread_rwlock_tryrdlock(rwlock));
	say("unlock", pthread_rwlock_unlock(rwlock));
	try_both(rwlock);
	say("try write", pthread_rwlock_trywrlock(rwlock));
	say("write own", pthread_rwlock_wrlock(rwlock));
	say("unlock", pthread_rwlock_unlock(rwlock));
	say("try read", pthread_rwlock_tryrdlock(rwlock));
	say("unlock", pthread_rwlock_unlock(rwlock));
}

static void initialised_statically(void)
{
	answers(&plain);
	answers(&zeroed);
	answers(&writers);
	say("destroy", pthread_rwlock_destroy(&plain));
}

static void *timed_tries(void *rwlock)
{
	struct timespec past = in_ms(CLOCK_REALTIME, -5000), soon = in_ms(CLOCK_REALTIME, 20);
	struct timespec steady = in_ms(CLOCK_MONOTONIC, 20), bad = { 0, 1000000000 };
	struct timespec negative = { -1, 0 };

	say("write in the past", pthread_rwlock_timedwrlock(rwlock, &past));
	say("write in 20 ms", pthread_rwlock_timedwrlock(rwlock, &soon));
	say("write steady", pthread_rwlock_clockwrlock(rwlock, CLOCK_MONOTONIC, &steady));
	say("write before 1970", pthread_rwlock_timedwrlock(rwlock, &negative));
	say("read in the past", pthread_rwlock_timedrdlock(rwlock, &past));
	say("read in 20 ms", pthread_rwlock_timedrdlock(rwlock, &soon));
	say("read steady", pthread_rwlock_clockrdlock(rwlock, CLOCK_MONOTONIC, &steady));
	say("read before 1970", pthread_rwlock_timedrdlock(rwlock, &negative));
	say("no time", pthread_rwlock_timedrdlock(rwlock, &bad));
	say("no clock", pthread_rwlock_clockrdlock(rwlock, CLOCK_PROCESS_CPUTIME_ID, &soon));
	return NULL;
}

static void timed(void)
{
	struct timespec past = in_ms(CLOCK_REALTIME, -5000), bad = { 0, 1000000000 };

	must(pthread_rwlock_wrlock(&plain), "write");
	elsewhere(timed_tries, &plain);
	say("own write", pthread_rwlock_timedwrlock(&plain, &past));
	say("own read", pthread_rwlock_timedrdlock(&plain, &past));
	must(pthread_rwlock_unlock(&plain), "unlock");
	say("free in the past", pthread_rwlock_timedwrlock(&plain, &past));
	must(pthread_rwlock_unlock(&plain), "unlock");
	say("free at no time", pthread_rwlock_timedrdlock(&plain, &bad));
	say("after those that gave up", pthread_rwlock_trywrlock(&plain));
}

static struct {
	pthread_rwlock_t *rwlock;
	int thread, got;
} waiting;

static void *write_and_give_back(void *unused)
{
	(void)unused;
	__atomic_store_n(&waiting.thread, (int)syscall(SYS_gettid), __ATOMIC_RELEASE);
	must(pthread_rwlock_wrlock(waiting.rwlock), "write");
	set(&waiting.got);
	must(pthread_rwlock_unlock(waiting.rwlock), "unlock");
	return NULL;
}

/* A writer waits; may those who read go on reading, and those who come later? */
static void readers_while_a_writer_waits(pthread_rwlock_t *rwlock)
{
	pthread_t writer;

	waiting.rwlock = rwlock;
	waiting.thread = 0;
	waiting.got = 0;
	must(pthread_rwlock_rdlock(rwlock), "read");
	must(pthread_create(&writer, NULL, write_and_give_back, NULL), "pthread_create");
	await(&waiting.thread);
	await_sleep(waiting.thread);
	usleep(30000); /* longer than a sleeping writer has patience */
	say("read again", pthread_rwlock_rdlock(rwlock));
	say("try again", pthread_rwlock_tryrdlock(rwlock));
	say("read elsewhere", (int)(long)elsewhere(try_read, rwlock));
	say_number("writer", waiting.got);
	must(pthread_rwlock_unlock(rwlock), "unlock");
	must(pthread_rwlock_unlock(rwlock), "unlock");
	must(pthread_rwlock_unlock(rwlock), "unlock");
	must(pthread_join(writer, NULL), "pthread_join");
	say_number("writer", waiting.got);
}

static void make(pthread_rwlock_t *rwlock, int kind, int shared)
{
	pthread_rwlockattr_t attributes;
	int value;

	must(pthread_rwlockattr_init(&attributes), "init");
	must(pthread_rwlockattr_setkind_np(&attributes, kind), "setkind");
	must(pthread_rwlockattr_setpshared(&attributes, shared), "setpshared");
	must(pthread_rwlock_init(rwlock, &attributes), "init");
	must(pthread_rwlockattr_getkind_np(&attributes, &value), "getkind");
	say_number("kind", value);
	must(pthread_rwlockattr_destroy(&attributes), "destroy");
}

static void prefer_readers(void)
{
	pthread_rwlock_t rwlock;

	readers_while_a_writer_waits(&plain);
	make(&rwlock, PTHREAD_RWLOCK_PREFER_READER_NP, PTHREAD_PROCESS_PRIVATE);
	readers_while_a_writer_waits(&rwlock);
	make(&rwlock, PTHREAD_RWLOCK_PREFER_WRITER_NP, PTHREAD_PROCESS_PRIVATE);
	readers_while_a_writer_waits(&rwlock);
}

static void *read_and_give_back(void *rwlock)
{
	must(pthread_rwlock_rdlock(rwlock), "read");
	must(pthread_rwlock_unlock(rwlock), "unlock");
	return NULL;
}

/* The writer comes to its turn although readers keep coming. */
static void prefer_writers(void)
{
	pthread_rwlock_t rwlock;
	pthread_t writer;

	make(&rwlock, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP, PTHREAD_PROCESS_PRIVATE);
	answers(&rwlock);
	waiting.rwlock = &rwlock;
	waiting.thread = 0;
	waiting.got = 0;
	must(pthread_rwlock_rdlock(&rwlock), "read");
	must(pthread_create(&writer, NULL, write_and_give_back, NULL), "pthread_create");
	await(&waiting.thread);
	await_sleep(waiting.thread);
	must(pthread_rwlock_unlock(&rwlock), "unlock");
	elsewhere(read_and_give_back, &rwlock);
	must(pthread_join(writer, NULL), "pthread_join");
	say_number("writer", waiting.got);
}

static void shared(void)
{
	pthread_rwlock_t *rwlock = mmap(NULL, sizeof(*rwlock), PROT_READ | PROT_WRITE,
					MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status;
	pid_t child;

	must(rwlock == MAP_FAILED, "mmap");
	make(rwlock, PTHREAD_RWLOCK_PREFER_READER_NP, PTHREAD_PROCESS_SHARED);
	must(pthread_rwlock_wrlock(rwlock), "write");
	child = fork();
	if (!child)
		_exit(pthread_rwlock_rdlock(rwlock) || pthread_rwlock_unlock(rwlock));
	usleep(20000);
	must(pthread_rwlock_unlock(rwlock), "unlock");
	must(waitpid(child, &status, 0) != child, "waitpid");
	say_number("child", status);
	answers(rwlock);
}

static void *try_spin(void *spin)
{
	int error = pthread_spin_trylock(spin);

	if (!error)
		pthread_spin_unlock(spin);
	return (void *)(long)error;
}

static void spin_answers(pthread_spinlock_t *spin)
{
	say("lock", pthread_spin_lock(spin));
	say("try own", pthread_spin_trylock(spin));
	say("try elsewhere", (int)(long)elsewhere(try_spin, (void *)spin));
	say("unlock", pthread_spin_unlock(spin));
	say("try elsewhere", (int)(long)elsewhere(try_spin, (void *)spin));
	say("try", pthread_spin_trylock(spin));
	say("unlock", pthread_spin_unlock(spin));
}

static void spins(void)
{
	pthread_spinlock_t spin;

	say("init", pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE));
	spin_answers(&spin);
	say("destroy", pthread_spin_destroy(&spin));
}

static struct {
	pthread_spinlock_t lock;
	int turns;
} * both;

static void take_turns(void)
{
	for (int i = 0; i < 20000; i++) {
		must(pthread_spin_lock(&both->lock), "lock");
		*(volatile int *)&both->turns += 1;
		must(pthread_spin_unlock(&both->lock), "unlock");
	}
}

static void spin_shared(void)
{
	int status;
	pid_t child;

	both = mmap(NULL, sizeof(*both), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	must((void *)both == MAP_FAILED, "mmap");
	say("init", pthread_spin_init(&both->lock, PTHREAD_PROCESS_SHARED));
	spin_answers(&both->lock);
	child = fork();
	take_turns();
	if (!child)
		_exit(0);
	must(waitpid(child, &status, 0) != child, "waitpid");
	say_number("child", status);
	say_number("turns", both->turns);
	/* In a process without the library this must be the C library's lock. */
	say_number("word", *(volatile int *)&both->lock);
}

const struct probe probes[] = {
	{ "rwlock_static_initialisers", initialised_statically },
	{ "rwlock_timed_and_clock_locks", timed },
	{ "rwlock_that_prefers_readers", prefer_readers },
	{ "rwlock_that_prefers_writers", prefer_writers },
	{ "rwlock_shared_between_processes", shared },
	{ "spin", spins },
	{ "spin_shared_between_processes", spin_shared },
	{ NULL, NULL },
};
