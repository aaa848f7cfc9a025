// SPDX-License-Identifier: GPL-2.0-or-later
/* history.c - which runs are of one series, and where its level changed. */
#include "compare/history.h"

#include "../stats/vectors.h"
#include "fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MOST 32

static void run_of(struct run *run, unsigned int number, double value)
{
	char id[RUN_ID_BYTES];

	snprintf(id, sizeof(id), "r%02u", number);
	fixture_run(run, id);
	run->created_s += 3600 * (uint64_t)number;
	fixture_series(run, "unixbench6/pipe@1", 1, NULL)->estimate.value = value;
	fixture_environment(run, "cpu_model", json_string("EPYC"));
	fixture_environment(run, "memory_bytes", json_integer(33285996544));
}

static void add(struct history *history, struct run *run)
{
	for (size_t i = 0; i < run->n_series; i++)
		assert_int_equal(history_add(history, run, &run->series[i]), 0);
}

static void judge(struct history *history)
{
	struct error err = { 0 };

	if (history_judge(history, 0.01, 0.05, &err))
		fail_msg("%s", err.text);
}

/* Known answer 7, its runs given in another order than that of their dates. */
static void a_change_of_level_is_found_and_its_circumstances_kept(void **state)
{
	struct history history = { 0 };
	double y[MOST];
	size_t n = vector_numbers("history.y", y, MOST);
	const struct change *change;

	(void)state;
	for (size_t i = n; i-- > 0;) {
		struct run run;

		run_of(&run, (unsigned int)i, y[i]);
		if (i >= 12)
			fixture_environment(&run, "kernel_release", json_string("6.13.0"));
		add(&history, &run);
		run_free(&run);
	}
	judge(&history);
	assert_int_equal(history.n_series, 1);
	assert_int_equal(history.series[0].n_points, n);
	assert_int_equal(history.series[0].n_changes, 1);
	change = &history.series[0].changes[0];
	assert_int_equal(change->at, 12);
	assert_digits(change->q, vector_number("history.q"));
	assert_digits(exp(change->log_ratio.value), vector_number("history.ratio.est"));
	assert_digits(exp(change->log_ratio.lo), vector_number("history.ratio.lo"));
	assert_digits(exp(change->log_ratio.hi), vector_number("history.ratio.hi"));
	assert_int_equal(change->state, CHANGE_CONFIRMED);
	assert_string_equal(history.series[0].points[11].circumstance[CIRCUMSTANCE_KERNEL],
			    "6.12.0");
	assert_string_equal(history.series[0].points[12].circumstance[CIRCUMSTANCE_KERNEL],
			    "6.13.0");
	history_free(&history);
}

/* Adds a run and one that `alter` made another; returns how many series there are. */
static size_t series_with(void (*alter)(struct run *run))
{
	struct history history = { 0 };
	struct run run;
	size_t count;

	run_of(&run, 0, 100);
	add(&history, &run);
	run_free(&run);
	run_of(&run, 1, 50);
	alter(&run);
	add(&history, &run);
	run_free(&run);
	judge(&history);
	count = history.n_series;
	history_free(&history);
	return count;
}

static void alter_kernel(struct run *run)
{
	fixture_environment(run, "kernel_release", json_string("6.13.0"));
	fixture_environment(run, "cflags", json_string("-O0"));
	free(run->tool);
	run->tool = strdup("onproc 0.2.0");
}

static void alter_memory_a_little(struct run *run)
{
	fixture_environment(run, "memory_bytes",
			    json_integer(33285996544 - (json_int_t)4096 * 1000));
}

static void alter_memory(struct run *run)
{
	fixture_environment(run, "memory_bytes", json_integer(2 * (json_int_t)33285996544));
}

static void alter_microcode(struct run *run)
{
	fixture_environment(run, "microcode", json_string("0x1"));
}

static void alter_host(struct run *run)
{
	fixture_environment(run, "host", json_string("build2"));
}

static void alter_hash(struct run *run)
{
	run->series[0].content_hash[0] = 'b';
}

static void alter_copies(struct run *run)
{
	run->series[0].copies = 2;
}

static void kernel_flags_and_tool_are_of_one_series(void **state)
{
	(void)state;
	assert_int_equal(series_with(alter_kernel), 1);
	assert_int_equal(series_with(alter_memory_a_little), 1);
}

static void another_machine_or_test_starts_another_series(void **state)
{
	(void)state;
	assert_int_equal(series_with(alter_memory), 2);
	assert_int_equal(series_with(alter_microcode), 2);
	assert_int_equal(series_with(alter_host), 2);
	assert_int_equal(series_with(alter_hash), 2);
	assert_int_equal(series_with(alter_copies), 2);
}

static void runs_without_date_or_result_are_counted(void **state)
{
	struct history history = { 0 };
	struct run run;

	(void)state;
	run_of(&run, 0, 100);
	run.created_s = 0;
	add(&history, &run);
	run_free(&run);
	run_of(&run, 1, NAN);
	add(&history, &run);
	run_free(&run);
	judge(&history);
	assert_int_equal(history.n_series, 0);
	assert_int_equal(history.undated, 1);
	assert_int_equal(history.without_result, 1);
	history_free(&history);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_change_of_level_is_found_and_its_circumstances_kept),
		cmocka_unit_test(kernel_flags_and_tool_are_of_one_series),
		cmocka_unit_test(another_machine_or_test_starts_another_series),
		cmocka_unit_test(runs_without_date_or_result_are_counted),
	};
	int failed;

	vectors_open(argc > 1 ? argv[1] : NULL);
	failed = cmocka_run_group_tests_name("compare/history", tests, NULL, NULL);
	vectors_close();
	return failed;
}
