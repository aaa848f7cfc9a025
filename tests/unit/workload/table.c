// SPDX-License-Identifier: GPL-2.0-or-later
/* table.c - the table of tests, its names, its groups and its content hashes. */
#include "base/sha256.h"
#include "workload/workload.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define NAME_BYTES 64

static void every_test_is_declared_in_full(void **state)
{
	(void)state;
	for (const struct workload *const *entry = workload_table; *entry; entry++) {
		const struct workload *workload = *entry;

		print_message("# %s\n", workload->id);
		assert_non_null(strchr(workload->id, '/'));
		assert_non_null(strchr(workload->id, '@'));
		assert_non_null(workload->title);
		assert_non_null(workload->help);
		assert_null(strchr(workload->help, '\n'));
		assert_non_null(workload->unit);
		assert_non_null(workload->program);
		assert_non_null(workload->file);
		assert_true(workload->units_per_iteration > 0);
		assert_true(workload->baseline >= 0);
		assert_true(workload->processes >= 1);
		/* Those of the lock tests are in their program alone. */
		assert_true(workload->loop || workload->class == CLASS_LOCK);
		assert_true(!workload->classic_s == !workload->classic_passes);
	}
}

static void a_test_is_found_by_id_and_by_name(void **state)
{
	const struct workload *pipe = workload_find("unixbench6/hanoi@1");

	(void)state;
	assert_non_null(pipe);
	assert_ptr_equal(workload_find("unixbench6/hanoi"), pipe);
	assert_ptr_equal(workload_find("hanoi"), pipe);
}

