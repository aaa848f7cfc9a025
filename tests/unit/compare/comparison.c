// SPDX-License-Identifier: GPL-2.0-or-later
/* comparison.c - what is compared with what, what is refused and why, and what blocks make of it.
 */
#include "fixture.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double rates[] = { 100, 101, 99, 100, 102, 98, 100 };
#define N (sizeof(rates) / sizeof(rates[0]))

struct pair {
	struct run a, b;
	struct comparison comparison;
	struct error err;
	int rc;
};

static void pair_start(struct pair *pair)
{
	*pair = (struct pair){ 0 };
	fixture_run(&pair->a, "a");
	fixture_run(&pair->b, "b");
}

static void pair_compare(struct pair *pair)
{
	assert_int_equal(run_summarise(&pair->a), 0);
	assert_int_equal(run_summarise(&pair->b), 0);
	pair->rc = comparison_of_runs(&pair->a, &pair->b, &fixture_request, &pair->comparison,
				      &pair->err);
}

static void pair_free(struct pair *pair)
{
	comparison_free(&pair->comparison);
	run_free(&pair->a);
	run_free(&pair->b);
}

static void set(char **member, const char *text)
{
	free(*member);
	*member = text ? strdup(text) : NULL;
}

static void assert_says(const char *text, const char *part)
{
	if (!text || !strstr(text, part))
		fail_msg("expected \"%s\" in: %s", part, text ? text : "(nothing)");
}

/* A pair of runs whose first test is spoilt by `spoil` and whose second can be compared. */
static void refuses_one(void (*spoil)(struct series *of_b), const char *reason)
{
	struct pair pair;

	pair_start(&pair);
	fixture_rates(&pair.a, "unixbench6/pipe@1", rates, N);
	fixture_rates(&pair.a, "unixbench6/execl@1", rates, N);
	fixture_rates(&pair.b, "unixbench6/execl@1", rates, N);
	fixture_rates(&pair.a, "unixbench6/spawn@1", rates, N);
	fixture_rates(&pair.b, "unixbench6/spawn@1", rates, N);
	spoil(fixture_rates(&pair.b, "unixbench6/pipe@1", rates, N));
	pair_compare(&pair);
	assert_int_equal(pair.rc, 0);
	assert_true(isnan(pair.comparison.tests[0].log_ratio.value));
	assert_says(pair.comparison.tests[0].reason, reason);
	assert_null(pair.comparison.tests[1].reason);
	assert_int_equal(pair.comparison.indexes[0].tests, 2);
	pair_free(&pair);
}

static void spoil_id(struct series *series)
{
	set(&series->test, "unixbench6/pipe@2");
}

static void spoil_hash(struct series *series)
{
	series->content_hash[0] = 'b';
}

static void spoil_unit(struct series *series)
{
	set(&series->unit, "KBps");
}

static void spoil_params(struct series *series)
{
	json_object_set_new(series->params, "groups", json_integer(2));
}

static void spoil_result(struct series *series)
{
	for (size_t i = 0; i < series->n_slots; i++)
		slot_free(&series->slots[i]);
	series->n_slots = 0;
	set(&series->reason, "dc: not found in PATH");
}

static void another_version_is_refused(void **state)
{
	(void)state;
	refuses_one(spoil_id, "A is unixbench6/pipe@1, B is unixbench6/pipe@2");
}

static void another_content_hash_is_refused(void **state)
{
	(void)state;
	refuses_one(spoil_hash, "content hashes differ");
}

static void another_unit_is_refused(void **state)
{
	(void)state;
	refuses_one(spoil_unit, "A is in lps, B in KBps");
}

static void other_parameters_are_refused(void **state)
{
	(void)state;
	refuses_one(spoil_params, "parameters differ: A {}, B {\"groups\":2}");
}

static void a_test_without_result_says_why(void **state)
{
	(void)state;
	refuses_one(spoil_result, "no result in B: dc: not found in PATH");
}

