/* SPDX-License-Identifier: MIT */
/* mutex.h - what other locks ask of the mutex. See mutex.c. */
#ifndef ONPROC_LIB_MUTEX_H
#define ONPROC_LIB_MUTEX_H

#include "machine/machine.h"

#include "onproc/mutex.h"

/* Does the caller own it? False, too, for a thread without a slot. */
bool mutex_is_mine(const struct onproc_mutex *mutex);

/* 0; -EPERM: it is error-checking, and the caller does not own it. */
int mutex_check_owner(const struct onproc_mutex *mutex);

#endif
