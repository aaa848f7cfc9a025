// SPDX-License-Identifier: GPL-2.0-or-later
/* cond.c - a queue of work: workers sleep while it is empty, and end when it is closed. */
#include <onproc/cond.h>
#include <onproc/mutex.h>

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

#define WORKERS 4
#define JOBS	1000

static struct onproc_mutex mutex = ONPROC_MUTEX_INITIALIZER;
static struct onproc_cond not_empty = ONPROC_COND_INITIALIZER;
static int waiting_jobs, done;
static bool closed;

static void *work(void *unused)
{
	(void)unused;
	onproc_mutex_lock(&mutex);
	for (;;) {
		while (!waiting_jobs && !closed)
			onproc_cond_wait(&not_empty, &mutex);
		if (!waiting_jobs)
			break;
		waiting_jobs--;
		onproc_mutex_unlock(&mutex);
		/* The work itself would be done here, without the mutex. */
		onproc_mutex_lock(&mutex);
		done++;
	}
	onproc_mutex_unlock(&mutex);
	return NULL;
}

int main(void)
{
	pthread_t worker[WORKERS];
	int n;

	for (n = 0; n < WORKERS; n++)
		pthread_create(&worker[n], NULL, work, NULL);
	for (n = 0; n < JOBS; n++) {
		onproc_mutex_lock(&mutex);
		waiting_jobs++;
		onproc_mutex_unlock(&mutex);
		onproc_cond_signal(&not_empty);
	}
	onproc_mutex_lock(&mutex);
	closed = true;
	onproc_cond_broadcast(&not_empty);
	onproc_mutex_unlock(&mutex);
	for (n = 0; n < WORKERS; n++)
		pthread_join(worker[n], NULL);
	printf("%d jobs done\n", done);
	return done == JOBS ? 0 : 1;
}
