// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * honesty.c - how often do comparisons by the look rule err, and how often do they find an effect?
 *
 * An experiment is a series of slots in time. Each slot has its own noise of SD 0.8 % and what the
 * machine drifts by at that time:
 *
 *	random walk	a step of SD 0.3 % from slot to slot
 *	AR(.9)		.9 times the last one and 0.8 % of new: SD 1.8 %
 *	linear		0.05 % per slot, 12 % from the first to the last of 62 blocks
 *
 * A block is ABBA or BAAB, drawn afresh, and gives half of ln B + ln B - ln A - ln A. The same
 * experiment with all A before all B takes the same four slots per block from the two halves.
 * Looks and verdicts are those of the program: margin 1 %, alpha 5 %, up to 62 blocks.
 */
#include "stats/looks.h"

#include "random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define ALPHA	 0.05
#define MARGIN	 0.00995033085316808 /* ln 1.01 */
#define SLOT_SD	 0.008
#define WALK_SD	 0.003
#define AR_SD	 0.008
#define PER_SLOT 0.0005

enum { BLOCKS = 62, LOOKS = 6, SLOTS = 4 * BLOCKS, EXPERIMENTS = 2000 };

typedef double drift_fn(double last, struct rng *rng);

static double random_walk(double last, struct rng *rng)
{
	return last + WALK_SD * random_normal(rng);
}

static double autoregressive(double last, struct rng *rng)
{
	return 0.9 * last + AR_SD * random_normal(rng);
}

static double linear(double last, struct rng *rng)
{
	(void)rng;
	return last + PER_SLOT;
}

/* Logarithms of the rates of all slots, in order of time. Both sides are the same program. */
static void measure(drift_fn *drift, struct rng *rng, double slot[SLOTS])
{
	double level = 0;

	for (int i = 0; i < 100; i++) /* an AR process forgets where it began */
		level = drift(level, rng);
	for (int i = 0; i < SLOTS; i++) {
		level = drift(level, rng);
		slot[i] = level + SLOT_SD * random_normal(rng);
	}
}

static void blocks_interleaved(const double slot[SLOTS], struct rng *rng, double d[BLOCKS])
{
	for (int j = 0; j < BLOCKS; j++) {
		const double *s = slot + 4 * j;
		double abba = (s[1] + s[2] - s[0] - s[3]) / 2;

		d[j] = rng_next(rng) & 1 ? abba : -abba;
	}
}

static void blocks_one_side_first(const double slot[SLOTS], double d[BLOCKS])
{
	for (int j = 0; j < BLOCKS; j++) {
		const double *a = slot + 2 * j, *b = slot + 2 * BLOCKS + 2 * j;

		d[j] = (b[0] + b[1] - a[0] - a[1]) / 2;
	}
}

/* The verdict of the look at which the comparison stops; *blocks: how many it took. */
static struct decision compare(const double *d, unsigned int looks, size_t *blocks)
{
	struct look_result result = { 0 };

	for (unsigned int number = 1; number <= looks; number++) {
		struct look look;

		assert_int_equal(look_get(number, ALPHA, &look), 0);
		assert_int_equal(look_at(&look, d, look.n, MARGIN, 0, &result), 0);
		*blocks = look.n;
		if (result.end != LOOK_GOES_ON)
			break;
	}
	return result.decision;
}

/* Share of the verdicts "better" and "worse" where there is nothing to find. */
static double wrong_share(drift_fn *drift, bool interleaved)
{
	struct rng rng = { 2026 };
	int wrong = 0;

	for (int i = 0; i < EXPERIMENTS; i++) {
		double slot[SLOTS], d[BLOCKS];
		struct decision decision;
		size_t blocks;

		measure(drift, &rng, slot);
		if (interleaved)
			blocks_interleaved(slot, &rng, d);
		else
			blocks_one_side_first(slot, d);
		decision = compare(d, LOOKS, &blocks);
		wrong += decision.verdict == VERDICT_BETTER || decision.verdict == VERDICT_WORSE;
	}
	return (double)wrong / EXPERIMENTS;
}

