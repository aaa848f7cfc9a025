// SPDX-License-Identifier: GPL-2.0-or-later
/* lock.c - the histogram of waits, Jain's index and the list of kinds of the lock tests. */
#include "workload/lock.h"
#include "workload/lock_histogram.h"
#include "workload/lock_kinds.h"
#include "workload/lock_turns.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* As lock_histogram.h states it. */
#define RELATIVE_ERROR (1.0 / (2 * LOCK_HISTOGRAM_STEPS))

static void buckets_follow_each_other_without_a_gap(void **state)
{
	uint32_t before = 0;

	(void)state;
	for (uint64_t value = 1; value < 1u << 20; value++) {
		uint32_t bucket = lock_histogram_bucket(value);

		assert_true(bucket == before || bucket == before + 1);
		before = bucket;
	}
	assert_int_equal(lock_histogram_bucket(0), 0);
	assert_int_equal(lock_histogram_bucket(LOCK_HISTOGRAM_LARGEST), LOCK_HISTOGRAM_BUCKETS - 1);
	assert_int_equal(lock_histogram_bucket(UINT64_MAX), LOCK_HISTOGRAM_BUCKETS - 1);
}

static void a_quantile_is_within_its_stated_error(void **state)
{
	struct lock_histogram *histogram = calloc(1, sizeof(*histogram));
	double value = 1;

	(void)state;
	assert_non_null(histogram);
	while (value < 1e12) {
		uint64_t whole = (uint64_t)value;
		double found;

		memset(histogram, 0, sizeof(*histogram));
		lock_histogram_add(histogram, whole);
		lock_histogram_add(histogram, UINT64_MAX >> 16); /* so that max does not cut it */
		found = lock_histogram_quantile(histogram, 0.5);
		assert_true(found >= (double)whole * (1 - RELATIVE_ERROR));
		assert_true(found <= (double)whole * (1 + RELATIVE_ERROR));
		value *= 1.37;
	}
	free(histogram);
}

/* 1 … 1000: the 500th, 990th and 999th by definition. */
static void quantiles_of_a_known_sample(void **state)
{
	struct lock_histogram *histogram = calloc(1, sizeof(*histogram));
	const struct {
		double share, value;
	} known[] = { { 0.5, 500 }, { 0.99, 990 }, { 0.999, 999 } };

	(void)state;
	assert_non_null(histogram);
	for (uint64_t value = 1; value <= 1000; value++)
		lock_histogram_add(histogram, value);
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		double found = lock_histogram_quantile(histogram, known[i].share);

		assert_true(found >= known[i].value * (1 - RELATIVE_ERROR));
		assert_true(found <= known[i].value * (1 + RELATIVE_ERROR));
	}
	free(histogram);
}

static void the_longest_is_exact_and_nothing_exceeds_it(void **state)
{
	struct lock_histogram *histogram = calloc(1, sizeof(*histogram));

	(void)state;
	assert_non_null(histogram);
	assert_true(lock_histogram_quantile(histogram, 0.99) == 0);
	lock_histogram_add(histogram, 123456789);
	assert_int_equal(histogram->max, 123456789);
	assert_true(lock_histogram_quantile(histogram, 1) == 123456789);
	assert_true(lock_histogram_quantile(histogram, 0.5) <= 123456789);
	free(histogram);
}

static void merged_histograms_have_all_values_and_never_wrap(void **state)
{
	struct lock_histogram *into = calloc(1, sizeof(*into)), *from = calloc(1, sizeof(*from));

	(void)state;
	assert_non_null(into);
	assert_non_null(from);
	lock_histogram_add(into, 10);
	lock_histogram_add(from, 20);
	lock_histogram_add(from, 30);
	from->bucket[5] = 7;
	into->bucket[5] = UINT32_MAX - 3;
	lock_histogram_merge(into, from);
	assert_int_equal(into->count, 3);
	assert_int_equal(into->max, 30);
	assert_int_equal(into->bucket[20], 1);
	assert_int_equal(into->bucket[5], UINT32_MAX);
	free(into);
	free(from);
}

/* By the definition of Jain, Chiu and Hawe (1984): k of n equal users of a share each give k/n. */
static void fairness_of_known_shares(void **state)
{
	const uint64_t equal[] = { 5, 5, 5, 5 }, one[] = { 9, 0, 0, 0 }, two[] = { 3, 3, 0, 0 };
	const uint64_t none[] = { 0, 0 };

	(void)state;
	assert_true(lock_jain(equal, 4) == 1);
	assert_true(lock_jain(one, 4) == 0.25);
	assert_true(lock_jain(two, 4) == 0.5);
	assert_true(lock_jain(none, 2) == 0);
}

static void kinds_have_names_that_differ_and_a_choice_each(void **state)
{
	int count = 0;

	(void)state;
	for (; lock_names[count].name; count++) {
		assert_string_equal(lock_kind_choices[count], lock_names[count].name);
		assert_non_null(lock_names[count].help);
		for (int i = 0; i < count; i++)
			assert_string_not_equal(lock_names[i].name, lock_names[count].name);
	}
	assert_int_equal(count, LOCK_KIND_COUNT);
	assert_null(lock_kind_choices[count]);
	assert_null(lock_sensor_choices[LOCK_SENSOR_COUNT]);
}

static void a_kind_without_a_read_side_refuses_readers_in_words(void **state)
{
	struct reason why = { "" };

	(void)state;
	assert_int_equal(lock_kind_supported(LOCK_glibc_rwlock, 50, &why), 0);
	assert_int_not_equal(lock_kind_supported(LOCK_glibc_mutex, 50, &why), 0);
	assert_non_null(strstr(why.text, "glibc-mutex has no read side"));
}

static void choices_of_a_parameter_are_all_its_values(void **state)
{
	const struct workload *const tests[] = { &workload_lock, &workload_lock_pair };

	(void)state;
	for (size_t t = 0; t < sizeof(tests) / sizeof(tests[0]); t++) {
		const struct workload_param *param = tests[t]->params;

		for (int i = 0; param[i].name; i++) {
			int choices = 0;

			assert_true(param[i].value >= param[i].min);
			assert_true(param[i].value <= param[i].max);
			while (param[i].choices && param[i].choices[choices])
				choices++;
			if (param[i].choices)
				assert_int_equal(choices, param[i].max + 1);
		}
	}
}

static void work_is_rounded_to_whole_turns(void **state)
{
	(void)state;
	assert_int_equal(turns_of(1000, 2), 500);
	assert_int_equal(turns_of(0, 2), 0);
	assert_int_equal(turns_of(5, 2), 3);
	assert_int_equal(turns_of(10000000000, 1), 10000000000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(buckets_follow_each_other_without_a_gap),
		cmocka_unit_test(a_quantile_is_within_its_stated_error),
		cmocka_unit_test(quantiles_of_a_known_sample),
		cmocka_unit_test(the_longest_is_exact_and_nothing_exceeds_it),
		cmocka_unit_test(merged_histograms_have_all_values_and_never_wrap),
		cmocka_unit_test(fairness_of_known_shares),
		cmocka_unit_test(kinds_have_names_that_differ_and_a_choice_each),
		cmocka_unit_test(a_kind_without_a_read_side_refuses_readers_in_words),
		cmocka_unit_test(choices_of_a_parameter_are_all_its_values),
		cmocka_unit_test(work_is_rounded_to_whole_turns),
	};

	return cmocka_run_group_tests_name("workload/lock", tests, NULL, NULL);
}
