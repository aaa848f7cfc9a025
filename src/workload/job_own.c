// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * job_own.c - the job of the shell tests with tools of our own: nothing of the system's is measured
 * but the kernel, and the size of the input is a parameter.
 *
 * The processes are those of the shell tests: 1 + 8 N per iteration, each of them an exec.
 */
#include "base/clock.h"
#include "workload/command.h"
#include "workload/files.h"
#include "workload/job.h"
#include "workload/job_tool.h"
#include "workload/resource_limits.h"
#include "workload/text.h"
#include "workload/work.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define DIRECTORY "job"

enum { PARAM_KIB };

struct job_text {
	char *bytes;
	size_t count;
};

static int job_setup(struct work *work)
{
	struct job_text *text = calloc(1, sizeof(*text));
	int rc;

	if (!text)
		return work_fail(work, -ENOMEM, "no memory");
	work->state = text;
	if (access(JOB_SELF, X_OK))
		return work_fail(work, -errno, "%s is needed, is /proc mounted?", JOB_SELF);
	text->count = (size_t)work_param(work, PARAM_KIB) * 1024;
	text->bytes = malloc(text->count);
	if (!text->bytes)
		return work_fail(work, -ENOMEM, "no memory for %zu bytes", text->count);
	text_make(text->bytes, text->count, text->count * TEXT_LINES / TEXT_BYTES);
	rc = directory_enter(work, DIRECTORY);
	return rc ? rc : file_write(work, JOB_INPUT, text->bytes, text->count);
}

static int job_loop(struct work *work, const char *jobs)
{
	const char *const argv[] = { "multi", jobs, NULL };
	const struct command command = { .argv = argv, .path = JOB_SELF };
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

static int job1_loop(struct work *work)
{
	return job_loop(work, "1");
}

static int job8_loop(struct work *work)
{
	return job_loop(work, "8");
}

static int job_own_verify(const struct work *work)
{
	static const char *const argv[] = { "job", "keep", NULL };
	const struct command command = { .argv = argv, .path = JOB_SELF };
	const struct job_text *text = work->state;
	pid_t job;
	int rc;

	rc = directory_count();
	if (rc != 1)
		return work_fail(work, -EBADMSG, "the jobs left %d files over", rc - 1);
	rc = command_run(work, &command, &job);
	return rc ? rc : job_verify(work, job, text->bytes, text->count);
}

static void job_cleanup(struct work *work)
{
	struct job_text *text = work->state;

	directory_leave(work, DIRECTORY);
	if (text)
		free(text->bytes);
	free(text);
}

static int job1_supported(const struct workload_request *request, struct reason *why)
{
	return limits_processes(request->copies, JOB_PROCESSES(1), why);
}

static int job8_supported(const struct workload_request *request, struct reason *why)
{
	return limits_processes(request->copies, JOB_PROCESSES(8), why);
}

static const struct workload_param job_params[] = {
	{ "kib", "size of the text", "KiB", 8, 1, 16384 },
	{ NULL },
};

/* What both have in common. */
#define JOB                                                                                        \
	.unit = "lpm", .program = "tool", .file = "job_own", .units_per_iteration = 60,            \
	.class = CLASS_SHELL, .rate = RATE_STAMPED, .params = job_params, .setup = job_setup,      \
	.verify = job_own_verify, .cleanup = job_cleanup

const struct workload workload_job1 = {
	.id = "onproc/job1@1",
	.title = "Script job, own tools (1 concurrent)",
	.help = "one job of sort, od, grep, tee, wc and rm of our own: 9 processes",
	.processes = JOB_PROCESSES(1),
	.supported = job1_supported,
	.loop = job1_loop,
	JOB,
};

const struct workload workload_job8 = {
	.id = "onproc/job8@1",
	.title = "Script jobs, own tools (8 concurrent)",
	.help = "8 jobs at once of sort, od, grep, tee, wc and rm of our own: 65 processes",
	.processes = JOB_PROCESSES(8),
	.supported = job8_supported,
	.loop = job8_loop,
	JOB,
};
