// SPDX-License-Identifier: GPL-2.0-or-later
/* import.c - runs from files: what is understood, and what is refused and how. */
#include "store/import.h"

#include "fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off: reports line by line as they are */

/* Two of the twelve tests, so a partial index; the geometric mean of 992.4 and 2882.7 is 1691.4. */
#define BANNER "   BYTE UNIX Benchmarks (Version 6.0.0)\n\n"
#define HEADER                                                                                     \
	"   System: node7: GNU/Linux\n"                                                            \
	"   OS: GNU/Linux -- 6.18.0-rc1 -- #1 SMP Mon Nov 30 2026\n"                               \
	"   Machine: x86_64 (unknown)\n"                                                           \
	"   12:00:00 up 1 day,  2 users,  load average: 0.13, 0.05, 0.01; runlevel \n\n"
#define RULE		      "------------------------------------------------------------------------\n"
#define DATE		      "Mon Nov 30 2026"
#define TIMES(date, from, to) "Benchmark Run: " date " " from " - " to "\n"
#define COPIES_1	      "2 CPUs in system; running 1 parallel copy of tests\n\n"
#define COPIES_2	      "2 CPUs in system; running 2 parallel copies of tests\n\n"
#define DHRY_SCORE                                                                                 \
	"Dhrystone 2 using register variables       33641052.1 lps   (10.0 s, 7 samples)\n"
#define PIPE_SCORE                                                                                 \
	"Pipe Throughput                             1234567.8 lps   (10.0 s, 7 samples)\n"
#define TABLE	 "\nSystem Benchmarks Partial Index              BASELINE       RESULT    INDEX\n"
#define DHRY_ROW "Dhrystone 2 using register variables         116700.0   33641052.1   2882.7\n"
#define PIPE_ROW "Pipe Throughput                               12440.0    1234567.8    992.4\n"
#define TABLE_END                                                                                  \
	"                                                                       ========\n"
#define SCORE_TEXT "System Benchmarks Index Score (Partial Only)                         "
#define SECTION_1                                                                                  \
	RULE TIMES(DATE, "14:22:33", "14:50:00")                                                   \
		COPIES_1 DHRY_SCORE PIPE_SCORE TABLE DHRY_ROW PIPE_ROW TABLE_END SCORE_TEXT        \
		"1691.4\n\n"
#define SECTION_2                                                                                  \
	RULE TIMES(DATE, "14:50:00", "15:20:33")                                                   \
		COPIES_2 PIPE_SCORE TABLE PIPE_ROW TABLE_END SCORE_TEXT " 992.4\n\n"
#define REPORT BANNER HEADER SECTION_1 SECTION_2

/* The beginning of a section, for reports that go wrong or are odd after it. */
#define BEGINNING BANNER RULE TIMES(DATE, "14:22:33", "14:50:00") COPIES_1

/* Over midnight. */
static const char version_5[] =
	"   BYTE UNIX Benchmarks (Version 5.1.3)\n" RULE TIMES(DATE, "23:22:33", "00:50:00")
		COPIES_1
	"System Call Overhead                        1234567.8 lps   (10.0 s, 7 samples)\n" TABLE
	"System Call Overhead                          15000.0    1234567.8    823.0\n" TABLE_END
		SCORE_TEXT " 823.0\n";

/* Numbers of a big machine overflow their columns, so blanks shrink to one. */
static const char overflowing[] = BEGINNING
	"File Copy 1024 bufsize 2000 maxblocks 123456789012345.6 KBps (30.0 s, 2 samples)\n" TABLE
	"File Copy 1024 bufsize 2000 maxblocks 3960.0 123456789012345.6 311759568213.0\n" TABLE_END
		SCORE_TEXT "311759568213.0\n";

static const char outside_the_index[] = BEGINNING
	"C Compiler Throughput (gcc)                     123.4 lpm   (60.0 s, 2 samples)\n"
	"Frobnication (4 -- way)                          23.4 lps   (60.0 s, 2 "
	"samples)\n" PIPE_SCORE
	"Shell Scripts (16 concurrent)                   400.5 lpm   (60.0 s, 2 samples)\n" TABLE
		PIPE_ROW
	"Shell Scripts (16 concurrent)                     ---        400.5      ---\n" TABLE_END
		SCORE_TEXT " 992.4\n";

