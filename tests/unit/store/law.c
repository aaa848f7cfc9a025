// SPDX-License-Identifier: GPL-2.0-or-later
/* law.c - scaling laws of a run's tests: which copy counts make one, and what it says. */
#include "fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* Equal to 9 digits. */
#define assert_digits(actual, expected)                                                            \
	assert_true(fabs((actual) - (expected)) <= 5e-9 * fabs(expected))

/* tests/data/statistics-vectors.json, usl: copies, rates, and the law through them. */
static const uint32_t known_8_copies[] = { 1, 2, 4, 8, 12, 16, 24, 32, 48, 64 };
static const double known_8_rate[] = { 1004.1,	1930.7,	 3690.2,  6451.0,  8598.9,
				       10050.3, 11802.0, 12741.7, 13009.5, 12790.2 };
#define KNOWN_8_LAMBDA 1009.1535776
#define KNOWN_8_SIGMA  0.0326620533
#define KNOWN_8_KAPPA  0.000509151187
#define KNOWN_8_PEAK   43.58787855
#define KNOWN_8_ERROR  0.00913236

static struct series *add_series(struct run *run, const char *test, uint32_t copies)
{
	struct series *series = run_add_series(run);

	assert_non_null(series);
	series->test = strdup(test);
	series->title = strdup(test);
	series->unit = strdup("lps");
	series->params = json_object();
	series->copies = copies;
	return series;
}

/* Seven slots of one rate at each count. */
static void add_sweep(struct run *run, const char *test, const uint32_t *copies, const double *rate,
		      size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct series *series = add_series(run, test, copies[i]);

		for (uint32_t block = 0; block < 7; block++)
			fixture_slot(series, rate[i])->block = block;
	}
}

static void set_topology(struct run *run, int cores, int allowed)
{
	run->environment =
		json_pack("{s:{s:i, s:i}}", "topology", "cores", cores, "allowed", allowed);
	assert_non_null(run->environment);
}

static void the_law_of_known_answer_8(void **state)
{
	struct run run;
	const struct scaling_law *law;

	(void)state;
	run_init(&run);
	add_sweep(&run, "a/pipe@1", known_8_copies, known_8_rate, COUNT(known_8_copies));
	assert_int_equal(run_summarise(&run), 0);
	assert_int_equal(run.n_laws, 1);
	assert_string_equal(run.laws[0].test, "a/pipe@1");
	assert_string_equal(run.laws[0].unit, "lps");
	assert_int_equal(run.laws[0].n_points, 10);
	law = &run.laws[0].fit;
	assert_digits(law->lambda, KNOWN_8_LAMBDA);
	assert_digits(law->sigma, KNOWN_8_SIGMA);
	assert_digits(law->kappa, KNOWN_8_KAPPA);
	assert_digits(law->peak_n, KNOWN_8_PEAK);
	assert_true(fabs(law->relative_rmse - KNOWN_8_ERROR) < 1e-8);
	assert_true(law->fits);
	assert_digits(run.laws[0].points[0].rate, 1004.1);
	/* Seven blocks that agree leave the curve no room. */
	assert_true(run.laws[0].points[9].curve.hi - run.laws[0].points[9].curve.lo < 1e-6);
	assert_int_equal(run_summarise(&run), 0);
	assert_int_equal(run.n_laws, 1);
	run_free(&run);
}

static void imported_values_have_a_law_without_interval(void **state)
{
	struct run run;

	(void)state;
	run_init(&run);
	for (size_t i = 0; i < COUNT(known_8_copies); i++) {
		struct series *series = add_series(&run, "a/pipe@1", known_8_copies[i]);

		series->estimate.value = known_8_rate[i];
	}
	assert_int_equal(run_summarise(&run), 0);
	assert_int_equal(run.n_laws, 1);
	assert_digits(run.laws[0].fit.lambda, KNOWN_8_LAMBDA);
	assert_true(isnan(run.laws[0].points[3].curve.lo));
	assert_non_null(run.laws[0].points[3].curve.reason);
	run_free(&run);
}

