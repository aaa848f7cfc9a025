// SPDX-License-Identifier: GPL-2.0-or-later
/* suite.c - the store's lists of the published suites against the table of workloads. */
#include "store/suite.h"

#include "workload/workload.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

static struct suite suite_named(const char *name)
{
	struct suite suites[SUITES_MAX];
	struct run run;
	size_t count;

	run_init(&run);
	run.plan = json_pack("{s:s}", "suite", name);
	count = suites_of(&run, suites);
	run_free(&run);
	assert_int_equal(count, 1);
	assert_non_null(suites[0].known);
	return suites[0];
}

static void assert_same_tests(const char *name)
{
	const struct workload_group *group = workload_group_find(name);
	struct suite suite = suite_named(name);
	uint32_t tests = 0;

	assert_non_null(group);
	for (size_t i = 0; group->tests[i]; i++) {
		const struct workload *workload = workload_find(group->tests[i]);

		assert_non_null(workload);
		if (!(workload->baseline > 0))
			continue;
		assert_true(suite_has(&suite, workload->id));
		tests++;
	}
	assert_int_equal(suite.tests, tests);
}

static void suites_are_those_of_the_workloads(void **state)
{
	(void)state;
	assert_same_tests("unixbench6");
	assert_same_tests("unixbench5");
}

static void suites_without_plan_are_those_with_a_test_of_their_own(void **state)
{
	struct suite suites[SUITES_MAX];
	struct run run;

	(void)state;
	run_init(&run);
	assert_int_equal(suites_of(&run, suites), 0);
	run_add_series(&run)->test = strdup("onproc/messaging@1");
	run_add_series(&run)->test = strdup("unixbench6/sysexec@1");
	assert_int_equal(suites_of(&run, suites), 0);
	run_add_series(&run)->test = strdup("unixbench6/pipe@1");
	assert_int_equal(suites_of(&run, suites), 1);
	assert_string_equal(suites[0].name, "unixbench6");
	run_add_series(&run)->test = strdup("unixbench5/syscall5@1");
	assert_int_equal(suites_of(&run, suites), 2);
	assert_string_equal(suites[1].name, "unixbench5");
	run_free(&run);
}

static void suite_of_a_plan_without_tests_and_unknown_is_none(void **state)
{
	struct suite suites[SUITES_MAX];
	struct run run;

	(void)state;
	run_init(&run);
	run.plan = json_pack("{s:s, s:[]}", "suite", "mine", "suite_tests");
	assert_int_equal(suites_of(&run, suites), 0);
	run_free(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(suites_are_those_of_the_workloads),
		cmocka_unit_test(suites_without_plan_are_those_with_a_test_of_their_own),
		cmocka_unit_test(suite_of_a_plan_without_tests_and_unknown_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
