/* SPDX-License-Identifier: MIT */
/*
 * libc.h - the C library's own lock functions, for the objects that stay its own.
 *
 * CALL(name, arguments): pthread_NAME as the next library has it.
 */
#ifndef ONPROC_PRELOAD_LIBC_H
#define ONPROC_PRELOAD_LIBC_H

#include <pthread.h>
#include <time.h>

#define LIBC_CALLS                                                                                 \
	CALL(create, (pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))             \
	CALL(mutex_init, (pthread_mutex_t *, const pthread_mutexattr_t *))                         \
	CALL(mutex_destroy, (pthread_mutex_t *))                                                   \
	CALL(mutex_lock, (pthread_mutex_t *))                                                      \
	CALL(mutex_trylock, (pthread_mutex_t *))                                                   \
	CALL(mutex_timedlock, (pthread_mutex_t *, const struct timespec *))                        \
	CALL(mutex_clocklock, (pthread_mutex_t *, clockid_t, const struct timespec *))             \
	CALL(mutex_unlock, (pthread_mutex_t *))                                                    \
	CALL(rwlock_init, (pthread_rwlock_t *, const pthread_rwlockattr_t *))                      \
	CALL(rwlock_destroy, (pthread_rwlock_t *))                                                 \
	CALL(rwlock_rdlock, (pthread_rwlock_t *))                                                  \
	CALL(rwlock_tryrdlock, (pthread_rwlock_t *))                                               \
	CALL(rwlock_timedrdlock, (pthread_rwlock_t *, const struct timespec *))                    \
	CALL(rwlock_clockrdlock, (pthread_rwlock_t *, clockid_t, const struct timespec *))         \
	CALL(rwlock_wrlock, (pthread_rwlock_t *))                                                  \
	CALL(rwlock_trywrlock, (pthread_rwlock_t *))                                               \
	CALL(rwlock_timedwrlock, (pthread_rwlock_t *, const struct timespec *))                    \
	CALL(rwlock_clockwrlock, (pthread_rwlock_t *, clockid_t, const struct timespec *))         \
	CALL(rwlock_unlock, (pthread_rwlock_t *))                                                  \
	CALL(spin_init, (pthread_spinlock_t *, int))                                               \
	CALL(spin_destroy, (pthread_spinlock_t *))                                                 \
	CALL(spin_lock, (pthread_spinlock_t *))                                                    \
	CALL(spin_trylock, (pthread_spinlock_t *))                                                 \
	CALL(spin_unlock, (pthread_spinlock_t *))                                                  \
	CALL(cond_init, (pthread_cond_t *, const pthread_condattr_t *))                            \
	CALL(cond_destroy, (pthread_cond_t *))                                                     \
	CALL(cond_wait, (pthread_cond_t *, pthread_mutex_t *))                                     \
	CALL(cond_timedwait, (pthread_cond_t *, pthread_mutex_t *, const struct timespec *))       \
	CALL(cond_clockwait,                                                                       \
	     (pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *))            \
	CALL(cond_signal, (pthread_cond_t *))                                                      \
	CALL(cond_broadcast, (pthread_cond_t *))

struct libc_calls {
#define CALL(name, arguments) int(*name) arguments; /* NOLINT(bugprone-macro-parentheses) */
	LIBC_CALLS
#undef CALL
};

/* Looks them up at the first call; takes no lock of ours and allocates nothing. */
const struct libc_calls *libc_calls(void);

#endif
