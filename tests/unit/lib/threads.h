/* SPDX-License-Identifier: GPL-2.0-or-later */
/* threads.h - what the tests of the locks share: times, and threads that are let loose together. */
#ifndef TESTS_UNIT_LIB_THREADS_H
#define TESTS_UNIT_LIB_THREADS_H

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static inline struct timespec in_ms(clockid_t clock, long ms)
{
	struct timespec at;

	clock_gettime(clock, &at);
	at.tv_nsec += ms % 1000 * 1000000;
	at.tv_sec += ms / 1000 + at.tv_nsec / 1000000000;
	at.tv_nsec %= 1000000000;
	return at;
}

static inline pthread_t start(void *(*function)(void *), void *argument)
{
	pthread_t thread;

	assert_int_equal(pthread_create(&thread, NULL, function, argument), 0);
	return thread;
}

/* The thread found nothing wrong: it returned NULL. */
static inline void finish(pthread_t thread)
{
	void *wrong;

	assert_int_equal(pthread_join(thread, &wrong), 0);
	assert_null(wrong);
}

static inline void run_together(void *(*function)(void *), void *argument, unsigned int threads)
{
	pthread_t thread[64];
	unsigned int n;

	for (n = 0; n < threads; n++)
		thread[n] = start(function, argument);
	for (n = 0; n < threads; n++)
		finish(thread[n]);
}

/* Guards against hanging; no test is meant to take so long. */
static inline int guard(void **state)
{
	(void)state;
	alarm(240);
	return 0;
}

#endif