static void nothing_to_compare_is_refused_as_a_whole(void **state)
{
	struct pair pair;

	(void)state;
	pair_start(&pair);
	fixture_rates(&pair.a, "unixbench6/pipe@1", rates, N);
	spoil_unit(fixture_rates(&pair.b, "unixbench6/pipe@1", rates, N));
	pair_compare(&pair);
	assert_int_equal(pair.rc, -ENOTSUP);
	assert_says(pair.err.text, "nothing can be compared: unixbench6/pipe@1 at 1: the units");
	pair_free(&pair);
}

static void tests_of_one_side_alone_are_named(void **state)
{
	struct pair pair;

	(void)state;
	pair_start(&pair);
	fixture_rates(&pair.a, "t/both@1", rates, N);
	fixture_rates(&pair.a, "t/first@1", rates, N);
	fixture_rates(&pair.b, "t/second@1", rates, N);
	fixture_rates(&pair.b, "t/both@1", rates, N);
	pair_compare(&pair);
	assert_int_equal(pair.rc, 0);
	assert_int_equal(pair.comparison.n_tests, 3);
	assert_string_equal(pair.comparison.tests[1].reason, "only in A");
	assert_string_equal(pair.comparison.tests[2].test, "t/second@1");
	assert_string_equal(pair.comparison.tests[2].reason, "only in B");
	assert_true(pair.comparison.tests[2].is_one_sided);
	pair_free(&pair);
}

static void each_copy_count_is_compared_with_its_own(void **state)
{
	struct pair pair;

	(void)state;
	pair_start(&pair);
	for (uint32_t copies = 1; copies <= 3; copies++) {
		for (size_t i = 0; i < N; i++) {
			struct series *a = run_find_series(&pair.a, "t/x@1", copies, NULL);
			struct series *b = run_find_series(&pair.b, "t/x@1", 4 - copies, NULL);

			a = a ? a : fixture_series(&pair.a, "t/x@1", copies, NULL);
			b = b ? b : fixture_series(&pair.b, "t/x@1", 4 - copies, NULL);
			fixture_slot(a, (uint32_t)i, copies * rates[i]);
			fixture_slot(b, (uint32_t)i, 2 * (4 - copies) * rates[i]);
		}
	}
	pair_compare(&pair);
	assert_int_equal(pair.comparison.n_tests, 3);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(pair.comparison.tests[i].copies, i + 1);
		assert_true(fabs(pair.comparison.tests[i].log_ratio.value - log(2)) < 1e-12);
	}
	pair_free(&pair);
}

/* The numbers of known answer: an index by hand, sqrt(1.1 × 1.3). */
static void imports_have_a_ratio_and_no_interval(void **state)
{
	struct pair pair;
	const struct comparison_index *index;

	(void)state;
	pair_start(&pair);
	fixture_imported(&pair.a, "unixbench6/pipe", 1000, 10);
	fixture_imported(&pair.b, "unixbench6/pipe", 1100, 10);
	fixture_imported(&pair.a, "unixbench6/spawn", 500, 5);
	fixture_imported(&pair.b, "unixbench6/spawn", 650, 5);
	pair_compare(&pair);
	assert_int_equal(pair.rc, 0);
	assert_true(fabs(exp(pair.comparison.tests[0].log_ratio.value) - 1.1) < 1e-12);
	assert_true(isnan(pair.comparison.tests[0].log_ratio.lo));
	assert_string_equal(pair.comparison.tests[0].reason, "n=1, no interval");
	assert_int_equal(pair.comparison.tests[0].decision.verdict, VERDICT_INCONCLUSIVE);
	index = comparison_main_index(&pair.comparison);
	assert_true(fabs(exp(index->log_ratio.value) - sqrt(1.1 * 1.3)) < 1e-12);
	assert_true(fabs(index->a - 1000) < 1e-9);
	assert_true(fabs(index->b - 1000 * sqrt(1.1 * 1.3)) < 1e-9);
	assert_string_equal(index->reason, "n=1, no interval");
	assert_says(json_string_value(json_array_get(pair.comparison.warnings, 0)),
		    "content hash of 2 tests is not known");
	pair_free(&pair);
}

