// SPDX-License-Identifier: GPL-2.0-or-later
/* bare.c - every test of the table, run in its bare form: it counts, and its own checks agree. */
#include "programs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define PARAMS_MAX 16

static bool is_supported(const struct workload *workload, struct reason *why)
{
	int64_t param[PARAMS_MAX] = { 0 };
	const struct workload_request request = { .param = param, .copies = 1, .dir = "/tmp" };

	for (int i = 0; i < workload_param_count(workload); i++)
		param[i] = workload->params[i].value;
	return !workload->supported || !workload->supported(&request, why);
}

/* Slow tests complete nothing in 20 ms: those get ten times as long, and so on. */
static void counts_in_the_bare_form(void **state)
{
	static const char *const pieces_ms[] = { "20", "200", "2000", "20000" };
	const struct workload *workload = *state;
	struct reason why = { "" };
	uint64_t count = 0, ns = 0;

	if (!is_supported(workload, &why)) {
		print_message("# SKIP %s: %s\n", workload->id, why.text);
		return;
	}
	for (size_t i = 0; !count && i < sizeof(pieces_ms) / sizeof(pieces_ms[0]); i++) {
		const char *words[] = { workload->id, "--bare", pieces_ms[i], NULL };
		char output[OUTPUT_BYTES], errors[OUTPUT_BYTES];
		char *end;
		int code;

		code = program_run(workload->program, words, output, errors);
		if (code)
			print_message("# %s: %s\n", workload->id, errors);
		assert_int_equal(code, 0);
		count = strtoull(output, &end, 10);
		assert_int_equal(*end, ' ');
		ns = strtoull(end + 1, &end, 10);
		assert_string_equal(end, "\n");
	}
	assert_true(count > 0);
	assert_true(ns > 0);
}

int main(void)
{
	struct CMUnitTest *tests;
	size_t count = 1; /* there is one */
	int rc;

	while (workload_table[count])
		count++;
	tests = calloc(count, sizeof(*tests));
	if (!tests)
		return EXIT_FAILURE;
	for (size_t i = 0; i < count; i++)
		tests[i] = (struct CMUnitTest){ .name = workload_table[i]->id,
						.test_func = counts_in_the_bare_form,
						.initial_state = (void *)workload_table[i] };
	rc = _cmocka_run_group_tests("bare", tests, count, NULL, NULL);
	free(tests);
	return rc;
}
