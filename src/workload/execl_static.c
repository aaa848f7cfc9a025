// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * execl_static.c - execve without libc: the image is static, has a fixed layout and no start-up
 * code.
 *
 * So the rate is the kernel's, whatever libc a machine has and however it is linked. One iteration
 * is one execve and one clock_gettime: two system calls. This is the starter; the image is
 * execl_static_image.c, a program of its own beside it.
 */
#include "workload/execl_chain.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int execl_static_supported(const struct workload_request *request, struct reason *why)
{
	(void)request;
#if defined(__x86_64__) || defined(__aarch64__)
	(void)why;
	return 0;
#else
	snprintf(why->text, sizeof(why->text),
		 "the image without libc is written for x86-64 and arm64 only");
	return -EOPNOTSUPP;
#endif
}

static int execl_static_setup(struct work *work)
{
	static const char suffix[] = "-image";
	char *path = malloc(PATH_MAX);
	ssize_t bytes;

	work->state = path;
	if (!path)
		return -ENOMEM;
	bytes = readlink("/proc/self/exe", path, PATH_MAX - sizeof(suffix));
	if (bytes < 0)
		return work_fail(work, -errno, "/proc/self/exe: %s", strerror(errno));
	memcpy(path + bytes, suffix, sizeof(suffix));
	if (access(path, X_OK))
		return work_fail(work, -errno, "%s: %s", path, strerror(errno));
	return 0;
}

static int execl_static_loop(struct work *work)
{
	int rc = chain_start(work, work->state, "execl-static");

	return work_fail(work, rc, "%s: %s", (char *)work->state, strerror(-rc));
}

static void execl_static_cleanup(struct work *work)
{
	free(work->state);
}

const struct workload workload_execl_static = {
	.id = "onproc/execl-static@1",
	.title = "Execl Throughput, static image",
	.help = "a static program without libc replaces itself by execve: 2 system calls",
	.unit = "lps",
	.program = "execl-static",
	.file = "execl_static",
	.units_per_iteration = 1,
	.class = CLASS_EXEC,
	.rate = RATE_CARRIED,
	.processes = 1,
	.supported = execl_static_supported,
	.setup = execl_static_setup,
	.loop = execl_static_loop,
	.cleanup = execl_static_cleanup,
};
