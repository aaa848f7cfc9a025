/* SPDX-License-Identifier: MIT */
/* mutex.h - what the condition variables need of the mutexes, whosever these are. */
#ifndef ONPROC_PRELOAD_MUTEX_H
#define ONPROC_PRELOAD_MUTEX_H

#include "cond.h"

#include <pthread.h>

/* As pthread_mutex_lock() and …_unlock(). caller: for the statistics. */
int mutex_lock(pthread_mutex_t *mutex, const void *caller);
int mutex_unlock(pthread_mutex_t *mutex);

/* The lock in it that mutex_unlock() by the caller frees; NULL: none of ours, or it frees none. */
struct onproc_mutex *mutex_to_free(pthread_mutex_t *mutex);

/* Locks the mutex after a wait with what mutex_to_free() has said. */
int mutex_lock_waited(pthread_mutex_t *mutex, struct cond_wait *wait, const void *caller);

#endif
