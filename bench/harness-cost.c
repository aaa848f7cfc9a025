// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * harness-cost.c - what does being measured cost a test?
 *
 * Side A: a slot of the harness (warden, shared page, sweeps of the window). Side B: the same
 * program file, started bare, timing itself. Pieces of 50 ms in blocks ABBA or BAAB, drawn afresh,
 * all on one pinned CPU; looks by alpha spending until the verdict is "same" within the margin, or
 * anything else, or the time is over: then the interval is printed as not decided.
 *
 * --plant takes 1 % of the CPU away while the harness measures, as a harness that costs 1 % would:
 * the benchmark must find it.
 */
#include "base/clock.h"
#include "base/error.h"
#include "base/rng.h"
#include "base/signals.h"
#include "measure/programs.h"
#include "measure/slot.h"
#include "measure/warden.h"
#include "stats/looks.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define PIECE_NS	(50 * NS_PER_MS)
#define WARMUP_NS	(10 * NS_PER_MS)
#define MARGIN		0.005
#define ALPHA		0.05
#define BLOCKS		2000
#define SUBJECTS_MAX	8
/* What --plant takes: 100 µs of every 10 ms. */
#define PLANT_BUSY_NS	(NS_PER_MS / 10)
#define PLANT_PERIOD_NS (10 * NS_PER_MS)

extern char **environ;

struct subject {
	const struct workload *workload;
	double d[BLOCKS]; /* ln(bare / harness) of each block */
	size_t blocks;
	unsigned int look;
	struct look_result result;
	bool ended;
};

struct settings {
	char program_dir[PATH_MAX];
	const char *dir;
	int cpu;
	bool plant;
};

/* Burns its share of the CPU at real-time priority until it is killed. */
static pid_t plant_start(const struct settings *settings)
{
	const struct sched_param high = { .sched_priority = 2 };
	pid_t child = fork();
	cpu_set_t one;

	if (child)
		return child;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	CPU_ZERO(&one);
	CPU_SET((size_t)settings->cpu, &one);
	sched_setaffinity(0, sizeof(one), &one);
	sched_setscheduler(0, SCHED_FIFO, &high);
	for (uint64_t next_ns = clock_raw_ns();; next_ns += PLANT_PERIOD_NS) {
		while (clock_raw_ns() < next_ns + PLANT_BUSY_NS)
			;
		clock_sleep_until(next_ns + PLANT_PERIOD_NS);
	}
}

static int harness_piece(const struct settings *settings, const struct workload *workload,
			 double *rate, struct error *err)
{
	const struct slot_request request = {
		.workload = workload,
		.copies = 1,
		.slot_ns = PIECE_NS,
		.warmup_ns = WARMUP_NS,
		.cpu = &settings->cpu,
		.dir = settings->dir,
		.program_dir = settings->program_dir,
	};
	pid_t plant = settings->plant ? plant_start(settings) : 0;
	struct slot_result result;
	int rc = slot_run(&request, &result, err);

	if (plant > 0) {
		kill(plant, SIGKILL);
		waitpid(plant, NULL, 0); /* the end of the slot may have reaped it already */
	}
	if (rc)
		return rc;
	*rate = result.rate;
	free(result.counts);
	return 0;
}

/* "COUNT NS" of the program's bare form. */
static int bare_piece(const struct settings *settings, const struct workload *workload,
		      double *rate, struct error *err)
{
	char program[PATH_MAX], name[64], piece_ms[16], warmup_ms[16], line[64] = "";
	char *argv[] = { program, name, (char[]){ "--bare" }, piece_ms, warmup_ms, NULL };
	posix_spawn_file_actions_t actions;
	unsigned long long count, ns;
	char *end;
	int out[2], status, rc;
	pid_t pid;

	rc = program_path(settings->program_dir, workload, program, sizeof(program), err);
	if (rc)
		return rc;
	workload_name(workload, name, sizeof(name));
	snprintf(piece_ms, sizeof(piece_ms), "%llu", PIECE_NS / NS_PER_MS);
	snprintf(warmup_ms, sizeof(warmup_ms), "%llu", WARMUP_NS / NS_PER_MS);
	if (pipe(out))
		return error_errno(err, -errno, "a pipe");
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, out[1], 1);
	posix_spawn_file_actions_addclose(&actions, out[0]);
	posix_spawn_file_actions_addclose(&actions, out[1]);
	rc = -posix_spawn(&pid, program, &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(out[1]);
	if (!rc) {
		ssize_t got = read(out[0], line, sizeof(line) - 1);

		line[got > 0 ? got : 0] = 0;
		waitpid(pid, &status, 0);
	}
	close(out[0]);
	if (rc)
		return error_errno(err, rc, "%s", program);
	count = strtoull(line, &end, 10);
	ns = strtoull(end, NULL, 10);
	if (!count || !ns)
		return error_set(err, -EPROTO, "%s printed \"%s\"", program, line);
	*rate = (double)count * workload->units_per_iteration * (double)NS_PER_S / (double)ns;
	return 0;
}

static int block_measure(const struct settings *settings, struct subject *subject, struct rng *rng,
			 struct error *err)
{
	bool bare_first = rng_next(rng) >> 63;
	double sum = 0;

