// SPDX-License-Identifier: GPL-2.0-or-later
/* lock_onproc.c - see lock_onproc.h. */
#include "workload/lock_onproc.h"

#include <errno.h>
#include <limits.h>
#include <onproc/sensor.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MODULE_VARIABLE "ONPROC_SCHED_MODULE"
#define BUILT_MODULE	"/bpf/libonproc-sched.so" /* in the build directory */
#define LEVELS		3			  /* this program lies in its src/workload */

/* A program of a build directory takes the module that was built with it. */
static void module_find(void)
{
	char path[PATH_MAX + sizeof(BUILT_MODULE)];
	ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);

	if (getenv(MODULE_VARIABLE) || length <= 0)
		return;
	path[length] = '\0';
	for (int i = 0; i < LEVELS; i++) {
		char *slash = strrchr(path, '/');

		if (!slash)
			return;
		*slash = '\0';
	}
	memcpy(path + strlen(path), BUILT_MODULE, sizeof(BUILT_MODULE));
	if (!access(path, R_OK))
		setenv(MODULE_VARIABLE, path, 0);
}

int lock_onproc_open(char *text, size_t bytes)
{
	int rc;

	module_find();
	rc = onproc_sensor_open(NULL);
	if (rc == -EBUSY) /* a lock was quicker */
		rc = 0;
	if (rc)
		onproc_sensor_status(text, bytes);
	return rc;
}

const char *lock_onproc_sensor(void)
{
	return onproc_sensor_kind();
}
