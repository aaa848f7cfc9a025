// SPDX-License-Identifier: GPL-2.0-or-later
/* summarise.c - what a record's slots say: estimates, modes, index, scores. */
#include "fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* Equal to 9 digits. */
#define assert_digits(actual, expected)                                                            \
	assert_true(fabs((actual) - (expected)) <= 5e-10 * fabs(expected))

/* tests/data/statistics-vectors.json, per_test: rates and their estimate. */
static const double known_1[] = { 1512.4, 1508.9, 1519.7, 1511.2, 1497.3,
				  1515.8, 1510.1, 1422.6, 1513.5, 1509.6 };
#define KNOWN_1_VALUE	1510.6489863631462
#define KNOWN_1_LO	1468.4607859932794
#define KNOWN_1_HI	1514.641581365044
#define KNOWN_1_CLASSIC 1513.1821165692272

/* suite: ratios of four tests in eight blocks, and their index. */
static const double known_6[4][8] = {
	{ 1.0211, 1.0184, 1.0243, 1.0192, 1.0226, 1.0251, 1.0173, 1.0205 },
	{ 0.9981, 1.0032, 1.0011, 0.9973, 1.0024, 1.0006, 0.9990, 1.0043 },
	{ 1.0521, 1.0474, 1.0612, 1.0493, 1.0554, 1.0507, 1.0468, 1.0586 },
	{ 0.9853, 0.9791, 0.9884, 0.9812, 0.9907, 0.9836, 0.9785, 0.9868 },
};
#define KNOWN_6_INDEX 1.0143030398894486
#define KNOWN_6_LO    1.0113501839522685
#define KNOWN_6_HI    1.0174017281564587

static struct series *add_series(struct run *run, const char *test, uint32_t copies,
				 double baseline)
{
	struct series *series = run_add_series(run);

	assert_non_null(series);
	series->test = strdup(test);
	series->title = strdup(test);
	series->unit = strdup("lps");
	series->params = json_object();
	series->copies = copies;
	series->baseline = baseline;
	return series;
}

static struct slot *add_slot(struct series *series, uint32_t block, double rate)
{
	struct slot *slot = fixture_slot(series, rate);

	slot->block = block;
	return slot;
}

static void add_slots(struct series *series, const double *rate, size_t n)
{
	for (size_t i = 0; i < n; i++)
		add_slot(series, (uint32_t)i, rate[i]);
}

/* Known answer 6 as rates of four tests with these ids and the baseline 100. */
static void add_suite(struct run *run, const char *const ids[4])
{
	for (size_t k = 0; k < 4; k++) {
		struct series *series = add_series(run, ids[k], 1, 100);

		for (size_t j = 0; j < 8; j++)
			add_slot(series, (uint32_t)j, 100 * known_6[k][j]);
	}
}

static const char *const four_ids[] = { "s/a@1", "s/b@1", "s/c@1", "s/d@1" };

static json_t *four_plan(void)
{
	return json_pack("{s:s, s:[s,s,s,s]}", "suite", "s", "suite_tests", four_ids[0],
			 four_ids[1], four_ids[2], four_ids[3]);
}

static void summary_of_a_series_is_known_answer_1(void **state)
{
	struct series *series;
	struct run run;

	(void)state;
	run_init(&run);
	series = add_series(&run, "unixbench6/pipe@1", 1, 151.06489863631462);
	add_slots(series, known_1, COUNT(known_1));
	assert_int_equal(run_summarise(&run), 0);
	assert_digits(series->estimate.value, KNOWN_1_VALUE);
	assert_digits(series->estimate.lo, KNOWN_1_LO);
	assert_digits(series->estimate.hi, KNOWN_1_HI);
	assert_digits(series->index, 100.0);
	assert_int_equal(series->n_modes, 0);
	run_free(&run);
}

