// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * golden.c - whole reports of the runs in tests/data/runs, as they were looked at and found right.
 *
 * quick: 12 tests at 1 and 2 copies, context1 in two modes, one slot disturbed and re-run.
 * trouble: interrupted; too few slots, a failed slot, missing programs, steal, quota, long windows.
 * imported: scores of another tool, without slots, one test of the suite missing.
 */
#include "report/report.h"

#include "fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void compare(const char *run_name, int (*report)(const struct run *run, FILE *out),
		    const char *golden)
{
	struct run run;
	char *text;

	fixture_load(run_name, &run);
	text = fixture_report(&run, report);
	fixture_golden(golden, text);
	free(text);
	run_free(&run);
}

static void table_of_a_quick_run(void **state)
{
	(void)state;
	compare("quick", report_table, "quick.txt");
}

static void table_of_a_run_with_every_trouble(void **state)
{
	(void)state;
	compare("trouble", report_table, "trouble.txt");
}

static void table_of_an_imported_run(void **state)
{
	(void)state;
	compare("imported", report_table, "imported.txt");
}

static void unixbench_shape_of_a_quick_run(void **state)
{
	(void)state;
	compare("quick", report_unixbench, "quick.unixbench");
}

static void unixbench_shape_of_a_partial_run(void **state)
{
	(void)state;
	compare("trouble", report_unixbench, "trouble.unixbench");
}

static void csv_of_a_run_with_every_trouble(void **state)
{
	(void)state;
	compare("trouble", report_csv, "trouble.csv");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(table_of_a_quick_run),
		cmocka_unit_test(table_of_a_run_with_every_trouble),
		cmocka_unit_test(table_of_an_imported_run),
		cmocka_unit_test(unixbench_shape_of_a_quick_run),
		cmocka_unit_test(unixbench_shape_of_a_partial_run),
		cmocka_unit_test(csv_of_a_run_with_every_trouble),
	};

	return cmocka_run_group_tests_name("report/golden", tests, NULL, NULL);
}
