// SPDX-License-Identifier: GPL-2.0-or-later
/* ab_blocks.c - what the record says of the blocks of a row. */
#include "measure/ab_blocks.h"
#include "measure/plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void add(struct series *series, uint32_t block, double rate)
{
	struct slot *slot = series_add_slot(series, 1);

	assert_non_null(slot);
	slot->block = block;
	slot->rate = rate;
}

/* A whole block whose logarithms of A are 0 and of B the difference. */
static void add_block(const struct block_series *row, uint32_t block, double difference)
{
	for (int i = 0; i < 2; i++) {
		add(row->side[SIDE_A], block, 1);
		add(row->side[SIDE_B], block, exp(difference));
	}
}

static struct block_series empty_row(void)
{
	return (struct block_series){ { calloc(1, sizeof(struct series)),
					calloc(1, sizeof(struct series)) } };
}

static void free_row(struct block_series *row)
{
	for (int side = 0; side < 2; side++) {
		series_free(row->side[side]);
		free(row->side[side]);
	}
}

/* Logs A, B, B, A = 0, .01, .02, .03 give 0: a linear drift cancels. */
static void a_linear_drift_cancels(void **state)
{
	struct block_series row = empty_row();
	double *d;
	size_t n;

	(void)state;
	add(row.side[SIDE_A], 0, exp(0));
	add(row.side[SIDE_B], 0, exp(0.01));
	add(row.side[SIDE_B], 0, exp(0.02));
	add(row.side[SIDE_A], 0, exp(0.03));
	assert_int_equal(block_differences(&row, &d, &n), 0);
	assert_int_equal(n, 1);
	assert_true(fabs(d[0]) < 1e-12);
	free(d);
	free_row(&row);
}

static void only_complete_blocks_count(void **state)
{
	struct block_series row = empty_row();
	struct block_state whole, half;
	double *d;
	size_t n;

	(void)state;
	add_block(&row, 0, 0.1);
	add(row.side[SIDE_A], 1, 1);
	add(row.side[SIDE_B], 1, 1);
	add_block(&row, 2, 0.3);
	row.side[SIDE_B]->slots[row.side[SIDE_B]->n_slots - 1].status = SLOT_REPLACED;
	add_block(&row, 3, 0.4);
	assert_int_equal(block_differences(&row, &d, &n), 0);
	assert_int_equal(n, 2);
	assert_true(fabs(d[0] - 0.1) < 1e-12 && fabs(d[1] - 0.4) < 1e-12);
	whole = block_state(&row, 0);
	half = block_state(&row, 1);
	assert_true(block_is_complete(&whole));
	assert_false(block_is_complete(&half));
	assert_int_equal(half.slots, 2);
	free(d);
	free_row(&row);
}

static struct row_standing standing_after(size_t blocks, double difference, double spread,
					  uint32_t fixed, double precision)
{
	const struct sides sides = { .blocks = fixed, .margin = AB_MARGIN, .alpha = AB_ALPHA };
	struct block_series row = empty_row();
	struct row_standing standing;

	for (size_t i = 0; i < blocks; i++)
		add_block(&row, (uint32_t)i, difference + (i % 2 ? spread : -spread));
	assert_int_equal(row_standing(&row, &sides, precision, &standing), 0);
	free_row(&row);
	return standing;
}

static void a_row_is_looked_at_after_8_blocks(void **state)
{
	struct row_standing before = standing_after(7, 0.05, 0.001, 0, 0);
	struct row_standing after = standing_after(8, 0.05, 0.001, 0, 0);

	(void)state;
	assert_false(before.is_finished || before.was_looked_at);
	assert_int_equal(before.look.n, 8);
	assert_true(after.is_finished && after.was_looked_at);
	assert_int_equal(after.result.decision.verdict, VERDICT_BETTER);
}

static void an_undecided_row_waits_for_the_next_look(void **state)
{
	/* Spread of 5 % either way: neither same nor better. */
	struct row_standing standing = standing_after(9, 0, 0.05, 0, 0);

	(void)state;
	assert_false(standing.is_finished);
	assert_int_equal(standing.look.number, 2);
	assert_int_equal(standing.look.n, 12);
	assert_int_equal(standing.result.decision.verdict, VERDICT_INCONCLUSIVE);
}

