// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * shell.c - Shell Scripts: 1, 8 or 16 jobs at once, run by /bin/sh and the system's own tools.
 *
 * One iteration is a script that starts N jobs in the background and waits for all: 1 + 8 N
 * processes. The status of every job counts. The scripts are ours and lie with the input and all
 * that the jobs write in a directory of the copy's own; at the end one more job, not counted,
 * keeps its files, which are checked.
 */
#include "base/clock.h"
#include "workload/command.h"
#include "workload/files.h"
#include "workload/job.h"
#include "workload/resource_limits.h"
#include "workload/text.h"
#include "workload/tools.h"
#include "workload/work.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DIRECTORY "shell"
#define SHELL	  "/bin/sh"

/* Starts as many jobs as its argument says; fails when one of them fails. */
static const char multi_script[] = "jobs=\n"
				   "left=$1\n"
				   "while [ \"$left\" -gt 0 ]; do\n"
				   "	/bin/sh job.sh " JOB_INPUT " &\n"
				   "	jobs=\"$jobs $!\"\n"
				   "	left=$((left - 1))\n"
				   "done\n"
				   "for job in $jobs; do\n"
				   "	wait \"$job\" || exit 1\n"
				   "done\n";

#define JOB_STEPS                                                                                  \
	"set -e\n"                                                                                 \
	"sort <\"$1\" >" JOB_SORTED ".$$\n"                                                        \
	"od " JOB_SORTED ".$$ | sort -n -k 1 >" JOB_DUMP ".$$\n"                                   \
	"grep " JOB_NEEDLE " " JOB_SORTED ".$$ | tee " JOB_FOUND ".$$ | wc >" JOB_COUNTED ".$$\n"

static const char kept_script[] = JOB_STEPS;
static const char job_script[] =
	JOB_STEPS "rm " JOB_SORTED ".$$ " JOB_DUMP ".$$ " JOB_FOUND ".$$ " JOB_COUNTED ".$$\n";

/* The files of setup: input and three scripts. */
#define FILES 4

static const char *const shell_tools[] = { SHELL, JOB_TOOLS, NULL };

static int shell_setup(struct work *work)
{
	char *text = malloc(TEXT_BYTES);
	int rc;

	if (!text)
		return work_fail(work, -ENOMEM, "no memory");
	work->state = text;
	text_make(text, TEXT_BYTES, TEXT_LINES);
	rc = directory_enter(work, DIRECTORY);
	if (!rc)
		rc = file_write(work, JOB_INPUT, text, TEXT_BYTES);
	if (!rc)
		rc = file_write(work, "multi.sh", multi_script, strlen(multi_script));
	if (!rc)
		rc = file_write(work, "job.sh", job_script, strlen(job_script));
	if (!rc)
		rc = file_write(work, "kept.sh", kept_script, strlen(kept_script));
	return rc;
}

static int shell_loop(struct work *work, const char *jobs)
{
	const char *const argv[] = { SHELL, "multi.sh", jobs, NULL };
	const struct command command = { .argv = argv };
	uint64_t count = 0;
	int rc;

	while (!work_stopped(work)) {
		rc = command_run(work, &command, NULL);
		if (rc)
			return rc;
		work_publish(work, ++count, clock_raw_ns(), 0);
	}
	return 0;
}

static int shell1_loop(struct work *work)
{
	return shell_loop(work, "1");
}

static int shell8_loop(struct work *work)
{
	return shell_loop(work, "8");
}

static int shell16_loop(struct work *work)
{
	return shell_loop(work, "16");
}

static int shell_verify(const struct work *work)
{
	static const char *const argv[] = { SHELL, "kept.sh", JOB_INPUT, NULL };
	const struct command command = { .argv = argv };
	pid_t job;
	int rc;

	rc = directory_count();
	if (rc != FILES)
		return work_fail(work, -EBADMSG, "the jobs left %d files over", rc - FILES);
	rc = command_run(work, &command, &job);
	return rc ? rc : job_verify(work, job, work->state, TEXT_BYTES);
}

static void shell_cleanup(struct work *work)
{
	directory_leave(work, DIRECTORY);
	free(work->state);
}

static int shell_supported(const struct workload_request *request, uint32_t jobs,
			   struct reason *why)
{
	int rc = tools_missing(shell_tools, why);

	return rc ? rc : limits_processes(request->copies, JOB_PROCESSES(jobs), why);
}

static int shell1_supported(const struct workload_request *request, struct reason *why)
{
	return shell_supported(request, 1, why);
}

static int shell8_supported(const struct workload_request *request, struct reason *why)
{
	return shell_supported(request, 8, why);
}

static int shell16_supported(const struct workload_request *request, struct reason *why)
{
	return shell_supported(request, 16, why);
}

/* What all of them have in common. */
#define SHELL_SCRIPTS                                                                              \
	.unit = "lpm", .program = "shell", .file = "shell", .units_per_iteration = 60,             \
	.class = CLASS_SHELL, .rate = RATE_STAMPED, .classic_s = 60, .classic_passes = 3,          \
	.tools = shell_tools, .setup = shell_setup, .verify = shell_verify,                        \
	.cleanup = shell_cleanup

#define OWN_TOOLS                                                                                  \
	"depends on the system's sh, sort, od, grep, tee, wc and rm; the input is small, "         \
	"so it is a test of creating processes"

const struct workload workload_shell1 = {
	.id = "unixbench6/shell1@1",
	.title = "Shell Scripts (1 concurrent)",
	.help = "a script that runs one job: 9 processes",
	.note = OWN_TOOLS " (job1 brings its own tools)",
	.baseline = 42.4,
	.processes = JOB_PROCESSES(1),
	.supported = shell1_supported,
	.loop = shell1_loop,
	SHELL_SCRIPTS,
};

const struct workload workload_shell8 = {
	.id = "unixbench6/shell8@1",
	.title = "Shell Scripts (8 concurrent)",
	.help = "a script that runs 8 jobs at once: 65 processes",
	.note = OWN_TOOLS "; one copy already uses up to 8 CPUs (job8 brings its own tools)",
	.baseline = 6.0,
	.processes = JOB_PROCESSES(8),
	.supported = shell8_supported,
	.loop = shell8_loop,
	SHELL_SCRIPTS,
};

const struct workload workload_shell16 = {
	.id = "unixbench6/shell16@1",
	.title = "Shell Scripts (16 concurrent)",
	.help = "a script that runs 16 jobs at once: 129 processes",
	.note = OWN_TOOLS "; one copy already uses up to 16 CPUs",
	.processes = JOB_PROCESSES(16),
	.supported = shell16_supported,
	.loop = shell16_loop,
	SHELL_SCRIPTS,
};
