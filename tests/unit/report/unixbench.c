// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * unixbench.c - the report shape of UnixBench is what the parsers in use expect.
 *
 * Their patterns, in our words: PerfKit Benchmarker, Autotest and LKP were read for what they look
 * for.
 */
#include "report/report.h"
#include "workload/workload.h"

#include "fixture.h"

#include <errno.h>
#include <math.h>
#include <regex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Lines of the report that match an extended regular expression. */
static int matches(const char *report, const char *pattern)
{
	regex_t regex;
	regmatch_t match;
	int n = 0;

	assert_int_equal(regcomp(&regex, pattern, REG_EXTENDED | REG_NEWLINE), 0);
	while (!regexec(&regex, report, 1, &match, 0)) {
		n++;
		report += match.rm_eo;
		report += strcspn(report, "\n");
	}
	regfree(&regex);
	return n;
}

static char *quick_report(void)
{
	struct run run;
	char *text;

	fixture_load("quick", &run);
	text = fixture_report(&run, report_unixbench);
	run_free(&run);
	return text;
}

static void the_first_line_has_the_version_and_names_onproc(void **state)
{
	char *text = quick_report();

	(void)state;
	fixture_has_line(text,
			 "   BYTE UNIX Benchmarks (Version 6.0.0) shape, measured by onproc 0.1.0");
	free(text);
}

static void scores_are_found_by_their_six_last_words(void **state)
{
	char *text = quick_report();

	(void)state;
	assert_int_equal(matches(text, "^[A-Z][A-Za-z0-9_() -]+ +[0-9]+\\.[0-9] [A-Za-z]+ +"
				       "\\([0-9]+\\.[0-9] s, [0-9]+ samples\\)$"),
			 24);
	free(text);
}

static void index_rows_have_baseline_result_and_index(void **state)
{
	char *text = quick_report();

	(void)state;
	assert_int_equal(matches(text, "^[A-Z][A-Za-z0-9_() -]+ +[0-9]+\\.[0-9] +[0-9]+\\.[0-9] +"
				       "[0-9]+\\.[0-9]$"),
			 24);
	assert_int_equal(matches(text, "^System Benchmarks Index Score  +[0-9]+\\.[0-9]$"), 2);
	free(text);
}

static void sections_are_cut_by_rules_of_72_dashes(void **state)
{
	char *text = quick_report();

	(void)state;
	assert_int_equal(matches(text, "^-{72}$"), 2);
	assert_int_equal(matches(text, "-----"), 2);
	assert_int_equal(matches(text, "running 1 parallel copy of tests$"), 1);
	assert_int_equal(
		matches(text, "^[0-9]+ CPUs in system; running 2 parallel copies of tests$"), 1);
	free(text);
}

static void rows_are_sorted_by_label(void **state)
{
	char *text = quick_report();

	(void)state;
	assert_true(strstr(text, "\nPipe Throughput") < strstr(text, "\nPipe-based"));
	assert_true(strstr(text, "\nShell Scripts (8") < strstr(text, "\nSystem Call"));
	free(text);
}

static void an_incomplete_suite_is_partial(void **state)
{
	struct run run;
	char *text;

	(void)state;
	fixture_load("trouble", &run);
	text = fixture_report(&run, report_unixbench);
	fixture_has(text, "\nSystem Benchmarks Partial Index              BASELINE       RESULT    "
			  "INDEX\n");
	assert_int_equal(
		matches(text, "^System Benchmarks Index Score \\(Partial Only\\) +[0-9]+\\.[0-9]$"),
		2);
	fixture_has(text, "   No result: Shell Scripts (8 concurrent), 1 copy: sort: not found");
	free(text);
	run_free(&run);
}

static void tests_of_onproc_itself_stay_out(void **state)
{
	struct run run;
	char *text;

	(void)state;
	fixture_load("trouble", &run);
	text = fixture_report(&run, report_unixbench);
	fixture_lacks(text, "essaging");
	free(text);
	run_free(&run);
}

static void a_run_without_any_test_of_unixbench_is_refused(void **state)
{
	struct run run;
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	(void)state;
	assert_non_null(out);
	fixture_series(&run, "onproc/messaging@1", 1000, 995, 1005);
	assert_int_equal(report_unixbench(&run, out), -ENODATA);
	fclose(out);
	assert_int_equal(bytes, 0);
	free(text);
	run_free(&run);
}