static const char other_language[] =
	BANNER RULE TIMES("\xe6\x9c\x88  5\xe6\x9c\x88 26 2025", "14:14:03", "14:42:07")
		COPIES_1 PIPE_SCORE TABLE PIPE_ROW TABLE_END SCORE_TEXT " 992.4\n";

static const struct {
	const char *text, *part;
} bad_reports[] = {
	{ SECTION_1, ":2: expected \"BYTE UNIX Benchmarks (Version …)\" before" },
	{ BANNER HEADER, ": expected a section" },
	{ "   BYTE UNIX Benchmarks (Version 4.1.0)\n",
	  ":1: expected a report of UnixBench 5 or 6" },
	{ "   BYTE UNIX Benchmarks (Version 6", ":1: expected a version" },
	{ BANNER RULE "Benchmark Run: Mon Nov 30 2026\n",
	  ":4: expected \"Benchmark Run: DATE hh:mm:ss - hh:mm:ss\"" },
	{ BANNER RULE TIMES(DATE, "14:22:33", "14:50:00") "running 0 parallel copies of tests\n",
	  ":5: expected \"N CPUs in system" },
	{ BEGINNING PIPE_SCORE PIPE_SCORE, ":8: expected each test once" },
	{ BEGINNING PIPE_SCORE TABLE DHRY_ROW, ":10: expected a test that has a score line" },
	{ BEGINNING PIPE_SCORE TABLE "Pipe Throughput 12440.0 1234568.8 992.4\n",
	  ":10: expected the result of the test's score line" },
	{ BEGINNING PIPE_SCORE TABLE PIPE_ROW PIPE_ROW, ":11: expected each test once in a table" },
	{ BEGINNING "Pipe Throughput 1,234.5 lps (10.0 s, 7 samples)\n",
	  ":7: expected \"LABEL VALUE UNIT (SECONDS s, N samples)\"" },
	{ BEGINNING "Pipe Throughput -1234.5 lps (10.0 s, 7 samples)\n",
	  ":7: expected \"LABEL VALUE UNIT (SECONDS s, N samples)\"" },
	{ REPORT "and more\n", ": expected a section, a table of another category, or the end" },
};

/* clang-format on */

struct context {
	char directory[64];
	const char *path;
	struct run *runs;
	size_t count;
};

static int setup(void **state)
{
	struct context *context = calloc(1, sizeof(*context));

	scratch_make(context->directory);
	context->path = strdup(scratch_file(context->directory, "report"));
	*state = context;
	return 0;
}

static int teardown(void **state)
{
	struct context *context = *state;

	import_free(context->runs, context->count);
	scratch_remove(context->directory);
	free((char *)context->path);
	free(context);
	return 0;
}

static int import_text(struct context *context, const char *text, size_t count, struct error *err)
{
	FILE *file = fopen(context->path, "we");

	import_free(context->runs, context->count);
	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, count, file), count);
	assert_int_equal(fclose(file), 0);
	return import_file(context->path, &context->runs, &context->count, err);
}

static void import_well(struct context *context, const char *text)
{
	struct error err = { 0 };

	if (import_text(context, text, strlen(text), &err))
		fail_msg("%s", err.text);
}

static void assert_refused(struct context *context, const char *text, size_t count,
			   const char *part)
{
	struct error err = { 0 };
	int rc = import_text(context, text, count, &err);

	if (rc != -EINVAL || !strstr(err.text, part) || !strstr(err.text, context->path))
		fail_msg("%d \"%s\" does not say \"%s\"", rc, err.text, part);
	assert_null(context->runs);
	assert_int_equal(context->count, 0);
}

