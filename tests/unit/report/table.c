// SPDX-License-Identifier: GPL-2.0-or-later
/* table.c - what the table says, one behaviour each; whole reports are in golden.c. */
#include "report/report.h"

#include "fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void set(char **member, const char *text)
{
	free(*member);
	*member = strdup(text);
	assert_non_null(*member);
}

static void too_few_slots_are_named_instead_of_an_interval(void **state)
{
	struct run run;
	struct series *series = fixture_series(&run, "unixbench6/pipe@1", 1234567, NAN, NAN);
	char *text;

	(void)state;
	series->estimate.n = 5;
	series->estimate.reason = "n too small (5 < 6)";
	text = fixture_report(&run, report_table);
	fixture_has(text, " 1230000 lps      n too small (5 < 6)");
	fixture_lacks(text, "[");
	free(text);
	run_free(&run);
}

static void a_test_in_two_modes_has_no_interval_over_both(void **state)
{
	struct run run;
	struct series *series =
		fixture_series(&run, "unixbench6/context1@1", 354000, 353000, 355000);
	char *text;

	(void)state;
	series->modes = calloc(2, sizeof(*series->modes));
	assert_non_null(series->modes);
	series->n_modes = 2;
	series->modes[0] = (struct mode){ .share = 0.25,
					  .placement = "cross-cpu",
					  .estimate = { .n = 3,
							.value = 20000,
							.lo = NAN,
							.hi = NAN,
							.level = NAN,
							.reason = "n too small (3 < 6)" } };
	series->modes[1] = (struct mode){ .share = 0.75,
					  .placement = "same-cpu",
					  .estimate = { .n = 9,
							.value = 360000,
							.lo = 359000,
							.hi = 361000,
							.level = 0.96,
							.exact = true } };
	text = fixture_report(&run, report_table);
	fixture_lacks(text, "353000");
	fixture_has_line(text, "context1               -    354000 lps                 2 modes:");
	fixture_has_line(text, "  75 % same-cpu             360000 lps   [   359000,    361000]");
	fixture_has_line(text, "  25 % cross-cpu             20000 lps      n too small (3 < 6)");
	free(text);
	run_free(&run);
}

static void modes_of_one_placement_are_named_by_their_speed(void **state)
{
	struct run run;
	struct series *series = fixture_series(&run, "unixbench6/spawn@1", 354000, 353000, 355000);
	char *text;

	(void)state;
	series->modes = calloc(3, sizeof(*series->modes));
	assert_non_null(series->modes);
	series->n_modes = 2;
	for (size_t i = 0; i < 3; i++)
		series->modes[i] = (struct mode){ .share = 0.3 + 0.1 * (double)i,
						  .placement = "spread",
						  .estimate = { .n = 9,
								.value = 1000 + 1000 * (double)i,
								.lo = NAN,
								.hi = NAN,
								.level = NAN } };
	text = fixture_report(&run, report_table);
	fixture_has(text, "\n  30 % slower ");
	fixture_has(text, "\n  40 % faster ");
	fixture_lacks(text, "spread");
	free(text);
	series->n_modes = 3;
	series->modes[0].placement[0] = '\0';
	text = fixture_report(&run, report_table);
	fixture_has(text, "\n  30 % slowest ");
	fixture_has(text, "\n  40 % middle ");
	fixture_has(text, "\n  50 % fastest ");
	free(text);
	run_free(&run);
}

static void a_test_without_a_result_has_its_reason(void **state)
{
	struct run run;
	struct series *series = fixture_series(&run, "unixbench6/dc@1", NAN, NAN, NAN);
	char *text;

	(void)state;
	set(&series->reason, "dc: not found in PATH; install the package dc");
	text = fixture_report(&run, report_table);
	fixture_has_line(
		text, "dc               no result: dc: not found in PATH; install the package dc");
	free(text);
	run_free(&run);
}

