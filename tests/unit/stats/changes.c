// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * changes.c - change points against known answer 7, against double sums, and on drawn histories.
 */
#include "stats/changes.h"

#include "random.h"
#include "vectors.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define MARGIN 0.00995033085316808 /* ln 1.01 */

static void history(const char *path, double y[24])
{
	assert_int_equal(vector_numbers(path, y, 24), 24);
	for (size_t i = 0; i < 24; i++)
		y[i] = log(y[i]);
}

static void compare_split(const char *name)
{
	struct changes_split split;
	char path[64];
	double y[24];

	snprintf(path, sizeof(path), "%s.y", name);
	history(path, y);
	snprintf(path, sizeof(path), "%s.perm.seed", name);
	assert_int_equal(changes_split(y, 24, (uint64_t)vector_number(path), &split), 0);
	snprintf(path, sizeof(path), "%s.tau", name);
	assert_int_equal(split.at, (size_t)vector_number(path));
	snprintf(path, sizeof(path), "%s.q", name);
	/* A Q of 1e-6 is a difference of numbers near .01: 9 digits of these. */
	if (fabs(vector_number(path)) < 1e-4)
		assert_true(fabs(split.q - vector_number(path)) < 1e-15);
	else
		assert_digits(split.q, vector_number(path));
	snprintf(path, sizeof(path), "%s.perm.count", name);
	assert_int_equal(split.reached, (unsigned int)vector_number(path));
	snprintf(path, sizeof(path), "%s.perm.p", name);
	assert_digits(split.p, vector_number(path));
}

static void changes_split_is_known_answer_7(void **state)
{
	(void)state;
	compare_split("history");
}

static void changes_split_of_a_small_change_is_known_answer_7(void **state)
{
	(void)state;
	compare_split("history_small");
}

static void changes_split_without_change_is_known_answer_7(void **state)
{
	(void)state;
	compare_split("history_null");
}

static void changes_halves_of_known_answer_7_have_no_split(void **state)
{
	struct changes_split split;
	double y[24];

	(void)state;
	history("history.y", y);
	assert_int_equal(changes_split(y, 12, 1, &split), 0);
	assert_true(split.q < 0);
	assert_int_equal(changes_split(y + 12, 12, 1, &split), 0);
	assert_true(split.q < 0);
}

static void changes_of_known_answer_7_are_one_and_confirmed(void **state)
{
	struct change *changes;
	double y[24];
	size_t n;

	(void)state;
	history("history.y", y);
	assert_int_equal(changes_find(y, 24, MARGIN, 0.05, 1, &changes, &n), 0);
	assert_int_equal(n, 1);
	assert_int_equal(changes[0].from, 0);
	assert_int_equal(changes[0].at, 12);
	assert_int_equal(changes[0].to, 24);
	assert_digits(changes[0].q, vector_number("history.q"));
	assert_digits(changes[0].p, vector_number("history.perm.p"));
	assert_digits(exp(changes[0].log_ratio.value), vector_number("history.ratio.est"));
	assert_digits(exp(changes[0].log_ratio.lo), vector_number("history.ratio.lo"));
	assert_digits(exp(changes[0].log_ratio.hi), vector_number("history.ratio.hi"));
	assert_string_equal(change_state_name(changes[0].state), "confirmed");
	free(changes);
}

static void changes_below_the_margin_are_drift(void **state)
{
	struct change *changes;
	double y[24];
	size_t n;

	(void)state;
	history("history_small.y", y);
	assert_int_equal(changes_find(y, 24, MARGIN, 0.05, 1, &changes, &n), 0);
	assert_int_equal(n, 1);
	assert_int_equal(changes[0].at, 12);
	assert_string_equal(change_state_name(changes[0].state), "drift");
	free(changes);
	assert_int_equal(changes_find(y, 24, 0.001, 0.05, 1, &changes, &n), 0);
	assert_string_equal(change_state_name(changes[0].state), "confirmed");
	free(changes);
}

static void changes_without_change_are_none(void **state)
{
	struct change *changes;
	double y[24];
	size_t n;

	(void)state;
	history("history_null.y", y);
	assert_int_equal(changes_find(y, 24, MARGIN, 0.05, 1, &changes, &n), 0);
	assert_int_equal(n, 0);
	assert_null(changes);
}

static void changes_with_two_points_of_the_new_level_are_suspect(void **state)
{
	static const char *const expected[] = { "suspect", "confirmed" };
	double y[42];

	(void)state;
	for (size_t i = 0; i < 42; i++)
		y[i] = (i < 39 ? 0 : 0.05) + 0.0001 * (double)(i * 7 % 11);
	for (size_t more = 0; more < 2; more++) {
		struct change *changes;
		size_t n;

		assert_int_equal(changes_find(y, 41 + more, MARGIN, 0.05, 1, &changes, &n), 0);
		assert_int_equal(n, 1);
		assert_int_equal(changes[0].at, 39);
		assert_string_equal(change_state_name(changes[0].state), expected[more]);
		free(changes);
	}
}