static void summary_puts_a_rerun_in_the_place_of_a_replaced_slot(void **state)
{
	struct series *series;
	struct slot *slot;
	struct run run;

	(void)state;
	run_init(&run);
	series = add_series(&run, "unixbench6/pipe@1", 1, 12440);
	for (uint32_t block = 0; block < 7; block++)
		add_slot(series, block, 1000);
	series->slots[3].status = SLOT_REPLACED;
	series->slots[3].rate = 500;
	slot = add_slot(series, 3, 1001);
	slot->rerun = true;
	assert_int_equal(run_summarise(&run), 0);
	assert_int_equal(series->estimate.n, 7);
	assert_true(series->estimate.lo > 999.99);
	assert_int_equal(series->first_result.n, 7);
	assert_true(series->first_result.lo < 1000);
	assert_digits(series->first_result.hi, 1000.0);
	run_free(&run);
}

static void summary_leaves_out_failed_slots(void **state)
{
	struct series *series;
	struct run run;

	(void)state;
	run_init(&run);
	series = add_series(&run, "unixbench6/pipe@1", 1, 12440);
	add_slots(series, known_1, COUNT(known_1));
	add_slot(series, 10, NAN)->status = SLOT_FAILED;
	assert_int_equal(run_summarise(&run), 0);
	assert_int_equal(series->estimate.n, 10);
	assert_digits(series->estimate.value, KNOWN_1_VALUE);
	assert_int_equal(series->first_result.n, 10);
	run_free(&run);
}

static void summary_of_a_slot_without_rate_is_no_number(void **state)
{
	static const double bad[] = { NAN, 0, -1, INFINITY };

	(void)state;
	for (size_t i = 0; i < COUNT(bad); i++) {
		struct series *series;
		struct run run;

		run_init(&run);
		series = add_series(&run, "unixbench6/pipe@1", 1, 12440);
		add_slots(series, known_1, COUNT(known_1));
		series->slots[4].rate = bad[i];
		assert_int_equal(run_summarise(&run), 0);
		assert_true(isnan(series->estimate.value));
		assert_true(isnan(series->index));
		assert_string_equal(series->estimate.reason, "a rate is not a number > 0");
		assert_int_equal(run.n_scores, 0);
		run_free(&run);
	}
}

static void summary_of_few_slots_has_a_value_and_no_interval(void **state)
{
	struct series *series;
	struct run run;

	(void)state;
	run_init(&run);
	series = add_series(&run, "unixbench6/pipe@1", 1, 12440);
	add_slots(series, known_1, 5);
	assert_int_equal(run_summarise(&run), 0);
	assert_true(isfinite(series->estimate.value));
	assert_true(isnan(series->estimate.lo));
	assert_string_equal(series->estimate.reason, "n too small (5 < 6)");
	assert_int_equal(run.n_scores, 1);
	assert_digits(run.scores[0].value, series->index);
	assert_true(isnan(run.scores[0].lo));
	assert_string_equal(run.scores[0].reason, "n too small (5 < 6)");
	run_free(&run);
}

static void summary_of_a_series_without_slots_has_no_result(void **state)
{
	struct series *series;
	struct run run;

	(void)state;
	run_init(&run);
	series = add_series(&run, "unixbench6/dc@1", 1, 12440);
	series->reason = strdup("dc: not found in PATH");
	assert_int_equal(run_summarise(&run), 0);
	assert_true(isnan(series->estimate.value));
	assert_non_null(series->estimate.reason);
	assert_true(isnan(series->index));
	assert_int_equal(run.n_scores, 0);
	run_free(&run);
}

static void place(struct slot *slot, const char *placement)
{
	json_object_set_new(slot->evidence, "placement", json_string(placement));
}

static struct series *add_bimodal(struct run *run)
{
	struct series *series = add_series(run, "unixbench6/context1@1", 2, 4000);

	for (uint32_t block = 0; block < 12; block++) {
		bool is_same = block % 3 == 0;
		struct slot *slot =
			add_slot(series, block, (is_same ? 360000 : 20000) + 10 * block);

		place(slot, is_same ? "same-cpu" : "cross-cpu");
	}
	return series;
}

