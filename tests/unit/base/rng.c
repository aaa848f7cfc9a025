// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * rng.c - SplitMix64 against published outputs, and the shuffle that draws orders.
 */
#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>

#include <cmocka.h>

static void rng_next_gives_the_published_outputs_of_seed_1(void **state)
{
	struct rng rng = { 1 };

	(void)state;
	/* tests/data/statistics-vectors.json, splitmix64_seed1 */
	assert_true(rng_next(&rng) == 0x910a2dec89025cc1ull);
	assert_true(rng_next(&rng) == 0xbeeb8da1658eec67ull);
	assert_true(rng_next(&rng) == 0xf893a2eefb32555eull);
}

static void rng_shuffle_takes_every_index_once(void **state)
{
	struct rng rng = { 7 };
	size_t index[100];
	bool seen[100] = { false };

	(void)state;
	for (size_t i = 0; i < 100; i++)
		index[i] = i;
	rng_shuffle(&rng, index, 100);
	for (size_t i = 0; i < 100; i++) {
		assert_true(index[i] < 100 && !seen[index[i]]);
		seen[index[i]] = true;
	}
}

static void rng_shuffle_is_fisher_yates_from_the_end(void **state)
{
	struct rng rng = { 1 };
	size_t index[] = { 0, 1, 2, 3 };

	(void)state;
	/*
	 * Seed 1 draws 0x910a2dec89025cc1 mod 4 = 1, 0xbeeb8da1658eec67 mod 3 = 1,
	 * 0xf893a2eefb32555e mod 2 = 0: swap 3 and 1, then 2 and 1, then 1 and 0.
	 */
	rng_shuffle(&rng, index, 4);
	assert_int_equal(index[0], 2);
	assert_int_equal(index[1], 0);
	assert_int_equal(index[2], 3);
	assert_int_equal(index[3], 1);
}

static void rng_shuffle_of_none_or_one_draws_nothing(void **state)
{
	struct rng rng = { 1 };
	size_t index[] = { 0 };

	(void)state;
	rng_shuffle(&rng, index, 0);
	rng_shuffle(&rng, index, 1);
	assert_true(rng_next(&rng) == 0x910a2dec89025cc1ull);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rng_next_gives_the_published_outputs_of_seed_1),
		cmocka_unit_test(rng_shuffle_takes_every_index_once),
		cmocka_unit_test(rng_shuffle_is_fisher_yates_from_the_end),
		cmocka_unit_test(rng_shuffle_of_none_or_one_draws_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
