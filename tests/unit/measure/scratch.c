// SPDX-License-Identifier: GPL-2.0-or-later
/* scratch.c - scratch directories: made, held, swept when nobody holds them. */
#include "measure/scratch.h"
#include "base/remove_tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char parent[64];

static int make_parent(void **state)
{
	(void)state;
	snprintf(parent, sizeof(parent), "/tmp/scratch-test-XXXXXX");
	return mkdtemp(parent) ? 0 : -1;
}

static int remove_parent(void **state)
{
	(void)state;
	return remove_tree(parent);
}

static const char *in_parent(const char *name)
{
	static char path[sizeof(parent) + 64];

	snprintf(path, sizeof(path), "%s/%s", parent, name);
	return path;
}

static void make_file(const char *directory, const char *name)
{
	char file[64];
	int fd;

	snprintf(file, sizeof(file), "%s/%s", directory, name);
	fd = open(in_parent(file), O_CREAT | O_WRONLY, 0600);
	assert_true(fd >= 0);
	close(fd);
}

/* What a harness leaves when it is killed: its directory, mark and files in it, and no lock. */
static void leave(const char *name)
{
	assert_int_equal(mkdir(in_parent(name), 0700), 0);
	make_file(name, ".onproc-scratch");
	make_file(name, "file");
}

static void what_a_killed_run_left_is_swept(void **state)
{
	(void)state;
	leave("onproc-abcdef");
	leave("onproc-ABC123");
	assert_int_equal(scratch_sweep(parent), 2);
	assert_int_not_equal(access(in_parent("onproc-abcdef"), F_OK), 0);
	assert_int_equal(scratch_sweep(parent), 0);
}

static void what_a_slot_holds_is_not_swept(void **state)
{
	struct scratch scratch = { .fd = -1 };
	struct error err = { 0 };

	(void)state;
	assert_int_equal(scratch_create(parent, &scratch, &err), 0);
	assert_int_equal(scratch_sweep(parent), 0);
	assert_int_equal(access(scratch.path, F_OK), 0);
	scratch_remove(&scratch);
	assert_int_not_equal(access(scratch.path, F_OK), 0);
	scratch_remove(&scratch);
}

/* Whatever its name is, only what onproc made has the mark. */
static void a_directory_of_the_user_is_not_swept(void **state)
{
	(void)state;
	assert_int_equal(mkdir(in_parent("onproc-backup"), 0700), 0);
	make_file("onproc-backup", "thesis");
	assert_int_equal(scratch_sweep(parent), 0);
	assert_int_equal(access(in_parent("onproc-backup/thesis"), F_OK), 0);
}

static void what_is_not_ours_is_not_swept(void **state)
{
	static const char *const name[] = { "onproc-abcdefg", "onproc-abc",    "else-abcdef",
					    "onproc-shared",  "onproc-linked", "onproc-afile0" };

	(void)state;
	leave(name[0]);
	leave(name[1]);
	leave(name[2]);
	leave(name[3]);
	assert_int_equal(chmod(in_parent(name[3]), 0755), 0);
	assert_int_equal(symlink(name[2], in_parent(name[4])), 0);
	close(open(in_parent(name[5]), O_CREAT | O_WRONLY, 0600));
	assert_int_equal(scratch_sweep(parent), 0);
	for (size_t i = 0; i < sizeof(name) / sizeof(name[0]); i++)
		assert_int_equal(access(in_parent(name[i]), F_OK), 0);
}

static void a_parent_that_is_not_there_is_named(void **state)
{
	struct scratch scratch = { .fd = -1 };
	struct error err = { 0 };

	(void)state;
	assert_int_equal(scratch_create(in_parent("nowhere"), &scratch, &err), -ENOENT);
	assert_non_null(strstr(err.text, "nowhere"));
	assert_int_equal(scratch_sweep(in_parent("nowhere")), 0);
	scratch_remove(&scratch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_a_killed_run_left_is_swept, make_parent,
						remove_parent),
		cmocka_unit_test_setup_teardown(what_a_slot_holds_is_not_swept, make_parent,
						remove_parent),
		cmocka_unit_test_setup_teardown(a_directory_of_the_user_is_not_swept, make_parent,
						remove_parent),
		cmocka_unit_test_setup_teardown(what_is_not_ours_is_not_swept, make_parent,
						remove_parent),
		cmocka_unit_test_setup_teardown(a_parent_that_is_not_there_is_named, make_parent,
						remove_parent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