static void summary_shows_modes_with_their_placement(void **state)
{
	struct series *series;
	struct run run;

	(void)state;
	run_init(&run);
	series = add_bimodal(&run);
	assert_int_equal(run_summarise(&run), 0);
	assert_int_equal(series->n_modes, 2);
	assert_string_equal(series->modes[0].placement, "cross-cpu");
	assert_digits(series->modes[0].share, 8.0 / 12);
	assert_true(series->modes[0].estimate.lo > 20000 && series->modes[0].estimate.hi < 20120);
	assert_string_equal(series->modes[1].placement, "same-cpu");
	assert_digits(series->modes[1].share, 4.0 / 12);
	assert_true(series->modes[1].estimate.value > 360000);
	assert_string_equal(series->modes[1].estimate.reason, "n too small (4 < 6)");
	/* The interval over all slots is as wide as they are. */
	assert_int_equal(series->estimate.n, 12);
	assert_true(series->estimate.hi > 4 * series->estimate.lo);
	assert_int_equal(run.n_scores, 1);
	assert_true(run.scores[0].rests_on_modes);
	run_free(&run);
}

static void summary_leaves_out_a_placement_too_long_to_keep(void **state)
{
	struct series *series;
	struct run run;

	(void)state;
	run_init(&run);
	series = add_bimodal(&run);
	for (size_t i = 0; i < series->n_slots; i++)
		place(&series->slots[i], "äöüäöüäöüäöü"); /* 24 bytes: byte 23 is half of one */
	assert_int_equal(run_summarise(&run), 0);
	assert_int_equal(series->n_modes, 2);
	assert_string_equal(series->modes[0].placement, "");
	run_free(&run);
}

static void summary_warns_once_of_a_spread(void **state)
{
	static const double mixtures[] = { 20, 36, 65, 90, 120, 160, 200, 250, 290, 310, 330, 350 };
	struct series *series;
	const char *warning;
	struct run run;

	(void)state;
	run_init(&run);
	run.warnings = json_pack("[s]", "made while measuring");
	series = add_series(&run, "unixbench6/context1@1", 1, 4000);
	add_slots(series, mixtures, COUNT(mixtures));
	assert_int_equal(run_summarise(&run), 0);
	assert_int_equal(run_summarise(&run), 0);
	assert_int_equal(series->n_modes, 0);
	assert_int_equal(json_array_size(run.warnings), 2);
	warning = json_string_value(json_array_get(run.warnings, 1));
	assert_non_null(strstr(warning, "unixbench6/context1@1, 1 copy: the slots spread over"));
	for (size_t i = 0; i < series->n_slots; i++)
		series->slots[i].rate = 100;
	assert_int_equal(run_summarise(&run), 0);
	assert_int_equal(json_array_size(run.warnings), 1);
	run_free(&run);
}

static void summary_is_not_steady_when_most_slots_are_not(void **state)
{
	struct series *series;
	struct run run;

	(void)state;
	run_init(&run);
	series = add_series(&run, "unixbench6/pipe@1", 1, 12440);
	add_slots(series, known_1, COUNT(known_1));
	for (size_t i = 0; i < 5; i++)
		json_object_set_new(series->slots[i].evidence, "not_steady", json_true());
	assert_int_equal(run_summarise(&run), 0);
	assert_false(series->not_steady);
	json_object_set_new(series->slots[5].evidence, "not_steady", json_true());
	assert_int_equal(run_summarise(&run), 0);
	assert_true(series->not_steady);
	run_free(&run);
}