static void an_import_shows_its_printed_score_and_label(void **state)
{
	struct pair pair;

	(void)state;
	pair_start(&pair);
	fixture_imported(&pair.a, "unixbench6/pipe", 141, 1);
	fixture_imported(&pair.b, "unixbench6/pipe", 282, 1);
	fixture_imported(&pair.a, "unixbench6/execl", 141, 1);
	fixture_imported(&pair.b, "unixbench6/execl", 282, 1);
	fixture_environment(&pair.a, "imported",
			    json_pack("{s:s, s:[{s:i, s:f}]}", "label", "before", "scores",
				      "copies", 1, "printed", 1410.4));
	fixture_environment(&pair.b, "imported", json_pack("{s:s}", "label", "after"));
	pair_compare(&pair);
	assert_true(comparison_main_index(&pair.comparison)->a == 1410.4);
	assert_true(fabs(comparison_main_index(&pair.comparison)->b - 2820) < 1e-9);
	assert_string_equal(pair.comparison.a.name, "before");
	assert_string_equal(pair.comparison.b.name, "after");
	assert_int_equal(json_array_size(pair.comparison.differences), 0);
	pair_free(&pair);
}

static void an_import_is_compared_with_a_measured_run(void **state)
{
	struct pair pair;

	(void)state;
	pair_start(&pair);
	fixture_imported(&pair.a, "unixbench6/pipe", 50, 10);
	fixture_rates(&pair.b, "unixbench6/pipe@1", rates, N);
	pair_compare(&pair);
	assert_int_equal(pair.rc, 0);
	assert_true(fabs(exp(pair.comparison.tests[0].log_ratio.value) - 2) < 0.01);
	assert_string_equal(pair.comparison.tests[0].reason, "n=1, no interval");
	pair_free(&pair);
}

static void few_slots_have_no_interval_and_say_so(void **state)
{
	struct pair pair;

	(void)state;
	pair_start(&pair);
	fixture_rates(&pair.a, "t/x@1", rates, 3);
	fixture_rates(&pair.b, "t/x@1", rates, 3);
	pair_compare(&pair);
	assert_int_equal(pair.rc, 0);
	assert_true(isfinite(pair.comparison.tests[0].log_ratio.value));
	assert_true(isnan(pair.comparison.tests[0].log_ratio.lo));
	assert_says(pair.comparison.tests[0].reason, "too small");
	pair_free(&pair);
}

static void an_unpaired_index_has_an_interval_from_its_blocks(void **state)
{
	struct pair pair;
	const struct comparison_index *index;
	double twice[N];

	(void)state;
	for (size_t i = 0; i < N; i++)
		twice[i] = 2 * rates[i];
	pair_start(&pair);
	fixture_rates(&pair.a, "unixbench6/pipe@1", rates, N);
	fixture_rates(&pair.a, "unixbench6/spawn@1", rates, N);
	fixture_rates(&pair.b, "unixbench6/pipe@1", twice, N);
	fixture_rates(&pair.b, "unixbench6/spawn@1", twice, N);
	pair_compare(&pair);
	index = comparison_main_index(&pair.comparison);
	/* Both tests go the same way in each block, so that their index is as sure as one of them.
	 */
	assert_true(fabs(index->log_ratio.lo - pair.comparison.tests[0].log_ratio.lo) < 1e-12);
	assert_true(fabs(index->log_ratio.hi - pair.comparison.tests[0].log_ratio.hi) < 1e-12);
	assert_null(index->reason);
	pair_free(&pair);
}

static void only_asked_tests_take_part(void **state)
{
	static const char *const names[] = { "pipe", "unixbench6/spawn", NULL };
	struct comparison_request request = fixture_request;
	struct pair pair;

	(void)state;
	request.tests = names;
	pair_start(&pair);
	fixture_rates(&pair.a, "unixbench6/pipe@1", rates, N);
	fixture_rates(&pair.a, "unixbench6/pipe2@1", rates, N);
	fixture_rates(&pair.a, "unixbench6/spawn@1", rates, N);
	fixture_rates(&pair.b, "unixbench6/pipe@1", rates, N);
	fixture_rates(&pair.b, "unixbench6/spawn@1", rates, N);
	assert_int_equal(run_summarise(&pair.a), 0);
	assert_int_equal(run_summarise(&pair.b), 0);
	assert_int_equal(
		comparison_of_runs(&pair.a, &pair.b, &request, &pair.comparison, &pair.err), 0);
	assert_int_equal(pair.comparison.n_tests, 2);
	pair_free(&pair);
}