static void a_second_copy_count_is_compared_with_the_first(void **state)
{
	struct run run;
	struct series *series, *second;
	char *text;

	(void)state;
	fixture_series(&run, "unixbench6/pipe@1", 1000, 995, 1005);
	second = run_add_series(&run);
	assert_non_null(second);
	series = &run.series[0];
	second->test = strdup(series->test);
	second->unit = strdup(series->unit);
	second->copies = 4;
	second->index = NAN;
	second->estimate = series->estimate;
	second->estimate.value = 3850;
	second->estimate.lo = 3840;
	second->estimate.hi = 3860;
	text = fixture_report(&run, report_table);
	fixture_has_line(text, "4 copies; scaling against 1 copy");
	fixture_has(text, " x3.85\n");
	free(text);
	run_free(&run);
}

static void all_cpus_are_said_to_be_all(void **state)
{
	struct run run;
	struct series *series = fixture_series(&run, "unixbench6/pipe@1", 1000, 995, 1005);
	char *text;

	(void)state;
	series->copies = 16;
	run.environment = json_pack("{s:s}", "cpus_allowed", "0-11,16-19");
	text = fixture_report(&run, report_table);
	fixture_has_line(text, "16 copies (all CPUs)");
	free(text);
	run_free(&run);
}

static void rows_follow_the_plan_not_the_drawn_order(void **state)
{
	struct run run;
	struct series *first, *second;
	char *text;

	(void)state;
	fixture_series(&run, "unixbench6/pipe@1", 1000, 995, 1005);
	second = run_add_series(&run);
	assert_non_null(second);
	first = &run.series[0];
	second->test = strdup("unixbench6/execl@1");
	second->unit = strdup("lps");
	second->copies = 1;
	second->index = NAN;
	second->estimate = first->estimate;
	run.plan = json_pack("{s:[{s:s,s:i},{s:s,s:i}]}", "rows", "test", "unixbench6/execl@1",
			     "copies", 1, "test", "unixbench6/pipe@1", "copies", 1);
	assert_non_null(run.plan);
	text = fixture_report(&run, report_table);
	assert_true(strstr(text, "\nexecl ") < strstr(text, "\npipe "));
	free(text);
	run_free(&run);
}

static struct run *marked_run(struct run *run, enum slot_status status, const char *evidence)
{
	struct series *series = fixture_series(run, "unixbench6/pipe@1", 1000, 995, 1005);
	struct slot *slot = series_add_slot(series, 1);

	assert_non_null(slot);
	slot->ordinal = 3;
	slot->status = status;
	slot->rate = 900;
	slot->evidence = json_loads(evidence, 0, NULL);
	assert_non_null(slot->evidence);
	return run;
}

static void a_foreign_process_is_named_with_its_share(void **state)
{
	struct run run;
	char *text;

	(void)state;
	marked_run(&run, SLOT_REPLACED,
		   "{\"external\":[{\"kind\":\"foreign\",\"comm\":\"cc1\",\"pid\":123,\"cpu\":0.43,"
		   "\"policy\":\"other\"}]}");
	text = fixture_report(&run, report_table);
	fixture_has_line(text,
			 "  pipe, 1 copy: slot 3: foreign cc1 (pid 123) 43 % of a CPU; re-run");
	free(text);
	run_free(&run);
}

static void processes_of_one_name_are_one_cause(void **state)
{
	struct run run;
	char *text;

	(void)state;
	marked_run(
		&run, SLOT_OK,
		"{\"external\":[{\"kind\":\"foreign\",\"comm\":\"cc1\",\"pid\":123,\"cpu\":0.43},"
		"{\"kind\":\"foreign\",\"comm\":\"cc1\",\"pid\":124,\"cpu\":0.51},"
		"{\"kind\":\"foreign\",\"comm\":null,\"pid\":null,\"cpu\":0.02,"
		"\"reason\":\"6 smaller processes together\"}]}");
	text = fixture_report(&run, report_table);
	fixture_has_line(text,
			 "  pipe, 1 copy: slot 3: foreign cc1 (several processes) 94 % of a CPU, "
			 "6 smaller");
	fixture_has_line(text, "    processes together 2.0 % of a CPU; kept, not re-run");
	free(text);
	run_free(&run);
}