/* Q by its definition: double sums for every split. */
static double plain_best(const double *y, size_t n, size_t *at)
{
	double best = -INFINITY;

	for (size_t t = 2; t + 2 <= n; t++) {
		double a = (double)t, b = (double)(n - t), across = 0, left = 0, right = 0, q;

		for (size_t i = 0; i < n; i++) {
			for (size_t j = 0; j < n; j++) {
				if (i < t && j >= t)
					across += fabs(y[i] - y[j]);
				else if (i < t && j < t)
					left += fabs(y[i] - y[j]);
				else if (i >= t && j >= t)
					right += fabs(y[i] - y[j]);
			}
		}
		q = a * b / (a + b) *
		    (2 / (a * b) * across - left / (a * (a - 1)) - right / (b * (b - 1)));
		if (q > best) {
			best = q;
			*at = t;
		}
	}
	return best;
}

static void changes_split_agrees_with_double_sums(void **state)
{
	struct rng rng = { 7 };

	(void)state;
	for (int round = 0; round < 100; round++) {
		size_t n = 4 + rng_next(&rng) % 40, at = 0;
		struct changes_split split;
		double y[44], q;

		for (size_t i = 0; i < n; i++)
			y[i] = 1e3 + (round % 2 ? random_t3(&rng) : rint(3 * random_normal(&rng)));
		q = plain_best(y, n, &at);
		assert_int_equal(changes_split(y, n, 1, &split), 0);
		assert_true(fabs(split.q - q) < 1e-9);
		if (round % 2) /* without ties there is one best split */
			assert_int_equal(split.at, at);
	}
}

/* Of 10 points only few different splits are possible: a permutation often is the split itself. */
static void changes_split_counts_an_equal_split_as_reached(void **state)
{
	double y[] = { 0.1, 0.2, 0.3, 0.7, 0.8, 0.9 };
	struct changes_split split;

	(void)state;
	assert_int_equal(changes_split(y, 6, 1, &split), 0);
	assert_int_equal(split.at, 3);
	/* 2 of 20 divisions into 3 + 3 have this Q, and none has a greater: 100 of 999. */
	assert_true(split.reached > 70 && split.reached < 130);
}

static void changes_of_equal_values_are_none(void **state)
{
	struct changes_split split;
	struct change *changes;
	double y[30] = { 0 };
	size_t n;

	(void)state;
	assert_int_equal(changes_split(y, 30, 1, &split), 0);
	assert_true(split.q == 0);
	assert_true(split.p == 1);
	assert_int_equal(changes_find(y, 30, MARGIN, 0.05, 1, &changes, &n), 0);
	assert_int_equal(n, 0);
}

static void changes_of_few_points_are_none(void **state)
{
	double y[] = { 1, 2, 3 };
	struct changes_split split;
	struct change *changes;

	(void)state;
	for (size_t n = 0; n <= 3; n++) {
		size_t found;

		assert_int_equal(changes_split(y, n, 1, &split), 0);
		assert_nan(split.q);
		assert_nan(split.p);
		assert_int_equal(split.at, 0);
		assert_int_equal(changes_find(y, n, MARGIN, 0.05, 1, &changes, &found), 0);
		assert_int_equal(found, 0);
	}
}

/* Levels with steps of 5 % at 40, 100 and 107, noise of .5 %. */
static void changes_are_all_found_in_order_with_their_levels(void **state)
{
	static const size_t at[] = { 40, 100, 107 };
	static const double step[] = { 0.05, -0.1, 0.05 };
	struct rng rng = { 8 };
	struct change *changes;
	double y[150], level = 0;
	size_t n, next = 0;

	(void)state;
	for (size_t i = 0; i < 150; i++) {
		if (next < 3 && i == at[next])
			level += step[next++];
		y[i] = level + 0.005 * random_normal(&rng);
	}
	assert_int_equal(changes_find(y, 150, MARGIN, 0.05, 1, &changes, &n), 0);
	assert_int_equal(n, 3);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(changes[i].at, at[i]);
		assert_int_equal(changes[i].from, i ? at[i - 1] : 0);
		assert_int_equal(changes[i].to, i < 2 ? at[i + 1] : 150);
		assert_true(fabs(changes[i].log_ratio.value - step[i]) < 0.005);
		assert_true(changes[i].log_ratio.lo < step[i] && step[i] < changes[i].log_ratio.hi);
		assert_int_equal(changes[i].state, CHANGE_CONFIRMED);
		assert_true(changes[i].p <= CHANGES_P_MAX);
	}
	free(changes);
}

