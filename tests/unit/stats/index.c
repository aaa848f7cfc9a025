// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * index.c - suite index against known answer 6, and UnixBench's own score.
 */
#include "stats/index.h"

#include "stats/classic.h"
#include "vectors.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define ROWS   4
#define BLOCKS 8

/* Known answer 6: rows of logarithms by block, and their estimates. */
static void suite(double row[ROWS], double block[BLOCKS][ROWS])
{
	for (size_t k = 0; k < ROWS; k++) {
		struct estimate estimate;
		double ratio[BLOCKS];
		char path[32];

		snprintf(path, sizeof(path), "suite.ratios.%zu", k);
		assert_int_equal(vector_numbers(path, ratio, BLOCKS), BLOCKS);
		assert_int_equal(estimate_rate(ratio, BLOCKS, 0.05, &estimate), 0);
		snprintf(path, sizeof(path), "suite.rows.%zu.est", k);
		assert_digits(estimate.value, vector_number(path));
		snprintf(path, sizeof(path), "suite.rows.%zu.lo", k);
		assert_digits(estimate.lo, vector_number(path));
		snprintf(path, sizeof(path), "suite.rows.%zu.hi", k);
		assert_digits(estimate.hi, vector_number(path));
		row[k] = log(estimate.value);
		for (size_t j = 0; j < BLOCKS; j++)
			block[j][k] = log(ratio[j]);
	}
}

static void index_is_known_answer_6(void **state)
{
	double row[ROWS], block[BLOCKS][ROWS];
	struct estimate estimate;

	(void)state;
	suite(row, block);
	assert_int_equal(index_estimate(row, ROWS, &block[0][0], BLOCKS, 0.05, &estimate), 0);
	assert_digits(estimate.value, vector_number("suite.index"));
	assert_digits(estimate.lo, vector_number("suite.lo"));
	assert_digits(estimate.hi, vector_number("suite.hi"));
	assert_digits(estimate.level, vector_number("suite.conf"));
	assert_int_equal(estimate.n, BLOCKS);
	assert_null(estimate.reason);
}

/* Known answer 6: the p of its rows, and what its interval is made of. */
static void index_rests_on_the_blocks_of_known_answer_6(void **state)
{
	static const double row_p[ROWS] = { 0.0078125, 0.4609375, 0.0078125, 0.0078125 };
	double row[ROWS], block[BLOCKS][ROWS], expected[BLOCKS], mean[BLOCKS] = { 0 };
	struct estimate estimate;

	(void)state;
	suite(row, block);
	for (size_t k = 0; k < ROWS; k++) {
		double column[BLOCKS], v, p;

		for (size_t j = 0; j < BLOCKS; j++) {
			column[j] = block[j][k];
			mean[j] += block[j][k] / ROWS;
		}
		assert_int_equal(estimate_p(column, BLOCKS, &v, &p), 0);
		assert_digits(p, row_p[k]);
	}
	assert_int_equal(vector_numbers("suite.D", expected, BLOCKS), BLOCKS);
	for (size_t j = 0; j < BLOCKS; j++)
		assert_digits(mean[j], expected[j]);
	assert_int_equal(estimate_hl(mean, BLOCKS, 0.05, &estimate), 0);
	assert_digits(exp(estimate.value), vector_number("suite.hl_of_blocks"));
}

static void index_interval_rests_on_complete_blocks_only(void **state)
{
	double row[ROWS], block[BLOCKS][ROWS], six[6][ROWS];
	struct estimate estimate, expected;
	size_t complete = 0;

	(void)state;
	suite(row, block);
	block[2][1] = NAN;
	block[7][0] = NAN;
	for (size_t j = 0; j < BLOCKS; j++) {
		if (j == 2 || j == 7)
			continue;
		for (size_t k = 0; k < ROWS; k++)
			six[complete][k] = block[j][k];
		complete++;
	}
	assert_int_equal(index_estimate(row, ROWS, &block[0][0], BLOCKS, 0.05, &estimate), 0);
	assert_int_equal(index_estimate(row, ROWS, &six[0][0], 6, 0.05, &expected), 0);
	assert_int_equal(estimate.n, 6);
	assert_true(estimate.value == expected.value);
	assert_true(estimate.lo == expected.lo);
	assert_true(estimate.hi == expected.hi);
}

static void index_with_few_complete_blocks_has_no_interval_and_says_why(void **state)
{
	double row[ROWS], block[BLOCKS][ROWS];
	struct estimate estimate;

	(void)state;
	suite(row, block);
	for (size_t j = 0; j < 3; j++)
		block[j][j] = NAN;
	assert_int_equal(index_estimate(row, ROWS, &block[0][0], BLOCKS, 0.05, &estimate), 0);
	assert_digits(estimate.value, vector_number("suite.index"));
	assert_nan(estimate.lo);
	assert_nan(estimate.hi);
	assert_int_equal(estimate.n, 5);
	assert_string_equal(estimate.reason, "too few blocks hold all tests of the index");
	assert_int_equal(index_estimate(row, ROWS, &block[3][0], 5, 0.05, &estimate), 0);
	assert_string_equal(estimate.reason, "n too small (5 < 6)");
	assert_int_equal(index_estimate(row, ROWS, NULL, 0, 0.05, &estimate), 0);
	assert_string_equal(estimate.reason, "n too small (0 < 6)");
	assert_digits(estimate.value, vector_number("suite.index"));
}

