// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * modes.c - finds the modes that are there and does not split noise.
 */
#include "stats/modes.h"

#include "random.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))
#define MOST	     12

enum law {
	NORMAL,
	LOGNORMAL,
	T3,
	CONTAMINATED, /* one value in ten has 5 times the deviation */
};

static double draw(struct rng *rng, enum law law, double cv)
{
	double z = law == T3 ? random_t3(rng) : random_normal(rng);

	if (law == CONTAMINATED && random_uniform(rng) < 0.1)
		z *= 5;
	return law == NORMAL ? 1e6 * (1 + cv * z) : 1e6 * exp(cv * z);
}

static struct modes find(const double *rate, const char *const *placement, size_t n,
			 unsigned char *group)
{
	struct modes modes;

	assert_int_equal(modes_find(rate, placement, n, group, &modes), 0);
	assert_int_equal(modes.count > 1, modes.shape == MODES_SEVERAL);
	for (size_t i = 0; i < n; i++)
		assert_true(group[i] < modes.count);
	return modes;
}

/* Of 2,000 samples without modes, the share that is called anything but one mode. */
static double share_split(enum law law, double cv, size_t n, bool labelled)
{
	enum { ROUNDS = 2000 };
	static const char *const labels[] = { "same-cpu", "cross-cpu", "cross-cpu", "mixed", "" };
	struct rng rng = { 1 + law };
	int split = 0;

	for (int round = 0; round < ROUNDS; round++) {
		const char *placement[MOST];
		unsigned char group[MOST];
		double rate[MOST];

		for (size_t i = 0; i < n; i++) {
			rate[i] = draw(&rng, law, cv);
			placement[i] = labels[rng_next(&rng) % COUNT(labels)];
		}
		split += find(rate, labelled ? placement : NULL, n, group).shape != MODES_ONE;
	}
	return (double)split / ROUNDS;
}

static void assert_seldom_split(enum law law)
{
	static const double cvs[] = { 0.01, 0.05, 0.1, 0.15 };
	static const size_t sizes[] = { 7, 12 };

	for (size_t i = 0; i < COUNT(cvs); i++) {
		for (size_t j = 0; j < COUNT(sizes); j++) {
			assert_true(share_split(law, cvs[i], sizes[j], false) <= 0.01);
			assert_true(share_split(law, cvs[i], sizes[j], true) <= 0.01);
		}
	}
}

static void modes_do_not_split_normal_noise(void **state)
{
	(void)state;
	assert_seldom_split(NORMAL);
}

static void modes_do_not_split_lognormal_noise(void **state)
{
	(void)state;
	assert_seldom_split(LOGNORMAL);
}

static void modes_do_not_split_t3_noise(void **state)
{
	(void)state;
	assert_seldom_split(T3);
}

static void modes_do_not_split_contaminated_noise(void **state)
{
	(void)state;
	assert_seldom_split(CONTAMINATED);
}

/* Of 1,000 samples with two modes, the share in which each slot is put into its mode. */
static double share_found(double factor, double cv, size_t n, size_t low, bool labelled)
{
	enum { ROUNDS = 1000 };
	struct rng rng = { 9 };
	int found = 0;

	for (int round = 0; round < ROUNDS; round++) {
		const char *placement[MOST];
		unsigned char group[MOST];
		double rate[MOST];
		bool right = true;

		for (size_t i = 0; i < n; i++) {
			rate[i] = draw(&rng, LOGNORMAL, cv) * (i < low ? 1 : factor);
			placement[i] = i < low ? "cross-cpu" : "same-cpu";
		}
		right = find(rate, labelled ? placement : NULL, n, group).count == 2;
		for (size_t i = 0; right && i < n; i++)
			right = group[i] == (i >= low);
		found += right;
	}
	return (double)found / ROUNDS;
}

