// SPDX-License-Identifier: GPL-2.0-or-later
/* lock_summary.c - what the series of a lock test say of their slots, and of the best peer. */
#include "store/lock_summary.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct series *series_add(struct run *run, const char *kind, int threads)
{
	struct series *series = run_add_series(run);

	assert_non_null(series);
	series->test = strdup("onproc/lock@1");
	series->title = strdup("Lock");
	series->unit = strdup("ops/s");
	series->copies = 1;
	series->params =
		json_pack("{s:s, s:i, s:i, s:i, s:i, s:s}", "kind", kind, "threads", threads,
			  "hold_ns", 1000, "think_ns", 1000, "readers_pct", 0, "sensor", "none");
	return series;
}

static void slot_add(struct series *series, uint32_t block, double rate, double p99, double max)
{
	struct slot *slot = series_add_slot(series, 1);

	assert_non_null(slot);
	slot->block = block;
	slot->rate = rate;
	slot->evidence =
		json_pack("{s:f, s:{s:s, s:f, s:i, s:i, s:i, s:{s:f, s:f, s:f, s:f}, s:{s:f, s:f}, "
			  "s:f, s:f}}",
			  "foreign", 0.25, "lock", "sensor", "none", "jain", 0.5, "waits", 100,
			  "waits_over_50us", 3, "unfinished_waits", 1, "wait_ns", "p50", 10.0,
			  "p99", p99, "p999", 30.0, "max", max, "switches_per_1000", "voluntary",
			  1.5, "involuntary", 2.5, "yields_per_1000", 0.0, "cpu_ns_per_op", 2000.0);
	assert_non_null(slot->evidence);
}

static void a_series_has_medians_and_the_longest_wait_of_all(void **state)
{
	struct run run;
	struct series *series;

	(void)state;
	run_init(&run);
	series = series_add(&run, "glibc-mutex", 4);
	slot_add(series, 0, 100, 10, 500);
	slot_add(series, 1, 100, 30, 9000);
	slot_add(series, 2, 100, 20, 700);
	assert_int_equal(run_summarise(&run), 0);
	series = &run.series[0];
	assert_non_null(series->lock);
	assert_true(lock_number(series->lock, "wait_ns.p99") == 20);
	assert_true(lock_number(series->lock, "wait_ns.max") == 9000);
	assert_true(lock_number(series->lock, "jain") == 0.5);
	assert_true(lock_number(series->lock, "switches_per_1000.involuntary") == 2.5);
	assert_true(lock_number(series->lock, "foreign") == 0.25);
	assert_string_equal(json_string_value(json_object_get(series->lock, "sensor")), "none");
	assert_null(json_object_get(series->lock, "write_wait_ns"));
	assert_true(json_is_null(json_object_get(series->lock, "best_peer")));
	run_free(&run);
}

static void slots_that_do_not_count_are_left_out(void **state)
{
	struct run run;
	struct series *series;

	(void)state;
	run_init(&run);
	series = series_add(&run, "glibc-mutex", 4);
	slot_add(series, 0, 100, 10, 500);
	slot_add(series, 0, 100, 90, 9000);
	series->slots[1].status = SLOT_REPLACED;
	assert_int_equal(run_summarise(&run), 0);
	assert_true(lock_number(run.series[0].lock, "wait_ns.max") == 500);
	run_free(&run);
}

/* Ratios of blocks 1.25 and 1.2, 1.3 …: all 1.25 here, whatever the blocks drift by. */
static void the_best_peer_is_compared_within_blocks(void **state)
{
	struct run run;
	const json_t *peer;

	(void)state;
	run_init(&run);
	series_add(&run, "onproc-mutex", 4);
	series_add(&run, "glibc-mutex", 4);
	series_add(&run, "nsync", 4);
	series_add(&run, "glibc-spin", 8);
	for (uint32_t block = 0; block < 6; block++) {
		double drift = 1 + block;

		slot_add(&run.series[0], block, 125 * drift, 1, 1);
		slot_add(&run.series[1], block, 100 * drift, 1, 1);
		slot_add(&run.series[2], block, 50 * drift, 1, 1);
		slot_add(&run.series[3], block, 900 * drift, 1, 1);
	}
	assert_int_equal(run_summarise(&run), 0);
	peer = json_object_get(run.series[0].lock, "best_peer");
	assert_string_equal(json_string_value(json_object_get(peer, "kind")), "glibc-mutex");
	assert_true(fabs(lock_number(run.series[0].lock, "best_peer.ratio") - 1.25) < 1e-9);
	assert_true(fabs(lock_number(run.series[0].lock, "best_peer.lo") - 1.25) < 1e-9);
	assert_int_equal(json_integer_value(json_object_get(peer, "n")), 6);
	/* The best of the peers itself: the next one; onproc's own is none of them. */
	peer = json_object_get(run.series[1].lock, "best_peer");
	assert_string_equal(json_string_value(json_object_get(peer, "kind")), "nsync");
	run_free(&run);
}

static void a_document_keeps_what_a_lock_test_says(void **state)
{
	struct run run, again;
	json_t *document, *second;
	struct error err = { 0 };

	(void)state;
	run_init(&run);
	slot_add(series_add(&run, "glibc-mutex", 4), 0, 100, 10, 500);
	slot_add(series_add(&run, "nsync", 4), 0, 50, 10, 500);
	strcpy(run.id, "20261130-142233-1a2b3c");
	for (size_t i = 0; i < run.n_series; i++)
		run.series[i].slots[0].length_ns = 1;
	assert_int_equal(run_summarise(&run), 0);
	document = run_to_json(&run, true);
	assert_int_equal(run_from_json(document, &again, &err), 0);
	second = run_to_json(&again, true);
	assert_true(
		json_equal(json_object_get(document, "series"), json_object_get(second, "series")));
	json_decref(document);
	json_decref(second);
	run_free(&run);
	run_free(&again);
}

static void series_of_one_test_are_told_apart_by_their_parameters(void **state)
{
	struct run run;
	json_t *params;

	(void)state;
	run_init(&run);
	series_add(&run, "glibc-mutex", 4);
	series_add(&run, "glibc-mutex", 8);
	params = json_deep_copy(run.series[1].params);
	assert_ptr_equal(run_find_series_with(&run, "onproc/lock@1", params, 1, NULL),
			 &run.series[1]);
	json_object_set_new(params, "threads", json_integer(9));
	assert_null(run_find_series_with(&run, "onproc/lock@1", params, 1, NULL));
	json_decref(params);
	run_free(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_series_has_medians_and_the_longest_wait_of_all),
		cmocka_unit_test(slots_that_do_not_count_are_left_out),
		cmocka_unit_test(the_best_peer_is_compared_within_blocks),
		cmocka_unit_test(a_document_keeps_what_a_lock_test_says),
		cmocka_unit_test(series_of_one_test_are_told_apart_by_their_parameters),
	};

	return cmocka_run_group_tests_name("store/lock_summary", tests, NULL, NULL);
}
