/* SPDX-License-Identifier: MIT */
/*
 * layout.h - where our locks lie inside the objects of pthread, and whose an object is.
 *
 * A lock of ours lies in the first bytes of the object that the program has, so that zeroed memory
 * and every static initialiser of pthread.h is an unlocked lock of ours. One word of an object
 * stays what the C library made it: the kind of a mutex, `shared` and the flags of a rwlock, the
 * flags of a condition variable. They lie where the C library's own code and other processes read
 * them, and they alone say whose the object is: what is robust, inherits or has a ceiling of
 * priority, or is shared between processes, is the C library's, for every operation on it.
 *
 *                      x86-64, arm64 (bytes)
 *   mutex              0 lock, 8 owner, 16 kind (kept), 20 depth              of 40, 48
 *   rwlock             0 lock, 16 writer, 28 shared (kept), 48 flags (kept)   of 56, 56
 *   condition variable 0 lock, flags (kept): 36, or 28 with glibc 2.41        of 48, 48
 *   spin lock          0 lock; a bit that no lock of the C library has set    of 4, 4
 */
#ifndef ONPROC_PRELOAD_LAYOUT_H
#define ONPROC_PRELOAD_LAYOUT_H

#include <onproc/cond.h>
#include <onproc/mutex.h>
#include <onproc/rwsem.h>
#include <onproc/spinlock.h>

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct taken_mutex {
	struct onproc_mutex lock;
	uint64_t owner; /* recursive and error-checking: self_token() of the owner, 0: none */
	int32_t kind;	/* as the C library or a static initialiser wrote it; -1: destroyed */
	uint32_t depth; /* recursive: how often more than once it is locked; its owner's */
};

struct taken_rwlock {
	struct onproc_rwsem lock;
	uint64_t writer; /* self_token() of who has it for writing, 0: none */
};

struct taken_cond {
	struct onproc_cond lock;
};

struct taken_spin {
	struct onproc_spinlock lock;
};

#define KEPT(type, member)	 offsetof(type, __data.member)
#define FITS_BEFORE(taken, kept) static_assert(sizeof(taken) <= (kept), #taken)

#if defined(__x86_64__)
static_assert(sizeof(pthread_mutex_t) == 40, "size of pthread_mutex_t");
#elif defined(__aarch64__)
static_assert(sizeof(pthread_mutex_t) == 48, "size of pthread_mutex_t");
#else
#	error "the layout of this machine's pthread objects is not known"
#endif
static_assert(sizeof(pthread_rwlock_t) == 56, "size of pthread_rwlock_t");
static_assert(sizeof(pthread_cond_t) == 48, "size of pthread_cond_t");
static_assert(sizeof(pthread_spinlock_t) == 4, "size of pthread_spinlock_t");

static_assert(KEPT(pthread_mutex_t, __kind) == 16, "kind of a mutex");
static_assert(offsetof(struct taken_mutex, kind) == KEPT(pthread_mutex_t, __kind), "same word");
static_assert(offsetof(struct taken_mutex, owner) + 8 <= KEPT(pthread_mutex_t, __kind),
	      "before it");
static_assert(sizeof(struct taken_mutex) <= sizeof(pthread_mutex_t), "within the object");

static_assert(KEPT(pthread_rwlock_t, __shared) == 28, "shared of a rwlock");
static_assert(KEPT(pthread_rwlock_t, __flags) == 48, "flags of a rwlock");
FITS_BEFORE(struct taken_rwlock, KEPT(pthread_rwlock_t, __shared));

static_assert(KEPT(pthread_cond_t, __wrefs) == 36 || KEPT(pthread_cond_t, __wrefs) == 28,
	      "flags of a condition variable");
FITS_BEFORE(struct taken_cond, KEPT(pthread_cond_t, __wrefs));

static_assert(sizeof(struct taken_spin) == sizeof(pthread_spinlock_t), "the whole object");
static_assert(SPINLOCK_FREE == 0x8000, "lib/spinlock.c is built with this, too");

/* The C library's codes in these words, which its static initialisers make part of the ABI. */
#define KIND_TYPE      0x3  /* PTHREAD_MUTEX_NORMAL … PTHREAD_MUTEX_ADAPTIVE_NP */
#define KIND_LIBC      0xf0 /* robust 0x10, inherits 0x20, ceiling 0x40, shared 0x80 */
#define COND_SHARED    0x1
#define COND_MONOTONIC 0x2

static inline int32_t mutex_kind(const pthread_mutex_t *mutex)
{
	return __atomic_load_n(&((const struct taken_mutex *)mutex)->kind, __ATOMIC_RELAXED);
}

static inline bool mutex_is_libcs(const pthread_mutex_t *mutex)
{
	return mutex_kind(mutex) & KIND_LIBC;
}

static inline struct taken_mutex *mutex_taken(pthread_mutex_t *mutex)
{
	return (struct taken_mutex *)mutex;
}

static inline bool rwlock_is_libcs(const pthread_rwlock_t *rwlock)
{
	return __atomic_load_n(&rwlock->__data.__shared, __ATOMIC_RELAXED) != 0;
}

static inline struct taken_rwlock *rwlock_taken(pthread_rwlock_t *rwlock)
{
	return (struct taken_rwlock *)rwlock;
}

static inline bool cond_is_libcs(const pthread_cond_t *cond)
{
	return __atomic_load_n(&cond->__data.__wrefs, __ATOMIC_RELAXED) & COND_SHARED;
}

static inline bool cond_is_monotonic(const pthread_cond_t *cond)
{
	return __atomic_load_n(&cond->__data.__wrefs, __ATOMIC_RELAXED) & COND_MONOTONIC;
}

static inline struct taken_cond *cond_taken(pthread_cond_t *cond)
{
	return (struct taken_cond *)cond;
}

/* The C library's are 0, 1, or on x86-64 as much below 0 as there are waiters: no tail of ours. */
#define LIBC_WAITERS 0xffff

static inline struct taken_spin *spin_taken(pthread_spinlock_t *spin)
{
	return (struct taken_spin *)spin;
}

static inline bool spin_is_libcs(pthread_spinlock_t *spin)
{
	const struct onproc_spinlock *lock = &spin_taken(spin)->lock;

	return !(__atomic_load_n(&lock->owner, __ATOMIC_RELAXED) & SPINLOCK_FREE) ||
	       __atomic_load_n(&lock->spinners, __ATOMIC_RELAXED) == LIBC_WAITERS;
}

#endif
