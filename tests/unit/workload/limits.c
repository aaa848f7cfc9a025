// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * limits.c - process and descriptor limits: which one is too low, and in which words.
 *
 * A directory stands for the root directory; the trees are those of a machine with version 1 of
 * cgroups, with version 2, and with none.
 */
#include "workload/resource_limits.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define NOBODY 65534

static char root[64];

/* Writes a file under the root, with its directories. */
static void put(const char *path, const char *text)
{
	char name[512], *slash;
	FILE *file;

	snprintf(name, sizeof(name), "%s%s", root, path);
	for (slash = strchr(name + strlen(root) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(name, 0755);
		*slash = '/';
	}
	file = fopen(name, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static int root_make(void **state)
{
	(void)state;
	strcpy(root, "/tmp/onproc-limits-XXXXXX");
	if (!mkdtemp(root) || chmod(root, 0755))
		return -1;
	put("/proc/loadavg", "0.10 0.20 0.30 2/1000 4711\n");
	put("/proc/sys/kernel/pid_max", "32768\n");
	put("/proc/sys/kernel/threads-max", "100000\n");
	return 0;
}

static int root_remove(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -r %s", root);
	return system(command);
}

static void version1(const char *group)
{
	char line[128];

	put("/proc/self/mountinfo",
	    "25 20 0:22 / /sys rw shared:7 - sysfs sysfs rw\n"
	    "31 25 0:27 / /sys/fs/cgroup/cpu rw shared:9 - cgroup cgroup rw,cpu\n"
	    "32 25 0:28 / /sys/fs/cgroup/pids rw shared:9 - cgroup cgroup rw,pids\n"
	    "33 25 0:29 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
	snprintf(line, sizeof(line), "9:cpu:/other\n8:pids:%s\n0::/unified\n", group);
	put("/proc/self/cgroup", line);
}

static void version2(const char *group)
{
	char line[128];

	put("/proc/self/mountinfo",
	    "25 20 0:22 / /sys rw shared:7 - sysfs sysfs rw\n"
	    "30 25 0:26 / /sys/fs/cgroup rw,nosuid shared:8 - cgroup2 cgroup2 rw,nsdelegate\n");
	snprintf(line, sizeof(line), "0::%s\n", group);
	put("/proc/self/cgroup", line);
}

static void expect_refused(uint64_t copies, uint64_t processes, const char *text)
{
	struct reason why = { "" };

	assert_int_equal(limits_processes_in(root, copies, processes, &why), -EAGAIN);
	assert_string_equal(why.text, text);
}

static void expect_allowed(uint64_t copies, uint64_t processes)
{
	struct reason why = { "" };

	assert_int_equal(limits_processes_in(root, copies, processes, &why), 0);
}

static void process_ids_run_out(void **state)
{
	(void)state;
	expect_allowed(31468, 1); /* 32768 - 1000 in use - 300 that the kernel keeps */
	expect_refused(10490, 3,
		       "needs 31470 processes, but kernel.pid_max allows 32768, of which 1000 are "
		       "in use");
}

static void threads_of_the_kernel_run_out(void **state)
{
	(void)state;
	put("/proc/sys/kernel/threads-max", "1100\n");
	expect_allowed(100, 1);
	expect_refused(101, 1,
		       "needs 101 processes, but kernel.threads-max allows 1100, of which 1000 are "
		       "in use");
}

static void version1_limit_of_the_group_is_seen(void **state)
{
	(void)state;
	version1("/box");
	put("/sys/fs/cgroup/pids/box/pids.max", "64\n");
	put("/sys/fs/cgroup/pids/box/pids.current", "14\n");
	expect_allowed(50, 1);
	expect_refused(1, 51,
		       "needs 51 processes, but /sys/fs/cgroup/pids/box/pids.max allows 64, of "
		       "which 14 are in use");
}

static void version2_limit_of_the_group_is_seen(void **state)
{
	(void)state;
	version2("/user.slice/box");
	put("/sys/fs/cgroup/user.slice/box/pids.max", "100\n");
	put("/sys/fs/cgroup/user.slice/box/pids.current", "1\n");
	expect_allowed(99, 1);
	expect_refused(40, 66,
		       "needs 2640 processes, but /sys/fs/cgroup/user.slice/box/pids.max allows "
		       "100, of which 1 are in use");
}

static void limit_of_a_group_above_is_seen(void **state)
{
	(void)state;
	version2("/user.slice/box");
	put("/sys/fs/cgroup/user.slice/box/pids.max", "max\n");
	put("/sys/fs/cgroup/user.slice/pids.max", "30\n");
	put("/sys/fs/cgroup/user.slice/pids.current", "10\n");
	expect_refused(1, 21,
		       "needs 21 processes, but /sys/fs/cgroup/user.slice/pids.max allows 30, of "
		       "which 10 are in use");
}

static void limit_of_the_root_group_of_a_container_is_seen(void **state)
{
	(void)state;
	version2("/");
	put("/sys/fs/cgroup/pids.max", "20\n");
	expect_refused(1, 21,
		       "needs 21 processes, but /sys/fs/cgroup/pids.max allows 20, of which 0 are "
		       "in use");
}

static void group_without_a_limit_allows_all(void **state)
{
	(void)state;
	version1("/box");
	put("/sys/fs/cgroup/pids/box/pids.max", "max\n");
	expect_allowed(10000, 1);
}

static void machine_without_proc_allows_all(void **state)
{
	struct reason why;

	(void)state;
	assert_int_equal(limits_processes_in("/nowhere", 1000000, 100, &why), 0);
}

static void files_with_nonsense_allow_all(void **state)
{
	(void)state;
	put("/proc/loadavg", "no numbers here");
	put("/proc/sys/kernel/pid_max", "");
	put("/proc/sys/kernel/threads-max", "many\n");
	put("/proc/self/mountinfo", "\n - \n1 2 3 - cgroup2\nx\n");
	put("/proc/self/cgroup", "\n:\n::\n0::\n8:pids\n:::::\n");
	expect_allowed(1000000, 1);
}

static void no_group_of_no_hierarchy_is_taken_for_one(void **state)
{
	(void)state;
	version1("/box");
	put("/proc/self/cgroup", "8:cpuset,rpids:/box\n");
	put("/sys/fs/cgroup/pids/box/pids.max", "1\n");
	expect_allowed(100, 1);
}

/* RLIMIT_NPROC binds neither root nor who may change limits: as nobody, in a child. */
static void limit_of_the_user_is_seen(void **state)
{
	const struct rlimit limit = { 25, 25 };
	struct reason why = { "" };
	int status;
	pid_t child;

	(void)state;
	if (getuid())
		skip(); /* needs root to become another user */
	put("/proc/self/status", "Name:\tx\nCapEff:\t0000000000000000\n");
	child = fork();
	if (child == 0) {
		if (setresuid(NOBODY, NOBODY, NOBODY) || setrlimit(RLIMIT_NPROC, &limit))
			_exit(2);
		if (limits_processes_in(root, 25, 1, &why) != 0)
			_exit(3);
		if (limits_processes_in(root, 13, 2, &why) != -EAGAIN)
			_exit(4);
		_exit(strcmp(why.text, "needs 26 processes, but the limit of this user (ulimit -u) "
				       "allows 25, of which 0 are in use")
			      ? 5
			      : 0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

/* Calls supported() in a child that may have only so many descriptors. */
static int supported_with_descriptors(const char *name, const int64_t *param, rlim_t descriptors,
				      char *text, size_t bytes)
{
	const struct workload_request request = { .param = param, .copies = 1, .dir = "/tmp" };
	const struct rlimit limit = { descriptors, descriptors };
	const struct workload *workload = workload_find(name);
	struct reason why = { "" };
	int status, end[2], rc;
	pid_t child;

	assert_non_null(workload);
	assert_int_equal(pipe(end), 0);
	child = fork();
	if (child == 0) {
		setrlimit(RLIMIT_NOFILE, &limit);
		rc = workload->supported(&request, &why);
		if (write(end[1], why.text, sizeof(why.text)) < 0)
			_exit(255);
		_exit(-rc);
	}
	assert_true(read(end[0], text, bytes - 1) > 0);
	close(end[0]);
	close(end[1]);
	assert_int_equal(waitpid(child, &status, 0), child);
	return WEXITSTATUS(status);
}

static void threads_of_messaging_need_descriptors(void **state)
{
	const int64_t by_thread[] = { 100, 100, 0, 1 }, by_process[] = { 100, 100, 0, 0 };
	char text[512] = "";

	(void)state;
	assert_int_equal(
		supported_with_descriptors("messaging", by_thread, 1024, text, sizeof(text)),
		EMFILE);
	assert_string_equal(text, "needs 4016 open files in one process, but the limit (ulimit "
				  "-Hn) is 1024");
	assert_int_equal(
		supported_with_descriptors("messaging", by_process, 1024, text, sizeof(text)), 0);
}

#define WITH_ROOT(test) cmocka_unit_test_setup_teardown(test, root_make, root_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_ROOT(process_ids_run_out),
		WITH_ROOT(threads_of_the_kernel_run_out),
		WITH_ROOT(version1_limit_of_the_group_is_seen),
		WITH_ROOT(version2_limit_of_the_group_is_seen),
		WITH_ROOT(limit_of_a_group_above_is_seen),
		WITH_ROOT(limit_of_the_root_group_of_a_container_is_seen),
		WITH_ROOT(group_without_a_limit_allows_all),
		WITH_ROOT(machine_without_proc_allows_all),
		WITH_ROOT(files_with_nonsense_allow_all),
		WITH_ROOT(no_group_of_no_hierarchy_is_taken_for_one),
		WITH_ROOT(limit_of_the_user_is_seen),
		cmocka_unit_test(threads_of_messaging_need_descriptors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