static void modes_at_a_factor_of_3_are_found(void **state)
{
	static const size_t sizes[] = { 7, 12 };

	(void)state;
	for (size_t i = 0; i < COUNT(sizes); i++) {
		for (size_t low = 2; low + 2 <= sizes[i]; low++) {
			assert_true(share_found(3, 0.05, sizes[i], low, false) >= 0.99);
			assert_true(share_found(3, 0.05, sizes[i], low, true) >= 0.99);
		}
	}
}

static void modes_at_a_factor_of_17_are_found_in_more_noise(void **state)
{
	(void)state;
	assert_true(share_found(17, 0.15, 12, 2, false) >= 0.97);
	assert_true(share_found(17, 0.15, 12, 6, false) >= 0.99);
	assert_true(share_found(17, 0.15, 12, 2, true) >= 0.99);
}

static void modes_that_placements_tell_apart_are_found_in_more_noise(void **state)
{
	(void)state;
	assert_true(share_found(3, 0.1, 12, 6, true) >= 0.99);
	assert_true(share_found(3, 0.1, 12, 6, true) > share_found(3, 0.1, 12, 6, false));
}

static void modes_below_the_least_ratio_are_one(void **state)
{
	/* A factor of 1.2 without any noise. */
	double rate[] = { 100, 100, 100, 120, 120, 120, 120 };
	unsigned char group[COUNT(rate)];

	(void)state;
	assert_int_equal(find(rate, NULL, COUNT(rate), group).shape, MODES_ONE);
	for (size_t i = 3; i < COUNT(rate); i++)
		rate[i] = 126;
	assert_int_equal(find(rate, NULL, COUNT(rate), group).count, 2);
}

static void modes_need_two_slots_without_placements(void **state)
{
	double rate[] = { 20, 340, 341, 342, 343, 344, 345 };
	unsigned char group[COUNT(rate)];

	(void)state;
	assert_int_equal(find(rate, NULL, COUNT(rate), group).shape, MODES_ONE);
	rate[1] = 20.1;
	assert_int_equal(find(rate, NULL, COUNT(rate), group).count, 2);
}

static void modes_need_a_sixth_of_the_slots_without_placements(void **state)
{
	double rate[18];
	const char *placement[18];
	unsigned char group[18];

	(void)state;
	for (size_t i = 0; i < 18; i++) {
		rate[i] = (i < 2 ? 20 : 340) + (double)i / 100;
		placement[i] = i < 2 ? "cross-cpu" : "same-cpu";
	}
	assert_int_equal(find(rate, NULL, 18, group).shape, MODES_ONE);
	assert_int_equal(find(rate, placement, 18, group).count, 2);
	rate[2] = 20.02;
	assert_int_equal(find(rate, NULL, 18, group).count, 2);
}

static void modes_of_two_slots_need_them_to_agree_without_placements(void **state)
{
	/* ln(35/20) = .56 × 4.5 is wider than the gap of ln(340/35) = 2.27. */
	double rate[] = { 20, 35, 340, 340, 340, 340, 340, 340, 340, 340, 340, 340 };
	const char *placement[COUNT(rate)];
	unsigned char group[COUNT(rate)];

	(void)state;
	for (size_t i = 0; i < COUNT(rate); i++)
		placement[i] = i < 2 ? "cross-cpu" : "same-cpu";
	assert_int_equal(find(rate, NULL, COUNT(rate), group).shape, MODES_ONE);
	assert_int_equal(find(rate, placement, COUNT(rate), group).count, 2);
	rate[1] = 32;
	assert_int_equal(find(rate, NULL, COUNT(rate), group).count, 2);
}