static void causes_of_different_slots_are_not_added_up(void **state)
{
	static const char evidence[] =
		"{\"external\":[{\"kind\":\"foreign\",\"comm\":\"cc1\",\"pid\":1,\"cpu\":0.6}]}";
	struct run run;
	struct slot *slot;
	char *text;

	(void)state;
	marked_run(&run, SLOT_OK, evidence);
	slot = series_add_slot(&run.series[0], 1);
	assert_non_null(slot);
	slot->ordinal = 4;
	slot->rate = 900;
	slot->evidence = json_loads(evidence, 0, NULL);
	text = fixture_report(&run, report_table);
	fixture_has(text, "slots 3 and 4: foreign cc1 (pid 1) up to 60 % of a CPU");
	free(text);
	run_free(&run);
}

/* A run of `rows` tests with one slot each, which has the evidence. */
static void many_rows(struct run *run, size_t rows, const char *evidence)
{
	static const char *const tests[] = { "unixbench6/pipe@1", "unixbench6/execl@1",
					     "unixbench6/spawn@1", "unixbench6/fsbuffer@1" };
	struct estimate estimate = fixture_series(run, tests[0], 1000, 995, 1005)->estimate;

	run->plan = json_pack("{s:I,s:i}", "slot_ns", (json_int_t)1000000000, "slots", 1);
	assert_non_null(run->plan);
	for (size_t i = 0; i < rows; i++) {
		struct series *series = i ? run_add_series(run) : &run->series[0];
		struct slot *slot;

		assert_non_null(series);
		if (i) {
			series->test = strdup(tests[i]);
			series->unit = strdup("lps");
			series->copies = 2;
			series->index = NAN;
			series->estimate = series->first_result = estimate;
		}
		slot = series_add_slot(series, series->copies);
		assert_non_null(slot);
		slot->ordinal = (uint32_t)i;
		slot->status = i ? SLOT_OK : SLOT_REPLACED;
		slot->rate = 1000;
		slot->length_ns = 1200000000;
		slot->evidence = json_loads(evidence, 0, NULL);
		assert_non_null(slot->evidence);
	}
}

/* Lines of the warnings, wrapped ones joined. To be freed. */
static char *warnings_of(const struct run *run)
{
	char *text = fixture_report(run, report_table);
	char *start = strstr(text, "\nWarnings\n");
	char *warnings, *wrap;

	warnings = strdup(start ? start : "");
	free(text);
	assert_non_null(warnings);
	while ((wrap = strstr(warnings, "\n    ")) != NULL) {
		*wrap = ' ';
		memmove(wrap + 1, wrap + 5, strlen(wrap + 5) + 1);
	}
	return warnings;
}

static void compare_warnings(size_t rows, const char *evidence, const char *expected)
{
	struct run run;
	char *warnings;

	many_rows(&run, rows, evidence);
	warnings = warnings_of(&run);
	assert_string_equal(warnings, expected);
	free(warnings);
	run_free(&run);
}

static void disturbed_slots_of_many_rows_are_one_paragraph(void **state)
{
	(void)state;
	compare_warnings(
		4,
		"{\"external\":[{\"kind\":\"foreign\",\"comm\":\"cc1\",\"pid\":1,\"cpu\":0.6},"
		"{\"kind\":\"foreign\",\"comm\":\"ld\",\"pid\":2,\"cpu\":0.1},"
		"{\"kind\":\"foreign\",\"comm\":\"as\",\"pid\":3,\"cpu\":0.05},"
		"{\"kind\":\"steal\",\"cpu\":0.38}]}",
		"\nWarnings\n  4 of 4 slots, in 4 of 4 rows, were disturbed from outside, the "
		"worst: foreign cc1 (pid 1) up to 60 % of a CPU, steal up to 38 % of a CPU, "
		"foreign "
		"ld (pid 2) up to 10 % of a CPU; 1 re-run, 3 kept, since at most 15 % of a plan's "
		"slots are re-run. `onproc show 20261130-142233-1a2b3c --format json` has each "
		"slot's evidence\n");
}

