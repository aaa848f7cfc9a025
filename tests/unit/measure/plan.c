// SPDX-License-Identifier: GPL-2.0-or-later
/* plan.c - a plan's order, size and document. */
#include "measure/plan.h"
#include "base/clock.h"
#include "measure/ab_sides.h"
#include "measure/command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Two rows of pipe and one of fstime, which cannot run. */
static void sample(struct plan *plan)
{
	*plan = (struct plan){
		.seed = 42,
		.slots = 12,
		.slot_ns = NS_PER_S,
		.warmup_ns = 250 * NS_PER_MS,
		.precision = 0.01,
		.budget_ns = 600 * NS_PER_S,
		.dir = strdup("/var/tmp"),
		.suite = strdup("unixbench6"),
	};
	plan->rows = calloc(3, sizeof(*plan->rows));
	assert_non_null(plan->rows);
	plan->n_rows = 3;
	plan->rows[0] = (struct plan_row){ .workload = workload_find("pipe"),
					   .copies = 1,
					   .by_name = true };
	plan->rows[1] = (struct plan_row){ .workload = workload_find("pipe"), .copies = 2 };
	plan->rows[2] = (struct plan_row){ .workload = workload_find("fstime"),
					   .copies = 1,
					   .unsupported = strdup("no room") };
	for (size_t i = 0; i < 3; i++) {
		assert_non_null(plan->rows[i].workload);
		for (int p = 0; p < workload_param_count(plan->rows[i].workload); p++)
			plan->rows[i].param[p] = plan->rows[i].workload->params[p].value;
	}
}

static json_t *sample_document(void)
{
	struct plan plan;
	json_t *document;

	sample(&plan);
	document = plan_to_json(&plan);
	plan_free(&plan);
	assert_non_null(document);
	return document;
}

static void a_plan_comes_back_from_its_document(void **state)
{
	json_t *document = sample_document(), *again;
	struct error err = { 0 };
	struct plan plan;

	(void)state;
	if (plan_from_json(document, &plan, &err))
		fail_msg("%s", err.text);
	assert_int_equal(plan.n_rows, 3);
	assert_ptr_equal(plan.rows[1].workload, workload_find("pipe"));
	assert_true(plan.rows[0].by_name);
	assert_string_equal(plan.rows[2].unsupported, "no room");
	again = plan_to_json(&plan);
	assert_true(json_equal(document, again));
	plan_free(&plan);
	json_decref(again);
	json_decref(document);
}

/* A command on two sides, with all that a plan may hold of them. */
static void sides_and_a_command_come_back(void **state)
{
	struct error err = { 0 };
	struct plan plan, again;
	json_t *document, *second;

	(void)state;
	sample(&plan);
	plan.instrument = calloc(1, sizeof(*plan.instrument));
	plan.sides = calloc(1, sizeof(*plan.sides));
	plan.instrument->text[0] = strdup("sleep 1");
	plan.instrument->text[1] = strdup("sleep 2");
	assert_int_equal(instrument_complete(plan.instrument, &err), 0);
	plan.rows[0].workload = &plan.instrument->workload;
	plan.rows[0].instrument = plan.instrument;
	assert_int_equal(side_parse("off: true", &plan.sides->side[SIDE_A], &err), 0);
	assert_int_equal(side_parse("on", &plan.sides->side[SIDE_B], &err), 0);
	assert_int_equal(variables_put(&plan.sides->side[SIDE_B].variables, "X=a b"), 0);
	plan.sides->blocks = 12;
	plan.sides->margin = 0.02;
	plan.sides->alpha = 0.05;
	document = plan_to_json(&plan);
	if (plan_from_json(document, &again, &err))
		fail_msg("%s", err.text);
	assert_ptr_equal(again.rows[0].instrument, again.instrument);
	assert_null(again.rows[1].instrument);
	assert_string_equal(again.sides->side[SIDE_B].variables.entry[0], "X=a b");
	second = plan_to_json(&again);
	assert_true(json_equal(document, second));
	json_object_set_new(json_object_get(document, "sides"), "margin", json_integer(1));
	plan_free(&again);
	assert_int_equal(plan_from_json(document, &again, &err), -EINVAL);
	assert_memory_equal(err.text, "plan.sides.margin", 17);
	plan_free(&again);
	plan_free(&plan);
	json_decref(document);
	json_decref(second);
}

