// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pipe.c - Pipe Throughput: one process writes 512 bytes into a pipe and reads them back.
 *
 * One iteration is one write(2) and one read(2); the pipe never fills, so nothing sleeps. A short
 * or failed call ends the slot: it is never counted.
 */
#include "workload/work.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define MESSAGE_BYTES 512

struct pipe_ends {
	int read_end, write_end;
};

static int pipe_setup(struct work *work)
{
	struct pipe_ends *ends = calloc(1, sizeof(*ends));
	int fd[2];

	if (!ends)
		return work_fail(work, -ENOMEM, "no memory");
	work->state = ends;
	if (pipe2(fd, O_CLOEXEC))
		return work_fail(work, -errno, "pipe: %s", strerror(errno));
	ends->read_end = fd[0];
	ends->write_end = fd[1];
	return 0;
}

static int pipe_failed(struct work *work, const char *call, ssize_t got)
{
	if (got < 0)
		return work_fail(work, -errno, "%s of %d bytes: %s", call, MESSAGE_BYTES,
				 strerror(errno));
	return work_fail(work, -EBADMSG, "%s of %d bytes moved %zd", call, MESSAGE_BYTES, got);
}

static int pipe_loop(struct work *work)
{
	const struct pipe_ends ends = *(const struct pipe_ends *)work->state;
	char message[MESSAGE_BYTES] = { 0 };
	uint64_t count = 0;
	ssize_t got;

	while (!work_stopped(work)) {
		got = write(ends.write_end, message, sizeof(message));
		if (got != sizeof(message))
			return pipe_failed(work, "write", got);
		got = read(ends.read_end, message, sizeof(message));
		if (got != sizeof(message))
			return pipe_failed(work, "read", got);
		work_count(work, ++count);
	}
	return 0;
}

/* Nothing was left in the pipe, and what goes in comes out. */
static int pipe_verify(const struct work *work)
{
	const struct pipe_ends *ends = work->state;
	char sent[MESSAGE_BYTES], got[MESSAGE_BYTES] = { 0 };
	int left = 0;

	if (ioctl(ends->read_end, FIONREAD, &left) || left)
		return work_fail(work, -EBADMSG, "%d bytes were left in the pipe", left);
	for (size_t i = 0; i < sizeof(sent); i++)
		sent[i] = (char)(i * 7 + 1);
	if (write(ends->write_end, sent, sizeof(sent)) != sizeof(sent) ||
	    read(ends->read_end, got, sizeof(got)) != sizeof(got) ||
	    memcmp(sent, got, sizeof(sent)) != 0)
		return work_fail(work, -EBADMSG,
				 "the pipe gave back other bytes than it was given");
	return 0;
}

static void pipe_cleanup(struct work *work)
{
	free(work->state);
}

const struct workload workload_pipe = {
	.id = "unixbench6/pipe@1",
	.title = "Pipe Throughput",
	.help = "write 512 bytes into a pipe and read them back, in one process",
	.unit = "lps",
	.program = "ipc",
	.file = "pipe",
	.baseline = 12440.0,
	.units_per_iteration = 1,
	.class = CLASS_IPC,
	.rate = RATE_COUNTED,
	.processes = 1,
	.classic_s = 10,
	.classic_passes = 10,
	.setup = pipe_setup,
	.loop = pipe_loop,
	.verify = pipe_verify,
	.cleanup = pipe_cleanup,
};