static void grown_windows_of_many_rows_are_one_paragraph(void **state)
{
	(void)state;
	compare_warnings(
		4, "{\"lengthened\":true}",
		"\nWarnings\n  windows of 1 s grew until every copy had run often enough, the "
		"longest: at 1 copy: pipe 1.2 s; at 2 copies: execl 1.2 s, spawn 1.2 s, "
		"fsbuffer 1.2 s\n");
}

static void windows_a_little_longer_than_asked_are_no_warning(void **state)
{
	struct run run;
	char *warnings;

	(void)state;
	many_rows(&run, 1, "{\"lengthened\":true}");
	run.series[0].slots[0].length_ns = 1049000000;
	warnings = warnings_of(&run);
	assert_string_equal(warnings, "");
	free(warnings);
	run.series[0].slots[0].length_ns = 1060000000;
	warnings = warnings_of(&run);
	assert_non_null(strstr(warnings, "  pipe, 1 copy: windows grew to up to 1.06 s"));
	free(warnings);
	run_free(&run);
}

static void copies_without_a_cpu_are_a_warning(void **state)
{
	(void)state;
	compare_warnings(1, "{\"unscheduled\":3}",
			 "\nWarnings\n  pipe, 1 copy: 3 copies got no CPU in the longest window a "
			 "slot may have\n");
	compare_warnings(4, "{\"unscheduled\":3}",
			 "\nWarnings\n  copies that got no CPU in the longest window a slot may "
			 "have: at 1 copy: pipe 3; at 2 copies: execl 3, spawn 3, fsbuffer 3\n");
}

static void few_iterations_in_the_longest_window_are_a_warning(void **state)
{
	(void)state;
	compare_warnings(
		1, "{\"fewest_iterations\":1}",
		"\nWarnings\n  pipe, 1 copy: a window at its limit of ten slots had a copy "
		"with only 1 iteration completed\n");
	compare_warnings(4, "{\"fewest_iterations\":2}",
			 "\nWarnings\n  windows at their limit of ten slots had a copy with few "
			 "iterations completed, the fewest: at 1 copy: pipe 2; at 2 copies: execl "
			 "2, spawn 2, fsbuffer 2\n");
}

static void unsteady_and_spread_rows_are_named_together(void **state)
{
	struct run run;
	char *warnings;

	(void)state;
	many_rows(&run, 4, "{}");
	run.warnings = json_array();
	for (size_t i = 0; i < 4; i++) {
		run.series[i].not_steady = true;
		json_array_append_new(run.warnings,
				      json_sprintf("%s, %s: %s", run.series[i].test,
						   i ? "2 copies" : "1 copy", run_spread_warning));
	}
	warnings = warnings_of(&run);
	assert_non_null(strstr(warnings,
			       "\n  not steady: the rate still changed after the warm-up: at 1 "
			       "copy: pipe; at 2 copies: execl, spawn, fsbuffer\n"));
	assert_non_null(strstr(warnings, "no one value describes them: at 1 copy: pipe; at 2 "
					 "copies: execl, spawn, fsbuffer\n"));
	assert_null(strstr(warnings, "unixbench6/"));
	free(warnings);
	run_free(&run);
}

static void a_plan_with_a_precision_has_slots_at_most(void **state)
{
	struct run run;
	char *text;

	(void)state;
	fixture_series(&run, "unixbench6/pipe@1", 1000, 995, 1005);
	run.plan = json_pack("{s:i,s:I,s:I,s:f}", "slots", 140, "slot_ns", (json_int_t)1000000000,
			     "warmup_ns", (json_int_t)250000000, "precision", 0.01);
	text = fixture_report(&run, report_table);
	fixture_has(text, "\nat most 140 slots of 1 s a row");
	free(text);
	run_free(&run);
}

