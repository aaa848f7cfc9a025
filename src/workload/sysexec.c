// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sysexec.c - Exec System Call Overhead: fork, the child becomes /bin/true, the parent waits for
 * it.
 */
#include "base/clock.h"
#include "workload/child.h"
#include "workload/resource_limits.h"
#include "workload/tools.h"
#include "workload/work.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define EXEC_FAILED 127

static const char program[] = "/bin/true";
static const char *const sysexec_tools[] = { program, NULL };

static int sysexec_loop(struct work *work)
{
	uint64_t count = 0;
	char end[64];
	int status, rc;
	pid_t child;

	while (!work_stopped(work)) {
		child = fork();
		if (child == 0) {
			execl(program, program, (char *)NULL);
			_exit(EXEC_FAILED);
		}
		if (child < 0)
			return work_fail(work, -errno, "fork: %s", child_fork_advice(errno));
		rc = child_wait(child, &status);
		if (rc)
			return work_fail(work, rc, "wait: %s", strerror(-rc));
		if (status)
			return work_fail(work, -ECHILD, "%s %s", program,
					 child_end(status, end, sizeof(end)));
		work_publish(work, ++count, clock_raw_ns(), 0);
	}
	return 0;
}

static int sysexec_supported(const struct workload_request *request, struct reason *why)
{
	int rc = tools_missing(sysexec_tools, why);

	return rc ? rc : limits_processes(request->copies, 2, why);
}

const struct workload workload_sysexec = {
	.id = "unixbench6/sysexec@1",
	.title = "Exec System Call Overhead",
	.help = "fork a child that becomes /bin/true, and wait for it",
	.unit = "lps",
	.program = "syscall",
	.file = "sysexec",
	.baseline = 25.0,
	.units_per_iteration = 1,
	.class = CLASS_EXEC,
	.rate = RATE_STAMPED,
	.processes = 2,
	.classic_s = 10,
	.classic_passes = 10,
	.tools = sysexec_tools,
	.supported = sysexec_supported,
	.loop = sysexec_loop,
};
