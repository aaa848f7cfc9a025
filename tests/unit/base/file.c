// SPDX-License-Identifier: GPL-2.0-or-later
/* file.c - whole files: read with a limit, replaced in one step. */
#include "base/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char directory[64];

static int setup(void **state)
{
	(void)state;
	snprintf(directory, sizeof(directory), "/tmp/onproc-file-XXXXXX");
	umask(022);
	return mkdtemp(directory) && !chdir(directory) ? 0 : -1;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
	(void)status;
	(void)type;
	(void)walk;
	return remove(path);
}

static int teardown(void **state)
{
	(void)state;
	return chdir("/") || nftw(directory, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void assert_holds(const char *path, const char *text)
{
	size_t count;
	char *bytes;

	assert_int_equal(file_read(path, 1 << 20, &bytes, &count, NULL), 0);
	assert_int_equal(count, strlen(text));
	assert_string_equal(bytes, text);
	free(bytes);
}

static size_t files_here(void)
{
	DIR *here = opendir(".");
	size_t files = 0;

	while (readdir(here))
		files++;
	closedir(here);
	return files - 2;
}

static mode_t mode_of(const char *path)
{
	struct stat file;

	assert_int_equal(lstat(path, &file), 0);
	return file.st_mode & 07777;
}

static void a_file_larger_than_the_limit_is_refused(void **state)
{
	struct error err = { 0 };
	size_t count;
	char *bytes;

	(void)state;
	assert_int_equal(write_atomic("f", "12345", 5, 0600, NULL), 0);
	assert_int_equal(file_read("f", 5, &bytes, &count, &err), 0);
	free(bytes);
	assert_int_equal(file_read("f", 4, &bytes, &count, &err), -EFBIG);
	assert_string_equal(err.text, "f: larger than 4 bytes");
	assert_int_equal(file_read("/dev/zero", 1 << 20, &bytes, &count, &err), -EFBIG);
}

static void a_file_without_a_size_is_read_whole(void **state)
{
	size_t count;
	char *bytes;

	(void)state;
	assert_int_equal(file_read("/proc/self/status", 1 << 20, &bytes, &count, NULL), 0);
	assert_true(count > 100);
	assert_int_equal(strlen(bytes), count);
	free(bytes);
}

static void a_new_file_has_the_mode_less_the_umask(void **state)
{
	(void)state;
	assert_int_equal(write_atomic("f", "one", 3, 0666, NULL), 0);
	assert_int_equal(mode_of("f"), 0644);
	assert_holds("f", "one");
	assert_int_equal(files_here(), 1);
}

static void a_replaced_file_keeps_its_mode(void **state)
{
	(void)state;
	assert_int_equal(write_atomic("f", "one", 3, 0666, NULL), 0);
	chmod("f", 0640);
	assert_int_equal(write_atomic("f", "two", 3, 0600, NULL), 0);
	assert_int_equal(mode_of("f"), 0640);
	assert_holds("f", "two");
}

/* Who has opened the old file goes on reading it: it was not written into. */
static void a_reader_of_the_old_file_keeps_it(void **state)
{
	char bytes[4] = "";
	int fd;

	(void)state;
	assert_int_equal(write_atomic("f", "one", 3, 0600, NULL), 0);
	fd = open("f", O_RDONLY | O_CLOEXEC);
	assert_int_equal(write_atomic("f", "two", 3, 0600, NULL), 0);
	assert_int_equal(read(fd, bytes, 3), 3);
	close(fd);
	assert_string_equal(bytes, "one");
}

static void a_link_stays_and_its_target_is_replaced(void **state)
{
	struct stat file;

	(void)state;
	assert_int_equal(write_atomic("target", "one", 3, 0600, NULL), 0);
	assert_int_equal(symlink("target", "link"), 0);
	assert_int_equal(write_atomic("link", "two", 3, 0600, NULL), 0);
	assert_int_equal(lstat("link", &file), 0);
	assert_true(S_ISLNK(file.st_mode));
	assert_holds("target", "two");
}

static void a_device_is_written_to_and_not_replaced(void **state)
{
	struct stat file;

	(void)state;
	assert_int_equal(write_atomic("/dev/null", "x", 1, 0600, NULL), 0);
	assert_int_equal(stat("/dev/null", &file), 0);
	assert_true(S_ISCHR(file.st_mode));
	assert_int_equal(write_atomic("/dev/full", "x", 1, 0600, NULL), -ENOSPC);
}

static void what_cannot_be_written_is_named_and_leaves_nothing(void **state)
{
	struct error err = { 0 };

	(void)state;
	assert_int_equal(write_atomic("missing/f", "x", 1, 0600, &err), -ENOENT);
	assert_non_null(strstr(err.text, "missing/f"));
	assert_int_equal(write_atomic(directory, "x", 1, 0600, &err), -EISDIR);
	assert_int_equal(files_here(), 0);
}

static void directories_are_made_where_missing(void **state)
{
	struct error err = { 0 };

	(void)state;
	assert_int_equal(make_parent_directories("a/b//c/file", 0700, &err), 0);
	assert_int_equal(mode_of("a/b/c"), 0700);
	assert_int_equal(access("a/b/c/file", F_OK), -1);
	assert_int_equal(make_parent_directories("a/b/c/file", 0700, &err), 0);
	assert_int_equal(make_parent_directories("file", 0700, &err), 0);
	assert_int_equal(write_atomic("a/f", "x", 1, 0600, NULL), 0);
	assert_int_equal(make_parent_directories("a/f/d/file", 0700, &err), -ENOTDIR);
	assert_non_null(strstr(err.text, "a/f/d"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_file_larger_than_the_limit_is_refused),
		TEST(a_file_without_a_size_is_read_whole),
		TEST(a_new_file_has_the_mode_less_the_umask),
		TEST(a_replaced_file_keeps_its_mode),
		TEST(a_reader_of_the_old_file_keeps_it),
		TEST(a_link_stays_and_its_target_is_replaced),
		TEST(a_device_is_written_to_and_not_replaced),
		TEST(what_cannot_be_written_is_named_and_leaves_nothing),
		TEST(directories_are_made_where_missing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
