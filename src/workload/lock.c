// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lock.c - threads of one process that take a lock in turn: which locks, with which parameters.
 *
 * One iteration of `lock` is think, lock, hold, unlock by one thread: think and hold are a fixed
 * number of turns of a loop that was calibrated in ns of an undisturbed CPU, so that time in which
 * a thread has no CPU is never work. One iteration of `lock-pair` is a lock and an unlock by a
 * thread that has no rival, while another thread of the process sleeps. See lock_run.c.
 */
#include "workload/lock.h"

#include "workload/lock_kinds.h"
#include "workload/resource_limits.h"

static uint32_t lock_counters(const int64_t *param)
{
	return (uint32_t)param[LOCK_PARAM_THREADS];
}

static int lock_supported(const struct workload_request *request, struct reason *why)
{
	int rc = lock_kind_supported((int)request->param[LOCK_PARAM_KIND],
				     request->param[LOCK_PARAM_READERS_PCT], why);

	return rc ? rc
		  : limits_processes(request->copies,
				     (uint64_t)request->param[LOCK_PARAM_THREADS] + 1, why);
}

static const struct workload_param lock_params[] = {
	[LOCK_PARAM_KIND] = { "kind", "the lock", NULL, LOCK_glibc_mutex, 0, LOCK_KIND_COUNT - 1,
			      lock_kind_choices },
	[LOCK_PARAM_THREADS] = { "threads", "threads that take it in turn", NULL, 4, 1,
				 LOCK_THREADS_MAX, NULL },
	[LOCK_PARAM_HOLD_NS] = { "hold_ns", "work while the lock is held", "ns", 1000, 0,
				 LOCK_WORK_NS_MAX, NULL },
	[LOCK_PARAM_THINK_NS] = { "think_ns", "work between two turns", "ns", 1000, 0,
				  LOCK_WORK_NS_MAX, NULL },
	[LOCK_PARAM_READERS_PCT] = { "readers_pct", "share of the turns that only read", "%", 0, 0,
				     100, NULL },
	[LOCK_PARAM_SENSOR] = { "sensor", "how libonproc's locks know who is on a CPU", NULL,
				LOCK_SENSOR_NONE, 0, LOCK_SENSOR_COUNT - 1, lock_sensor_choices },
	{ NULL },
};

const struct workload workload_lock = {
	.id = "onproc/lock@1",
	.title = "Lock",
	.help = "think, lock, hold, unlock by one of the threads that share a lock",
	.unit = "ops/s",
	.program = "lock",
	.file = "lock",
	.units_per_iteration = 1,
	.class = CLASS_LOCK,
	.rate = RATE_COUNTED,
	.processes = 5,
	.params = lock_params,
	.counters = lock_counters,
	.report = "lock",
	.supported = lock_supported,
	.setup = lock_setup,
	.loop = lock_loop,
	.verify = lock_verify,
	.cleanup = lock_cleanup,
	.explain = lock_explain,
};

static uint32_t lock_pair_counters(const int64_t *param)
{
	(void)param;
	return 1;
}

static int lock_pair_supported(const struct workload_request *request, struct reason *why)
{
	int rc = lock_kind_supported((int)request->param[LOCK_PAIR_PARAM_KIND], 0, why);

	return rc ? rc : limits_processes(request->copies, 2, why);
}

static const struct workload_param lock_pair_params[] = {
	[LOCK_PAIR_PARAM_KIND] = { "kind", "the lock", NULL, LOCK_glibc_mutex, 0,
				   LOCK_KIND_COUNT - 1, lock_kind_choices },
	[LOCK_PAIR_PARAM_SENSOR] = { "sensor", "how libonproc's locks know who is on a CPU", NULL,
				     LOCK_SENSOR_NONE, 0, LOCK_SENSOR_COUNT - 1,
				     lock_sensor_choices },
	{ NULL },
};

const struct workload workload_lock_pair = {
	.id = "onproc/lock-pair@1",
	.title = "Lock without a rival",
	.help = "lock and unlock by one thread, while another one of its process sleeps",
	.unit = "pairs/s",
	.program = "lock",
	.file = "lock",
	.units_per_iteration = 1,
	.class = CLASS_LOCK,
	.rate = RATE_COUNTED,
	.processes = 2,
	.params = lock_pair_params,
	.counters = lock_pair_counters,
	.report = "lock",
	.supported = lock_pair_supported,
	.setup = lock_pair_setup,
	.loop = lock_loop,
	.verify = lock_verify,
	.cleanup = lock_cleanup,
	.explain = lock_explain,
};