static void score_is_known_answer_6(void **state)
{
	struct run run;

	(void)state;
	run_init(&run);
	run.plan = four_plan();
	add_suite(&run, four_ids);
	assert_int_equal(run_summarise(&run), 0);
	assert_int_equal(run.n_scores, 1);
	assert_string_equal(run.scores[0].suite, "s");
	assert_int_equal(run.scores[0].copies, 1);
	assert_digits(run.scores[0].value, 10 * KNOWN_6_INDEX);
	assert_digits(run.scores[0].lo, 10 * KNOWN_6_LO);
	assert_digits(run.scores[0].hi, 10 * KNOWN_6_HI);
	assert_digits(run.scores[0].level, 0.9609375);
	assert_null(run.scores[0].reason);
	assert_int_equal(run.scores[0].tests, 4);
	assert_int_equal(run.scores[0].tests_full, 4);
	assert_false(run.scores[0].rests_on_modes);
	run_free(&run);
}

static void score_does_not_depend_on_the_order_of_slots(void **state)
{
	struct run run;

	(void)state;
	run_init(&run);
	run.plan = four_plan();
	add_suite(&run, four_ids);
	for (size_t k = 0; k < 4; k++) {
		struct slot *slots = run.series[k].slots, first = slots[0];

		slots[0] = slots[k + 2];
		slots[k + 2] = first;
	}
	assert_int_equal(run_summarise(&run), 0);
	assert_digits(run.scores[0].lo, 10 * KNOWN_6_LO);
	assert_digits(run.scores[0].hi, 10 * KNOWN_6_HI);
	run_free(&run);
}

static void score_takes_the_mean_of_two_slots_in_one_block(void **state)
{
	struct slot *slot;
	struct run run;

	(void)state;
	run_init(&run);
	run.plan = four_plan();
	add_suite(&run, four_ids);
	/* Block 2, whose mean is the highest, with the first test in two slots around its value. */
	slot = &run.series[0].slots[2];
	add_slot(&run.series[0], 2, slot->rate * 1.01);
	slot = &run.series[0].slots[2]; /* they moved */
	slot->rate /= 1.01;
	assert_int_equal(run_summarise(&run), 0);
	assert_true(fabs(run.scores[0].hi / run.scores[0].lo / (KNOWN_6_HI / KNOWN_6_LO) - 1) <
		    1e-9);
	run_free(&run);
}

static void score_needs_blocks_that_hold_every_test(void **state)
{
	struct run run;

	(void)state;
	run_init(&run);
	run.plan = four_plan();
	add_suite(&run, four_ids);
	for (size_t j = 0; j < 3; j++)
		run.series[j].slots[j].status = SLOT_FAILED;
	assert_int_equal(run_summarise(&run), 0);
	assert_true(isfinite(run.scores[0].value));
	assert_true(isnan(run.scores[0].lo));
	assert_true(isnan(run.scores[0].level));
	assert_string_equal(run.scores[0].reason, "too few blocks hold all tests of the index");
	run_free(&run);
}

static void score_without_a_test_is_partial_and_not_lowered(void **state)
{
	double expected = 0;
	struct run run;

	(void)state;
	run_init(&run);
	run.plan = four_plan();
	add_suite(&run, four_ids);
	for (size_t j = 0; j < 8; j++)
		run.series[1].slots[j].status = SLOT_FAILED;
	assert_int_equal(run_summarise(&run), 0);
	assert_int_equal(run.scores[0].tests, 3);
	assert_int_equal(run.scores[0].tests_full, 4);
	for (size_t k = 0; k < 4; k++)
		expected += k == 1 ? 0 : log(run.series[k].index) / 3;
	assert_digits(run.scores[0].value, exp(expected));
	assert_true(isfinite(run.scores[0].lo));
	run_free(&run);
}

static void score_is_one_for_each_copy_count(void **state)
{
	static const uint32_t copies[] = { 4, 1, 2 };
	struct run run;

	(void)state;
	run_init(&run);
	for (size_t i = 0; i < COUNT(copies); i++)
		add_slots(add_series(&run, "unixbench6/pipe@1", copies[i], 100.0 / copies[i]),
			  known_1, COUNT(known_1));
	assert_int_equal(run_summarise(&run), 0);
	assert_int_equal(run.n_scores, 3);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(run.scores[i].copies, 1 << i);
		assert_digits(run.scores[i].value, KNOWN_1_VALUE / 10 * (1 << i));
	}
	run_free(&run);
}