static void index_refuses_a_test_without_finite_estimate(void **state)
{
	double row[ROWS], block[BLOCKS][ROWS];
	struct estimate estimate;

	(void)state;
	suite(row, block);
	row[1] = NAN;
	assert_int_equal(index_estimate(row, ROWS, &block[0][0], BLOCKS, 0.05, &estimate), -EINVAL);
	assert_nan(estimate.value);
	assert_int_equal(index_estimate(row, 0, NULL, 0, 0.05, &estimate), -EINVAL);
	suite(row, block);
	block[0][0] = -INFINITY;
	assert_int_equal(index_estimate(row, ROWS, &block[0][0], BLOCKS, 0.05, &estimate), -EINVAL);
	assert_nan(estimate.value);
}

static void index_beyond_the_range_of_doubles_is_an_error(void **state)
{
	double row[] = { 800 };
	struct estimate estimate;

	(void)state;
	assert_int_equal(index_estimate(row, 1, NULL, 0, 0.05, &estimate), -ERANGE);
	assert_nan(estimate.value);
}

static void index_of_a_rate_is_10_at_the_baseline(void **state)
{
	(void)state;
	assert_digits(index_of_rate(12440, 12440), 10);
	assert_digits(index_of_rate(24880, 12440), 20);
}

static void index_of_a_rate_is_none_without_rate_or_baseline(void **state)
{
	(void)state;
	assert_nan(index_of_rate(0, 12440));
	assert_nan(index_of_rate(-1, 12440));
	assert_nan(index_of_rate(NAN, 12440));
	assert_nan(index_of_rate(INFINITY, 12440));
	assert_nan(index_of_rate(100, 0));
	assert_nan(index_of_rate(100, NAN));
}

static void classic_score_is_the_known_answer(void **state)
{
	double x[10], score;
	size_t kept;

	(void)state;
	assert_int_equal(vector_numbers("per_test.x", x, 10), 10);
	assert_int_equal(classic_score(x, x, 10, &score, &kept), 0);
	assert_digits(score, vector_number("per_test.unixbench_drop_third"));
	assert_int_equal(kept, 7);
}

static void classic_score_drops_by_count_not_by_rate(void **state)
{
	/* The pass of count 5 took so long that its rate is the lowest; that of count 3 goes. */
	double count[] = { 3, 5, 4 }, rate[] = { 9, 1, 4 }, score;
	size_t kept;

	(void)state;
	assert_int_equal(classic_score(count, rate, 3, &score, &kept), 0);
	assert_digits(score, 2);
	assert_int_equal(kept, 2);
}

static void classic_score_keeps_one_or_two_passes(void **state)
{
	double x[] = { 4, 9 }, score;
	size_t kept;

	(void)state;
	assert_int_equal(classic_score(x, x, 2, &score, &kept), 0);
	assert_digits(score, 6);
	assert_int_equal(kept, 2);
	assert_int_equal(classic_score(x, x, 1, &score, NULL), 0);
	assert_digits(score, 4);
}

static void classic_score_refuses_a_pass_without_rate(void **state)
{
	double count[] = { 1, 2, 3 }, rate[] = { 1, 0, 3 }, score;

	(void)state;
	assert_int_equal(classic_score(count, rate, 3, &score, NULL), -EINVAL);
	assert_nan(score);
	rate[1] = INFINITY;
	assert_int_equal(classic_score(count, rate, 3, &score, NULL), -EINVAL);
	rate[1] = 2;
	count[0] = NAN;
	assert_int_equal(classic_score(count, rate, 3, &score, NULL), -EINVAL);
	assert_int_equal(classic_score(count, rate, 0, &score, NULL), -EINVAL);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(index_is_known_answer_6),
		cmocka_unit_test(index_rests_on_the_blocks_of_known_answer_6),
		cmocka_unit_test(index_interval_rests_on_complete_blocks_only),
		cmocka_unit_test(index_with_few_complete_blocks_has_no_interval_and_says_why),
		cmocka_unit_test(index_refuses_a_test_without_finite_estimate),
		cmocka_unit_test(index_beyond_the_range_of_doubles_is_an_error),
		cmocka_unit_test(index_of_a_rate_is_10_at_the_baseline),
		cmocka_unit_test(index_of_a_rate_is_none_without_rate_or_baseline),
		cmocka_unit_test(classic_score_is_the_known_answer),
		cmocka_unit_test(classic_score_drops_by_count_not_by_rate),
		cmocka_unit_test(classic_score_keeps_one_or_two_passes),
		cmocka_unit_test(classic_score_refuses_a_pass_without_rate),
	};
	int failed;

	vectors_open(argc > 1 ? argv[1] : NULL);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	vectors_close();
	return failed;
}