static void a_small_score_keeps_its_digits(void **state)
{
	struct run run;
	struct series *series =
		fixture_series(&run, "unixbench6/shell8@1", 0.01234, 0.0123, 0.0124);
	char *text;

	(void)state;
	series->baseline = 6;
	text = fixture_report(&run, report_unixbench);
	fixture_has(text, " 0.01234 lps ");
	free(text);
	run_free(&run);
}

static void version_5_forms_take_the_place_of_those_of_version_6(void **state)
{
	struct run run;
	struct series *series = fixture_series(&run, "unixbench5/fstime5@1", 1000, 995, 1005);
	char *text;

	(void)state;
	series->baseline = 3960;
	run.plan = json_pack("{s:s}", "suite", "unixbench5");
	assert_non_null(run.plan);
	text = fixture_report(&run, report_unixbench);
	fixture_has(text, "(Version 5.1.3)");
	fixture_has(text, "\nFile Copy 1024 bufsize 2000 maxblocks          1000.0 lps ");
	free(text);
	run_free(&run);
}

/* The table of labels and the declarations of the tests must say the same. */
static void every_test_of_unixbench_appears_under_its_title(void **state)
{
	(void)state;
	for (size_t i = 0; workload_table[i]; i++) {
		const struct workload *workload = workload_table[i];
		struct series *series;
		struct run run;
		char line[128];
		char *text;

		if (strncmp(workload->id, "unixbench6/", 11) != 0)
			continue;
		series = fixture_series(&run, workload->id, 1000, 995, 1005);
		series->baseline = workload->baseline;
		text = fixture_report(&run, report_unixbench);
		snprintf(line, sizeof(line), "\n%-40s       1000.0 lps ", workload->title);
		fixture_has(text, line);
		free(text);
		run_free(&run);
	}
}

static void every_test_of_the_suite_has_an_index(void **state)
{
	const struct workload_group *suite = workload_group_find("unixbench6");

	(void)state;
	assert_non_null(suite);
	for (size_t i = 0; suite->tests[i]; i++) {
		const struct workload *workload = workload_find(suite->tests[i]);
		struct series *series;
		struct run run;
		char *text;

		assert_non_null(workload);
		series = fixture_series(&run, workload->id, 1000, 995, 1005);
		series->baseline = workload->baseline;
		text = fixture_report(&run, report_unixbench);
		fixture_has(text, "Index Score (Partial Only)");
		free(text);
		run_free(&run);
	}
}

static void an_imported_report_of_version_5_keeps_its_rows(void **state)
{
	struct run run;
	struct series *series = fixture_series(&run, "unixbench5/fstime5@1", 1000, NAN, NAN);
	char *text;

	(void)state;
	run.status = RUN_IMPORTED;
	series->baseline = 3960;
	run.environment = json_pack("{s:[s,s]}", "report_header", "System: oldbox: GNU/Linux",
				    "CPU 0: a model (1.0 bogomips)");
	assert_non_null(run.environment);
	text = fixture_report(&run, report_unixbench);
	fixture_has(text, "(Version 5.1.3)");
	fixture_has(text, "\nFile Copy 1024 bufsize 2000 maxblocks          1000.0 lps ");
	fixture_has_line(text, "   CPU 0: a model (1.0 bogomips)");
	fixture_lacks(text, "Language");
	free(text);
	run_free(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_line_has_the_version_and_names_onproc),
		cmocka_unit_test(scores_are_found_by_their_six_last_words),
		cmocka_unit_test(index_rows_have_baseline_result_and_index),
		cmocka_unit_test(sections_are_cut_by_rules_of_72_dashes),
		cmocka_unit_test(rows_are_sorted_by_label),
		cmocka_unit_test(an_incomplete_suite_is_partial),
		cmocka_unit_test(tests_of_onproc_itself_stay_out),
		cmocka_unit_test(a_run_without_any_test_of_unixbench_is_refused),
		cmocka_unit_test(a_small_score_keeps_its_digits),
		cmocka_unit_test(every_test_of_unixbench_appears_under_its_title),
		cmocka_unit_test(every_test_of_the_suite_has_an_index),
		cmocka_unit_test(an_imported_report_of_version_5_keeps_its_rows),
		cmocka_unit_test(version_5_forms_take_the_place_of_those_of_version_6),
	};

	return cmocka_run_group_tests_name("report/unixbench", tests, NULL, NULL);
}
