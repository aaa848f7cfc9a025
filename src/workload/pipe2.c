// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pipe2.c - throughput of a pipe between two processes: what the name of Pipe Throughput promises.
 *
 * A child writes messages of 512 bytes, numbered; the copy reads and counts them. The child starts
 * before the barrier and sleeps when the pipe is full, thus the first messages are ready at `go`.
 * It ends when the copy closes its end.
 */
#include "workload/child.h"
#include "workload/resource_limits.h"
#include "workload/work.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MESSAGE_BYTES 512 /* below PIPE_BUF: written and read whole */

union message {
	uint64_t number;
	char bytes[MESSAGE_BYTES];
};

struct pipe2 {
	int from;
	pid_t writer;
};

/* 0: the reader has gone; 1: something else. */
static int writer_run(int to)
{
	union message message = { .bytes = { 0 } };
	ssize_t got;

	for (;;) {
		got = write(to, message.bytes, sizeof(message.bytes));
		if (got != sizeof(message.bytes))
			return got < 0 && errno == EPIPE ? 0 : 1;
		message.number++;
	}
}

static int pipe2_setup(struct work *work)
{
	struct pipe2 *state = calloc(1, sizeof(*state));
	pid_t self = getpid();
	int fd[2];

	if (!state)
		return work_fail(work, -ENOMEM, "no memory");
	work->state = state;
	if (pipe2(fd, O_CLOEXEC))
		return work_fail(work, -errno, "pipe: %s", strerror(errno));
	signal(SIGPIPE, SIG_IGN);
	state->writer = fork();
	if (state->writer < 0) {
		state->writer = 0;
		return work_fail(work, -errno, "fork: %s", child_fork_advice(errno));
	}
	if (state->writer == 0) {
		child_bind(self);
		close(fd[0]);
		_exit(writer_run(fd[1]));
	}
	close(fd[1]);
	state->from = fd[0];
	return 0;
}

static int pipe2_loop(struct work *work)
{
	const struct pipe2 *state = work->state;
	union message message;
	uint64_t count = 0;
	ssize_t got;

	while (!work_stopped(work)) {
		got = read(state->from, message.bytes, sizeof(message.bytes));
		if (got < 0)
			return work_fail(work, -errno, "read: %s", strerror(errno));
		if (got != sizeof(message.bytes))
			return work_fail(work, -EBADMSG, "read of %d bytes moved %zd",
					 MESSAGE_BYTES, got);
		if (message.number != count)
			return work_fail(work, -EBADMSG, "got message %llu where %llu was due",
					 (unsigned long long)message.number,
					 (unsigned long long)count);
		work_count(work, ++count);
	}
	return 0;
}

static int pipe2_verify(const struct work *work)
{
	struct pipe2 *state = work->state;
	char end[64];
	int status, rc;

	close(state->from);
	rc = child_wait(state->writer, &status);
	state->writer = 0;
	if (rc)
		return work_fail(work, rc, "wait for the writer: %s", strerror(-rc));
	if (status)
		return work_fail(work, -ECHILD, "the writer %s",
				 child_end(status, end, sizeof(end)));
	return 0;
}

static void pipe2_cleanup(struct work *work)
{
	struct pipe2 *state = work->state;

	if (state && state->writer)
		child_kill(state->writer);
	free(state);
}

static int pipe2_supported(const struct workload_request *request, struct reason *why)
{
	return limits_processes(request->copies, 2, why);
}

const struct workload workload_pipe2 = {
	.id = "onproc/pipe2@1",
	.title = "Pipe Throughput, two processes",
	.help = "512 bytes written by one process and read by another",
	.unit = "lps",
	.program = "ipc",
	.file = "pipe2",
	.units_per_iteration = 1,
	.class = CLASS_IPC,
	.rate = RATE_COUNTED,
	.processes = 2,
	.supported = pipe2_supported,
	.setup = pipe2_setup,
	.loop = pipe2_loop,
	.verify = pipe2_verify,
	.cleanup = pipe2_cleanup,
};
