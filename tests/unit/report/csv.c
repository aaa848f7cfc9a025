// SPDX-License-Identifier: GPL-2.0-or-later
/* csv.c - the CSV of a run keeps RFC 4180 whatever its texts hold. */
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

#define HEADER                                                                                     \
	"run,test,copies,unit,side,block,ordinal,status,start_ns,length_ns,rate,counts,rerun,"     \
	"error,label,sensor,jain,wait_p50_ns,wait_p99_ns,wait_p999_ns,wait_max_ns,"                \
	"write_wait_p50_ns,write_wait_p99_ns,write_wait_p999_ns,write_wait_max_ns,waits,"          \
	"waits_over_50us,unfinished_waits,voluntary_switches_per_1000,"                            \
	"involuntary_switches_per_1000,yields_per_1000,cpu_ns_per_op\r\n"

#define NO_LOCK ",,,,,,,,,,,,,,,,," /* the columns of lock tests, empty */

static struct slot *add_slot(struct run *run, const char *test)
{
	struct series *series = fixture_series(run, test, 1000, 995, 1005);
	struct slot *slot = series_add_slot(series, 2);

	assert_non_null(slot);
	slot->copies = 2;
	slot->block = 4;
	slot->ordinal = 9;
	slot->start_ns = 5000000000;
	slot->length_ns = 1000000001;
	slot->rate = 1234.5;
	if (!slot->counts)
		slot->counts = calloc(2, sizeof(double));
	assert_non_null(slot->counts);
	slot->counts[0] = 600;
	slot->counts[1] = 634;
	return slot;
}

static void a_slot_is_a_row_with_all_its_counts_in_one_field(void **state)
{
	struct run run;
	char *text;

	(void)state;
	add_slot(&run, "unixbench6/pipe@1");
	text = fixture_report(&run, report_csv);
	assert_string_equal(text, HEADER
			    "\"20261130-142233-1a2b3c\",\"unixbench6/pipe@1\",1,\"lps\",,4,9,ok,"
			    "5000000000,1000000001,1234.5,600 634,0,," NO_LOCK "\r\n");
	free(text);
	run_free(&run);
}

static void a_failed_slot_has_no_rate_but_its_reason(void **state)
{
	struct run run;
	struct slot *slot = add_slot(&run, "unixbench6/pipe@1");
	char *text;

	(void)state;
	slot->status = SLOT_FAILED;
	slot->rate = NAN;
	free(slot->counts);
	slot->counts = NULL;
	slot->error = strdup("copy 1 said \"no\",\nand ended");
	text = fixture_report(&run, report_csv);
	fixture_has(text, ",failed,5000000000,1000000001,,,0,"
			  "\"copy 1 said \"\"no\"\",\\nand ended\"," NO_LOCK "\r\n");
	free(text);
	run_free(&run);
}

static void a_test_without_slots_has_a_row_with_its_reason(void **state)
{
	struct run run;
	struct series *series = fixture_series(&run, "unixbench6/dc@1", NAN, NAN, NAN);
	char *text;

	(void)state;
	series->reason = strdup("dc: not found in PATH");
	text = fixture_report(&run, report_csv);
	fixture_has(text,
		    "\"unixbench6/dc@1\",1,\"lps\",,,,none,,,,,,\"dc: not found in PATH\"," NO_LOCK
		    "\r\n");
	free(text);
	run_free(&run);
}

static void a_slot_of_a_lock_test_has_what_was_measured_beside_the_rate(void **state)
{
	struct run run;
	struct slot *slot = add_slot(&run, "onproc/lock@1");
	char *text;

	(void)state;
	json_decref(slot->evidence);
	slot->evidence = json_pack(
		"{s:{s:s, s:f, s:{s:i, s:i, s:i, s:i}, s:i, s:i, s:i, s:{s:f, s:f}, s:f, s:i}}",
		"lock", "sensor", "sched", "jain", 0.875, "wait_ns", "p50", 90, "p99", 4000, "p999",
		61000, "max", 17000000, "waits", 500, "waits_over_50us", 3, "unfinished_waits", 1,
		"switches_per_1000", "voluntary", 2.5, "involuntary", 0.25, "yields_per_1000", 0.0,
		"cpu_ns_per_op", 2100);
	assert_non_null(slot->evidence);
	text = fixture_report(&run, report_csv);
	/* no readers, so nothing of writers among them */
	fixture_has(text,
		    ",\"sched\",0.875,90,4000,61000,17000000,,,,,500,3,1,2.5,0.25,0,2100\r\n");
	free(text);
	run_free(&run);
}

static void a_text_that_looks_like_a_formula_is_no_formula(void **state)
{
	struct run run;
	char *text;

	(void)state;
	add_slot(&run, "=HYPERLINK(\"http://x\")");
	text = fixture_report(&run, report_csv);
	fixture_has(text, "\"'=HYPERLINK(\"\"http://x\"\")\"");
	free(text);
	run_free(&run);
}

/* Fields of a line, honouring quotes. */
static size_t fields_of(const char *line, size_t bytes)
{
	size_t fields = 1;
	bool is_quoted = false;

	for (size_t i = 0; i < bytes; i++) {
		is_quoted ^= line[i] == '"';
		fields += line[i] == ',' && !is_quoted;
	}
	assert_false(is_quoted);
	return fields;
}

static void every_row_has_the_same_number_of_fields(void **state)
{
	static const char *const names[] = { "quick", "trouble", "imported" };

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct run run;
		char *text;

		fixture_load(names[i], &run);
		text = fixture_report(&run, report_csv);
		for (const char *at = text; *at; at = strstr(at, "\r\n") + 2)
			assert_int_equal(fields_of(at, (size_t)(strstr(at, "\r\n") - at)), 32);
		free(text);
		run_free(&run);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_slot_is_a_row_with_all_its_counts_in_one_field),
		cmocka_unit_test(a_failed_slot_has_no_rate_but_its_reason),
		cmocka_unit_test(a_test_without_slots_has_a_row_with_its_reason),
		cmocka_unit_test(a_slot_of_a_lock_test_has_what_was_measured_beside_the_rate),
		cmocka_unit_test(a_text_that_looks_like_a_formula_is_no_formula),
		cmocka_unit_test(every_row_has_the_same_number_of_fields),
	};

	return cmocka_run_group_tests_name("report/csv", tests, NULL, NULL);
}
