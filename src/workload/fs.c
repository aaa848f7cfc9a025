// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fs.c - File Copy, Write and Read: a file of 2000 blocks, again and again, in the page cache.
 *
 * One iteration is one block: a read and a write of it (copy), or one of the two. At the end of the
 * file both positions go back to its start: every 2000 copied blocks cost one more read and two
 * seeks. The first sweep extends the second file, the others overwrite it. Nothing waits for the
 * disk; see fssync for that.
 *
 * Each copy has two files of its own, without a name from the moment they are open. In the forms of
 * version 5 all copies open the same two: what they measure is the lock of one inode.
 */
#include "workload/work.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCKS		2000u
#define BLOCK_BYTES_MAX 4096
#define NAME_BYTES	32

static const char *const shared_name[2] = { "shared0", "shared1" };

struct files {
	int fd[2];
	size_t block_bytes;
	uint64_t count; /* blocks of the whole loop, for verify */
	/* On a line's edge, as a static buffer is: where it lies changes the speed of its copy. */
	_Alignas(64) char block[BLOCK_BYTES_MAX];
};

/* Every block is different: its number, then the low bytes of the index. */
static void block_fill(char *block, size_t bytes, uint32_t number)
{
	for (size_t i = 0; i < bytes; i++)
		block[i] = (char)i;
	memcpy(block, &number, sizeof(number));
}

static bool block_is(const char *block, size_t bytes, uint32_t number)
{
	char right[BLOCK_BYTES_MAX];

	block_fill(right, bytes, number);
	return memcmp(block, right, bytes) == 0;
}

static int io_failed(const struct work *work, const char *what, ssize_t got)
{
	const struct files *files = work->state;
	int code = got < 0 ? errno : ENOSPC; /* a short write is the last before ENOSPC */

	if (code == ENOSPC)
		return work_fail(work, -ENOSPC,
				 "%s: no space left in %s, where each copy needs %zu KiB", what,
				 work->page->dir, 2ul * BLOCKS * files->block_bytes / 1024);
	return work_fail(work, -code, "%s in %s: %s", what, work->page->dir, strerror(code));
}

static int read_failed(const struct work *work, ssize_t got)
{
	if (got < 0)
		return io_failed(work, "read", got);
	return work_fail(work, -EBADMSG, "a read in the middle of the file gave %zd bytes", got);
}

static int rewind_both(const struct work *work)
{
	const struct files *files = work->state;

	if (lseek(files->fd[0], 0, SEEK_SET) || lseek(files->fd[1], 0, SEEK_SET))
		return work_fail(work, -EIO, "seek in %s: %s", work->page->dir, strerror(errno));
	return 0;
}

/* File 0 whole and on its disk, so that its write-back does not meet the timed part. */
static int file_fill(const struct work *work)
{
	struct files *files = work->state;
	ssize_t got;

	for (uint32_t number = 0; number < BLOCKS; number++) {
		block_fill(files->block, files->block_bytes, number);
		got = write(files->fd[0], files->block, files->block_bytes);
		if (got != (ssize_t)files->block_bytes)
			return io_failed(work, "write", got);
	}
	if (fsync(files->fd[0]))
		return io_failed(work, "fsync", -1);
	return rewind_both(work);
}

/* The size of a block is what an iteration is worth, thus declared there alone. */
static int files_make(struct work *work)
{
	struct files *files = aligned_alloc(_Alignof(struct files), sizeof(*files));

	if (!files)
		return work_fail(work, -ENOMEM, "no memory");
	memset(files, 0, sizeof(*files));
	files->fd[0] = files->fd[1] = -1;
	files->block_bytes = (size_t)(work->workload->units_per_iteration * 1024);
	work->state = files;
	return 0;
}

