// SPDX-License-Identifier: MIT
/*
 * sched_itself.c - loads the program into the kernel from this process, by the module.
 *
 * Each process that does so adds a program to every switch of the machine; many of them are what
 * the daemon is for. The program goes with the process.
 */
#include "sensor/sched.h"
#include "sensor/sched_module.h"

#include <dlfcn.h>
#include <errno.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Later than the oldest headers. */
#ifndef CAP_PERFMON
#	define CAP_PERFMON 38
#	define CAP_BPF	    39
#endif

static const struct sched_module *module;
static struct sched_program *program;
static uint32_t client;
static pid_t loaded_by;

static void *open_library(void)
{
	const char *path = secure_getenv("ONPROC_SCHED_MODULE");

	if (path && *path)
		return dlopen(path, RTLD_NOW | RTLD_LOCAL);
	return dlopen(SCHED_MODULE_DIR "/" SCHED_MODULE_NAME, RTLD_NOW | RTLD_LOCAL);
}

const struct sched_module *sched_module_load(struct sensor_why *why)
{
	void *library = open_library();
	const struct sched_module *found = library ? dlsym(library, SCHED_MODULE_SYMBOL) : NULL;

	if (!found) {
		const char *reason = dlerror();

		sensor_why(why, -ENOENT,
			   "the module is missing (it is built where clang and libbpf are there): "
			   "%.120s",
			   reason ? reason : SCHED_MODULE_NAME);
		return NULL;
	}
	if (found->version != SCHED_MODULE_VERSION) {
		sensor_why(why, -ENOENT, "the module is of version %u, not %u", found->version,
			   SCHED_MODULE_VERSION);
		return NULL;
	}
	return found;
}

static bool have_capability(uint32_t capability)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct sets[2] = { { 0 } };

	return !syscall(SYS_capget, &header, sets) &&
	       sets[capability / 32].effective >> capability % 32 & 1;
}

/* Asked first, for it is the usual reason, and the kernel's own words for it are none. */
static int check_privileges(struct sensor_why *why)
{
	bool is_admin = have_capability(CAP_SYS_ADMIN);

	if (!(is_admin || (have_capability(CAP_BPF) && have_capability(CAP_PERFMON))))
		return sensor_why(why, -EPERM,
				  "to load it itself needs CAP_BPF and CAP_PERFMON, or root");
	if (access("/sys/kernel/btf/vmlinux", R_OK))
		return sensor_why(why, -ENOTSUP,
				  "the kernel does not describe itself (/sys/kernel/btf/vmlinux)");
	return 0;
}

static void itself_close(void)
{
	/* In a forked child too: its descriptors are closed, the parent's hold the program. */
	module->unload(program);
	program = NULL;
}

static int itself_open(struct sensor_why *why)
{
	struct sched_why reason = { "" };
	int map_fd, rc;

	rc = check_privileges(why);
	if (rc)
		return rc;
	module = sched_module_load(why);
	if (!module)
		return -ENOENT;
	rc = module->load(1, false, &program, &reason);
	if (rc)
		return sensor_why(why, rc, "%.200s", reason.text);
	rc = module->client_begins(program, getpid(), &client, &map_fd);
	if (rc)
		sensor_why(why, rc, "a map for the states: %s", strerror(-rc));
	if (!rc) {
		rc = sensor_area_map(map_fd, why);
		close(map_fd);
	}
	if (rc)
		itself_close();
	loaded_by = getpid();
	return rc;
}

static int itself_thread_begins(uint32_t slot, pid_t thread)
{
	return module->thread_begins(program, client, thread, slot);
}

static int itself_thread_ends(uint32_t slot, pid_t thread)
{
	(void)slot;
	return module->thread_ends(program, client, thread);
}

static bool itself_is_alive(void)
{
	return true;
}

static void itself_describe(char *text, size_t bytes)
{
	snprintf(text, bytes, "by a program that process %d has loaded", (int)loaded_by);
}

const struct sched_way sched_by_itself = {
	.open = itself_open,
	.close = itself_close,
	.thread_begins = itself_thread_begins,
	.thread_ends = itself_thread_ends,
	.is_alive = itself_is_alive,
	.describe = itself_describe,
};
