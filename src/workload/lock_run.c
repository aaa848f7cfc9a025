// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lock_run.c - the life of a copy of the lock tests: calibrate, start the threads, watch the
 * window, gather.
 *
 * The main thread sleeps but for the edges of the window, at which it reads the counters of the
 * threads and what the kernel counts of the process: what is per operation is counted between the
 * same two moments, and these are not those of the harness.
 */
#include "workload/lock_run.h"

#include "base/clock.h"
#include "base/futex.h"
#include "workload/lock.h"
#include "workload/lock_turns.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define STAMPS		 1000
#define JOIN_PATIENCE_NS (4 * NS_PER_S) /* a queue of spinners hands over once a slice */

/* Of one stamp: the shortest of some tries. */
static double stamp_cost_ns(bool has_counter)
{
	uint64_t shortest_ns = UINT64_MAX, sum = 0;

	for (int try = 0; try < 20; try++) {
		uint64_t start_ns = clock_raw_ns(), took_ns;

		for (int i = 0; i < STAMPS; i++)
			sum += ticks_now(has_counter);
		__asm__ volatile("" : "+r"(sum));
		took_ns = clock_raw_ns() - start_ns;
		if (took_ns < shortest_ns)
			shortest_ns = took_ns;
	}
	return (double)shortest_ns / STAMPS;
}

/* For the long waits a rough scale is enough: they lie in the middle of nowhere. */
static uint64_t ticks_of_long(bool has_counter)
{
	struct ticks_pair from = ticks_pair_now(has_counter), to;

	turns_calibrate();
	to = ticks_pair_now(has_counter);
	return (uint64_t)(LONG_WAIT_NS / ticks_ns(&from, &to));
}

/* What was asked for is what is measured: a run with another sensor would be another series. */
static int sensor_open(struct work *work, const struct lock_run *run, int sensor)
{
	const char *asked = lock_sensor_choices[sensor];
	char text[200] = "it did not open";
	int rc = 0;

	unsetenv("ONPROC_SENSOR");
	if (sensor != LOCK_SENSOR_AUTO && setenv("ONPROC_SENSOR", asked, 1))
		return work_fail(work, -ENOMEM, "no memory");
	if (run->kind->open)
		rc = run->kind->open(text, sizeof(text));
	if (rc || (sensor != LOCK_SENSOR_AUTO && run->kind->sensor &&
		   strcmp(run->kind->sensor(), asked) != 0))
		return work_fail(work, rc ? rc : -ENOTSUP, "sensor %s: %s", asked, text);
	return 0;
}

static int run_make(struct work *work, int kind, int sensor, uint32_t threads)
{
	struct lock_run *run = aligned_alloc(LOCK_LINE, sizeof(*run));
	size_t bytes = threads * sizeof(*run->worker);
	int rc = 0;

	work->state = run;
	if (!run)
		return work_fail(work, -ENOMEM, "no memory");
	memset(run, 0, sizeof(*run));
	run->kind = lock_kinds[kind];
	run->page = work->page;
	run->threads = threads;
	if (!run->kind)
		return work_fail(work, -ENOTSUP, "%s: not built", lock_kind_choices[kind]);
	rc = sensor_open(work, run, sensor);
	if (rc)
		return rc;
	run->worker = aligned_alloc(LOCK_LINE, bytes);
	if (!run->worker)
		return work_fail(work, -ENOMEM, "no memory for %u threads", threads);
	memset(run->worker, 0, bytes);
	run->has_counter = ticks_have_counter();
	run->stamp_ns = stamp_cost_ns(run->has_counter);
	run->turn_ns = turns_calibrate();
	run->long_ticks = ticks_of_long(run->has_counter);
	if (run->kind->init)
		rc = run->kind->init(&run->lock);
	return rc ? work_fail(work, rc, "%s: %s", run->kind->name, strerror(-rc)) : 0;
}

static int run_start(struct work *work)
{
	struct lock_run *run = work->state;
	int rc = lock_workers_start(run);

	return rc ? work_fail(work, rc, "thread %u of %u: %s", run->started + 1, run->threads,
			      strerror(-rc))
		  : 0;
}