/* Logs A, B, B, A = 0, .01, .02, .03 in each block: a drift and no difference. */
static void a_linear_drift_cancels_in_a_block(void **state)
{
	struct comparison comparison;
	struct series *a, *b;
	struct run run;

	(void)state;
	fixture_run(&run, "ab");
	a = fixture_series(&run, "t/x@1", 1, "A");
	for (uint32_t j = 0; j < 8; j++) {
		fixture_slot(a, j, exp(.04 * j));
		fixture_slot(a, j, exp(.04 * j + .03));
	}
	b = fixture_series(&run, "t/x@1", 1, "B");
	for (uint32_t j = 0; j < 8; j++) {
		fixture_slot(b, j, exp(.04 * j + .01));
		fixture_slot(b, j, exp(.04 * j + .02));
	}
	fixture_compare_sides(&run, &comparison);
	assert_true(fabs(comparison.tests[0].log_ratio.lo) < 1e-12);
	assert_true(fabs(comparison.tests[0].log_ratio.hi) < 1e-12);
	assert_int_equal(comparison.tests[0].decision.verdict, VERDICT_SAME);
	comparison_free(&comparison);
	run_free(&run);
}

static void a_block_that_is_not_complete_is_left_out(void **state)
{
	struct comparison comparison;
	double two[8];
	struct run run;

	(void)state;
	for (size_t i = 0; i < 8; i++)
		two[i] = 2;
	fixture_run(&run, "ab");
	fixture_sides(&run, "t/x@1", two, two, 8);
	/* a slot that was replaced, and a block of one side alone: both would change the ratio */
	run.series[1].slots[3].status = SLOT_REPLACED;
	run.series[1].slots[2].rate = 4;
	fixture_slot(&run.series[1], 8, 4);
	fixture_slot(&run.series[1], 8, 4);
	fixture_compare_sides(&run, &comparison);
	assert_int_equal(comparison.blocks, 7);
	assert_true(fabs(comparison.tests[0].log_ratio.value) < 1e-12);
	comparison_free(&comparison);
	run_free(&run);
}

static void a_run_without_sides_is_refused(void **state)
{
	struct comparison comparison;
	struct error err = { 0 };
	struct run run;

	(void)state;
	fixture_run(&run, "one");
	fixture_rates(&run, "t/x@1", rates, N);
	assert_int_equal(comparison_of_sides(&run, &fixture_request, &comparison, &err), -EINVAL);
	assert_says(err.text, "has no two sides");
	run_free(&run);
}

static void a_run_with_sides_takes_part_with_the_side_of_its_place(void **state)
{
	double one[8], two[8];
	struct pair pair;

	(void)state;
	for (size_t i = 0; i < 8; i++) {
		one[i] = 1;
		two[i] = 2;
	}
	pair_start(&pair);
	fixture_sides(&pair.a, "t/x@1", one, two, 8);
	fixture_sides(&pair.b, "t/x@1", one, two, 8);
	pair_compare(&pair);
	assert_int_equal(pair.comparison.n_tests, 1);
	assert_true(fabs(pair.comparison.tests[0].log_ratio.value - log(2)) < 1e-12);
	pair_free(&pair);
}

