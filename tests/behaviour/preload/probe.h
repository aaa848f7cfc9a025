/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe.h - programs that say what pthread's objects answer: the same with the library before them
 * and without it. See probe.c.
 */
#ifndef ONPROC_TESTS_PRELOAD_PROBE_H
#define ONPROC_TESTS_PRELOAD_PROBE_H

#include <pthread.h>
#include <time.h>

struct probe {
	const char *name;
	void (*run)(void);
};

extern const struct probe probes[]; /* of the program; ends with NULL */

/* "what: EBUSY", or 0 as "ok". */
void say(const char *what, int error);

/* "what: 12" */
void say_number(const char *what, long number);

/* Ends the program where something fails that no probe is about. */
void must(int error, const char *what);
__attribute__((noreturn)) void fail(const char *what);

/* Absolute times, ms from now. */
struct timespec in_ms(clockid_t clock, long ms);

/* Runs it in another thread to its end; returns what it returned. */
void *elsewhere(void *(*run)(void *), void *argument);

/* Until *flag is not 0; with a deadline of a minute. */
void await(const int *flag);
void set(int *flag);

/* Until this thread of the process sleeps in the kernel. */
void await_sleep(int thread);

/* As elsewhere(): EBUSY or 0 … of a try by another thread, which gives back what it got. */
int try_elsewhere(pthread_mutex_t *mutex);

#endif
