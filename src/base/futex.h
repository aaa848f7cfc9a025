/* SPDX-License-Identifier: GPL-2.0-or-later */
/* futex.h - sleeping on a word that another process changes (shared futexes). */
#ifndef ONPROC_BASE_FUTEX_H
#define ONPROC_BASE_FUTEX_H

#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Sleeps while *word is `seen`, until woken, timeout (NULL: none), a signal, or for no reason. */
static inline void futex_wait(_Atomic uint32_t *word, uint32_t seen, const struct timespec *timeout)
{
	syscall(SYS_futex, word, FUTEX_WAIT, seen, timeout, NULL, 0);
}

static inline void futex_wake_all(_Atomic uint32_t *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

#endif
