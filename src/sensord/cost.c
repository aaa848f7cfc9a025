// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cost.c - see cost.h.
 *
 * The kernel's own account of run times (bpf_stats) includes reading its clock twice, so a program
 * that does nothing runs at the same switches and its time is taken off. That leaves out what the
 * program costs around itself; so the whole is measured too: rounds with and without the program
 * in turn, the first of a pair drawn.
 */
#include "sensord/cost.h"

#include "base/clock.h"
#include "base/rng.h"
#include "base/signals.h"
#include "sensor/sched_module.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define TRIPS 5000u /* of a round; two switches each */
#define ALPHA 0.05

struct ends {
	int to[2], from[2];
	pid_t thread; /* of the echo, once it runs */
	pthread_t pthread;
	cpu_set_t before;
};

static void *echo(void *context)
{
	struct ends *ends = context;
	char byte = 0;

	__atomic_store_n(&ends->thread, (pid_t)syscall(SYS_gettid), __ATOMIC_RELEASE);
	do {
		if (write(ends->from[1], &byte, 1) != 1)
			break;
	} while (read(ends->to[0], &byte, 1) == 1);
	return NULL;
}

/* Both on one CPU, so that each byte is a switch. A thread inherits where its maker may run. */
static int ends_open(struct ends *ends, struct error *err)
{
	cpu_set_t one;
	int cpu = sched_getcpu();
	char byte;
	int rc;

	*ends = (struct ends){ { -1, -1 }, { -1, -1 }, 0, 0, { { 0 } } };
	CPU_ZERO(&one);
	CPU_SET(cpu < 0 ? 0 : (size_t)cpu, &one);
	if (pipe(ends->to) || pipe(ends->from))
		return error_errno(err, -errno, "a pipe");
	if (sched_getaffinity(0, sizeof(ends->before), &ends->before) ||
	    sched_setaffinity(0, sizeof(one), &one))
		return error_errno(err, -errno, "staying on one CPU");
	rc = pthread_create(&ends->pthread, NULL, echo, ends);
	if (rc)
		return error_errno(err, -rc, "a thread");
	if (read(ends->from[0], &byte, 1) != 1)
		return error_errno(err, -errno, "a pipe");
	return 0;
}

static void ends_close(struct ends *ends)
{
	int *all[] = { &ends->to[1], &ends->from[0], &ends->to[0], &ends->from[1] };

	if (ends->pthread)
		sched_setaffinity(0, sizeof(ends->before), &ends->before);
	for (size_t i = 0; i < 4; i++) {
		/* the echo ends when nobody can write to it any more; then its own ends close */
		if (i == 2 && ends->pthread)
			pthread_join(ends->pthread, NULL);
		if (*all[i] >= 0)
			close(*all[i]);
	}
}

/* ns per switch of a round, or negative. */
static double round_ns(const struct ends *ends)
{
	uint64_t start = clock_raw_ns();
	char byte = 0;

	for (uint32_t trip = 0; trip < TRIPS; trip++) {
		if (write(ends->to[1], &byte, 1) != 1 || read(ends->from[0], &byte, 1) != 1)
			return -1;
	}
	return (double)(clock_raw_ns() - start) / (2.0 * TRIPS);
}

static int load(const struct sched_module *module, bool with_empty, struct sched_program **program,
		struct error *err)
{
	struct sched_why why = { "" };
	int rc = module->load(1, with_empty, program, &why);

	return rc ? error_set(err, rc, "%s", why.text) : 0;
}

static int watch_both(const struct sched_module *module, struct sched_program *program,
		      const struct ends *ends, struct error *err)
{
	uint32_t client;
	int map_fd, rc;

	rc = module->client_begins(program, getpid(), &client, &map_fd);
	if (rc)
		return error_errno(err, rc, "a map for the states");
	close(map_fd);
	rc = module->thread_begins(program, client, (pid_t)syscall(SYS_gettid), 0);
	if (!rc)
		rc = module->thread_begins(program, client, ends->thread, 1);
	return rc ? error_errno(err, rc, "watching the threads") : 0;
}

struct account {
	uint64_t runs, ns;
};

static int read_accounts(const struct sched_module *module, struct sched_program *program,
			 struct account accounts[2])
{
	int rc = module->measured(program, SCHED_SENSOR, &accounts[0].runs, &accounts[0].ns);

	return rc ? rc : module->measured(program, SCHED_EMPTY, &accounts[1].runs, &accounts[1].ns);
}

