// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fssync.c - an honest test of a disk: write 4 KiB and wait until they are on it.
 *
 * The file is whole before the timed part, so that fdatasync(2) has no new size to bring out, and
 * is written from its start to its end and again.
 */
#include "base/clock.h"
#include "workload/work.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statfs.h>
#include <unistd.h>

#define BLOCK_BYTES 4096
#define BLOCKS	    256

struct fssync {
	int fd;
	uint64_t count;
	char block[BLOCK_BYTES];
};

static off_t block_at(uint64_t number)
{
	return (off_t)(number % BLOCKS * BLOCK_BYTES);
}

/* A block starts with the number of the write, those of setup included. */
static int block_write(const struct work *work, uint64_t number)
{
	struct fssync *state = work->state;
	ssize_t got;

	memcpy(state->block, &number, sizeof(number));
	got = pwrite(state->fd, state->block, BLOCK_BYTES, block_at(number));
	if (got == BLOCK_BYTES)
		return 0;
	if (got >= 0 || errno == ENOSPC)
		return work_fail(work, -ENOSPC,
				 "write: no space left in %s, where each copy needs %d KiB",
				 work->page->dir, BLOCKS * BLOCK_BYTES / 1024);
	return work_fail(work, -errno, "write in %s: %s", work->page->dir, strerror(errno));
}

static int fssync_setup(struct work *work)
{
	struct fssync *state = calloc(1, sizeof(*state));
	char name[32];
	int rc = 0;

	if (!state)
		return work_fail(work, -ENOMEM, "no memory");
	work->state = state;
	snprintf(name, sizeof(name), "sync-%u", work->copy);
	state->fd = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (state->fd < 0)
		return work_fail(work, -errno, "create a file in %s: %s", work->page->dir,
				 strerror(errno));
	unlink(name);
	for (uint64_t number = 0; !rc && number < BLOCKS; number++)
		rc = block_write(work, number);
	if (!rc && fsync(state->fd))
		return work_fail(work, -errno, "fsync in %s: %s", work->page->dir, strerror(errno));
	return rc;
}

static int fssync_loop(struct work *work)
{
	struct fssync *state = work->state;
	int rc;

	while (!work_stopped(work)) {
		rc = block_write(work, BLOCKS + state->count);
		if (rc)
			return rc;
		if (fdatasync(state->fd))
			return work_fail(work, -errno, "fdatasync in %s: %s", work->page->dir,
					 strerror(errno));
		work_publish(work, ++state->count, clock_raw_ns(), 0);
	}
	return 0;
}

static int fssync_verify(const struct work *work)
{
	struct fssync *state = work->state;
	uint64_t number, last = BLOCKS + state->count - 1;

	if (state->count == 0)
		return 0;
	if (pread(state->fd, &number, sizeof(number), block_at(last)) != sizeof(number) ||
	    number != last)
		return work_fail(work, -EBADMSG, "the last block is not what was written");
	return 0;
}

static void fssync_cleanup(struct work *work)
{
	struct fssync *state = work->state;

	if (state && state->fd > 0)
		close(state->fd);
	free(state);
}

static int fssync_supported(const struct workload_request *request, struct reason *why)
{
	struct statfs system;

	if (statfs(request->dir, &system) ||
	    (system.f_type != TMPFS_MAGIC && system.f_type != RAMFS_MAGIC))
		return 0;
	snprintf(why->text, sizeof(why->text),
		 "%.180s lies in memory, not on a disk; choose another --dir", request->dir);
	return -ENOTSUP;
}

const struct workload workload_fssync = {
	.id = "onproc/fssync@1",
	.title = "File Sync 4096 bytes",
	.help = "write 4096 bytes into a file and wait for the disk with fdatasync",
	.unit = "lps",
	.program = "fs",
	.file = "fssync",
	.units_per_iteration = 1,
	.class = CLASS_FILE,
	.rate = RATE_STAMPED,
	.processes = 1,
	.supported = fssync_supported,
	.setup = fssync_setup,
	.loop = fssync_loop,
	.verify = fssync_verify,
	.cleanup = fssync_cleanup,
};