static void differences_of_the_environment_are_listed(void **state)
{
	const json_t *difference;
	struct pair pair;

	(void)state;
	pair_start(&pair);
	fixture_rates(&pair.a, "t/x@1", rates, N);
	fixture_rates(&pair.b, "t/x@1", rates, N);
	fixture_environment(
		&pair.a, "mitigations",
		json_pack("{s:s,s:s}", "retbleed", "Vulnerable", "meltdown", "Not affected"));
	fixture_environment(
		&pair.b, "mitigations",
		json_pack("{s:s,s:s}", "retbleed", "Mitigation", "meltdown", "Not affected"));
	fixture_environment(&pair.a, "uptime_s", json_integer(1));
	fixture_environment(&pair.b, "uptime_s", json_integer(2));
	fixture_environment(&pair.a, "governor", json_null());
	fixture_environment(&pair.a, "governor_reason", json_string("no policy"));
	fixture_environment(&pair.b, "governor", json_string("performance"));
	pair_compare(&pair);
	assert_int_equal(json_array_size(pair.comparison.differences), 2);
	difference = json_array_get(pair.comparison.differences, 0);
	assert_string_equal(json_string_value(json_object_get(difference, "path")),
			    "mitigations.retbleed");
	assert_string_equal(json_string_value(json_object_get(difference, "b")), "Mitigation");
	difference = json_array_get(pair.comparison.differences, 1);
	assert_string_equal(json_string_value(json_object_get(difference, "path")), "governor");
	assert_true(json_is_null(json_object_get(difference, "a")));
	assert_says(json_string_value(json_array_get(pair.comparison.warnings, 0)),
		    "2 members of the environment differ");
	pair_free(&pair);
}

static void sides_are_named_by_their_kernels(void **state)
{
	struct pair pair;

	(void)state;
	pair_start(&pair);
	fixture_rates(&pair.a, "t/x@1", rates, N);
	fixture_rates(&pair.b, "t/x@1", rates, N);
	fixture_environment(&pair.b, "kernel_release", json_string("6.12.0+"));
	pair_compare(&pair);
	assert_string_equal(pair.comparison.a.name, "6.12.0");
	assert_string_equal(pair.comparison.b.name, "6.12.0+");
	pair_free(&pair);
}

static void an_inconclusive_test_needs_more_slots(void **state)
{
	struct pair pair;
	double better[N];

	(void)state;
	for (size_t i = 0; i < N; i++)
		better[i] = 1.01 * rates[i];
	pair_start(&pair);
	fixture_rates(&pair.a, "t/x@1", rates, N);
	fixture_rates(&pair.b, "t/x@1", better, N);
	pair_compare(&pair);
	assert_int_equal(pair.comparison.tests[0].decision.verdict, VERDICT_INCONCLUSIVE);
	assert_true(comparison_further_units(&pair.comparison.tests[0]) >= 1);
	pair_free(&pair);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(another_version_is_refused),
		cmocka_unit_test(another_content_hash_is_refused),
		cmocka_unit_test(another_unit_is_refused),
		cmocka_unit_test(other_parameters_are_refused),
		cmocka_unit_test(a_test_without_result_says_why),
		cmocka_unit_test(nothing_to_compare_is_refused_as_a_whole),
		cmocka_unit_test(tests_of_one_side_alone_are_named),
		cmocka_unit_test(each_copy_count_is_compared_with_its_own),
		cmocka_unit_test(imports_have_a_ratio_and_no_interval),
		cmocka_unit_test(an_import_shows_its_printed_score_and_label),
		cmocka_unit_test(an_import_is_compared_with_a_measured_run),
		cmocka_unit_test(few_slots_have_no_interval_and_say_so),
		cmocka_unit_test(an_unpaired_index_has_an_interval_from_its_blocks),
		cmocka_unit_test(only_asked_tests_take_part),
		cmocka_unit_test(a_linear_drift_cancels_in_a_block),
		cmocka_unit_test(a_block_that_is_not_complete_is_left_out),
		cmocka_unit_test(a_run_without_sides_is_refused),
		cmocka_unit_test(a_run_with_sides_takes_part_with_the_side_of_its_place),
		cmocka_unit_test(differences_of_the_environment_are_listed),
		cmocka_unit_test(sides_are_named_by_their_kernels),
		cmocka_unit_test(an_inconclusive_test_needs_more_slots),
	};

	return cmocka_run_group_tests_name("compare/comparison", tests, NULL, NULL);
}
