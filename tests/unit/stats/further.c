// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * further.c - expected number of further blocks, by hand and against comparisons that go on.
 */
#include "stats/further.h"

#include "random.h"
#include "stats/verdict.h"
#include "vectors.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define MARGIN 0.01

static size_t further(size_t n, double lo, double value, double hi)
{
	struct estimate estimate = { .n = n, .value = value, .lo = lo, .hi = hi };

	return further_blocks(&estimate, MARGIN);
}

static void further_blocks_until_the_interval_leaves_0(void **state)
{
	(void)state;
	/* .02 ± .04 must become ± .02: 4 times 12 blocks, and one more. */
	assert_int_equal(further(12, -0.02, 0.02, 0.06), 37);
	assert_int_equal(further(12, -0.06, -0.02, 0.02), 37);
	/* The side towards 0 counts. */
	assert_int_equal(further(12, -0.02, 0.02, 0.1), 37);
}

static void further_blocks_until_the_interval_fits_the_margin(void **state)
{
	(void)state;
	/* 0 ± .02 must become ± .01. */
	assert_int_equal(further(12, -0.02, 0, 0.02), 37);
	/* .002: the far side has .008 of room, ± .016 is twice that. */
	assert_int_equal(further(12, -0.014, 0.002, 0.018), 37);
}

static void further_blocks_are_those_of_the_nearer_verdict(void **state)
{
	(void)state;
	/* .008 ± .016: leaves 0 at 4 times the blocks, fits in .002 only at 64 times. */
	assert_int_equal(further(12, -0.008, 0.008, 0.024), 37);
}

static void further_blocks_are_at_least_one(void **state)
{
	(void)state;
	assert_int_equal(further(12, 0, 0.02, 0.04), 1);
}

static void further_blocks_of_a_verdict_are_0(void **state)
{
	(void)state;
	assert_int_equal(further(12, 0.001, 0.02, 0.04), 0);
	assert_int_equal(further(12, -0.04, -0.02, -0.001), 0);
	assert_int_equal(further(12, -0.005, 0, 0.005), 0);
}

static void further_blocks_without_interval_are_0(void **state)
{
	struct estimate estimate;

	(void)state;
	estimate_none(&estimate, 3, "n too small (3 < 6)");
	assert_int_equal(further_blocks(&estimate, MARGIN), 0);
	assert_int_equal(further(12, -INFINITY, 0, INFINITY), 0);
	estimate = (struct estimate){ .n = 12, .value = 0, .lo = -0.02, .hi = 0.02 };
	assert_int_equal(further_blocks(&estimate, 0), 0);
	assert_int_equal(further_blocks(&estimate, NAN), 0);
}

/* By hand, n = 12, margin 1 %: (.07/.03)² × 12 = 65.3, and (.04/.02)² × 12 = 48. */
static void further_blocks_of_a_gate_are_those_to_the_margin(void **state)
{
	struct estimate ratio = { .n = 12, .value = 0.02, .lo = -0.05, .hi = 0.09 };
	struct estimate adjusted = { .n = 12, .value = -0.03, .lo = -0.09, .hi = 0.01 };

	(void)state;
	assert_int_equal(further_blocks_of_gate(&ratio, &ratio, MARGIN), 54);
	ratio = (struct estimate){ .n = 12, .value = -0.03, .lo = -0.06, .hi = 0 };
	assert_int_equal(further_blocks_of_gate(&ratio, &adjusted, MARGIN), 37);
	ratio.lo = -0.005;
	assert_int_equal(further_blocks_of_gate(&ratio, &adjusted, MARGIN), 0);
	estimate_none(&ratio, 3, "n too small (3 < 6)");
	assert_int_equal(further_blocks_of_gate(&ratio, &adjusted, MARGIN), 0);
}

/* Half of the comparisons that go on for so long are decided; not almost none, not almost all. */
static void further_blocks_decide_about_half_of_the_comparisons(void **state)
{
	enum { ROUNDS = 400, MOST = 2000 };
	struct rng rng = { 16 };
	int decided = 0, asked = 0;

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		struct decision decision;
		struct estimate estimate;
		double d[MOST];
		size_t n;

		for (size_t i = 0; i < MOST; i++)
			d[i] = 0.004 + 0.015 * random_normal(&rng);
		assert_int_equal(estimate_hl(d, 12, 0.05, &estimate), 0);
		n = further_blocks(&estimate, MARGIN);
		if (n == 0 || 12 + n > MOST)
			continue;
		assert_int_equal(estimate_hl(d, 12 + n, 0.05, &estimate), 0);
		assert_int_equal(verdict_decide(&estimate, MARGIN, &decision), 0);
		decided += decision.verdict != VERDICT_INCONCLUSIVE;
		asked++;
	}
	assert_true(asked > ROUNDS / 2);
	assert_true(decided > 0.3 * asked && decided < 0.8 * asked);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(further_blocks_until_the_interval_leaves_0),
		cmocka_unit_test(further_blocks_until_the_interval_fits_the_margin),
		cmocka_unit_test(further_blocks_are_those_of_the_nearer_verdict),
		cmocka_unit_test(further_blocks_are_at_least_one),
		cmocka_unit_test(further_blocks_of_a_verdict_are_0),
		cmocka_unit_test(further_blocks_without_interval_are_0),
		cmocka_unit_test(further_blocks_of_a_gate_are_those_to_the_margin),
		cmocka_unit_test(further_blocks_decide_about_half_of_the_comparisons),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