static void score_without_a_plan_knows_the_published_suites(void **state)
{
	static const char *const ids[] = { "unixbench6/pipe@1", "unixbench6/spawn@1",
					   "unixbench6/shell8@1", "unixbench6/syscall@1" };
	struct run run;

	(void)state;
	run_init(&run);
	add_suite(&run, ids);
	/* With a baseline, and outside the index of UnixBench 6 all the same. */
	add_slots(add_series(&run, "unixbench6/sysexec@1", 1, 25), known_1, COUNT(known_1));
	assert_int_equal(run_summarise(&run), 0);
	assert_int_equal(run.n_scores, 1);
	assert_string_equal(run.scores[0].suite, "unixbench6");
	assert_int_equal(run.scores[0].tests, 4);
	assert_int_equal(run.scores[0].tests_full, 12);
	assert_digits(run.scores[0].value, 10 * KNOWN_6_INDEX);
	run_free(&run);
}

static void score_of_unixbench5_takes_its_own_forms_of_four_tests(void **state)
{
	static const char *const ids[] = { "unixbench6/pipe@1", "unixbench5/fstime5@1",
					   "unixbench5/fsdisk5@1", "unixbench5/syscall5@1" };
	struct run run;

	(void)state;
	run_init(&run);
	run.plan = json_pack("{s:s}", "suite", "unixbench5");
	add_suite(&run, ids);
	add_slots(add_series(&run, "unixbench6/syscall@1", 1, 15000), known_1, COUNT(known_1));
	assert_int_equal(run_summarise(&run), 0);
	assert_int_equal(run.n_scores, 1);
	assert_string_equal(run.scores[0].suite, "unixbench5");
	assert_int_equal(run.scores[0].tests, 4);
	assert_int_equal(run.scores[0].tests_full, 12);
	assert_digits(run.scores[0].value, 10 * KNOWN_6_INDEX);
	run_free(&run);
}

static void score_leaves_out_another_version_of_a_test(void **state)
{
	struct run run;

	(void)state;
	run_init(&run);
	run.plan = four_plan();
	add_suite(&run, four_ids);
	free(run.series[2].test);
	run.series[2].test = strdup("s/c@2");
	assert_int_equal(run_summarise(&run), 0);
	assert_int_equal(run.scores[0].tests, 3);
	run_free(&run);
}

static void score_leaves_out_the_sides_of_a_comparison(void **state)
{
	struct run run;

	(void)state;
	run_init(&run);
	run.plan = four_plan();
	add_suite(&run, four_ids);
	run.series[0].side = strdup("A");
	assert_int_equal(run_summarise(&run), 0);
	assert_int_equal(run.scores[0].tests, 3);
	run_free(&run);
}

static void classic_value_is_unixbenchs_and_the_interval_ours(void **state)
{
	struct series *series;
	struct run run;

	(void)state;
	run_init(&run);
	run.plan = json_pack("{s:b, s:s}", "classic", 1, "suite", "unixbench6");
	series = add_series(&run, "unixbench6/pipe@1", 1, 12440);
	add_slots(series, known_1, COUNT(known_1));
	assert_int_equal(run_summarise(&run), 0);
	assert_digits(series->estimate.value, KNOWN_1_CLASSIC);
	assert_digits(series->estimate.lo, KNOWN_1_LO);
	assert_digits(series->estimate.hi, KNOWN_1_HI);
	assert_digits(series->index, 10 * KNOWN_1_CLASSIC / 12440);
	assert_digits(run.scores[0].value, series->index);
	assert_int_equal(run_summarise(&run), 0);
	assert_int_equal(json_array_size(run.warnings), 1);
	run_free(&run);
}

