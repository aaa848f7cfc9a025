/* SPDX-License-Identifier: MIT */
/* mutex.h - what the condition variables need of the mutexes, whosever these are. */
#ifndef ONPROC_PRELOAD_MUTEX_H
#define ONPROC_PRELOAD_MUTEX_H

#include <pthread.h>

/* As pthread_mutex_lock() and …_unlock(). caller: for the statistics. */
int mutex_lock(pthread_mutex_t *mutex, const void *caller);
int mutex_unlock(pthread_mutex_t *mutex);

#endif
