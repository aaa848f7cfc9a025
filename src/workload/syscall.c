// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * syscall.c - System Call Overhead: cheap system calls, one after the other.
 *
 * The mix of UnixBench counts five calls (dup, close, getpid, getuid, umask) as one. syscall dups a
 * descriptor of its own; syscall5, as version 5 did, the inherited descriptor 0, which is one open
 * file for all copies: its reference count is what many copies then fight for. The corrected forms
 * measure one kind of call each. All go through syscall(2) where a C library might keep an answer.
 */
#include "workload/work.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MASK 022

/* The descriptor to dup, kept in the pointer itself. */
static int own_setup(struct work *work)
{
	int fd[2];

	if (pipe2(fd, O_CLOEXEC))
		return work_fail(work, -errno, "pipe: %s", strerror(errno));
	work->state = (void *)(intptr_t)fd[0];
	umask(MASK);
	return 0;
}

static int inherited_setup(struct work *work)
{
	if (fcntl(STDIN_FILENO, F_GETFD) < 0)
		return work_fail(work, -errno, "descriptor 0 was not inherited");
	work->state = (void *)(intptr_t)STDIN_FILENO;
	umask(MASK);
	return 0;
}

static int wrong(const struct work *work, const char *call, long got)
{
	if (got < 0)
		return work_fail(work, -errno, "%s: %s", call, strerror(errno));
	return work_fail(work, -EBADMSG, "%s gave %ld", call, got);
}

static int mix_loop(struct work *work)
{
	const int fd = (int)(intptr_t)work->state;
	const long self = syscall(SYS_getpid);
	const uid_t user = getuid();
	uint64_t count = 0;
	long got;

	while (!work_stopped(work)) {
		got = dup(fd);
		if (got < 0)
			return wrong(work, "dup", got);
		if (close((int)got))
			return wrong(work, "close", -1);
		got = syscall(SYS_getpid);
		if (got != self)
			return wrong(work, "getpid", got);
		if (getuid() != user)
			return wrong(work, "getuid", (long)getuid());
		got = umask(MASK);
		if (got != MASK)
			return wrong(work, "umask", got);
		work_count(work, ++count);
	}
	return 0;
}

static int getpid_loop(struct work *work)
{
	const long self = getpid();
	uint64_t count = 0;
	long got;

	while (!work_stopped(work)) {
		got = syscall(SYS_getpid);
		if (got != self)
			return wrong(work, "getpid", got);
		work_count(work, ++count);
	}
	return 0;
}

static int getuid_loop(struct work *work)
{
	const long user = getuid();
	uint64_t count = 0;
	long got;

	while (!work_stopped(work)) {
		got = syscall(SYS_getuid);
		if (got != user)
			return wrong(work, "getuid", got);
		work_count(work, ++count);
	}
	return 0;
}

static int umask_loop(struct work *work)
{
	uint64_t count = 0;
	long got;

	umask(MASK);
	while (!work_stopped(work)) {
		got = syscall(SYS_umask, MASK);
		if (got != MASK)
			return wrong(work, "umask", got);
		work_count(work, ++count);
	}
	return 0;
}

static int dup_close_loop(struct work *work)
{
	const int fd = (int)(intptr_t)work->state;
	uint64_t count = 0;
	long got;

	while (!work_stopped(work)) {
		got = syscall(SYS_dup, fd);
		if (got < 0)
			return wrong(work, "dup", got);
		got = syscall(SYS_close, (int)got);
		if (got)
			return wrong(work, "close", got);
		work_count(work, ++count);
	}
	return 0;
}

/* Every dup was closed: the next one gets the number that the first one got. */
static int descriptors_verify(const struct work *work)
{
	int fd = (int)(intptr_t)work->state;
	int first = dup(fd), second;

	close(first);
	second = dup(fd);
	close(second);
	if (first < 0 || first != second || first > 16)
		return work_fail(work, -EBADMSG, "descriptors were left open up to %d", first);
	return 0;
}

/* What all of them have in common. */
#define SYSCALL                                                                                    \
	.unit = "lps", .program = "syscall", .file = "syscall", .units_per_iteration = 1,          \
	.class = CLASS_SYSCALL, .rate = RATE_COUNTED, .processes = 1

const struct workload workload_syscall = {
	.id = "unixbench6/syscall@1",
	.title = "System Call Overhead",
	.help = "dup, close, getpid, getuid and umask",
	.note = "5 system calls are counted as 1 (getpid, getuid, umask and dup-close count each)",
	.baseline = 15000.0,
	.classic_s = 10,
	.classic_passes = 10,
	.setup = own_setup,
	.loop = mix_loop,
	.verify = descriptors_verify,
	SYSCALL,
};

const struct workload workload_syscall5 = {
	.id = "unixbench5/syscall5@1",
	.title = "System Call Overhead (shared file)",
	.help = "dup and close of one descriptor inherited by all copies, getpid, getuid, umask",
	.note = "5 system calls are counted as 1; all copies dup descriptor 0, one open file "
		"inherited "
		"by all, so that they compete for its reference count",
	.baseline = 15000.0,
	.classic_s = 10,
	.classic_passes = 10,
	.setup = inherited_setup,
	.loop = mix_loop,
	.verify = descriptors_verify,
	SYSCALL,
};

const struct workload workload_getpid = {
	.id = "onproc/getpid@1",
	.title = "System call getpid",
	.help = "one getpid",
	.loop = getpid_loop,
	SYSCALL,
};

const struct workload workload_getuid = {
	.id = "onproc/getuid@1",
	.title = "System call getuid",
	.help = "one getuid",
	.loop = getuid_loop,
	SYSCALL,
};

const struct workload workload_umask = {
	.id = "onproc/umask@1",
	.title = "System call umask",
	.help = "one umask",
	.loop = umask_loop,
	SYSCALL,
};

const struct workload workload_dup_close = {
	.id = "onproc/dup-close@1",
	.title = "System calls dup and close",
	.help = "one dup and one close of a descriptor of its own",
	.setup = own_setup,
	.loop = dup_close_loop,
	.verify = descriptors_verify,
	SYSCALL,
};