static void two_counts_make_no_law(void **state)
{
	struct run run;

	(void)state;
	run_init(&run);
	add_sweep(&run, "a/pipe@1", known_8_copies, known_8_rate, 2);
	assert_int_equal(run_summarise(&run), 0);
	assert_int_equal(run.n_laws, 0);
	run_free(&run);
}

static void sides_and_counts_without_result_are_left_out(void **state)
{
	struct run run;

	(void)state;
	run_init(&run);
	add_sweep(&run, "a/pipe@1", known_8_copies, known_8_rate, 4);
	add_series(&run, "a/pipe@1", 100);
	add_sweep(&run, "a/sided@1", known_8_copies, known_8_rate, 4);
	for (size_t i = 5; i < run.n_series; i++)
		run.series[i].side = strdup("A");
	assert_int_equal(run_summarise(&run), 0);
	assert_int_equal(run.n_laws, 1);
	assert_int_equal(run.laws[0].n_points, 4);
	run_free(&run);
}

/* 16 cores with two threads each: the law bends at 16. */
static void cores_and_threads_are_fitted_apart(void **state)
{
	static const uint32_t copies[] = { 1, 4, 8, 16, 20, 24, 28, 32 };
	static const double rate[] = { 100, 400, 800, 1600, 1700, 1800, 1900, 2000 };
	struct run run;

	(void)state;
	run_init(&run);
	set_topology(&run, 16, 32);
	add_sweep(&run, "a/pipe@1", copies, rate, COUNT(copies));
	assert_int_equal(run_summarise(&run), 0);
	assert_int_equal(run.n_laws, 2);
	assert_int_equal(run.laws[0].points[run.laws[0].n_points - 1].copies, 16);
	assert_digits(run.laws[0].fit.lambda, 100.0);
	assert_true(fabs(run.laws[0].fit.sigma) < 1e-9);
	assert_int_equal(run.laws[1].points[0].copies, 20);
	run_free(&run);
}

static void a_range_with_too_few_counts_goes_with_the_next(void **state)
{
	static const uint32_t copies[] = { 1, 2, 4, 8, 16, 17 };
	static const double rate[] = { 100, 200, 210, 220, 230, 231 };
	struct run run;

	(void)state;
	run_init(&run);
	set_topology(&run, 1, 2);
	add_sweep(&run, "a/pipe@1", copies, rate, COUNT(copies));
	assert_int_equal(run_summarise(&run), 0);
	assert_int_equal(run.n_laws, 1);
	assert_int_equal(run.laws[0].n_points, 6);
	run_free(&run);
	/* And the last with the one before. */
	run_init(&run);
	set_topology(&run, 8, 8);
	add_sweep(&run, "a/pipe@1", copies, rate, COUNT(copies));
	assert_int_equal(run_summarise(&run), 0);
	assert_int_equal(run.n_laws, 1);
	assert_int_equal(run.laws[0].n_points, 6);
	run_free(&run);
}

static void a_bend_does_not_fit(void **state)
{
	static const uint32_t copies[] = { 1, 2, 4, 8, 16 };
	static const double rate[] = { 100, 200, 200, 100, 900 };
	struct run run;

	(void)state;
	run_init(&run);
	add_sweep(&run, "a/pipe@1", copies, rate, COUNT(copies));
	assert_int_equal(run_summarise(&run), 0);
	assert_int_equal(run.n_laws, 1);
	assert_false(run.laws[0].fit.fits);
	run_free(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_law_of_known_answer_8),
		cmocka_unit_test(imported_values_have_a_law_without_interval),
		cmocka_unit_test(two_counts_make_no_law),
		cmocka_unit_test(sides_and_counts_without_result_are_left_out),
		cmocka_unit_test(cores_and_threads_are_fitted_apart),
		cmocka_unit_test(a_range_with_too_few_counts_goes_with_the_next),
		cmocka_unit_test(a_bend_does_not_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
