// SPDX-License-Identifier: GPL-2.0-or-later
/* command.c - one run of another program by a copy: fork, exec, wait. */
#include "workload/command.h"

#include "workload/child.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define EXIT_NO_FILE	126
#define EXIT_NO_PROGRAM 127

static void redirect(const char *name, int flags, int to)
{
	int fd;

	if (!name)
		return;
	fd = open(name, flags, 0600);
	if (fd < 0 || dup2(fd, to) < 0)
		_exit(EXIT_NO_FILE);
	close(fd);
}

int command_run(const struct work *work, const struct command *command, pid_t *pid)
{
	char end[64];
	int status, rc;
	pid_t child;

	child = fork();
	if (child == 0) {
		redirect(command->in, O_RDONLY, STDIN_FILENO);
		redirect(command->out, O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
		execvp(command->path ? command->path : command->argv[0],
		       (char *const *)command->argv);
		_exit(EXIT_NO_PROGRAM);
	}
	if (child < 0)
		return work_fail(work, -errno, "fork: %s", child_fork_advice(errno));
	if (pid)
		*pid = child;
	rc = child_wait(child, &status);
	if (rc)
		return work_fail(work, rc, "wait: %s", strerror(-rc));
	if (status == 0)
		return 0;
	if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_NO_PROGRAM)
		return work_fail(work, -ENOENT, "%s, or a program that it runs, was not found",
				 command->argv[0]);
	return work_fail(work, -ECHILD, "%s %s", command->argv[0],
			 child_end(status, end, sizeof(end)));
}
