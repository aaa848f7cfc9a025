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
	series->modes[0] = (struct mode){ .share = 0.75,
					  .placement = "same-cpu",
					  .estimate = { .n = 9,
							.value = 360000,
							.lo = 359000,
							.hi = 361000,
							.level = 0.96,
							.exact = true } };
	series->modes[1] = (struct mode){ .share = 0.25,
					  .estimate = { .n = 3,
							.value = 20000,
							.lo = NAN,
							.hi = NAN,
							.level = NAN,
							.reason = "n too small (3 < 6)" } };
	text = fixture_report(&run, report_table);
	fixture_lacks(text, "353000");
	fixture_has_line(text, "context1               -    354000 lps                 2 modes:");
	fixture_has_line(text, "  75 % same-cpu             360000 lps   [   359000,    361000]");
	fixture_has_line(text, "  25 % in mode 2             20000 lps      n too small (3 < 6)");
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
			 "  pipe, 1 copy: slot 3: foreign cc1 (several processes) 51 % of a CPU, "
			 "6 smaller");
	fixture_has_line(text, "    processes together 2.0 % of a CPU; kept, not re-run");
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
		cmocka_unit_test(a_test_without_a_result_has_its_reason),
		cmocka_unit_test(a_second_copy_count_is_compared_with_the_first),
		cmocka_unit_test(all_cpus_are_said_to_be_all),
		cmocka_unit_test(rows_follow_the_plan_not_the_drawn_order),
		cmocka_unit_test(a_foreign_process_is_named_with_its_share),
		cmocka_unit_test(processes_of_one_name_are_one_cause),
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