static void notes_of_an_import_are_no_kept_limits(void **state)
{
	struct run run;
	struct series *series = fixture_series(&run, "unixbench6/pipe@1", 1000, 995, 1005);
	char *text;

	(void)state;
	set(&series->note, "imported: 10.0 s, 7 samples");
	run.status = RUN_IMPORTED;
	text = fixture_report(&run, report_table);
	fixture_has_line(text, "Notes");
	fixture_has_line(text, "  pipe: imported: 10.0 s, 7 samples");
	fixture_lacks(text, "limits kept");
	free(text);
	run_free(&run);
}

static void tools_of_one_package_are_named_together(void **state)
{
	struct run run;
	char *text;

	(void)state;
	fixture_series(&run, "unixbench6/shell1@1", 1000, 995, 1005);
	run.environment =
		json_pack("{s:{s:{s:s},s:{s:s,s:n},s:{s:s},s:{s:s},s:{s:s}}}", "tools", "sort",
			  "version", "sort (GNU coreutils) 9.1", "/bin/sh", "path", "/usr/bin/dash",
			  "version", "grep", "version", "grep (GNU grep) 3.8", "wc", "version",
			  "wc (GNU coreutils) 9.1", "dc", "version", "dc (GNU bc 1.07.1) 1.4.1");
	assert_non_null(run.environment);
	text = fixture_report(&run, report_table);
	fixture_has_line(text, "  tools       GNU coreutils 9.1: sort wc; sh is /usr/bin/dash; GNU "
			       "grep 3.8; dc");
	fixture_has_line(text, "              (GNU bc 1.07.1) 1.4.1");
	free(text);
	run_free(&run);
}

static void the_worst_causes_are_named_first(void **state)
{
	struct run run;
	char *text;

	(void)state;
	marked_run(&run, SLOT_OK,
		   "{\"external\":[{\"kind\":\"foreign\",\"comm\":\"a\",\"pid\":1,\"cpu\":0.1},"
		   "{\"kind\":\"foreign\",\"comm\":\"b\",\"pid\":2,\"cpu\":0.2},"
		   "{\"kind\":\"foreign\",\"comm\":\"c\",\"pid\":3,\"cpu\":0.3},"
		   "{\"kind\":\"foreign\",\"comm\":\"d\",\"pid\":4,\"cpu\":0.4},"
		   "{\"kind\":\"foreign\",\"comm\":\"e\",\"pid\":5,\"cpu\":0.5},"
		   "{\"kind\":\"steal\",\"cpu\":0.05}]}");
	text = fixture_report(&run, report_table);
	fixture_has(text, ": steal 5.0 % of a CPU, foreign e (pid 5) 50 % of a CPU,\n");
	fixture_has(text, "and 2\n    more; kept");
	free(text);
	run_free(&run);
}

static void evidence_of_the_tests_own_is_no_warning(void **state)
{
	struct run run;
	char *text;

	(void)state;
	marked_run(&run, SLOT_OK, "{\"external\":[],\"psi_cpu_some\":0.9,\"migrations\":77}");
	text = fixture_report(&run, report_table);
	fixture_lacks(text, "Warnings");
	free(text);
	run_free(&run);
}

static void malformed_evidence_is_survived(void **state)
{
	struct run run;
	char *text;

	(void)state;
	marked_run(&run, SLOT_OK,
		   "{\"external\":[7,null,{},{\"kind\":5},{\"kind\":\"foreign\"},"
		   "{\"kind\":\"throttled\"},{\"kind\":\"frequency\"},{\"kind\":\"steal\"}]}");
	text = fixture_report(&run, report_table);
	fixture_fits(text);
	fixture_has(text, "Warnings");
	free(text);
	run_free(&run);
}