static int file_open(const struct work *work, int n, const char *name, int flags)
{
	struct files *files = work->state;

	files->fd[n] = open(name, O_RDWR | O_CREAT | O_CLOEXEC | flags, 0600);
	if (files->fd[n] < 0)
		return work_fail(work, -errno, "create a file in %s: %s", work->page->dir,
				 strerror(errno));
	return 0;
}

static int private_setup(struct work *work)
{
	char name[NAME_BYTES];
	int rc;

	rc = files_make(work);
	for (int n = 0; !rc && n < 2; n++) {
		snprintf(name, sizeof(name), "file%d-%u", n, work->copy);
		rc = file_open(work, n, name, O_EXCL);
		if (!rc)
			unlink(name);
	}
	return rc ? rc : file_fill(work);
}

/*
 * The same names for all: they stay until no copy can still want to open them. Every copy fills
 * file 0, all with the same.
 */
static int shared_setup(struct work *work)
{
	int rc;

	rc = files_make(work);
	for (int n = 0; !rc && n < 2; n++)
		rc = file_open(work, n, shared_name[n], 0);
	return rc ? rc : file_fill(work);
}

static int copy_loop(struct work *work)
{
	struct files *files = work->state;
	const size_t bytes = files->block_bytes;
	uint64_t count = 0;
	ssize_t got;
	int rc;

	while (!work_stopped(work)) {
		got = read(files->fd[0], files->block, bytes);
		if (got == 0) {
			rc = rewind_both(work);
			if (rc)
				return rc;
			continue;
		}
		if (got != (ssize_t)bytes)
			return read_failed(work, got);
		got = write(files->fd[1], files->block, bytes);
		if (got != (ssize_t)bytes)
			return io_failed(work, "write", got);
		work_count(work, ++count);
	}
	files->count = count;
	return 0;
}

/* Whole sweeps: a sweep that was begun is finished. */
static int write_loop(struct work *work)
{
	struct files *files = work->state;
	const size_t bytes = files->block_bytes;
	uint64_t count = 0;
	ssize_t got;

	while (!work_stopped(work)) {
		for (uint32_t number = 0; number < BLOCKS; number++) {
			got = write(files->fd[0], files->block, bytes);
			if (got != (ssize_t)bytes)
				return io_failed(work, "write", got);
			work_count(work, ++count);
		}
		if (lseek(files->fd[0], 0, SEEK_SET))
			return io_failed(work, "seek", -1);
	}
	files->count = count;
	return 0;
}

static int read_loop(struct work *work)
{
	struct files *files = work->state;
	const size_t bytes = files->block_bytes;
	uint64_t count = 0;
	ssize_t got;

	while (!work_stopped(work)) {
		got = read(files->fd[0], files->block, bytes);
		if (got == 0) {
			if (lseek(files->fd[0], 0, SEEK_SET))
				return io_failed(work, "seek", -1);
			continue;
		}
		if (got != (ssize_t)bytes)
			return read_failed(work, got);
		work_count(work, ++count);
	}
	files->count = count;
	return 0;
}

/* Does the position of file n stand after `count` blocks? At its end, before or after going back.
 */
static int position_verify(const struct work *work, int n)
{
	const struct files *files = work->state;
	off_t at = lseek(files->fd[n], 0, SEEK_CUR);
	off_t block = (off_t)(files->count % BLOCKS);
	off_t due = block * (off_t)files->block_bytes;
	off_t end = (off_t)(BLOCKS * files->block_bytes);

	if (at == due || (block == 0 && files->count > 0 && at == end))
		return 0;
	return work_fail(work, -EBADMSG,
			 "file %d stands at byte %lld after %llu blocks, not at %lld", n,
			 (long long)at, (unsigned long long)files->count, (long long)due);
}