static void modes_of_one_slot_need_a_placement_of_its_own(void **state)
{
	double rate[] = { 20, 340, 341, 342, 343, 344, 345 };
	const char *placement[] = { "cross-cpu", "same-cpu", "same-cpu", "same-cpu",
				    "same-cpu",	 "same-cpu", "same-cpu" };
	unsigned char group[COUNT(rate)];

	(void)state;
	assert_int_equal(find(rate, placement, COUNT(rate), group).count, 2);
	assert_int_equal(group[0], 0);
	assert_int_equal(group[1], 1);
	placement[0] = "same-cpu";
	assert_int_equal(find(rate, placement, COUNT(rate), group).count, 1);
	placement[0] = "";
	assert_int_equal(find(rate, placement, COUNT(rate), group).count, 1);
	placement[0] = NULL;
	assert_int_equal(find(rate, placement, COUNT(rate), group).count, 1);
}

static void modes_are_numbered_by_ascending_rate(void **state)
{
	double rate[] = { 340, 20, 342, 21, 341, 20.5, 343 };
	static const unsigned char expected[] = { 1, 0, 1, 0, 1, 0, 1 };
	unsigned char group[COUNT(rate)];

	(void)state;
	assert_int_equal(find(rate, NULL, COUNT(rate), group).count, 2);
	assert_memory_equal(group, expected, sizeof(expected));
}

static void modes_may_be_three(void **state)
{
	double rate[] = { 20, 20.4, 20.2, 20.1, 100, 101, 99, 100.5, 340, 342, 345, 338 };
	static const unsigned char expected[] = { 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2 };
	unsigned char group[COUNT(rate)];

	(void)state;
	assert_int_equal(find(rate, NULL, COUNT(rate), group).count, 3);
	assert_memory_equal(group, expected, sizeof(expected));
}

static void modes_of_four_groups_are_a_spread(void **state)
{
	double rate[] = { 20, 20.1, 20.2, 60, 60.1, 60.2, 80, 80.1, 80.2, 240, 240.1, 240.2 };
	unsigned char group[COUNT(rate)];

	(void)state;
	assert_int_equal(find(rate, NULL, COUNT(rate), group).shape, MODES_SPREAD);
}

static void modes_of_slots_that_are_all_mixtures_are_a_spread(void **state)
{
	double rate[] = { 20, 36, 65, 90, 120, 160, 200, 250, 290, 310, 330, 350 };
	unsigned char group[COUNT(rate)];

	(void)state;
	assert_int_equal(find(rate, NULL, COUNT(rate), group).shape, MODES_SPREAD);
}

static void modes_set_mixed_slots_aside(void **state)
{
	/* Two slots moved half-way; one labelled mixed moved so late that it is of the fast mode.
	 */
	double rate[] = { 20, 20.4, 20.2, 20.1, 120, 210, 339, 341, 340, 342, 345, 338 };
	const char *placement[] = { "cross-cpu", "cross-cpu", "cross-cpu", "cross-cpu",
				    "mixed",	 "mixed",     "mixed",	   "same-cpu",
				    "same-cpu",	 "same-cpu",  "same-cpu",  "same-cpu" };
	static const unsigned char expected[] = { 0, 0, 0, 0, 1, 1, 2, 2, 2, 2, 2, 2 };
	unsigned char group[COUNT(rate)];

	(void)state;
	assert_int_equal(find(rate, placement, COUNT(rate), group).count, 3);
	assert_memory_equal(group, expected, sizeof(expected));
}

static void modes_of_equal_rates_are_one(void **state)
{
	double rate[] = { 7, 7, 7, 7, 7, 7, 7 };
	unsigned char group[COUNT(rate)];

	(void)state;
	assert_int_equal(find(rate, NULL, COUNT(rate), group).shape, MODES_ONE);
}

static void modes_of_few_slots_are_one(void **state)
{
	double rate[] = { 20, 340, 20 };
	const char *placement[] = { "cross-cpu", "same-cpu", "cross-cpu" };
	unsigned char group[COUNT(rate)];

	(void)state;
	for (size_t n = 0; n <= 2; n++)
		assert_int_equal(find(rate, placement, n, group).shape, MODES_ONE);
	assert_int_equal(find(rate, NULL, 3, group).shape, MODES_ONE);
}

