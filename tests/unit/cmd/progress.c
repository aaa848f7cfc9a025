// SPDX-License-Identifier: GPL-2.0-or-later
/* progress.c - the live line: what it says, and that it never breaks. */
#include "cmd/progress.h"
#include "base/clock.h"
#include "cmd/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

/* Nothing here looks a verb up. */
const struct verb *const verbs[] = { NULL };

static struct bench_progress sample(void)
{
	return (struct bench_progress){
		.test = "unixbench6/pipe@1",
		.copies = 2,
		.done = 6,
		.total = 24,
		.left_ns = 90 * NS_PER_S,
		.worst_half_width = 0.0123,
		.worst_test = "unixbench6/context1@1",
	};
}

static void the_line_says_what_runs_how_far_and_how_long(void **state)
{
	struct bench_progress now = sample();
	char text[256];

	(void)state;
	progress_text(&now, 80, text, sizeof(text));
	assert_string_equal(text,
			    "6/24 slots, 1m 30s left; pipe, 2 copies; widest +-1.2% context1");
}

static void without_an_interval_the_line_claims_none(void **state)
{
	struct bench_progress now = sample();
	char text[256];

	(void)state;
	now.worst_half_width = NAN;
	now.copies = 1;
	progress_text(&now, 80, text, sizeof(text));
	assert_string_equal(text, "6/24 slots, 1m 30s left; pipe, 1 copy");
}

static void one_slot_is_in_the_singular(void **state)
{
	struct bench_progress now = sample();
	char text[256];

	(void)state;
	now.done = 0;
	now.total = 1;
	progress_text(&now, 80, text, sizeof(text));
	assert_memory_equal(text, "0/1 slot, ", strlen("0/1 slot, "));
}

static void a_part_that_does_not_fit_is_left_out_whole(void **state)
{
	struct bench_progress now = sample();
	char text[256];

	(void)state;
	progress_text(&now, 60, text, sizeof(text));
	assert_string_equal(text, "6/24 slots, 1m 30s left; pipe, 2 copies");
}

static void the_line_never_exceeds_its_columns(void **state)
{
	struct bench_progress now = sample();
	char text[256];

	(void)state;
	now.done = SIZE_MAX;
	now.total = SIZE_MAX;
	now.left_ns = UINT64_MAX;
	now.worst_half_width = 1e300;
	now.copies = UINT32_MAX;
	for (int columns = 0; columns < 100; columns++) {
		progress_text(&now, columns, text, sizeof(text));
		assert_true(strlen(text) <= (size_t)columns);
	}
}

static void of_two_sides_the_line_says_block_look_and_verdicts(void **state)
{
	struct bench_progress now = sample();
	char text[256];

	(void)state;
	now.block = 9;
	now.look = 2;
	now.look_n = 12;
	now.verdicts = "pipe better, context1 ?";
	progress_text(&now, 100, text, sizeof(text));
	assert_string_equal(text, "block 9, look 2 at 12, 1m 30s left; widest +-1.2% context1; "
				  "pipe better, context1 ?");
	now.look = 0;
	now.worst_half_width = NAN;
	progress_text(&now, 30, text, sizeof(text));
	assert_string_equal(text, "block 9, 1m 30s left; pipe bet");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_line_says_what_runs_how_far_and_how_long),
		cmocka_unit_test(without_an_interval_the_line_claims_none),
		cmocka_unit_test(one_slot_is_in_the_singular),
		cmocka_unit_test(a_part_that_does_not_fit_is_left_out_whole),
		cmocka_unit_test(the_line_never_exceeds_its_columns),
		cmocka_unit_test(of_two_sides_the_line_says_block_look_and_verdicts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
