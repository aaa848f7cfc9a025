// SPDX-License-Identifier: GPL-2.0-or-later
/* sensor_module.c - see sensor_module.h. */
#include "cmd/sensor_module.h"

#include "sensor/sched_module.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BUILT_MODULE "bpf/" SCHED_MODULE_NAME /* beside the program, in the build directory */

void sensor_prefer_built_module(void)
{
	char path[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - sizeof(BUILT_MODULE));
	char *slash;

	if (length <= 0)
		return;
	path[length] = 0;
	slash = strrchr(path, '/');
	if (!slash)
		return;
	memcpy(slash + 1, BUILT_MODULE, sizeof(BUILT_MODULE));
	if (!access(path, R_OK))
		setenv("ONPROC_SCHED_MODULE", path, 0);
}