static int copy_verify(const struct work *work)
{
	struct files *files = work->state;
	const uint64_t blocks = files->count < BLOCKS ? files->count : BLOCKS;
	struct stat file;
	int rc;

	rc = position_verify(work, 0);
	if (!rc)
		rc = position_verify(work, 1);
	if (rc)
		return rc;
	if (fstat(files->fd[1], &file) || file.st_size < (off_t)(blocks * files->block_bytes) ||
	    file.st_size > (off_t)(BLOCKS * files->block_bytes))
		return work_fail(work, -EBADMSG, "the copy has %lld bytes after %llu blocks",
				 (long long)file.st_size, (unsigned long long)files->count);
	for (uint32_t number = 0; number < blocks; number++) {
		ssize_t got = pread(files->fd[1], files->block, files->block_bytes,
				    (off_t)(number * files->block_bytes));

		if (got != (ssize_t)files->block_bytes ||
		    !block_is(files->block, files->block_bytes, number))
			return work_fail(work, -EBADMSG, "block %u of the copy is not the original",
					 number);
	}
	return 0;
}

/* The loop wrote the last block that setup had filled, everywhere. */
static int write_verify(const struct work *work)
{
	struct files *files = work->state;
	struct stat file;

	if (fstat(files->fd[0], &file) || file.st_size != (off_t)(BLOCKS * files->block_bytes))
		return work_fail(work, -EBADMSG, "the file has %lld bytes",
				 (long long)file.st_size);
	for (uint32_t number = 0; files->count > 0 && number < BLOCKS; number++) {
		ssize_t got = pread(files->fd[0], files->block, files->block_bytes,
				    (off_t)(number * files->block_bytes));

		if (got != (ssize_t)files->block_bytes ||
		    !block_is(files->block, files->block_bytes, BLOCKS - 1))
			return work_fail(work, -EBADMSG, "block %u is not what was written",
					 number);
	}
	return 0;
}

/* The buffer holds the last block that was read. */
static int read_verify(const struct work *work)
{
	const struct files *files = work->state;
	uint32_t last = (uint32_t)((files->count + BLOCKS - 1) % BLOCKS);

	if (!block_is(files->block, files->block_bytes, last))
		return work_fail(work, -EBADMSG, "block %u was read wrong", last);
	return position_verify(work, 0);
}

static void files_cleanup(struct work *work)
{
	struct files *files = work->state;

	for (int n = 0; files && n < 2; n++) {
		if (files->fd[n] >= 0)
			close(files->fd[n]);
	}
	free(files);
}

/* Another copy may have been first. */
static void shared_cleanup(struct work *work)
{
	files_cleanup(work);
	for (int n = 0; n < 2; n++)
		unlink(shared_name[n]);
}

/* What all of them, and then the three kinds, have in common. */
#define FS                                                                                         \
	.unit = "KBps", .program = "fs", .file = "fs", .class = CLASS_FILE, .rate = RATE_COUNTED,  \
	.processes = 1, .classic_s = 30, .classic_passes = 3
#define FS_COPY                                                                                    \
	.setup = private_setup, .loop = copy_loop, .verify = copy_verify,                          \
	.cleanup = files_cleanup, FS
#define FS_SHARED                                                                                  \
	.setup = shared_setup, .loop = copy_loop, .verify = copy_verify,                           \
	.cleanup = shared_cleanup, FS
#define FS_WRITE                                                                                   \
	.setup = private_setup, .loop = write_loop, .verify = write_verify,                        \
	.cleanup = files_cleanup, FS
#define FS_READ                                                                                    \
	.setup = private_setup, .loop = read_loop, .verify = read_verify,                          \
	.cleanup = files_cleanup, FS

#define CACHED "the files stay in the page cache: no test of a disk (fssync is one)"
#define SHARED "all copies copy the same two files: with many copies a test of one inode's lock"

const struct workload workload_fstime = {
	.id = "unixbench6/fstime@1",
	.title = "File Copy 1024 bufsize 2000 maxblocks",
	.help = "copy a block of 1024 bytes, in files of 2,048,000 bytes",
	.note = CACHED,
	.baseline = 3960.0,
	.units_per_iteration = 1,
	FS_COPY,
};

