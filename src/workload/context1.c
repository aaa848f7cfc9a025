// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * context1.c - Pipe-based Context Switching: 8 bytes go to and fro between two processes.
 *
 * One iteration is four system calls: write and read of the copy, read and write of its partner.
 * With both on one CPU they are two context switches, else two wake-ups across CPUs, up to 20 times
 * slower: where they ran is counted in the line, and the pinned forms leave no choice.
 *
 * A token is the number of the iteration, checked by both sides; on its way back it has the
 * partner's CPU in its upper 16 bits: so the placement is known without another shared word or
 * system call. The partner ends when the copy closes its pipe, or with SIGKILL when the copy dies.
 */
#include "workload/child.h"
#include "workload/placement.h"
#include "workload/resource_limits.h"
#include "workload/work.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define TOKEN_CPU_SHIFT 48
#define TOKEN_NUMBER	((1ull << TOKEN_CPU_SHIFT) - 1)

struct context {
	int to, from; /* pipe ends of the copy */
	pid_t partner;
};

/* How the partner ended, as its exit status. */
enum partner_end {
	PARTNER_DONE = 0, /* the copy closed the pipe */
	PARTNER_NOT_PINNED = 10,
	PARTNER_SHORT_READ,
	PARTNER_WRONG_TOKEN,
	PARTNER_SHORT_WRITE,
};

static uint64_t token_make(uint64_t number)
{
	return (number & TOKEN_NUMBER) | (uint64_t)placement_cpu() << TOKEN_CPU_SHIFT;
}

static bool token_is(uint64_t token, uint64_t number)
{
	return (token & TOKEN_NUMBER) == (number & TOKEN_NUMBER);
}

static int party_pin(const struct work *work, int party)
{
	int cpu = work->line->cpu[party];
	size_t bytes = CPU_ALLOC_SIZE(cpu + 1);
	cpu_set_t *set;
	int rc = 0;

	if (cpu < 0)
		return work->workload->pair == PAIR_FREE ? 0 : -EINVAL;
	set = CPU_ALLOC(cpu + 1);
	if (!set)
		return -ENOMEM;
	CPU_ZERO_S(bytes, set);
	CPU_SET_S(cpu, bytes, set);
	if (sched_setaffinity(0, bytes, set))
		rc = -errno;
	CPU_FREE(set);
	return rc;
}

static enum partner_end partner_run(const struct work *work, int to, int from)
{
	uint64_t token, number = 0;
	ssize_t got;

	if (party_pin(work, 1))
		return PARTNER_NOT_PINNED;
	for (;; number++) {
		got = read(from, &token, sizeof(token));
		if (got == 0)
			return PARTNER_DONE;
		if (got != sizeof(token))
			return PARTNER_SHORT_READ;
		if (!token_is(token, number))
			return PARTNER_WRONG_TOKEN;
		token = token_make(number);
		if (write(to, &token, sizeof(token)) != sizeof(token))
			return PARTNER_SHORT_WRITE;
	}
}

/* Closes the pipes, so that the partner ends, and says how it ended. */
static int partner_end(const struct work *work)
{
	struct context *context = work->state;
	char end[64];
	int status, rc;

	close(context->to);
	close(context->from);
	rc = child_wait(context->partner, &status);
	context->partner = 0;
	if (rc)
		return work_fail(work, rc, "wait for the partner: %s", strerror(-rc));
	if (!WIFEXITED(status))
		return work_fail(work, -ECHILD, "the partner %s",
				 child_end(status, end, sizeof(end)));
	switch (WEXITSTATUS(status)) {
	case PARTNER_DONE:
		return 0;
	case PARTNER_NOT_PINNED:
		return work_fail(work, -EINVAL, "CPU %d was refused to the partner",
				 work->line->cpu[1]);
	case PARTNER_WRONG_TOKEN:
		return work_fail(work, -EBADMSG, "the partner got a token out of order");
	case PARTNER_SHORT_READ:
	case PARTNER_SHORT_WRITE:
		return work_fail(work, -EBADMSG, "the partner's pipe moved less than 8 bytes");
	default:
		return work_fail(work, -ECHILD, "the partner %s",
				 child_end(status, end, sizeof(end)));
	}
}