static void a_part_of_a_name_finds_nothing(void **state)
{
	static const char *const wrong[] = {
		"", "hano", "hanoi@", "hanoi@1", "unixbench6/", "unixbench6", "unixbench6/hanoi@2"
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_null(workload_find(wrong[i]));
}

static void a_name_belongs_to_one_test_or_group(void **state)
{
	char name[NAME_BYTES];

	(void)state;
	for (const struct workload *const *entry = workload_table; *entry; entry++) {
		workload_name(*entry, name, sizeof(name));
		print_message("# %s\n", name);
		assert_ptr_equal(workload_find(name), *entry);
		assert_ptr_equal(workload_find((*entry)->id), *entry);
		assert_null(workload_group_find(name));
	}
}

static void a_name_is_cut_to_its_room(void **state)
{
	char name[5];

	(void)state;
	assert_string_equal(workload_name(workload_find("dhry2reg"), name, sizeof(name)), "dhry");
}

static void every_test_of_a_group_exists(void **state)
{
	(void)state;
	for (const struct workload_group *group = workload_groups; group->name; group++) {
		assert_ptr_equal(workload_group_find(group->name), group);
		for (const char *const *test = group->tests; *test; test++) {
			print_message("# %s: %s\n", group->name, *test);
			assert_non_null(workload_find(*test));
		}
	}
}

static void an_unknown_group_is_not_found(void **state)
{
	(void)state;
	assert_null(workload_group_find("graphics"));
	assert_null(workload_group_find(""));
}

/* Names, order and baselines: BYTE UNIX Benchmarks 6, file pgms/index.base and the list in Run. */
static const struct {
	const char *name;
	double baseline;
} index_tests[] = {
	{ "dhry2reg", 116700 }, { "whetstone-double", 55 }, { "execl", 43 },
	{ "fstime", 3960 },	{ "fsbuffer", 1655 },	    { "fsdisk", 5800 },
	{ "pipe", 12440 },	{ "context1", 4000 },	    { "spawn", 126 },
	{ "syscall", 15000 },	{ "shell1", 42.4 },	    { "shell8", 6 },
};
#define INDEX_TESTS (sizeof(index_tests) / sizeof(index_tests[0]))

static void the_index_has_its_twelve_tests_in_order(void **state)
{
	const struct workload_group *group = workload_group_find("index");

	(void)state;
	assert_non_null(group);
	assert_ptr_equal(workload_group_find("unixbench6")->tests, group->tests);
	for (size_t i = 0; i < INDEX_TESTS; i++) {
		const struct workload *workload = workload_find(index_tests[i].name);

		assert_string_equal(group->tests[i], index_tests[i].name);
		assert_ptr_equal(workload_table[i], workload);
		assert_true(workload->baseline == index_tests[i].baseline);
	}
	assert_null(group->tests[INDEX_TESTS]);
}

static void version_5_differs_in_copies_and_system_calls(void **state)
{
	const char *const *tests5 = workload_group_find("unixbench5")->tests;
	const char *const *tests6 = workload_group_find("unixbench6")->tests;

	(void)state;
	for (size_t i = 0; i < INDEX_TESTS; i++) {
		const char *name = tests6[i];
		bool differs = !strncmp(name, "fs", 2) || !strcmp(name, "syscall");

		assert_int_equal(!strcmp(tests5[i], name), !differs);
		assert_memory_equal(tests5[i], name, strlen(name));
		assert_true(workload_find(tests5[i])->baseline == index_tests[i].baseline);
	}
	assert_null(tests5[INDEX_TESTS]);
}

static void only_suites_have_an_index(void **state)
{
	(void)state;
	for (const struct workload_group *group = workload_groups; group->name; group++)
		assert_int_equal(group->is_suite, !strncmp(group->name, "unixbench", 9) ||
							  !strcmp(group->name, "index"));
}

static void hash_of(const struct workload *workload, const int64_t *param,
		    char hex[SHA256_HEX_BYTES])
{
	memset(hex, 0, SHA256_HEX_BYTES);
	workload_hash(workload, param, hex);
	assert_int_equal(strlen(hex), SHA256_HEX_BYTES - 1);
}

static void a_content_hash_depends_on_the_file(void **state)
{
	struct workload workload = *workload_find("hanoi");
	char own[SHA256_HEX_BYTES], other[SHA256_HEX_BYTES], none[SHA256_HEX_BYTES];

	(void)state;
	hash_of(&workload, NULL, own);
	workload.file = "dhry";
	hash_of(&workload, NULL, other);
	assert_string_not_equal(own, other);
	workload.file = "a file that is not there";
	hash_of(&workload, NULL, none);
	assert_string_not_equal(own, none);
}

static void every_test_has_sources_in_its_hash(void **state)
{
	(void)state;
	for (const struct workload *const *entry = workload_table; *entry; entry++) {
		struct workload none = **entry;
		int64_t param[16] = { 0 };
		char own[SHA256_HEX_BYTES], other[SHA256_HEX_BYTES];

		print_message("# %s\n", none.id);
		none.file = "a file that is not there";
		hash_of(*entry, param, own);
		hash_of(&none, param, other);
		assert_string_not_equal(own, other);
	}
}

static void a_content_hash_depends_on_id_and_parameters(void **state)
{
	static const struct workload_param params[] = { { .name = "a" },
							{ .name = "b" },
							{ NULL } };
	struct workload workload = { .id = "x/y@1", .file = "hanoi", .params = params };
	char first[SHA256_HEX_BYTES], second[SHA256_HEX_BYTES];

	(void)state;
	hash_of(&workload, (int64_t[]){ 1, 12 }, first);
	hash_of(&workload, (int64_t[]){ 1, 12 }, second);
	assert_string_equal(first, second);
	hash_of(&workload, (int64_t[]){ 11, 2 }, second);
	assert_string_not_equal(first, second);
	hash_of(&workload, (int64_t[]){ 1, -12 }, second);
	assert_string_not_equal(first, second);
	workload.id = "x/y@2";
	hash_of(&workload, (int64_t[]){ 1, 12 }, second);
	assert_string_not_equal(first, second);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_test_is_declared_in_full),
		cmocka_unit_test(a_test_is_found_by_id_and_by_name),
		cmocka_unit_test(a_part_of_a_name_finds_nothing),
		cmocka_unit_test(a_name_belongs_to_one_test_or_group),
		cmocka_unit_test(a_name_is_cut_to_its_room),
		cmocka_unit_test(every_test_of_a_group_exists),
		cmocka_unit_test(an_unknown_group_is_not_found),
		cmocka_unit_test(the_index_has_its_twelve_tests_in_order),
		cmocka_unit_test(version_5_differs_in_copies_and_system_calls),
		cmocka_unit_test(only_suites_have_an_index),
		cmocka_unit_test(a_content_hash_depends_on_the_file),
		cmocka_unit_test(every_test_has_sources_in_its_hash),
		cmocka_unit_test(a_content_hash_depends_on_id_and_parameters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