static void assert_honest(drift_fn *drift, const char *name)
{
	double interleaved = wrong_share(drift, true), one_side_first = wrong_share(drift, false);

	print_message("# %s: interleaved %.2f %% wrong, all A before all B %.1f %%\n", name,
		      100 * interleaved, 100 * one_side_first);
	assert_true(interleaved <= 0.06);
	assert_true(one_side_first > 0.40);
}

static void equal_sides_on_a_random_walk_are_seldom_called_different(void **state)
{
	(void)state;
	assert_honest(random_walk, "random walk");
}

static void equal_sides_on_an_autoregressive_drift_are_seldom_called_different(void **state)
{
	(void)state;
	assert_honest(autoregressive, "AR(.9)");
}

static void equal_sides_on_a_linear_drift_are_seldom_called_different(void **state)
{
	(void)state;
	assert_honest(linear, "linear");
}

/* +1 % where a block's difference has SD 0.8 %: the third look is at 18 blocks. */
static void one_percent_is_found_within_18_blocks(void **state)
{
	enum { RUNS = 10000 };
	struct rng rng = { 2026 };
	double mean_blocks = 0;
	int better = 0;

	(void)state;
	for (int run = 0; run < RUNS; run++) {
		double d[18];
		size_t blocks;

		for (int j = 0; j < 18; j++)
			d[j] = MARGIN + 0.008 * random_normal(&rng);
		better += compare(d, 3, &blocks).verdict == VERDICT_BETTER;
		mean_blocks += (double)blocks / RUNS;
	}
	print_message("# +1 %%: better %.2f %%, %.1f blocks on average\n", 100.0 * better / RUNS,
		      mean_blocks);
	assert_true(better >= 0.94 * RUNS);
}

/*
 * STATISTICS section 4, n = 12 fixed at SD 0.8 %, as shares of same, inconclusive, better or
 * worse: 0 → 90, 6, 4 %; +0.5 % → 33, 20, 47 %; +1 % → better 96 %; +2 % → better 100 %.
 */
static void twelve_blocks_decide_as_often_as_published(void **state)
{
	enum { RUNS = 4000 };
	static const struct {
		double effect, same, inconclusive, called;
	} rows[] = {
		{ 0, 0.90, 0.06, 0.04 },
		{ 0.005, 0.33, 0.20, 0.47 },
		{ 0.01, 0, 0.04, 0.96 },
		{ 0.02, 0, 0, 1 },
	};
	struct rng rng = { 2026 };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		double count[VERDICT_SAME + 1] = { 0 };

		for (int run = 0; run < RUNS; run++) {
			struct decision decision;
			struct estimate estimate;
			double d[12];

			for (int j = 0; j < 12; j++)
				d[j] = log(1 + rows[i].effect) + 0.008 * random_normal(&rng);
			assert_int_equal(estimate_hl(d, 12, ALPHA, &estimate), 0);
			assert_int_equal(verdict_decide(&estimate, MARGIN, &decision), 0);
			count[decision.verdict] += 1.0 / RUNS;
		}
		/* Printed in whole percent; standard error up to .8 %. */
		assert_true(fabs(count[VERDICT_SAME] - rows[i].same) < 0.03);
		assert_true(fabs(count[VERDICT_INCONCLUSIVE] - rows[i].inconclusive) < 0.03);
		assert_true(fabs(count[VERDICT_BETTER] + count[VERDICT_WORSE] - rows[i].called) <
			    0.03);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_sides_on_a_random_walk_are_seldom_called_different),
		cmocka_unit_test(
			equal_sides_on_an_autoregressive_drift_are_seldom_called_different),
		cmocka_unit_test(equal_sides_on_a_linear_drift_are_seldom_called_different),
		cmocka_unit_test(one_percent_is_found_within_18_blocks),
		cmocka_unit_test(twelve_blocks_decide_as_often_as_published),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
