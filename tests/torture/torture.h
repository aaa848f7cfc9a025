/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * torture.h - the parts of the torture program: locks, operations on them, threads, disturbances.
 *
 * Threads pick operations at random; the first thread disturbs them and watches that each gets on.
 * What goes wrong is said on stderr, with what every thread waits for, and ends the program with
 * status 1. See operations.c for the table of operations and disturb.c for that of disturbances.
 */
#ifndef TORTURE_H
#define TORTURE_H

#include "random.h"

#include <onproc/cond.h>
#include <onproc/mutex.h>
#include <onproc/osq.h>
#include <onproc/rwsem.h>
#include <onproc/seqcount.h>
#include <onproc/seqlock.h>
#include <onproc/spinlock.h>

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#if defined(__SANITIZE_THREAD__)
#	define SANITIZED_THREAD 1
#elif defined(__has_feature)
#	if __has_feature(thread_sanitizer)
#		define SANITIZED_THREAD 1
#	endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#	define SANITIZED_ADDRESS 1
#elif defined(__has_feature)
#	if __has_feature(address_sanitizer)
#		define SANITIZED_ADDRESS 1
#	endif
#endif
#ifndef SANITIZED_THREAD
#	define SANITIZED_THREAD 0
#endif
#ifndef SANITIZED_ADDRESS
#	define SANITIZED_ADDRESS 0
#endif

#define MOST_THREADS	256
#define MOST_OPERATIONS 64
#define MOST_LOCKS	(KINDS * LOCKS_PER_KIND)
#define LOCKS_PER_KIND	2
#define WORDS		8

/* What --broken takes instead of the library's locks; BROKEN_NONE: nothing. */
enum broken {
	BROKEN_NONE,
	BROKEN_EXCLUSION,
	BROKEN_WAKE,
	BROKEN_TORN,
};

struct options {
	uint64_t seed;
	double seconds;	   /* of all rounds together */
	double deadline_s; /* a thread that makes no progress for so long hangs or starves */
	uint32_t threads[16];
	uint32_t rounds;
	uint32_t list; /* print so many operations of each thread instead of running them */
	enum broken broken;
	bool disturb;
};

/* Returns 0, or what main() is to return plus 1. */
int options_parse(struct options *options, int argc, char **argv);

/* Two counters on two lines that agree whenever nobody is inside. Never atomic. */
struct guard {
	uint64_t first;
	char between[120];
	uint64_t second;
};

enum kind {
	KIND_NONE,
	KIND_MUTEX,
	KIND_CHECKED,
	KIND_SPINLOCK,
	KIND_OSQ,
	KIND_RWSEM,
	KIND_COND,
	KIND_SEQLOCK,
	KIND_LATCH,
	KIND_FREED, /* a cell for a mutex of two users */
	KIND_BROKEN_EXCLUSION,
	KIND_BROKEN_WAKE,
	KIND_BROKEN_TORN,
	KINDS,
};

/* A mutex in memory that the last of its two users frees as soon as it has unlocked. */
struct freed {
	struct onproc_mutex mutex;
	int users;
};

/* What threads meet at: see operations_cond.c. */
struct meeting {
	struct onproc_cond cond;
	uint32_t waiting, leaving, round;
};

struct lock {
	enum kind kind;
	uint32_t index, number; /* among all; of its kind */
	struct onproc_mutex mutex;
	struct onproc_spinlock spinlock;
	struct onproc_osq osq;
	struct onproc_rwsem rwsem;
	struct onproc_seqlock seqlock;
	struct onproc_seqcount_latch latch;
	struct meeting pair, gate;
	struct freed *freed;
	uint32_t broken;
	struct guard guard;
	uint64_t words[2 * WORDS];
};

struct kind_of_lock {
	const char *name;
	int (*destroy)(struct lock *lock); /* as its own function says: 0, or -EBUSY */
	void (*describe)(const struct lock *lock, char *text, size_t bytes);
};
extern const struct kind_of_lock kinds_of_locks[KINDS];

struct torture;