static void modes_refuse_what_is_no_rate(void **state)
{
	static const double bad[] = { 0, -1, NAN, INFINITY };
	double rate[] = { 1, 2, 3 };
	unsigned char group[3];
	struct modes modes;

	(void)state;
	for (size_t i = 0; i < COUNT(bad); i++) {
		rate[1] = bad[i];
		assert_int_equal(modes_find(rate, NULL, 3, group, &modes), -EINVAL);
		assert_int_equal(modes.count, 1);
	}
}

static void modes_of_100000_slots_are_found(void **state)
{
	enum { N = 100000 };
	double *rate = malloc(N * sizeof(*rate));
	unsigned char *group = malloc(N);
	struct rng rng = { 4 };

	(void)state;
	assert_non_null(rate);
	assert_non_null(group);
	for (size_t i = 0; i < N; i++)
		rate[i] = draw(&rng, NORMAL, 0.02) * (i % 2 ? 17 : 1);
	assert_int_equal(find(rate, NULL, N, group).count, 2);
	for (size_t i = 0; i < N; i++)
		assert_int_equal(group[i], i % 2);
	free(rate);
	free(group);
}

static void modes_placement_is_that_of_most_slots(void **state)
{
	const char *placement[] = { "same-cpu", "same-cpu", "mixed", "", "cross-cpu", "mixed" };
	static const unsigned char group[] = { 0, 0, 0, 0, 1, 1 };

	(void)state;
	assert_string_equal(modes_placement(placement, group, 6, 0), "same-cpu");
	assert_string_equal(modes_placement(placement, group, 6, 1), "mixed"); /* one each */
}

static void modes_placement_is_unknown_when_most_slots_have_none(void **state)
{
	const char *placement[] = { "same-cpu", "", NULL };
	static const unsigned char group[] = { 0, 0, 0 };

	(void)state;
	assert_string_equal(modes_placement(placement, group, 3, 0), "");
	assert_string_equal(modes_placement(NULL, group, 3, 0), "");
	assert_string_equal(modes_placement(placement, group, 3, 1), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(modes_do_not_split_normal_noise),
		cmocka_unit_test(modes_do_not_split_lognormal_noise),
		cmocka_unit_test(modes_do_not_split_t3_noise),
		cmocka_unit_test(modes_do_not_split_contaminated_noise),
		cmocka_unit_test(modes_at_a_factor_of_3_are_found),
		cmocka_unit_test(modes_at_a_factor_of_17_are_found_in_more_noise),
		cmocka_unit_test(modes_that_placements_tell_apart_are_found_in_more_noise),
		cmocka_unit_test(modes_below_the_least_ratio_are_one),
		cmocka_unit_test(modes_need_two_slots_without_placements),
		cmocka_unit_test(modes_need_a_sixth_of_the_slots_without_placements),
		cmocka_unit_test(modes_of_two_slots_need_them_to_agree_without_placements),
		cmocka_unit_test(modes_of_one_slot_need_a_placement_of_its_own),
		cmocka_unit_test(modes_are_numbered_by_ascending_rate),
		cmocka_unit_test(modes_may_be_three),
		cmocka_unit_test(modes_of_four_groups_are_a_spread),
		cmocka_unit_test(modes_of_slots_that_are_all_mixtures_are_a_spread),
		cmocka_unit_test(modes_set_mixed_slots_aside),
		cmocka_unit_test(modes_of_equal_rates_are_one),
		cmocka_unit_test(modes_of_few_slots_are_one),
		cmocka_unit_test(modes_refuse_what_is_no_rate),
		cmocka_unit_test(modes_of_100000_slots_are_found),
		cmocka_unit_test(modes_placement_is_that_of_most_slots),
		cmocka_unit_test(modes_placement_is_unknown_when_most_slots_have_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
