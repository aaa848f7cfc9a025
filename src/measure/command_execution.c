// SPDX-License-Identifier: GPL-2.0-or-later
/* command_execution.c - see command_execution.h. */
#include "measure/command_execution.h"

#include "base/clock.h"
#include "base/signals.h"
#include "measure/command_words.h"
#include "measure/variables.h"
#include "measure/warden.h"
#include "workload/tools.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SHELL	      "/bin/sh"
#define LOOK_MS	      100 /* a signal that comes just before poll(2) is seen after this */
#define LOOK_BLIND_MS 2	  /* without a pidfd */

/* What is needed while a command runs. */
struct running {
	const struct execution_request *request;
	struct execution *execution;
	struct warden warden;
	struct variables variables;
	char **words;
	char program[PATH_MAX];
	int output[2]; /* pipe of its stdout, -1: none */
	size_t room;   /* of execution->output */
};

static int variables_make(struct running *running, struct error *err)
{
	struct variables *variables = &running->variables;

	if (variables_put_all(variables, environ) || variables_set(variables, "LC_ALL", "C") ||
	    variables_put_all(variables, running->request->environment))
		return error_errno(err, -ENOMEM, "environment variables of a command");
	return 0;
}

static int words_make(struct running *running, char **shell_words, char *const **argv,
		      struct error *err)
{
	int rc;

	if (!running->request->no_shell) {
		snprintf(running->program, sizeof(running->program), SHELL);
		*argv = shell_words;
		return 0;
	}
	rc = command_words(running->request->text, &running->words, err);
	if (rc)
		return rc;
	*argv = running->words;
	if (tool_find(running->words[0], running->program, sizeof(running->program)))
		return 0;
	return error_set(err, -ECHILD, "%.200s: no such program in PATH", running->words[0]);
}

static int output_room(struct running *running)
{
	size_t room = running->room ? 2 * running->room : (size_t)64 * 1024;
	char *grown;

	if (running->execution->written + 1 < running->room ||
	    running->room > EXECUTION_OUTPUT_MOST)
		return 0;
	grown = realloc(running->execution->output, room + 1);
	if (!grown)
		return -ENOMEM;
	running->execution->output = grown;
	running->room = room;
	return 0;
}

/* Takes what the pipe holds. What is more than is kept is read all the same, so that the writer
 * goes on. */
static int output_read(struct running *running)
{
	struct execution *execution = running->execution;
	char dropped[4096];
	ssize_t got;

	do {
		bool is_full = execution->written >= EXECUTION_OUTPUT_MOST;

		if (!is_full && output_room(running))
			return -ENOMEM;
		got = is_full ? read(running->output[0], dropped, sizeof(dropped))
			      : read(running->output[0], execution->output + execution->written,
				     running->room - execution->written);
		if (got > 0)
			execution->written += (size_t)got;
	} while (got > 0 || (got < 0 && errno == EINTR));
	return 0;
}

static int output_open(struct running *running, struct error *err)
{
	if (!running->request->keeps_output)
		return 0;
	if (pipe2(running->output, O_CLOEXEC) || fcntl(running->output[0], F_SETFL, O_NONBLOCK) < 0)
		return error_errno(err, -errno, "a pipe for the output of a command");
	return output_room(running) ? error_errno(err, -ENOMEM, "the output of a command") : 0;
}

/* Until the warden has ended, which it does after the command. */
static int running_wait(struct running *running, struct error *err)
{
	const struct execution_request *request = running->request;
	uint64_t deadline_ns =
		request->timeout_ns ? clock_raw_ns() + request->timeout_ns : UINT64_MAX;

	while (!warden_has_ended(&running->warden)) {
		bool is_blind = running->warden.pidfd < 0;
		/* Negative descriptors are passed over. */
		struct pollfd ready[2] = { { .fd = running->output[0], .events = POLLIN },
					   { .fd = running->warden.pidfd, .events = POLLIN } };

		if (signal_stop && !request->uninterrupted)
			return error_set(err, -EINTR, "interrupted");
		if (clock_raw_ns() >= deadline_ns)
			return error_set(err, -ETIME, "no end within %.3g s",
					 (double)request->timeout_ns / (double)NS_PER_S);
		if (poll(ready, 2, is_blind ? LOOK_BLIND_MS : LOOK_MS) < 0)
			continue;
		if (running->output[0] >= 0 && ready[0].revents && output_read(running))
			return error_errno(err, -ENOMEM, "the output of a command");
		if (running->output[0] >= 0 && (ready[0].revents & POLLHUP)) {
			close(running->output[0]); /* nobody writes any more */
			running->output[0] = -1;
		}
	}
	if (running->output[0] >= 0 && output_read(running))
		return error_errno(err, -ENOMEM, "the output of a command");
	return 0;
}