static int context1_setup(struct work *work)
{
	struct context *context = calloc(1, sizeof(*context));
	pid_t self = getpid();
	int out[2], back[2], rc;

	if (!context)
		return work_fail(work, -ENOMEM, "no memory");
	work->state = context;
	rc = party_pin(work, 0);
	if (rc == -EINVAL && work->line->cpu[0] < 0)
		return work_fail(work, rc, "no CPUs were chosen for the two parties");
	if (rc)
		return work_fail(work, rc, "pin to CPU %d: %s", work->line->cpu[0], strerror(-rc));
	signal(SIGPIPE, SIG_IGN); /* a partner that has ended is found by write(2) */
	if (pipe2(out, O_CLOEXEC) || pipe2(back, O_CLOEXEC))
		return work_fail(work, -errno, "pipe: %s", strerror(errno));
	context->partner = fork();
	if (context->partner < 0) {
		context->partner = 0;
		return work_fail(work, -errno, "fork: %s", child_fork_advice(errno));
	}
	if (context->partner == 0) {
		child_bind(self);
		close(out[1]);
		close(back[0]);
		_exit(partner_run(work, back[1], out[0]));
	}
	close(out[0]);
	close(back[1]);
	context->to = out[1];
	context->from = back[0];
	return 0;
}

/* A call that moved less than a token: the partner's own reason if it has one. */
static int context1_failed(const struct work *work, const char *call, ssize_t got, int code)
{
	int rc = partner_end(work);

	if (rc)
		return rc;
	if (got < 0)
		return work_fail(work, -code, "%s: %s", call, strerror(code));
	return work_fail(work, -EBADMSG, "%s of 8 bytes moved %zd", call, got);
}

static int context1_loop(struct work *work)
{
	struct page_line *line = work->line;
	const struct context context = *(const struct context *)work->state;
	uint64_t token, here, there, number = 0, same_cpu = 0, cross_cpu = 0;
	ssize_t got;

	while (!work_stopped(work)) {
		token = number & TOKEN_NUMBER;
		got = write(context.to, &token, sizeof(token));
		if (got != sizeof(token))
			return context1_failed(work, "write", got, errno);
		got = read(context.from, &token, sizeof(token));
		if (got != sizeof(token))
			return context1_failed(work, "read", got, errno);
		if (!token_is(token, number))
			return work_fail(work, -EBADMSG, "got token %llu where %llu was due",
					 (unsigned long long)(token & TOKEN_NUMBER),
					 (unsigned long long)number);
		number++;
		here = placement_cpu();
		there = token >> TOKEN_CPU_SHIFT;
		if (here != PLACEMENT_UNKNOWN && there != PLACEMENT_UNKNOWN) {
			if (here == there)
				atomic_store_explicit(&line->same_cpu, ++same_cpu,
						      memory_order_relaxed);
			else
				atomic_store_explicit(&line->cross_cpu, ++cross_cpu,
						      memory_order_relaxed);
		}
		work_count(work, number);
	}
	return 0;
}

static int context1_verify(const struct work *work)
{
	return partner_end(work);
}

static void context1_cleanup(struct work *work)
{
	struct context *context = work->state;

	if (context && context->partner)
		child_kill(context->partner);
	free(context);
}

static int context1_supported(const struct workload_request *request, struct reason *why)
{
	return limits_processes(request->copies, 2, why);
}

/* What all forms have in common. */
#define CONTEXT1                                                                                   \
	.unit = "lps", .program = "ipc", .file = "context1", .units_per_iteration = 1,             \
	.class = CLASS_IPC, .rate = RATE_COUNTED, .processes = 2, .supported = context1_supported, \
	.setup = context1_setup, .loop = context1_loop, .verify = context1_verify,                 \
	.cleanup = context1_cleanup

const struct workload workload_context1 = {
	.id = "unixbench6/context1@1",
	.title = "Pipe-based Context Switching",
	.help = "8 bytes to another process and back, through two pipes",
	.note = "the scheduler places the two processes: on one CPU it is up to 20 times faster "
		"than "
		"on two (context1-same and context1-cross leave no choice)",
	.baseline = 4000.0,
	.classic_s = 10,
	.classic_passes = 10,
	CONTEXT1,
};

const struct workload workload_context1_same = {
	.id = "onproc/context1-same@1",
	.title = "Context Switching, one CPU",
	.help = "8 bytes to another process on the same CPU and back",
	.pair = PAIR_SAME_CPU,
	CONTEXT1,
};

const struct workload workload_context1_cross = {
	.id = "onproc/context1-cross@1",
	.title = "Context Switching, two cores",
	.help = "8 bytes to another process on another core and back",
	.pair = PAIR_CROSS_CPU,
	CONTEXT1,
};

const struct workload workload_context1_smt = {
	.id = "onproc/context1-smt@1",
	.title = "Context Switching, threads of one core",
	.help = "8 bytes to another process on the other hardware thread of the core and back",
	.pair = PAIR_SMT,
	CONTEXT1,
};

const struct workload workload_context1_node = {
	.id = "onproc/context1-node@1",
	.title = "Context Switching, two NUMA nodes",
	.help = "8 bytes to another process on another NUMA node and back",
	.pair = PAIR_NODE,
	CONTEXT1,
};