static void a_list_of_cpus_comes_back(void **state)
{
	json_t *document = sample_document();
	struct plan plan;

	(void)state;
	json_object_set_new(document, "pin", json_pack("[i, i]", 0, 3));
	assert_int_equal(plan_from_json(document, &plan, NULL), 0);
	assert_int_equal(plan.pin.kind, PIN_LIST);
	assert_int_equal(plan.pin.count, 2);
	assert_int_equal(plan.pin.list[1], 3);
	plan_free(&plan);
	json_decref(document);
}

/* The document with one member replaced; row -1: of the plan itself. NULL: the member is removed.
 */
static void refuses(int row, const char *member, json_t *value, int code, const char *said)
{
	json_t *document = sample_document(), *object = document;
	struct error err = { 0 };
	struct plan plan;

	if (row >= 0)
		object = json_array_get(json_object_get(document, "rows"), (size_t)row);
	if (value)
		json_object_set_new(object, member, value);
	else
		json_object_del(object, member);
	assert_int_equal(plan_from_json(document, &plan, &err), code);
	if (!strstr(err.text, said))
		fail_msg("\"%s\" does not say \"%s\"", err.text, said);
	plan_free(&plan);
	json_decref(document);
}

static void a_damaged_document_is_refused_with_the_place(void **state)
{
	(void)state;
	refuses(-1, "slots", json_integer(0), -EINVAL, "plan.slots: expected a whole number");
	refuses(-1, "slots", json_real(1.5), -EINVAL, "plan.slots: expected a whole number");
	refuses(-1, "slots", NULL, -EINVAL, "plan.slots");
	refuses(-1, "seed", json_integer(-1), -EINVAL, "plan.seed");
	refuses(-1, "seed", json_integer(INT64_MAX), -EINVAL, "plan.seed");
	refuses(-1, "slot_ns", json_integer(INT64_MAX), -EINVAL, "plan.slot_ns");
	refuses(-1, "precision", json_real(1.5), -EINVAL, "plan.precision");
	refuses(-1, "budget_ns", json_string("1"), -EINVAL, "plan.budget_ns");
	refuses(-1, "classic", json_null(), -EINVAL, "plan.classic: expected true or false");
	refuses(-1, "pin", json_string("tight"), -EINVAL, "plan.pin: expected \"none\"");
	refuses(-1, "pin", json_pack("[i, s]", 0, "1"), -EINVAL, "plan.pin: expected CPU numbers");
	refuses(-1, "dir", json_string("tmp"), -EINVAL, "plan.dir: expected an absolute path");
	refuses(-1, "dir", json_null(), -EINVAL, "plan.dir: expected an absolute path");
	refuses(-1, "rows", json_array(), -EINVAL, "plan.rows: expected an array");
	refuses(1, "copies", json_integer(0), -EINVAL, "plan.rows[1].copies");
	refuses(1, "params", json_array(), -EINVAL, "plan.rows[1].params: expected an object");
	refuses(1, "unsupported", json_true(), -EINVAL, "plan.rows[1].unsupported");
	refuses(2, "test", NULL, -EINVAL, "plan.rows[2].test: expected the id of a test");
	refuses(2, "content_hash", json_null(), -EINVAL, "plan.rows[2].content_hash");
}

static void other_work_under_the_same_name_is_refused(void **state)
{
	(void)state;
	refuses(0, "test", json_string("unixbench6/pipe@999"), -ESTALE,
		"plan.rows[0].test: this onproc has no test unixbench6/pipe@999");
	refuses(0, "test", json_string("pipe"), -ESTALE, "plan.rows[0].test");
	refuses(0, "content_hash", json_string("0123456789abcdef"), -ESTALE,
		"is other work in this onproc");
}