static int running_result(const struct running *running, struct error *err)
{
	const struct warden_board *board = running->warden.board;
	const struct warden_copy *copy = &board->copy[0];
	struct execution *execution = running->execution;

	warden_tail(&running->warden, execution->tail, sizeof(execution->tail));
	if (atomic_load_explicit(&board->failed, memory_order_acquire))
		return error_set(err, -ECHILD, "could not be started: %.*s",
				 (int)sizeof(board->text), board->text);
	if (!atomic_load_explicit(&copy->ended, memory_order_acquire))
		return error_set(err, -ECHILD,
				 "the process that watches over the command was killed");
	/* Where vfork is a fork (under sanitizers), exec fails after it was looked at. */
	if (WIFEXITED(copy->status) && WEXITSTATUS(copy->status) == 127 && board->exec_errno)
		return error_set(err, -ECHILD, "could not be started: %s: %s", running->program,
				 strerror(board->exec_errno));
	execution->status = copy->status;
	execution->start_ns = copy->start_ns;
	execution->wall_ns = copy->end_ns - copy->start_ns;
	execution->user_ns = copy->user_ns;
	execution->system_ns = copy->system_ns;
	execution->peak_bytes = copy->peak_bytes;
	execution->voluntary = copy->voluntary;
	execution->involuntary = copy->involuntary;
	return 0;
}

int execution_run(const struct execution_request *request, struct execution *execution,
		  struct error *err)
{
	struct running running = { .request = request,
				   .execution = execution,
				   .output = { -1, -1 },
				   .warden = { .pidfd = -1 } };
	char *shell_words[] = { (char[]){ SHELL }, (char[]){ "-c" },
				(char *)(uintptr_t)request->text, NULL };
	struct warden_request warden = { .program = running.program, .copies = 1, .page_fd = -1 };
	int rc;

	*execution = (struct execution){ 0 };
	rc = words_make(&running, shell_words, &warden.argv, err);
	if (!rc)
		rc = variables_make(&running, err);
	if (!rc)
		rc = output_open(&running, err);
	if (rc)
		goto out;
	warden.environment = running.variables.entry;
	warden.stdout_fd = running.output[1];
	rc = warden_start(&running.warden, &warden, err);
	if (rc)
		goto out;
	if (running.output[1] >= 0)
		close(running.output[1]);
	running.output[1] = -1;
	rc = running_wait(&running, err);
	warden_finish(&running.warden, 0);
	if (!rc)
		rc = running_result(&running, err);
	if (!rc && execution->output) {
		size_t kept = execution->written < EXECUTION_OUTPUT_MOST ? execution->written
									 : EXECUTION_OUTPUT_MOST;

		execution->output[kept] = '\0';
	}
out:
	warden_free(&running.warden);
	for (int i = 0; i < 2; i++) {
		if (running.output[i] >= 0)
			close(running.output[i]);
	}
	variables_free(&running.variables);
	free(running.words);
	return rc;
}

int execution_check(const struct execution *execution, const char *what, struct error *err)
{
	const char *tail = execution->tail;
	int number;

	if (WIFEXITED(execution->status) && !WEXITSTATUS(execution->status))
		return 0;
	if (WIFEXITED(execution->status))
		return error_set(err, -EBADMSG, "%s ended with status %d%s%s", what,
				 WEXITSTATUS(execution->status), tail[0] ? "; it printed: " : "",
				 tail);
	number = WTERMSIG(execution->status);
	return error_set(err, -EBADMSG, "%s was killed by SIG%s%s%s", what,
			 sigabbrev_np(number) ? sigabbrev_np(number) : "?",
			 tail[0] ? "; it printed: " : "", tail);
}

void execution_free(struct execution *execution)
{
	free(execution->output);
	*execution = (struct execution){ 0 };
}