static void a_report_becomes_a_run_of_all_its_sections(void **state)
{
	struct context *context = *state;
	const struct series *series;
	const struct run *run;
	json_t *document;
	struct run again;

	import_well(context, REPORT);
	assert_int_equal(context->count, 1);
	run = context->runs;
	assert_int_equal(run->status, RUN_IMPORTED);
	assert_string_equal(run->tool, "UnixBench 6.0.0");
	assert_string_equal(run->host, "node7");
	assert_null(run->command);
	assert_true(run->created_s == 1796048553); /* date -u -d '2026-11-30 14:22:33' +%s */
	assert_true(run->elapsed_s == 3480);	   /* 14:22:33 to 15:20:33 */
	assert_int_equal(strncmp(run->id, "20261130-142233-", 16), 0);
	assert_string_equal(json_string_value(json_object_get(run->environment, "kernel_release")),
			    "6.18.0-rc1");
	assert_int_equal(json_array_size(json_object_get(run->environment, "report_header")), 4);
	assert_int_equal(json_array_size(run->warnings), 0);

	assert_int_equal(run->n_series, 3);
	series = &run->series[1];
	assert_string_equal(series->test, "unixbench6/pipe@1");
	assert_string_equal(series->title, "Pipe Throughput");
	assert_string_equal(series->unit, "lps");
	assert_int_equal(series->copies, 1);
	assert_true(series->baseline == 12440.0);
	assert_true(series->estimate.value == 1234567.8);
	assert_true(isnan(series->estimate.lo) && isnan(series->estimate.level));
	assert_string_equal(series->estimate.reason, "imported: no slots");
	assert_true(series->index == 992.4);
	assert_null(series->content_hash);
	assert_int_equal(series->n_slots, 0);
	assert_int_equal(run->series[2].copies, 2);

	assert_int_equal(run->n_scores, 2);
	assert_true(run->scores[0].value == 1691.4);
	assert_int_equal(run->scores[0].tests, 2);
	assert_int_equal(run->scores[0].tests_full, 12);
	assert_int_equal(run->scores[1].copies, 2);
	assert_true(run->scores[1].value == 992.4);
	/* It is a run like any other. */
	document = run_to_json(run, true);
	assert_int_equal(run_from_json(document, &again, NULL), 0);
	run_free(&again);
	json_decref(document);
}

static void the_same_file_gives_the_same_id_and_another_one_another(void **state)
{
	struct context *context = *state;
	char id[RUN_ID_BYTES];

	import_well(context, REPORT);
	snprintf(id, sizeof(id), "%s", context->runs[0].id);
	import_well(context, REPORT);
	assert_string_equal(context->runs[0].id, id);
	import_well(context, BANNER SECTION_1);
	assert_string_not_equal(context->runs[0].id, id);
}

static void the_shape_that_onproc_writes_names_onproc(void **state)
{
	struct context *context = *state;

	import_well(context,
		    "   BYTE UNIX Benchmarks (Version 6.0.0) shape, measured by onproc 0.1.0\n"
		    "\n   System: node7: GNU/Linux\n" SECTION_1);
	assert_string_equal(context->runs[0].tool, "onproc 0.1.0");
}

static void version_5_file_copies_and_system_calls_have_their_own_ids(void **state)
{
	struct context *context = *state;

	import_well(context, version_5);
	assert_string_equal(context->runs[0].series[0].test, "unixbench5/syscall5@1");
	assert_string_equal(context->runs[0].scores[0].suite, "unixbench5");
	assert_true(context->runs[0].elapsed_s == 5247); /* 23:22:33 to 00:50:00 */
}

static void columns_that_overflow_are_read_from_the_end_of_the_line(void **state)
{
	struct context *context = *state;

	import_well(context, overflowing);
	assert_string_equal(context->runs[0].series[0].test, "unixbench6/fstime@1");
	assert_true(context->runs[0].series[0].estimate.value == 123456789012345.6);
	assert_true(context->runs[0].series[0].index == 311759568213.0);
}

static void tests_outside_the_index_and_unknown_ones_are_kept(void **state)
{
	struct context *context = *state;

	import_well(context, outside_the_index);
	assert_string_equal(context->runs[0].series[0].test, "unixbench6/C@1");
	assert_string_equal(context->runs[0].series[1].test, "imported/frobnication-4-way");
	assert_string_equal(context->runs[0].series[3].test, "unixbench6/shell16@1");
	assert_true(context->runs[0].series[3].baseline == 0);
	assert_true(isnan(context->runs[0].series[3].index));
}