/* What ends the permutations early must not change what is found. */
static void changes_find_splits_where_all_permutations_say_so(void **state)
{
	struct rng rng = { 9 };
	int significant = 0;

	(void)state;
	for (uint64_t round = 0; round < 60; round++) {
		struct changes_split split;
		struct change *changes;
		double y[20];
		size_t n, with_p = 0;

		for (size_t i = 0; i < 20; i++)
			y[i] = random_normal(&rng) + (i < 12 ? 0 : 1.5);
		assert_int_equal(changes_split(y, 20, round, &split), 0);
		assert_int_equal(changes_find(y, 20, MARGIN, 0.05, round, &changes, &n), 0);
		for (size_t i = 0; i < n; i++)
			with_p += changes[i].at == split.at && changes[i].p == split.p;
		assert_int_equal(with_p, split.p <= CHANGES_P_MAX);
		significant += split.p <= CHANGES_P_MAX;
		free(changes);
	}
	assert_true(significant > 10 && significant < 50);
}

static void changes_of_noise_are_as_rare_as_asked(void **state)
{
	enum { ROUNDS = 1000 };
	struct rng rng = { 10 };
	int found = 0;

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		struct change *changes;
		double y[30];
		size_t n;

		for (size_t i = 0; i < 30; i++)
			y[i] = random_t3(&rng);
		assert_int_equal(changes_find(y, 30, MARGIN, 0.05, 1, &changes, &n), 0);
		found += n > 0;
		free(changes);
	}
	/* 1 %, standard error .3 %. */
	assert_true((double)found / ROUNDS < 0.022);
}

static void changes_refuse_what_is_no_finite_number(void **state)
{
	static const double bad[] = { NAN, INFINITY, -INFINITY };
	double y[] = { 1, 2, 3, 4, 5, 6 };
	struct changes_split split;
	struct change *changes;
	size_t n;

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		y[4] = bad[i];
		assert_int_equal(changes_split(y, 6, 1, &split), -EINVAL);
		assert_nan(split.q);
		assert_int_equal(changes_find(y, 6, MARGIN, 0.05, 1, &changes, &n), -EINVAL);
		assert_null(changes);
		assert_int_equal(n, 0);
	}
	y[4] = -DBL_MAX;
	y[5] = DBL_MAX;
	assert_int_equal(changes_split(y, 6, 1, &split), -ERANGE);
	assert_int_equal(changes_find(y, 6, MARGIN, 0.05, 1, &changes, &n), -ERANGE);
}

static void changes_refuse_a_bad_margin_or_alpha(void **state)
{
	double y[] = { 1, 2, 3, 4, 5, 6 };
	struct change *changes;
	size_t n;

	(void)state;
	assert_int_equal(changes_find(y, 6, 0, 0.05, 1, &changes, &n), -EINVAL);
	assert_int_equal(changes_find(y, 6, NAN, 0.05, 1, &changes, &n), -EINVAL);
	assert_int_equal(changes_find(y, 6, INFINITY, 0.05, 1, &changes, &n), -EINVAL);
	assert_int_equal(changes_find(y, 6, MARGIN, 0, 1, &changes, &n), -EINVAL);
	assert_int_equal(changes_find(y, 6, MARGIN, 1, 1, &changes, &n), -EINVAL);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(changes_split_is_known_answer_7),
		cmocka_unit_test(changes_split_of_a_small_change_is_known_answer_7),
		cmocka_unit_test(changes_split_without_change_is_known_answer_7),
		cmocka_unit_test(changes_halves_of_known_answer_7_have_no_split),
		cmocka_unit_test(changes_of_known_answer_7_are_one_and_confirmed),
		cmocka_unit_test(changes_below_the_margin_are_drift),
		cmocka_unit_test(changes_without_change_are_none),
		cmocka_unit_test(changes_with_two_points_of_the_new_level_are_suspect),
		cmocka_unit_test(changes_split_agrees_with_double_sums),
		cmocka_unit_test(changes_split_counts_an_equal_split_as_reached),
		cmocka_unit_test(changes_of_equal_values_are_none),
		cmocka_unit_test(changes_of_few_points_are_none),
		cmocka_unit_test(changes_are_all_found_in_order_with_their_levels),
		cmocka_unit_test(changes_find_splits_where_all_permutations_say_so),
		cmocka_unit_test(changes_of_noise_are_as_rare_as_asked),
		cmocka_unit_test(changes_refuse_what_is_no_finite_number),
		cmocka_unit_test(changes_refuse_a_bad_margin_or_alpha),
	};
	int failed;

	vectors_open(argc > 1 ? argv[1] : NULL);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	vectors_close();
	return failed;
}