static void precision_ends_an_undecided_row(void **state)
{
	(void)state;
	assert_true(standing_after(8, 0, 0.05, 0, 0.2).is_finished);
	assert_false(standing_after(8, 0, 0.05, 0, 0.001).is_finished);
}

static void fixed_blocks_are_looked_at_once_with_all_of_alpha(void **state)
{
	struct row_standing eleven = standing_after(11, 0.05, 0.001, 12, 0);
	struct row_standing twelve = standing_after(12, 0, 0.05, 12, 0);

	(void)state;
	assert_false(eleven.is_finished);
	assert_true(twelve.is_finished);
	/* Signed ranks: n = 12 at .05 has k = 14 and the level .95751953125. */
	assert_true(fabs(twelve.result.log_ratio.level - 0.95751953125) < 1e-12);
	assert_int_equal(twelve.result.decision.verdict, VERDICT_INCONCLUSIVE);
}

static void a_row_with_two_failed_blocks_is_given_up(void **state)
{
	const struct sides sides = { .margin = AB_MARGIN, .alpha = AB_ALPHA };
	struct block_series row = empty_row();
	struct row_standing standing;

	(void)state;
	for (uint32_t block = 0; block < 2; block++) {
		assert_int_equal(row_standing(&row, &sides, 0, &standing), 0);
		assert_false(standing.is_finished);
		add(row.side[SIDE_A], block, NAN);
		row.side[SIDE_A]->slots[block].status = SLOT_FAILED;
	}
	assert_int_equal(row_standing(&row, &sides, 0, &standing), 0);
	assert_true(standing.is_given_up && standing.is_finished);
	free_row(&row);
}

static void marks_that_depend_on_the_side_are_found(void **state)
{
	struct marked even = { .marked = { 3, 3 }, .slots = { 24, 24 } };
	struct marked uneven = { .marked = { 9, 1 }, .slots = { 24, 24 } };
	struct marked none = { .slots = { 24, 24 } };

	(void)state;
	marked_test(&even);
	marked_test(&uneven);
	marked_test(&none);
	assert_true(even.p == 1 && none.p == 1);
	/* 2 × (1 + 10) / 2^10, by hand. */
	assert_true(fabs(uneven.p - 22.0 / 1024) < 1e-9);
}

static void the_order_of_sides_is_drawn_for_each_block_row_and_attempt(void **state)
{
	size_t begun_with_b = 0, rows_differ = 0, attempts_differ = 0;

	(void)state;
	for (uint32_t block = 0; block < 1000; block++) {
		bool first = plan_block_begins_with_b(7, block, 0, 3, 0);

		assert_int_equal(first, plan_block_begins_with_b(7, block, 0, 3, 0));
		begun_with_b += first;
		rows_differ += first != plan_block_begins_with_b(7, block, 1, 3, 0);
		attempts_differ += first != plan_block_begins_with_b(7, block, 0, 3, 4);
	}
	/* 1,000 fair draws lie within 500 ± 79 but for one in a million. */
	assert_in_range(begun_with_b, 421, 579);
	assert_in_range(rows_differ, 421, 579);
	assert_in_range(attempts_differ, 421, 579);
}

static void a_side_is_a_name_and_a_setup(void **state)
{
	struct side side = { 0 };
	struct error err = { 0 };

	(void)state;
	assert_int_equal(side_parse("on: echo a: b > x", &side, &err), 0);
	assert_string_equal(side.name, "on");
	assert_string_equal(side.setup, "echo a: b > x");
	assert_int_equal(side_parse("just a name", &side, &err), 0);
	assert_string_equal(side.name, "just a name");
	assert_null(side.setup);
	assert_int_equal(side_parse(": setup", &side, &err), -EINVAL);
	free(side.name);
	free(side.setup);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_linear_drift_cancels),
		cmocka_unit_test(only_complete_blocks_count),
		cmocka_unit_test(a_row_is_looked_at_after_8_blocks),
		cmocka_unit_test(an_undecided_row_waits_for_the_next_look),
		cmocka_unit_test(precision_ends_an_undecided_row),
		cmocka_unit_test(fixed_blocks_are_looked_at_once_with_all_of_alpha),
		cmocka_unit_test(a_row_with_two_failed_blocks_is_given_up),
		cmocka_unit_test(marks_that_depend_on_the_side_are_found),
		cmocka_unit_test(the_order_of_sides_is_drawn_for_each_block_row_and_attempt),
		cmocka_unit_test(a_side_is_a_name_and_a_setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