const struct workload workload_fsbuffer = {
	.id = "unixbench6/fsbuffer@1",
	.title = "File Copy 256 bufsize 500 maxblocks",
	.help = "copy a block of 256 bytes, in files of 512,000 bytes",
	.note = CACHED,
	.baseline = 1655.0,
	.units_per_iteration = 0.25,
	FS_COPY,
};

const struct workload workload_fsdisk = {
	.id = "unixbench6/fsdisk@1",
	.title = "File Copy 4096 bufsize 8000 maxblocks",
	.help = "copy a block of 4096 bytes, in files of 8,192,000 bytes",
	.note = CACHED,
	.baseline = 5800.0,
	.units_per_iteration = 4,
	FS_COPY,
};

const struct workload workload_fstime_w = {
	.id = "unixbench6/fstime-w@1",
	.title = "File Write 1024 bufsize 2000 maxblocks",
	.help = "write a block of 1024 bytes, in a file of 2,048,000 bytes",
	.note = CACHED,
	.units_per_iteration = 1,
	FS_WRITE,
};

const struct workload workload_fstime_r = {
	.id = "unixbench6/fstime-r@1",
	.title = "File Read 1024 bufsize 2000 maxblocks",
	.help = "read a block of 1024 bytes, in a file of 2,048,000 bytes",
	.note = CACHED,
	.units_per_iteration = 1,
	FS_READ,
};

const struct workload workload_fsbuffer_w = {
	.id = "unixbench6/fsbuffer-w@1",
	.title = "File Write 256 bufsize 500 maxblocks",
	.help = "write a block of 256 bytes, in a file of 512,000 bytes",
	.note = CACHED,
	.units_per_iteration = 0.25,
	FS_WRITE,
};

const struct workload workload_fsbuffer_r = {
	.id = "unixbench6/fsbuffer-r@1",
	.title = "File Read 256 bufsize 500 maxblocks",
	.help = "read a block of 256 bytes, in a file of 512,000 bytes",
	.note = CACHED,
	.units_per_iteration = 0.25,
	FS_READ,
};

const struct workload workload_fsdisk_w = {
	.id = "unixbench6/fsdisk-w@1",
	.title = "File Write 4096 bufsize 8000 maxblocks",
	.help = "write a block of 4096 bytes, in a file of 8,192,000 bytes",
	.note = CACHED,
	.units_per_iteration = 4,
	FS_WRITE,
};

const struct workload workload_fsdisk_r = {
	.id = "unixbench6/fsdisk-r@1",
	.title = "File Read 4096 bufsize 8000 maxblocks",
	.help = "read a block of 4096 bytes, in a file of 8,192,000 bytes",
	.note = CACHED,
	.units_per_iteration = 4,
	FS_READ,
};

const struct workload workload_fstime5 = {
	.id = "unixbench5/fstime5@1",
	.title = "File Copy 1024 bufsize 2000 maxblocks (shared files)",
	.help = "copy a block of 1024 bytes, between two files that all copies share",
	.note = SHARED,
	.baseline = 3960.0,
	.units_per_iteration = 1,
	FS_SHARED,
};

const struct workload workload_fsbuffer5 = {
	.id = "unixbench5/fsbuffer5@1",
	.title = "File Copy 256 bufsize 500 maxblocks (shared files)",
	.help = "copy a block of 256 bytes, between two files that all copies share",
	.note = SHARED,
	.baseline = 1655.0,
	.units_per_iteration = 0.25,
	FS_SHARED,
};

const struct workload workload_fsdisk5 = {
	.id = "unixbench5/fsdisk5@1",
	.title = "File Copy 4096 bufsize 8000 maxblocks (shared files)",
	.help = "copy a block of 4096 bytes, between two files that all copies share",
	.note = SHARED,
	.baseline = 5800.0,
	.units_per_iteration = 4,
	FS_SHARED,
};