static void a_result_that_re_runs_changed_is_shown_beside(void **state)
{
	struct run run;
	struct series *series = fixture_series(&run, "unixbench6/pipe@1", 1000, 995, 1005);
	char *text;

	(void)state;
	series->first_result.value = 990;
	text = fixture_report(&run, report_table);
	fixture_has_line(text, "  pipe, 1 copy: 990.0 lps without the re-runs, 1000.0 with them");
	free(text);
	series->first_result.value = 997;
	text = fixture_report(&run, report_table);
	fixture_lacks(text, "without the re-runs");
	free(text);
	run_free(&run);
}

static void an_interrupted_run_says_how_to_go_on(void **state)
{
	struct run run;
	char *text;

	(void)state;
	fixture_series(&run, "unixbench6/pipe@1", 1000, 995, 1005);
	run.status = RUN_INTERRUPTED;
	text = fixture_report(&run, report_table);
	fixture_has(text, "`onproc resume 20261130-142233-1a2b3c`");
	free(text);
	run_free(&run);
}

static void an_unreadable_member_says_why(void **state)
{
	struct run run;
	char *text;

	(void)state;
	fixture_series(&run, "unixbench6/pipe@1", 1000, 995, 1005);
	run.environment = json_pack("{s:n,s:s}", "microcode", "microcode_reason", "EACCES");
	assert_non_null(run.environment);
	text = fixture_report(&run, report_table);
	fixture_has(text, "unknown (EACCES)");
	free(text);
	run_free(&run);
}

static void a_run_without_any_series_is_a_header(void **state)
{
	struct run run;
	char *text;

	(void)state;
	run_init(&run);
	text = fixture_report(&run, report_table);
	fixture_fits(text);
	fixture_has(text, "Run ");
	free(text);
	run_free(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(too_few_slots_are_named_instead_of_an_interval),
		cmocka_unit_test(a_test_in_two_modes_has_no_interval_over_both),
		cmocka_unit_test(modes_of_one_placement_are_named_by_their_speed),
		cmocka_unit_test(a_test_without_a_result_has_its_reason),
		cmocka_unit_test(a_second_copy_count_is_compared_with_the_first),
		cmocka_unit_test(all_cpus_are_said_to_be_all),
		cmocka_unit_test(rows_follow_the_plan_not_the_drawn_order),
		cmocka_unit_test(a_foreign_process_is_named_with_its_share),
		cmocka_unit_test(processes_of_one_name_are_one_cause),
		cmocka_unit_test(causes_of_different_slots_are_not_added_up),
		cmocka_unit_test(disturbed_slots_of_many_rows_are_one_paragraph),
		cmocka_unit_test(grown_windows_of_many_rows_are_one_paragraph),
		cmocka_unit_test(windows_a_little_longer_than_asked_are_no_warning),
		cmocka_unit_test(copies_without_a_cpu_are_a_warning),
		cmocka_unit_test(few_iterations_in_the_longest_window_are_a_warning),
		cmocka_unit_test(unsteady_and_spread_rows_are_named_together),
		cmocka_unit_test(a_plan_with_a_precision_has_slots_at_most),
		cmocka_unit_test(notes_of_an_import_are_no_kept_limits),
		cmocka_unit_test(tools_of_one_package_are_named_together),
		cmocka_unit_test(the_worst_causes_are_named_first),
		cmocka_unit_test(evidence_of_the_tests_own_is_no_warning),
		cmocka_unit_test(malformed_evidence_is_survived),
		cmocka_unit_test(a_result_that_re_runs_changed_is_shown_beside),
		cmocka_unit_test(an_interrupted_run_says_how_to_go_on),
		cmocka_unit_test(an_unreadable_member_says_why),
		cmocka_unit_test(a_run_without_any_series_is_a_header),
	};

	return cmocka_run_group_tests_name("report/table", tests, NULL, NULL);
}
