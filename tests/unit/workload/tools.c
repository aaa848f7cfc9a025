// SPDX-License-Identifier: GPL-2.0-or-later
/* tools.c - which external programs are missing, and in which words. */
#include "workload/tools.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

struct place {
	char dir[64];
	char *path; /* PATH before the test */
};

static void tool_make(const struct place *place, const char *name, mode_t mode)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", place->dir, name);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs("#!/bin/sh\n", file);
	fclose(file);
	assert_int_equal(chmod(path, mode), 0);
}

static int place_make(void **state)
{
	struct place *place = calloc(1, sizeof(*place));
	const char *path = getenv("PATH");

	if (!place)
		return -1;
	strcpy(place->dir, "/tmp/onproc-tools-XXXXXX");
	*state = place;
	if (!mkdtemp(place->dir) || !path)
		return -1;
	place->path = strdup(path);
	return setenv("PATH", place->dir, 1);
}

static int place_remove(void **state)
{
	struct place *place = *state;
	char command[128];
	int rc;

	setenv("PATH", place->path, 1);
	snprintf(command, sizeof(command), "rm -r %s", place->dir);
	rc = system(command);
	free(place->path);
	free(place);
	return rc;
}

static void missing_tool_is_named_with_its_package(void **state)
{
	static const char *const names[] = { "dc", NULL };
	struct reason why;

	(void)state;
	assert_int_equal(tools_missing(names, &why), -ENOENT);
	assert_string_equal(why.text, "dc: not found in PATH; install the package dc");
}

static void first_of_several_missing_tools_is_named(void **state)
{
	static const char *const names[] = { "sort", "od", "wc", NULL };
	struct reason why;

	tool_make(*state, "sort", 0755);
	assert_int_equal(tools_missing(names, &why), -ENOENT);
	assert_string_equal(why.text, "od: not found in PATH; install the package coreutils");
}

static void nothing_is_missing_when_all_are_there(void **state)
{
	static const char *const names[] = { "sort", "od", NULL };
	struct reason why;

	tool_make(*state, "sort", 0755);
	tool_make(*state, "od", 0755);
	assert_int_equal(tools_missing(names, &why), 0);
}

static void file_that_cannot_be_run_is_no_tool(void **state)
{
	char path[256];

	tool_make(*state, "dc", 0644);
	assert_false(tool_find("dc", path, sizeof(path)));
}

static void directory_is_no_tool(void **state)
{
	const struct place *place = *state;
	char path[256];

	snprintf(path, sizeof(path), "%s/dc", place->dir);
	assert_int_equal(mkdir(path, 0755), 0);
	assert_false(tool_find("dc", path, sizeof(path)));
}

static void tool_is_found_in_the_last_directory_of_path(void **state)
{
	const struct place *place = *state;
	char path[256], right[256];

	tool_make(place, "dc", 0755);
	snprintf(path, sizeof(path), "/nowhere:/nowhere/else:%s", place->dir);
	setenv("PATH", path, 1);
	snprintf(right, sizeof(right), "%s/dc", place->dir);
	assert_true(tool_find("dc", path, sizeof(path)));
	assert_string_equal(path, right);
}

static void name_with_a_slash_is_not_searched(void **state)
{
	static const char *const names[] = { "/nowhere/true", NULL };
	struct reason why;
	char path[256];

	(void)state;
	assert_true(tool_find("/bin/sh", path, sizeof(path)));
	assert_string_equal(path, "/bin/sh");
	assert_int_equal(tools_missing(names, &why), -ENOENT);
	assert_string_equal(why.text, "/nowhere/true: not found; install the package that has it");
}

static void unsupported_workload_says_which_tool_is_missing(void **state)
{
	static const struct {
		const char *name, *text;
	} cases[] = {
		{ "shell1", "sort: not found in PATH; install the package coreutils" },
		{ "shell8", "sort: not found in PATH; install the package coreutils" },
		{ "C", "cc: not found in PATH; install the package gcc" },
		{ "dc", "dc: not found in PATH; install the package dc" },
		{ "grep", "grep: not found in PATH; install the package grep" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct workload *workload = workload_find(cases[i].name);
		const struct workload_request request = { .copies = 1, .dir = "/tmp" };
		struct reason why;

		assert_non_null(workload);
		assert_int_equal(workload->supported(&request, &why), -ENOENT);
		assert_string_equal(why.text, cases[i].text);
	}
}

#define WITH_PLACE(test) cmocka_unit_test_setup_teardown(test, place_make, place_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_PLACE(missing_tool_is_named_with_its_package),
		WITH_PLACE(first_of_several_missing_tools_is_named),
		WITH_PLACE(nothing_is_missing_when_all_are_there),
		WITH_PLACE(file_that_cannot_be_run_is_no_tool),
		WITH_PLACE(directory_is_no_tool),
		WITH_PLACE(tool_is_found_in_the_last_directory_of_path),
		WITH_PLACE(name_with_a_slash_is_not_searched),
		WITH_PLACE(unsupported_workload_says_which_tool_is_missing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