/* A place for a thread: threads end and others take their place. */
struct worker {
	struct torture *torture;
	uint32_t index, incarnation;
	pthread_t thread;
	/* Written by the thread, read by the first one; atomic. */
	uint32_t operation, lock; /* + 1; 0: between two */
	uint64_t since_ns, operations;
	uint32_t tid, slot; /* slot + 1 in the words of locks */
	uint32_t ended;
	uint32_t inside_handler;
	/* The thread's own until it has ended. */
	uint64_t sections[MOST_LOCKS], words[MOST_LOCKS], handled;
	uint64_t count[MOST_OPERATIONS], longest_ns[MOST_OPERATIONS];
	uint64_t left; /* operations until it ends */
	/* The watcher's: which since_ns it saw, and when it saw it first. */
	uint64_t seen_since_ns, seen_at_ns;
} __attribute__((aligned(128)));

struct torture {
	const struct options *options;
	struct lock locks[MOST_LOCKS];
	uint32_t lock_count;
	struct {
		uint32_t first, count;
	} of_kind[KINDS];
	uint32_t weights; /* sum of those of the operations of this run */
	struct worker workers[MOST_THREADS];
	uint32_t threads;
	uint32_t stop, waiters; /* atomic */
	struct onproc_mutex handler_mutex;
	struct guard handler_guard;
	uint64_t ended, cancelled, handled;
	uint64_t watched_ns, watched_at_ns, longest_stall_ns;
	/* Of all rounds. */
	uint64_t count[MOST_OPERATIONS], longest_ns[MOST_OPERATIONS];
};

enum needs {
	NEEDS_NOTHING,
	NEEDS_FORK,
};

struct operation {
	const char *name;
	enum kind kind;
	uint32_t weight;
	enum needs needs;
	void (*run)(struct worker *worker, struct lock *lock, struct random *random);
};
extern const struct operation operations[];
extern const uint32_t operation_count;

/* The operation and the lock of turn n of a thread: by the seed alone. */
const struct operation *operation_choose(struct torture *torture, struct random *random,
					 struct lock **lock);
void operations_prepare(struct torture *torture);
void operations_report_skipped(void);
void operations_list(struct torture *torture, uint32_t turns);

/* Locks, for a round. */
void locks_begin(struct torture *torture);
void locks_end(struct torture *torture); /* checks the sums, and that all locks are free */

/* Threads. */
void workers_start(struct torture *torture);
void workers_tend(struct torture *torture); /* joins those that have ended, starts others */
void workers_check_progress(struct torture *torture);
void workers_end(struct torture *torture);
struct worker *worker_self(void);
/* Notes how long an acquisition without a time took. */
void worker_waited(struct worker *worker, uint64_t since_ns);

/* Disturbances. */
void disturb_prepare(struct torture *torture);
void disturb(struct torture *torture);
void disturb_end(struct torture *torture);
void disturb_report(void);
void disturb_leave_quota(void); /* whatever else is left as it is */

/* Checks: guard.c. */
void guard_enter(struct worker *worker, struct lock *lock, struct random *random);
void guard_words_write(struct worker *worker, struct lock *lock, struct random *random);
void guard_words_are_whole(struct worker *worker, const struct lock *lock, const uint64_t *words);
void hold(struct random *random);
void guard_expect(struct worker *worker, const struct lock *lock, const char *what, int came,
		  int wanted);

/* Says what is wrong and what every thread does, and ends the program. */
void fail(struct torture *torture, const struct worker *worker, const struct lock *lock,
	  const char *format, ...) __attribute__((format(printf, 4, 5), noreturn));

/* Small things. */
uint64_t now_ns(void);
void sleep_ns(uint64_t ns); /* no cancellation point */
struct timespec deadline_of(struct random *random, clockid_t clock);

/* Rows of operations.c. */
typedef void operation_run(struct worker *worker, struct lock *lock, struct random *random);
operation_run mutex_lock, mutex_trylock, mutex_timedlock_monotonic, mutex_timedlock_realtime;
operation_run checked_lock, checked_timedlock, checked_wrong_unlock;
operation_run spinlock_lock, spinlock_trylock;
operation_run osq_enter;
operation_run rwsem_read, rwsem_tryread, rwsem_timedread, rwsem_write, rwsem_trywrite,
	rwsem_timedwrite, rwsem_downgrade;
operation_run cond_pair, cond_pair_timed, cond_gate_wait, cond_gate_open;
operation_run seqlock_read, seqlock_write, seqlock_trywrite, latch_read, latch_write;
operation_run freed_use;
operation_run fork_free, fork_holding;
operation_run broken_exclusion, broken_wake, broken_torn_read, broken_torn_write;

/* Lets those go on that wait for another thread, when there is none any more. */
void cond_release(struct torture *torture);

#endif
