// SPDX-License-Identifier: GPL-2.0-or-later
/* trust.c - when a sensor is believed: the rule of lib/sensor/trust.h. */
#include "sensor/trust.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define HOUR 3600ull

static bool lower_times(struct sensor_trust *trust, uint32_t weight, uint32_t times,
			uint64_t second)
{
	bool lost = false;

	for (uint32_t i = 0; i < times; i++)
		lost = trust_lower(trust, weight, second);
	return lost;
}

static void proven_lies_end_the_trust(void **state)
{
	struct sensor_trust trust = { 0 };

	(void)state;
	assert_false(lower_times(&trust, TRUST_PROVEN, TRUST_LIMIT / TRUST_PROVEN - 1, HOUR));
	assert_true(trust_lower(&trust, TRUST_PROVEN, HOUR));
	trust_lose(&trust);
	assert_true(trust_is_lost(&trust));
}

static void what_was_right_after_all_weighs_nothing(void **state)
{
	struct sensor_trust trust = { 0 };

	(void)state;
	assert_false(lower_times(&trust, 0, 10 * TRUST_LIMIT, HOUR));
}

/* A third of the limit each second: halved each second the sum stays below two thirds. */
static void contradictions_now_and_then_are_forgiven(void **state)
{
	struct sensor_trust trust = { 0 };

	(void)state;
	for (uint64_t second = HOUR; second < 2 * HOUR; second++)
		assert_false(lower_times(&trust, 1, TRUST_LIMIT / 3, second));
	assert_false(trust_is_lost(&trust));
}

/* More than half of it: the sum comes to more than the limit. */
static void contradictions_all_the_time_are_not(void **state)
{
	struct sensor_trust trust = { 0 };
	bool lost = false;

	(void)state;
	for (uint64_t second = HOUR; !lost && second < HOUR + 20; second++)
		lost = lower_times(&trust, 1, TRUST_LIMIT * 5 / 8, second);
	assert_true(lost);
}

static void a_long_silence_forgives_all(void **state)
{
	struct sensor_trust trust = { 0 };

	(void)state;
	lower_times(&trust, 1, TRUST_LIMIT - 1, HOUR);
	assert_false(trust_lower(&trust, 1, HOUR + 100));
	assert_int_equal(trust.score, 1);
}

static uint32_t looks_until_trusted(struct sensor_trust *trust)
{
	uint32_t looks = 1;

	while (!trust_look(trust, true))
		looks++;
	return looks;
}

static void it_comes_back_after_right_looks_in_a_row(void **state)
{
	struct sensor_trust trust = { 0 };

	(void)state;
	trust_lose(&trust);
	for (uint32_t i = 1; i < TRUST_LOOKS; i++)
		assert_false(trust_look(&trust, true));
	/* a wrong one begins anew */
	assert_false(trust_look(&trust, false));
	assert_int_equal(looks_until_trusted(&trust), TRUST_LOOKS);
	assert_false(trust_is_lost(&trust));
}

static void each_loss_doubles_what_is_needed(void **state)
{
	struct sensor_trust trust = { 0 };
	uint32_t expected = TRUST_LOOKS;

	(void)state;
	for (int loss = 0; loss < 12; loss++) {
		trust_lose(&trust);
		assert_int_equal(looks_until_trusted(&trust), expected);
		if (expected < TRUST_LOOKS_MOST)
			expected *= 2;
	}
	assert_int_equal(expected, TRUST_LOOKS_MOST);
}

static void it_is_lost_once(void **state)
{
	struct sensor_trust trust = { 0 };

	(void)state;
	trust_lose(&trust);
	assert_false(lower_times(&trust, TRUST_PROVEN, TRUST_LIMIT, HOUR));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(proven_lies_end_the_trust),
		cmocka_unit_test(what_was_right_after_all_weighs_nothing),
		cmocka_unit_test(contradictions_now_and_then_are_forgiven),
		cmocka_unit_test(contradictions_all_the_time_are_not),
		cmocka_unit_test(a_long_silence_forgives_all),
		cmocka_unit_test(it_comes_back_after_right_looks_in_a_row),
		cmocka_unit_test(each_loss_doubles_what_is_needed),
		cmocka_unit_test(it_is_lost_once),
	};

	return cmocka_run_group_tests_name("trust", tests, NULL, NULL);
}