static void a_repeated_copy_count_is_a_run_of_its_own(void **state)
{
	struct context *context = *state;

	import_well(context, BANNER HEADER SECTION_1 SECTION_1);
	assert_int_equal(context->count, 2);
	assert_int_equal(context->runs[0].n_series, 2);
	assert_int_equal(context->runs[1].n_series, 2);
	assert_string_equal(context->runs[1].host, "node7");
	assert_string_not_equal(context->runs[0].id, context->runs[1].id);
}

static void several_reports_in_a_file_are_several_runs(void **state)
{
	struct context *context = *state;

	import_well(context, REPORT REPORT);
	assert_int_equal(context->count, 2);
	assert_string_not_equal(context->runs[0].id, context->runs[1].id);
}

static void an_index_score_that_contradicts_its_rows_is_a_warning(void **state)
{
	struct context *context = *state;

	import_well(context, BEGINNING PIPE_SCORE TABLE PIPE_ROW TABLE_END SCORE_TEXT "1992.4\n");
	assert_true(context->runs[0].scores[0].value == 1992.4);
	assert_string_equal(json_string_value(json_array_get(context->runs[0].warnings, 0)),
			    "imported: the index score 1992.4 is not the geometric mean of its "
			    "rows, 992.4");
}

static void a_date_in_another_language_is_unknown_not_wrong(void **state)
{
	struct context *context = *state;

	import_well(context, other_language);
	assert_true(context->runs[0].created_s == 0);
	assert_true(context->runs[0].elapsed_s == 1684); /* 28 min 4 s */
}

static void a_report_is_read_the_same_in_any_locale(void **state)
{
	struct context *context = *state;
	char command[256];

	snprintf(command, sizeof(command),
		 "localedef -c -i de_DE -f UTF-8 %s/de_DE.UTF-8 >/dev/null 2>&1",
		 context->directory);
	if (system(command) < 0 || setenv("LOCPATH", context->directory, 1) ||
	    !setlocale(LC_ALL, "de_DE.UTF-8") || strcmp(localeconv()->decimal_point, ",") != 0) {
		print_message(
			"# skipped: no de_DE.UTF-8 and no localedef with sources to make it\n");
		unsetenv("LOCPATH");
		skip();
	}
	import_well(context, REPORT);
	setlocale(LC_ALL, "C");
	unsetenv("LOCPATH");
	assert_true(context->runs[0].series[1].estimate.value == 1234567.8);
}

/*
 * Every prefix of a report: those that end where a section ends are whole reports, and the last
 * newlines are no loss. All others must be refused.
 */
static void import_refuses_a_report_cut_anywhere(void **state)
{
	static const char report[] = REPORT;
	struct context *context = *state;
	const size_t first = strlen(BANNER HEADER SECTION_1), rule = strlen(RULE);

	for (size_t keep = strlen(BANNER); keep < sizeof(report) - 1; keep++) {
		struct error err = { 0 };
		int rc = import_text(context, report, keep, &err);
		bool whole = (keep >= first - 2 && keep <= first + rule &&
			      (keep <= first || keep >= first + 10)) ||
			     keep >= sizeof(report) - 3;

		if ((rc == 0) != whole)
			fail_msg("cut after \"%.*s\": %d %s", 40, report + keep - 40, rc, err.text);
	}
}

static void import_refuses_a_report_cut_in_a_number(void **state)
{
	struct context *context = *state;
	static const char report[] = BANNER HEADER SECTION_1;
	size_t whole = strlen(report) - 2;

	assert_refused(context, report, whole - 1, ":19: expected \"CATEGORY Index Score NUMBER\"");
	assert_refused(context, report, whole - 2, ":19: expected \"CATEGORY Index Score NUMBER\"");
}

static void bad_reports_are_refused_with_line_and_expectation(void **state)
{
	struct context *context = *state;

	for (size_t i = 0; i < sizeof(bad_reports) / sizeof(bad_reports[0]); i++)
		assert_refused(context, bad_reports[i].text, strlen(bad_reports[i].text),
			       bad_reports[i].part);
}

/* A document, or several behind one another. */
static char *documents(const char *const *ids, const char *before, const char *between,
		       const char *after)
{
	char *all = strdup(before);

	for (; *ids; ids++) {
		struct run run;
		char *text, *more;

		fixture_run(&run, *ids);
		text = fixture_text(&run);
		assert_true(asprintf(&more, "%s%s%s", all, text, ids[1] ? between : after) > 0);
		free(text);
		free(all);
		all = more;
		run_free(&run);
	}
	return all;
}

