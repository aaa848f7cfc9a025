// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * spawn.c - Process Creation: fork, the child exits at once, the parent waits for it.
 *
 * spawn goes through libc on both sides, as UnixBench does: fork(3) with its handlers, exit(3) with
 * stdio and atexit. spawn-direct asks the kernel alone: clone and exit_group.
 */
#include "base/clock.h"
#include "workload/child.h"
#include "workload/resource_limits.h"
#include "workload/work.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int spawn_failed(const struct work *work, int status)
{
	char end[64];

	return work_fail(work, -ECHILD, "the child %s", child_end(status, end, sizeof(end)));
}

static int spawn_loop(struct work *work)
{
	uint64_t count = 0;
	int status;
	pid_t child;

	while (!work_stopped(work)) {
		child = fork();
		if (child == 0)
			exit(0);
		if (child < 0)
			return work_fail(work, -errno, "fork: %s", child_fork_advice(errno));
		if (wait(&status) != child)
			return work_fail(work, -ECHILD, "wait found another child or none");
		if (status)
			return spawn_failed(work, status);
		work_publish(work, ++count, clock_raw_ns(), 0);
	}
	return 0;
}

static int spawn_direct_loop(struct work *work)
{
	uint64_t count = 0;
	int status;
	long child;

	while (!work_stopped(work)) {
		child = syscall(SYS_clone, (unsigned long)SIGCHLD, 0ul, 0ul, 0ul, 0ul);
		if (child == 0) {
			for (;;)
				syscall(SYS_exit_group, 0);
		}
		if (child < 0)
			return work_fail(work, -errno, "clone: %s", child_fork_advice(errno));
		if (wait4(-1, &status, 0, NULL) != child)
			return work_fail(work, -ECHILD, "wait4 found another child or none");
		if (status)
			return spawn_failed(work, status);
		work_publish(work, ++count, clock_raw_ns(), 0);
	}
	return 0;
}

/* No child is left that was not waited for. */
static int spawn_verify(const struct work *work)
{
	if (waitpid(-1, NULL, WNOHANG) != -1 || errno != ECHILD)
		return work_fail(work, -EBADMSG, "a child was not waited for");
	return 0;
}

static int spawn_supported(const struct workload_request *request, struct reason *why)
{
	return limits_processes(request->copies, 2, why);
}

const struct workload workload_spawn = {
	.id = "unixbench6/spawn@1",
	.title = "Process Creation",
	.help = "fork a child that exits, and wait for it",
	.unit = "lps",
	.program = "spawn",
	.file = "spawn",
	.note = "depends on the C library (fork and exit run its handlers; spawn-direct does not), "
		"and "
		"is up to 3 times faster when the child is placed well",
	.baseline = 126.0,
	.units_per_iteration = 1,
	.class = CLASS_EXEC,
	.rate = RATE_STAMPED,
	.processes = 2,
	.classic_s = 30,
	.classic_passes = 3,
	.supported = spawn_supported,
	.loop = spawn_loop,
	.verify = spawn_verify,
};

const struct workload workload_spawn_direct = {
	.id = "onproc/spawn-direct@1",
	.title = "Process Creation, without libc",
	.help = "clone a child that exits, and wait for it, by system calls alone",
	.unit = "lps",
	.program = "spawn",
	.file = "spawn",
	.units_per_iteration = 1,
	.class = CLASS_EXEC,
	.rate = RATE_STAMPED,
	.processes = 2,
	.supported = spawn_supported,
	.loop = spawn_direct_loop,
	.verify = spawn_verify,
};
