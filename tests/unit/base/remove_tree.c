// SPDX-License-Identifier: GPL-2.0-or-later
/* remove_tree.c - scratch directories go with all that is theirs, and with nothing else. */
#include "base/remove_tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char root[64];

static int make_root(void **state)
{
	(void)state;
	snprintf(root, sizeof(root), "/tmp/remove-test-XXXXXX");
	return mkdtemp(root) ? 0 : -1;
}

static int remove_root(void **state)
{
	(void)state;
	return remove_tree(root);
}

static const char *in_root(const char *name)
{
	static char paths[4][sizeof(root) + 300];
	static unsigned next;
	char *path = paths[next++ % 4];

	snprintf(path, sizeof(paths[0]), "%s/%s", root, name);
	return path;
}

static void make_directory(const char *name)
{
	assert_int_equal(mkdir(in_root(name), 0700), 0);
}

static void make_file(const char *name)
{
	int fd = open(in_root(name), O_CREAT | O_WRONLY, 0600);

	assert_true(fd >= 0);
	close(fd);
}

static bool is_there(const char *name)
{
	struct stat status;

	return !lstat(in_root(name), &status);
}

static void files_and_directories_go(void **state)
{
	char name[32];

	(void)state;
	make_directory("top");
	make_directory("top/a");
	make_directory("top/a/b");
	make_file("top/a/b/file");
	for (int i = 0; i < 3000; i++) {
		snprintf(name, sizeof(name), "top/a/%d", i);
		make_file(name);
	}
	assert_int_equal(remove_tree(in_root("top")), 0);
	assert_false(is_there("top"));
}

static void what_is_not_there_is_removed(void **state)
{
	(void)state;
	assert_int_equal(remove_tree(in_root("top")), 0);
}

static void links_are_not_followed(void **state)
{
	(void)state;
	make_directory("kept");
	make_file("kept/file");
	make_directory("top");
	assert_int_equal(symlink(in_root("kept"), in_root("top/link")), 0);
	assert_int_equal(remove_tree(in_root("top")), 0);
	assert_false(is_there("top"));
	assert_int_equal(symlink(in_root("kept"), in_root("link")), 0);
	assert_int_not_equal(remove_tree(in_root("link")), 0);
	assert_true(is_there("kept/file"));
}

/* In a mount namespace of its own. 0: passed, 1: failed, 77: may not mount. */
static int beside_mounts(void)
{
	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount(in_root("kept"), in_root("top/inside"), NULL, MS_BIND, NULL) ||
	    mount(in_root("kept"), in_root("on"), NULL, MS_BIND, NULL))
		return 77;
	if (!remove_tree(in_root("top")) || !remove_tree(in_root("on")))
		return 1;
	return !is_there("kept/file") || is_there("top/file");
}

/* Of the same device too. */
static void what_is_mounted_stays(void **state)
{
	pid_t child;
	int status;

	(void)state;
	make_directory("kept");
	make_file("kept/file");
	make_directory("top");
	make_directory("top/inside");
	make_file("top/file");
	make_directory("on");
	child = fork();
	if (!child)
		_exit(beside_mounts());
	assert_int_equal(waitpid(child, &status, 0), child);
	if (WEXITSTATUS(status) == 77)
		skip();
	assert_int_equal(status, 0);
	assert_true(is_there("kept/file"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_root, remove_root)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(files_and_directories_go),
		TEST(what_is_not_there_is_removed),
		TEST(links_are_not_followed),
		TEST(what_is_mounted_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
