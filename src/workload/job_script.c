// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * job_script.c - runs the fixed script of the job, and several such jobs at once.
 *
 * Every word of the script that starts with @ is the name of a file that gets the job's process id
 * behind a point. A line ends with a command that is not piped into the next.
 */
#include "workload/child.h"
#include "workload/job.h"
#include "workload/job_tool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORDS	   6 /* of a command, with the NULL behind it */
#define NAME_BYTES 32
#define PIPELINE   3
#define JOBS_MAX   1024
#define EXIT_EXEC  127

struct step {
	const char *word[WORDS];
	const char *in, *out;
	bool piped;
};

static const struct step script[] = {
	{ .word = { "sort" }, .in = JOB_INPUT, .out = "@" JOB_SORTED },
	{ .word = { "od", "@" JOB_SORTED }, .piped = true },
	{ .word = { "sort", "-n" }, .out = "@" JOB_DUMP },
	{ .word = { "grep", JOB_NEEDLE, "@" JOB_SORTED }, .piped = true },
	{ .word = { "tee", "@" JOB_FOUND }, .piped = true },
	{ .word = { "wc" }, .out = "@" JOB_COUNTED },
	{ .word = { "rm", "@" JOB_SORTED, "@" JOB_DUMP, "@" JOB_FOUND, "@" JOB_COUNTED } },
};

#define STEPS (sizeof(script) / sizeof(script[0]))

/* A word as the command gets it; name is where a file's name is made. */
static const char *expand(const char *word, pid_t job, char *name)
{
	if (word[0] != '@')
		return word;
	snprintf(name, NAME_BYTES, "%s.%d", word + 1, (int)job);
	return name;
}

static void redirect(int fd, int to)
{
	if (fd < 0 || (fd != to && (dup2(fd, to) < 0 || close(fd))))
		_exit(EXIT_EXEC);
}

/* In the child: becomes the command. from and to are pipe ends, -1: none. */
static void step_exec(const struct step *step, pid_t job, int from, int to)
{
	char name[WORDS][NAME_BYTES], file[NAME_BYTES];
	const char *argv[WORDS] = { NULL };

	for (int i = 0; i < WORDS - 1 && step->word[i]; i++)
		argv[i] = expand(step->word[i], job, name[i]);
	if (step->in)
		redirect(open(expand(step->in, job, file), O_RDONLY), STDIN_FILENO);
	else if (from >= 0)
		redirect(from, STDIN_FILENO);
	if (step->out)
		redirect(open(expand(step->out, job, file), O_WRONLY | O_CREAT | O_TRUNC, 0600),
			 STDOUT_FILENO);
	else if (to >= 0)
		redirect(to, STDOUT_FILENO);
	execv(JOB_SELF, (char *const *)argv);
	_exit(EXIT_EXEC);
}

static int children_wait(const pid_t *child, int count)
{
	int status, failed = 0;

	for (int i = 0; i < count; i++)
		failed |= child[i] < 0 || child_wait(child[i], &status) || status;
	return failed;
}

/* One line of the script: its commands at once. Returns the first step behind it, or 0: failed. */
static size_t pipeline_run(size_t first, pid_t job)
{
	int end[2] = { -1, -1 }, from = -1, count = 0;
	pid_t child[PIPELINE];
	size_t step = first;
	bool piped;

	do {
		piped = script[step].piped;
		end[0] = end[1] = -1;
		if (piped && pipe2(end, O_CLOEXEC))
			return 0;
		child[count] = fork();
		if (child[count++] == 0)
			step_exec(&script[step], job, from, end[1]);
		if (from >= 0)
			close(from);
		if (piped)
			close(end[1]);
		from = end[0];
		step++;
	} while (piped);
	return children_wait(child, count) ? 0 : step;
}

static int job_run(bool keep)
{
	const size_t steps = keep ? STEPS - 1 : STEPS;
	pid_t job = getpid();
	size_t step = 0;

	do
		step = pipeline_run(step, job);
	while (step && step < steps);
	return step ? 0 : 1;
}

static int multi_run(int jobs)
{
	static const char *const argv[] = { "job", NULL };
	pid_t child[JOBS_MAX];

	for (int i = 0; i < jobs; i++) {
		child[i] = fork();
		if (child[i] == 0) {
			execv(JOB_SELF, (char *const *)argv);
			_exit(EXIT_EXEC);
		}
	}
	return children_wait(child, jobs);
}

bool job_tool(int argc, char **argv, int *status)
{
	if (argc < 1)
		return false;
	if (strcmp(argv[0], "multi") == 0) {
		int jobs = argc > 1 ? (int)strtoul(argv[1], NULL, 10) : 0;

		*status = jobs < 1 || jobs > JOBS_MAX ? 2 : multi_run(jobs);
		return true;
	}
	if (strcmp(argv[0], "job") == 0) {
		*status = job_run(argc > 1 && strcmp(argv[1], "keep") == 0);
		return true;
	}
	*status = job_tool_run(argc, argv);
	return *status >= 0;
}
