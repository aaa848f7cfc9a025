/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lock_kinds.h - the locks that the lock tests measure: one list of names, one row of functions
 * each.
 *
 * The names are part of onproc and of the program that measures; the functions (lock_*.c) only of
 * that program, and those of a library only where it was found at build time.
 */
#ifndef ONPROC_WORKLOAD_LOCK_KINDS_H
#define ONPROC_WORKLOAD_LOCK_KINDS_H

#include "workload/lock-config.h"
#include "workload/workload.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* KIND(symbol, name, library, has a read side, what it is) */
#define LOCK_KINDS                                                                                 \
	KIND(onproc_mutex, "onproc-mutex", ONPROC_MUTEX, false, "libonproc's mutex")               \
	KIND(onproc_spinlock, "onproc-spinlock", ONPROC_SPINLOCK, false,                           \
	     "libonproc's queued lock with bounded spinning")                                      \
	KIND(onproc_rwsem, "onproc-rwsem", ONPROC_RWSEM, true,                                     \
	     "libonproc's reader-writer semaphore")                                                \
	KIND(glibc_mutex, "glibc-mutex", LIBC, false, "pthread_mutex_t, the default type")         \
	KIND(glibc_adaptive, "glibc-adaptive", LIBC, false,                                        \
	     "pthread_mutex_t of type PTHREAD_MUTEX_ADAPTIVE_NP")                                  \
	KIND(glibc_pi, "glibc-pi", LIBC, false, "pthread_mutex_t with PTHREAD_PRIO_INHERIT")       \
	KIND(glibc_spin, "glibc-spin", LIBC, false, "pthread_spinlock_t")                          \
	KIND(glibc_rwlock, "glibc-rwlock", LIBC, true, "pthread_rwlock_t, the default kind")       \
	KIND(ck_fas_eb, "ck-fas-eb", CK, false,                                                    \
	     "Concurrency Kit: fetch-and-store with exponential back-off")                         \
	KIND(ck_ticket, "ck-ticket", CK, false, "Concurrency Kit: ticket lock")                    \
	KIND(ck_mcs, "ck-mcs", CK, false, "Concurrency Kit: MCS queue lock")                       \
	KIND(ck_clh, "ck-clh", CK, false, "Concurrency Kit: CLH queue lock")                       \
	KIND(nsync, "nsync", NSYNC, true, "nsync_mu of the nsync library")                         \
	KIND(ref_futex_spin200, "ref-futex-spin200", LIBC, false,                                  \
	     "plain reference: a futex mutex that polls 200 times before it sleeps")               \
	KIND(ref_tas_yield, "ref-tas-yield", LIBC, false,                                          \
	     "plain reference: test-and-set, with sched_yield while it is taken")

enum lock_kind_number {
#define KIND(symbol, name, library, readers, help) LOCK_##symbol,
	LOCK_KINDS
#undef KIND
		LOCK_KIND_COUNT
};

enum lock_library {
	LOCK_LIBRARY_LIBC,
	LOCK_LIBRARY_CK,
	LOCK_LIBRARY_NSYNC,
	LOCK_LIBRARY_ONPROC_MUTEX,
	LOCK_LIBRARY_ONPROC_SPINLOCK,
	LOCK_LIBRARY_ONPROC_RWSEM,
};

/* What onproc knows of a kind; in the order of enum lock_kind_number, ended by a NULL name. */
struct lock_name {
	const char *name, *help;
	enum lock_library library;
	bool has_readers;
};
extern const struct lock_name lock_names[LOCK_KIND_COUNT + 1];

/* The names alone, ended by NULL: choices of a parameter. */
extern const char *const lock_kind_choices[];

/* Values of ONPROC_SENSOR, ended by NULL. */
enum lock_sensor {
	LOCK_SENSOR_NONE,
	LOCK_SENSOR_HEARTBEAT,
	LOCK_SENSOR_SCHED,
	LOCK_SENSOR_RSEQ_SLICE,
	LOCK_SENSOR_STUCK_RUNNING, /* these three lie: what a wrong sensor costs */
	LOCK_SENSOR_STUCK_PREEMPTED,
	LOCK_SENSOR_RANDOM,
	LOCK_SENSOR_AUTO, /* the best that works here */
	LOCK_SENSOR_COUNT,
};
extern const char *const lock_sensor_choices[LOCK_SENSOR_COUNT + 1];

/* Has the kind a sensor to choose? */
bool lock_kind_has_sensor(int kind);

/* 0, or -ENOTSUP with what to install or why not. */
int lock_kind_supported(int kind, int64_t readers_pct, struct reason *why);

#define LOCK_BYTES 256 /* room for a lock */
#define LOCK_NODES 256 /* bytes of a thread's own for its place in a queue */
#define LOCK_LINE  128

union lock_memory {
	_Alignas(LOCK_LINE) unsigned char bytes[LOCK_BYTES];
};

/* What a thread brings to a lock that queues its waiters; the kind's own. */
union lock_node {
	_Alignas(LOCK_LINE) unsigned char bytes[LOCK_NODES];
};

/* A lock as it is measured. */
struct lock_kind {
	const char *name;
	size_t bytes;		       /* of the lock, at most LOCK_BYTES */
	int (*init)(void *lock);       /* of zeroed memory: 0 or a negative errno; NULL: nothing */
	void (*destroy)(void *lock);   /* NULL: nothing */
	void (*node_init)(void *node); /* of zeroed memory, before the thread starts; NULL */
	void (*node_free)(void *node); /* after all threads have ended; NULL */
	void (*lock)(void *lock, void *node);
	void (*unlock)(void *lock, void *node);
	void (*read_lock)(void *lock, void *node); /* NULL: no read side */
	void (*read_unlock)(void *lock, void *node);
	/* Both NULL: has no sensor. open: 0, or a negative errno with the reason in text. */
	int (*open)(char *text, size_t bytes);
	const char *(*sensor)(void); /* in use */
};

/* By number; NULL: not built. Of the program alone. */
extern const struct lock_kind *const lock_kinds[LOCK_KIND_COUNT];

#define KIND(symbol, name, library, readers, help) extern const struct lock_kind lock_kind_##symbol;
LOCK_KINDS
#undef KIND

#endif
