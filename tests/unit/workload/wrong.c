// SPDX-License-Identifier: GPL-2.0-or-later
/* wrong.c - tests built so that they compute something else: each must find that out itself. */
#include "programs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* Runs the program that was built wrong; it has to say so in the words given. */
static void expect_wrong(const char *program, const char *test, const char *says)
{
	const char *const words[] = { test, "--bare", "20", NULL };
	char output[OUTPUT_BYTES], errors[OUTPUT_BYTES];

	assert_int_equal(program_run(program, words, output, errors), 1);
	assert_string_equal(output, "");
	if (!strstr(errors, says))
		fail_msg("\"%s\" is not in: %s", says, errors);
}

static void dhrystone_finds_a_wrong_callee(void **state)
{
	(void)state;
	expect_wrong("wrong-dhry", "dhry2reg", " is ");
}

static void whetstone_finds_a_wrong_function(void **state)
{
	(void)state;
	expect_wrong("wrong-whet", "whetstone-double", "N8 gives");
}

static void whetstone_full_finds_a_loop_that_was_not_executed(void **state)
{
	(void)state;
#if defined(__OPTIMIZE__) && !SANITIZED
	expect_wrong("removed-whet-full", "whetstone-full", "was not executed");
#else
	print_message("# SKIP a build without optimisation, or sanitized: no loop is removed\n");
#endif
}

static void arithmetic_finds_a_wrong_sum(void **state)
{
	(void)state;
	expect_wrong("wrong-arith", "double", "the sum is");
	expect_wrong("wrong-arith", "float", "the sum is");
	expect_wrong("wrong-arith", "arithoh", "the sum is");
}

static void hanoi_finds_a_wrong_tower(void **state)
{
	(void)state;
	expect_wrong("wrong-hanoi", "hanoi", "discs on the last peg");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dhrystone_finds_a_wrong_callee),
		cmocka_unit_test(whetstone_finds_a_wrong_function),
		cmocka_unit_test(whetstone_full_finds_a_loop_that_was_not_executed),
		cmocka_unit_test(arithmetic_finds_a_wrong_sum),
		cmocka_unit_test(hanoi_finds_a_wrong_tower),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