static void documents_of_onproc_come_one_by_one_as_an_array_or_concatenated(void **state)
{
	static const char *const one[] = { "a", NULL }, *const two[] = { "a", "b", NULL };
	struct context *context = *state;
	struct run expected;
	char *text;

	fixture_run(&expected, "a");
	text = documents(one, "\n ", "", "\n");
	import_well(context, text);
	free(text);
	assert_int_equal(context->count, 1);
	assert_same_run(&context->runs[0], &expected);
	run_free(&expected);
	text = documents(two, "[", ",", "]");
	import_well(context, text);
	free(text);
	assert_int_equal(context->count, 2);
	assert_string_equal(context->runs[1].id, "b");
	text = documents(two, "", "\n", "");
	import_well(context, text);
	free(text);
	assert_int_equal(context->count, 2);
	assert_string_equal(context->runs[1].id, "b");
}

static void a_run_that_was_being_measured_is_imported_as_interrupted(void **state)
{
	struct context *context = *state;
	struct run run;
	char *text;

	fixture_run(&run, "a");
	run.status = RUN_RUNNING;
	text = fixture_text(&run);
	run_free(&run);
	import_well(context, text);
	free(text);
	assert_int_equal(context->runs[0].status, RUN_INTERRUPTED);
}

static void bad_documents_are_refused_with_their_place(void **state)
{
	static const char *const one[] = { "a", NULL };
	struct context *context = *state;
	char *text;

	assert_refused(context, "[]", 2, "found an empty array");
	assert_refused(context, "{\"a\":1,\n\"a\":2}", 14,
		       ":2: expected a JSON document: duplicate");
	assert_refused(context, "{}", 2, "schema: expected \"onproc.run\", found nothing");
	text = documents(one, "", "", "\n\n{\"schema\":");
	assert_refused(context, text, strlen(text), ": expected a JSON document: ");
	free(text);
	text = documents(one, "[", "", ",{\"schema\":\"onproc.list\"}]");
	assert_refused(context, text, strlen(text),
		       ": document 2: schema: expected \"onproc.run\"");
	free(text);
}

static void other_files_are_refused_with_what_could_be_imported(void **state)
{
	struct context *context = *state;
	struct error err = { 0 };

	assert_int_equal(import_text(context, "", 0, &err), -ENOMSG);
	assert_int_equal(import_text(context, "hello", 5, &err), -ENOMSG);
	assert_non_null(strstr(err.text, "onproc.run documents (JSON); UnixBench 5 and 6"));
	assert_int_equal(import_file(scratch_file(context->directory, "none"), &context->runs,
				     &context->count, &err),
			 -ENOENT);
	assert_int_equal(import_file(context->directory, &context->runs, &context->count, &err),
			 -EISDIR);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_report_becomes_a_run_of_all_its_sections),
		TEST(the_same_file_gives_the_same_id_and_another_one_another),
		TEST(the_shape_that_onproc_writes_names_onproc),
		TEST(version_5_file_copies_and_system_calls_have_their_own_ids),
		TEST(columns_that_overflow_are_read_from_the_end_of_the_line),
		TEST(tests_outside_the_index_and_unknown_ones_are_kept),
		TEST(a_repeated_copy_count_is_a_run_of_its_own),
		TEST(several_reports_in_a_file_are_several_runs),
		TEST(an_index_score_that_contradicts_its_rows_is_a_warning),
		TEST(a_date_in_another_language_is_unknown_not_wrong),
		TEST(a_report_is_read_the_same_in_any_locale),
		TEST(import_refuses_a_report_cut_anywhere),
		TEST(import_refuses_a_report_cut_in_a_number),
		TEST(bad_reports_are_refused_with_line_and_expectation),
		TEST(documents_of_onproc_come_one_by_one_as_an_array_or_concatenated),
		TEST(a_run_that_was_being_measured_is_imported_as_interrupted),
		TEST(bad_documents_are_refused_with_their_place),
		TEST(other_files_are_refused_with_what_could_be_imported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
