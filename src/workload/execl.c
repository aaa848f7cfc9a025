// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * execl.c - Execl Throughput: a program that replaces itself by itself.
 *
 * One iteration is one execve of a small position-independent program that links libc dynamically,
 * and its start-up: 29 system calls on Debian 12. The program of the test is itself the image, so
 * all copies share one inode. It carries the count and the times from image to image
 * (execl_chain.c): mapping the shared page would add system calls to an iteration.
 */
#include "workload/execl_chain.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The path is looked up here once, so that every image is found by the same name. */
static int execl_setup(struct work *work)
{
	char *path = malloc(PATH_MAX);
	ssize_t bytes;

	work->state = path;
	if (!path)
		return -ENOMEM;
	bytes = readlink("/proc/self/exe", path, PATH_MAX - 1);
	if (bytes < 0)
		return work_fail(work, -errno, "/proc/self/exe: %s", strerror(errno));
	path[bytes] = '\0';
	return 0;
}

static int execl_loop(struct work *work)
{
	int rc = chain_start(work, work->state, "execl");

	return work_fail(work, rc, "%s: %s", (char *)work->state, strerror(-rc));
}

static void execl_cleanup(struct work *work)
{
	free(work->state);
}

const struct workload workload_execl = {
	.id = "unixbench6/execl@1",
	.title = "Execl Throughput",
	.help = "the program replaces itself by execve: 29 system calls with its start-up",
	.unit = "lps",
	.program = "execl",
	.file = "execl",
	.note = "the image is linked dynamically, so libc's start-up is timed, as in UnixBench: "
		"see "
		"execl-static",
	.baseline = 43.0,
	.units_per_iteration = 1,
	.class = CLASS_EXEC,
	.rate = RATE_CARRIED,
	.processes = 1,
	.classic_s = 30,
	.classic_passes = 3,
	.setup = execl_setup,
	.loop = execl_loop,
	.cleanup = execl_cleanup,
};