static void a_block_holds_every_row_once(void **state)
{
	size_t order[24];

	(void)state;
	for (uint32_t block = 0; block < 100; block++) {
		bool seen[24] = { false };

		plan_block_order(7, block, order, 24);
		for (size_t i = 0; i < 24; i++) {
			assert_true(order[i] < 24);
			assert_false(seen[order[i]]);
			seen[order[i]] = true;
		}
	}
}

static void the_order_is_drawn_from_seed_and_block(void **state)
{
	size_t order[24], again[24];

	(void)state;
	plan_block_order(7, 3, order, 24);
	plan_block_order(7, 3, again, 24);
	assert_memory_equal(order, again, sizeof(order));
	plan_block_order(7, 4, again, 24);
	assert_memory_not_equal(order, again, sizeof(order));
	plan_block_order(8, 3, again, 24);
	assert_memory_not_equal(order, again, sizeof(order));
}

/*
 * Computed apart from this code: the block-th output of SplitMix64 from the plan's seed is the seed
 * of the block's own generator, which drives Fisher-Yates from the last place to the first.
 */
static void the_order_is_the_known_one(void **state)
{
	static const size_t known[3][8] = { { 0, 5, 2, 7, 3, 4, 1, 6 },
					    { 5, 7, 3, 1, 6, 4, 2, 0 },
					    { 3, 0, 1, 5, 2, 7, 4, 6 } };
	size_t order[8];

	(void)state;
	for (uint32_t block = 0; block < 3; block++) {
		plan_block_order(1, block, order, 8);
		assert_memory_equal(order, known[block], sizeof(order));
	}
}

/* UnixBench 6's own rule: -i N is N passes of a long test and (N + 1) / 3 of another, at least 1.
 */
static void classic_passes_are_those_of_unixbench(void **state)
{
	const struct workload long_test = { .classic_passes = 10 };
	const struct workload short_test = { .classic_passes = 3 };
	const struct workload ours = { .classic_passes = 0 };

	(void)state;
	assert_int_equal(plan_classic_passes(&long_test, 0), 10);
	assert_int_equal(plan_classic_passes(&short_test, 0), 3);
	assert_int_equal(plan_classic_passes(&long_test, 1), 1);
	assert_int_equal(plan_classic_passes(&short_test, 1), 1);
	assert_int_equal(plan_classic_passes(&long_test, 20), 20);
	assert_int_equal(plan_classic_passes(&short_test, 20), 7);
	assert_int_equal(plan_classic_passes(&ours, 20), 0);
}

static void the_estimate_counts_what_runs(void **state)
{
	struct plan plan;
	uint64_t two_rows_ns = 1250 * NS_PER_MS * 2 * 12;

	(void)state;
	sample(&plan);
	assert_in_range(plan_estimate_ns(&plan), two_rows_ns, two_rows_ns + two_rows_ns / 10);
	plan.budget_ns = 5 * NS_PER_S;
	assert_int_equal(plan_estimate_ns(&plan), 5 * NS_PER_S);
	plan.budget_ns = 0;
	plan.slot_ns = UINT64_MAX / 4;
	assert_true(plan_estimate_ns(&plan) == UINT64_MAX);
	plan_free(&plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_plan_comes_back_from_its_document),
		cmocka_unit_test(sides_and_a_command_come_back),
		cmocka_unit_test(a_list_of_cpus_comes_back),
		cmocka_unit_test(a_damaged_document_is_refused_with_the_place),
		cmocka_unit_test(other_work_under_the_same_name_is_refused),
		cmocka_unit_test(a_block_holds_every_row_once),
		cmocka_unit_test(the_order_is_drawn_from_seed_and_block),
		cmocka_unit_test(the_order_is_the_known_one),
		cmocka_unit_test(classic_passes_are_those_of_unixbench),
		cmocka_unit_test(the_estimate_counts_what_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