static double per_run(const struct account *before, const struct account *after)
{
	return (double)(after->ns - before->ns) / (double)(after->runs - before->runs);
}

/* One round by the kernel's account: ns per run of the sensor, and of the empty program. */
static int account_round(const struct sched_module *module, struct sched_program *program,
			 const struct ends *ends, double *sensor_ns, double *empty_ns,
			 struct error *err)
{
	struct account before[2], after[2];
	int rc = read_accounts(module, program, before);

	if (!rc && round_ns(ends) < 0)
		rc = -EPIPE;
	if (!rc)
		rc = read_accounts(module, program, after);
	if (rc)
		return error_errno(err, rc, "reading the accounts");
	if (after[0].runs == before[0].runs || after[1].runs == before[1].runs)
		return error_set(err, -ENODATA, "the kernel counted no run of the program");
	*sensor_ns = per_run(&before[0], &after[0]);
	*empty_ns = per_run(&before[1], &after[1]);
	return signal_stop ? error_set(err, -EINTR, "interrupted") : 0;
}

static int measure_accounts(const struct sched_module *module, const struct ends *ends,
			    double *values[3], uint32_t rounds, struct error *err)
{
	struct sched_program *program;
	struct sched_why why = { "" };
	int rc = load(module, true, &program, err);

	if (rc)
		return rc;
	rc = module->measure(program, &why);
	if (rc)
		error_set(err, rc, "%s", why.text);
	for (uint32_t i = 0; !rc && i < rounds; i++) {
		double empty = 0, sensor = 0;

		rc = account_round(module, program, ends, &sensor, &empty, err);
		values[2][i] = sensor - empty;
	}
	if (!rc)
		rc = watch_both(module, program, ends, err);
	for (uint32_t i = 0; !rc && i < rounds; i++) {
		double sensor = 0;

		rc = account_round(module, program, ends, &sensor, &values[0][i], err);
		values[1][i] = sensor - values[0][i];
	}
	module->unload(program);
	return rc;
}

static int whole_round(const struct sched_module *module, const struct ends *ends, bool with,
		       double *ns, struct error *err)
{
	struct sched_program *program = NULL;
	int rc = 0;

	if (with) {
		rc = load(module, false, &program, err);
		if (!rc)
			rc = watch_both(module, program, ends, err);
	}
	if (!rc)
		*ns = round_ns(ends);
	module->unload(program);
	if (!rc && signal_stop)
		rc = error_set(err, -EINTR, "interrupted");
	return rc;
}

static int measure_whole(const struct sched_module *module, const struct ends *ends,
			 double *difference, uint32_t rounds, struct error *err)
{
	struct rng rng = { clock_raw_ns() };
	int rc = 0;

	for (uint32_t i = 0; !rc && i < rounds; i++) {
		bool with_first = rng_next(&rng) >> 63;
		double ns[2] = { 0 }; /* without, with */

		rc = whole_round(module, ends, with_first, &ns[with_first], err);
		if (!rc)
			rc = whole_round(module, ends, !with_first, &ns[!with_first], err);
		difference[i] = ns[1] - ns[0];
	}
	return rc;
}

static int estimate_all(double *values[4], uint32_t rounds, struct sensor_cost *cost,
			struct error *err)
{
	struct estimate *estimates[] = { &cost->empty, &cost->watched, &cost->others,
					 &cost->whole };
	int rc = 0;

	for (size_t i = 0; !rc && i < 4; i++)
		rc = estimate_hl(values[i], rounds, ALPHA, estimates[i]);
	return rc ? error_errno(err, rc, "the estimates") : 0;
}

int sensor_cost_measure(const struct sched_module *module, uint32_t rounds,
			struct sensor_cost *cost, struct error *err)
{
	double *memory = calloc(4 * (size_t)rounds, sizeof(*memory));
	struct ends ends;
	double *values[4];
	int rc;

	if (!memory)
		return error_set(err, -ENOMEM, "no memory for the rounds");
	for (size_t i = 0; i < 4; i++)
		values[i] = memory + i * rounds;
	*cost = (struct sensor_cost){ .rounds = rounds, .switches = 2 * TRIPS };
	rc = ends_open(&ends, err);
	if (!rc)
		rc = measure_accounts(module, &ends, values, rounds, err);
	if (!rc)
		rc = measure_whole(module, &ends, values[3], rounds, err);
	if (!rc)
		rc = estimate_all(values, rounds, cost, err);
	ends_close(&ends);
	free(memory);
	return rc;
}