static void classic_value_of_three_passes_has_no_interval(void **state)
{
	static const double rate[] = { 100, 400, 900 };
	struct series *series;
	struct run run;

	(void)state;
	run_init(&run);
	run.plan = json_pack("{s:b}", "classic", 1);
	series = add_series(&run, "unixbench6/spawn@1", 1, 126);
	add_slots(series, rate, COUNT(rate));
	assert_int_equal(run_summarise(&run), 0);
	assert_digits(series->estimate.value, 600.0);
	assert_true(isnan(series->estimate.lo));
	assert_string_equal(series->estimate.reason, "n too small (3 < 6)");
	run_free(&run);
}

static void summary_keeps_an_imported_result(void **state)
{
	struct series *series;
	struct run run;

	(void)state;
	run_init(&run);
	series = add_series(&run, "unixbench6/pipe@1", 1, 12440);
	series->estimate.value = 24880;
	assert_int_equal(run_summarise(&run), 0);
	assert_true(series->estimate.value == 24880);
	assert_digits(series->index, 20.0);
	assert_int_equal(run.n_scores, 1); /* none was imported: computed */
	run.scores[0].value = 19.9;
	assert_int_equal(run_summarise(&run), 0);
	assert_true(run.scores[0].value == 19.9);
	run_free(&run);
}

static void summary_made_twice_is_the_same(void **state)
{
	struct run run;
	char *once, *twice;

	(void)state;
	run_init(&run);
	fixture_run(&run, "20261130-142233-1a2b3c");
	assert_int_equal(run_summarise(&run), 0);
	once = fixture_text(&run);
	assert_int_equal(run_summarise(&run), 0);
	twice = fixture_text(&run);
	assert_string_equal(once, twice);
	free(once);
	free(twice);
	run_free(&run);
}

static void summary_of_an_empty_run_is_empty(void **state)
{
	struct run run;

	(void)state;
	run_init(&run);
	assert_int_equal(run_summarise(&run), 0);
	assert_int_equal(run.n_scores, 0);
	run_free(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(summary_of_a_series_is_known_answer_1),
		cmocka_unit_test(summary_puts_a_rerun_in_the_place_of_a_replaced_slot),
		cmocka_unit_test(summary_leaves_out_failed_slots),
		cmocka_unit_test(summary_of_a_slot_without_rate_is_no_number),
		cmocka_unit_test(summary_of_few_slots_has_a_value_and_no_interval),
		cmocka_unit_test(summary_of_a_series_without_slots_has_no_result),
		cmocka_unit_test(summary_shows_modes_with_their_placement),
		cmocka_unit_test(summary_leaves_out_a_placement_too_long_to_keep),
		cmocka_unit_test(summary_warns_once_of_a_spread),
		cmocka_unit_test(summary_is_not_steady_when_most_slots_are_not),
		cmocka_unit_test(score_is_known_answer_6),
		cmocka_unit_test(score_does_not_depend_on_the_order_of_slots),
		cmocka_unit_test(score_takes_the_mean_of_two_slots_in_one_block),
		cmocka_unit_test(score_needs_blocks_that_hold_every_test),
		cmocka_unit_test(score_without_a_test_is_partial_and_not_lowered),
		cmocka_unit_test(score_is_one_for_each_copy_count),
		cmocka_unit_test(score_without_a_plan_knows_the_published_suites),
		cmocka_unit_test(score_of_unixbench5_takes_its_own_forms_of_four_tests),
		cmocka_unit_test(score_leaves_out_another_version_of_a_test),
		cmocka_unit_test(score_leaves_out_the_sides_of_a_comparison),
		cmocka_unit_test(classic_value_is_unixbenchs_and_the_interval_ours),
		cmocka_unit_test(classic_value_of_three_passes_has_no_interval),
		cmocka_unit_test(summary_keeps_an_imported_result),
		cmocka_unit_test(summary_made_twice_is_the_same),
		cmocka_unit_test(summary_of_an_empty_run_is_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
