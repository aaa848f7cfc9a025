// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * child.c - child processes of a copy: they die with it, and how one ended is told in words.
 */
#include "workload/child.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

void child_bind(pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
}

int child_wait(pid_t child, int *status)
{
	while (waitpid(child, status, 0) != child) {
		if (errno != EINTR)
			return -errno;
	}
	return 0;
}

void child_kill(pid_t child)
{
	int status;

	kill(child, SIGKILL);
	child_wait(child, &status);
}

const char *child_end(int status, char *text, size_t bytes)
{
	if (WIFSIGNALED(status))
		snprintf(text, bytes, "was killed by signal %d (%s)", WTERMSIG(status),
			 strsignal(WTERMSIG(status)));
	else
		snprintf(text, bytes, "ended with status %d", WEXITSTATUS(status));
	return text;
}

const char *child_fork_advice(int code)
{
	switch (code) {
	case EAGAIN:
		return "a limit on processes was reached (ulimit -u, pids.max of the cgroup, "
		       "kernel.pid_max)";
	case ENOMEM:
		return "not enough memory";
	default:
		return strerror(code);
	}
}