	for (int i = 0; i < 4; i++) {
		bool bare = (i == 1 || i == 2) != bare_first;
		double rate = 0;
		int rc;

		if (signal_stop)
			return error_set(err, -EINTR, "interrupted");
		rc = (bare ? bare_piece : harness_piece)(settings, subject->workload, &rate, err);
		if (rc)
			return rc;
		sum += bare ? log(rate) : -log(rate);
	}
	subject->d[subject->blocks++] = sum / 2;
	return 0;
}

static int subject_look(struct subject *subject)
{
	struct look look;
	int rc = look_get(subject->look, ALPHA, &look);

	if (rc || subject->blocks < look.n)
		return rc;
	rc = look_at(&look, subject->d, subject->blocks, log1p(MARGIN), 0, &subject->result);
	if (rc)
		return rc;
	subject->look++;
	/* A trivial difference is still within the margin, as "same" would be. */
	subject->ended = subject->result.decision.verdict != VERDICT_INCONCLUSIVE;
	return 0;
}

static void subject_print(const struct subject *subject)
{
	const struct estimate *estimate = &subject->result.log_ratio;
	char name[64];

	printf("%-12s", workload_name(subject->workload, name, sizeof(name)));
	if (subject->look < 2) {
		printf(" not decided: %zu blocks are too few for a look\n", subject->blocks);
		return;
	}
	printf(" harness/bare %+.3f %% [%+.3f, %+.3f] at %.2f %%, %zu blocks: %s%s\n",
	       100 * expm1(-estimate->value), 100 * expm1(-estimate->hi),
	       100 * expm1(-estimate->lo), 100 * estimate->level, estimate->n,
	       subject->ended ? verdict_name(subject->result.decision.verdict) : "not decided",
	       subject->ended && subject->result.decision.trivial   ? " (bare), within the margin"
	       : subject->result.decision.verdict == VERDICT_BETTER ? " (bare)"
								    : "");
}

/* The last CPU that we may use: the first takes most interrupts. */
static int cpu_choose(void)
{
	cpu_set_t allowed;

	CPU_ZERO(&allowed);
	sched_getaffinity(0, sizeof(allowed), &allowed);
	for (int cpu = CPU_SETSIZE; cpu-- > 0;) {
		if (CPU_ISSET((size_t)cpu, &allowed))
			return cpu;
	}
	return 0;
}

/* Bare pieces inherit this; slots pin their copy themselves. */
static void pin_to(int cpu)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET((size_t)cpu, &one);
	sched_setaffinity(0, sizeof(one), &one);
}

static int measure(struct settings *settings, struct subject *subjects, size_t count,
		   uint64_t budget_ns, uint64_t seed, struct error *err)
{
	uint64_t end_ns = clock_raw_ns() + budget_ns;
	struct rng rng = { seed };
	bool open = true;

	while (open && clock_raw_ns() < end_ns) {
		open = false;
		for (size_t i = 0; i < count; i++) {
			int rc;

			if (subjects[i].ended || subjects[i].blocks == BLOCKS)
				continue;
			open = true;
			rc = block_measure(settings, &subjects[i], &rng, err);
			if (!rc)
				rc = subject_look(&subjects[i]);
			if (rc)
				return rc;
		}
	}
	return 0;
}

int main(int argc, char **argv)
{
	static const char *const usual[] = { "dhry2reg", "syscall", "pipe" };
	struct subject subjects[SUBJECTS_MAX] = { 0 };
	const char *tests[SUBJECTS_MAX];
	size_t count = 0;
	struct settings settings = { .dir = getenv("TMPDIR") ? getenv("TMPDIR") : "/var/tmp" };
	uint64_t seed = clock_raw_ns(), budget_ns = 300 * NS_PER_S;
	struct error err = { 0 };
	int rc;

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--plant")) {
			settings.plant = true;
		} else if (!strcmp(argv[i], "--seconds") && i + 1 < argc) {
			budget_ns = strtoull(argv[++i], NULL, 10) * NS_PER_S;
		} else if (!strcmp(argv[i], "--seed") && i + 1 < argc) {
			seed = strtoull(argv[++i], NULL, 10);
		} else if (argv[i][0] != '-' && count < SUBJECTS_MAX) {
			tests[count++] = argv[i];
		} else {
			fprintf(stderr,
				"usage: harness-cost [--plant] [--seconds N] [--seed N] [TEST…]\n");
			return 129;
		}
	}
	if (!count) {
		memcpy(tests, usual, sizeof(usual));
		count = sizeof(usual) / sizeof(usual[0]);
	}
	signals_install();
	rc = programs_find(settings.program_dir, sizeof(settings.program_dir), &err);
	if (!rc)
		rc = warden_prepare(&err);
	if (rc)
		goto out;
	settings.cpu = cpu_choose();
	pin_to(settings.cpu);
	for (size_t i = 0; i < count; i++) {
		subjects[i].workload = workload_find(tests[i]);
		subjects[i].look = 1;
		if (!subjects[i].workload) {
			rc = error_set(&err, -ENOENT, "%s: no such test", tests[i]);
			goto out;
		}
	}
	printf("blocks of four 50 ms pieces, CPU %d, margin %.1f %%, seed %llu%s\n", settings.cpu,
	       100 * MARGIN, (unsigned long long)seed,
	       settings.plant ? ", 1 % planted into the harness" : "");
	rc = measure(&settings, subjects, count, budget_ns, seed, &err);
	for (size_t i = 0; i < count; i++)
		subject_print(&subjects[i]);
out:
	if (rc)
		fprintf(stderr, "harness-cost: %s\n", err.text);
	return rc == -EINTR ? 130 : rc ? 128 : 0;
}