int lock_setup(struct work *work)
{
	int64_t readers_pct = work_param(work, LOCK_PARAM_READERS_PCT);
	struct lock_run *run;
	int rc;

	rc = run_make(work, (int)work_param(work, LOCK_PARAM_KIND),
		      (int)work_param(work, LOCK_PARAM_SENSOR),
		      (uint32_t)work_param(work, LOCK_PARAM_THREADS));
	if (rc)
		return rc;
	run = work->state;
	if (readers_pct && !run->kind->read_lock)
		return work_fail(work, -ENOTSUP, "%s has no read side", run->kind->name);
	run->readers = (uint32_t)((uint64_t)readers_pct * UINT32_MAX / 100);
	run->hold_turns = turns_of(work_param(work, LOCK_PARAM_HOLD_NS), run->turn_ns);
	run->think_turns = turns_of(work_param(work, LOCK_PARAM_THINK_NS), run->turn_ns);
	return run_start(work);
}

int lock_pair_setup(struct work *work)
{
	int rc = run_make(work, (int)work_param(work, LOCK_PAIR_PARAM_KIND),
			  (int)work_param(work, LOCK_PAIR_PARAM_SENSOR), 1);
	struct lock_run *run = work->state;

	if (rc)
		return rc;
	run->is_pair = true;
	return run_start(work);
}

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

static void snapshot_take(struct lock_run *run, struct lock_snapshot *snapshot)
{
	struct rusage all, own;

	getrusage(RUSAGE_SELF, &all);
	getrusage(RUSAGE_THREAD, &own);
	snapshot->voluntary = (uint64_t)(all.ru_nvcsw - own.ru_nvcsw);
	snapshot->involuntary = (uint64_t)(all.ru_nivcsw - own.ru_nivcsw);
	snapshot->cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - clock_ns(CLOCK_THREAD_CPUTIME_ID);
	snapshot->ops = page_count(run->page, 0);
	snapshot->yields = 0;
	for (uint32_t i = 0; i < run->threads; i++)
		snapshot->yields += atomic_load_explicit(&page_counter(run->page, 0, i)->yields,
							 memory_order_relaxed);
}

/* Sleeps until the harness is past a phase. */
static void phase_await(struct page *page, enum page_phase past)
{
	const struct timespec hour = { .tv_sec = 3600 }; /* with an end, a signal ends it, too */
	uint32_t phase;

	while ((phase = atomic_load_explicit(&page->phase, memory_order_acquire)) <= past) {
		errno = 0;
		futex_wait(&page->phase, phase, &hour);
		/* A thread sanitizer runs the handler of the bare form in calls that it knows. */
		if (errno == EINTR)
			usleep(0);
	}
}

int lock_loop(struct work *work)
{
	struct lock_run *run = work->state;

	run->begin = ticks_pair_now(run->has_counter);
	atomic_store_explicit(&run->gate, 1, memory_order_release);
	futex_wake_all(&run->gate);
	phase_await(run->page, PAGE_WARMUP);
	snapshot_take(run, &run->before);
	phase_await(run->page, PAGE_WINDOW);
	snapshot_take(run, &run->after);
	run->end = ticks_pair_now(run->has_counter);
	phase_await(run->page, PAGE_AFTER);
	lock_workers_join(run, JOIN_PATIENCE_NS);
	lock_report_write(run, page_report(run->page, 0));
	return 0;
}

/* What the lock protects was never seen in change, and no writer's turn was lost. */
int lock_verify(const struct work *work)
{
	const struct lock_run *run = work->state;
	uint64_t writes = 0;

	for (uint32_t i = 0; i < run->threads; i++) {
		if (run->worker[i].is_wrong)
			return work_fail(work, -EBADMSG,
					 "%s: thread %u held the lock together with a writer",
					 run->kind->name, i);
		writes += run->worker[i].writes;
	}
	if (run->was_left || run->is_pair)
		return 0;
	if (run->protected.first != writes || run->protected.last != writes)
		return work_fail(work, -EBADMSG, "%s: of %llu writes under the lock %llu were kept",
				 run->kind->name, (unsigned long long)writes,
				 (unsigned long long)run->protected.last);
	return 0;
}

/* Threads that were left still use everything; the process ends with them. */
void lock_cleanup(struct work *work)
{
	struct lock_run *run = work->state;

	if (!run || run->was_left)
		return;
	if (run->started) {
		atomic_store_explicit(&run->page->stop, 1, memory_order_relaxed);
		lock_workers_join(run, JOIN_PATIENCE_NS);
		if (run->was_left)
			return;
	}
	if (run->worker && run->kind->node_free) {
		for (uint32_t i = 0; i < run->threads; i++)
			run->kind->node_free(&run->worker[i].node);
	}
	if (run->worker && run->kind->destroy)
		run->kind->destroy(&run->lock);
	free(run->worker);
	free(run);
}

void lock_explain(const struct work *work)
{
	fprintf(stderr, "%s\n", page_report(work->page, 0)->text);
}
