// SPDX-License-Identifier: GPL-2.0-or-later
/* topology.c - placement on machines that nobody here owns: hwloc's synthetic and XML ones. */
#include "measure/topology.h"

#include "measure/topology_cpulist.h"

#include <errno.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define TWO_PACKAGES "synthetic:pack:2 core:8 pu:2"
/* two packages of two nodes of two cores */
#define FOUR_NODES   "synthetic:pack:2 numa:2 core:2 pu:1"
/* odd CPUs are offline */
#define HOLES	     "synthetic:pack:1 core:4 pu:1(indexes=0,2,4,6)"
/* four slow cores 0, 2, 4, 6 without SMT, then two fast ones 8-9, 10-11 with it */
#define HYBRID	     "xml:" DATA_DIR "/topology/hybrid.xml"
/* two packages of four cores of two threads, of which 0, 2, 4, 6 and 8 are allowed */
#define ALLOWED	     "xml:" DATA_DIR "/topology/allowed.xml"

static struct topology *machine(const char *source)
{
	struct error err = { 0 };
	struct topology *topology;

	if (topology_open(source, &topology, &err))
		fail_msg("%s: %s", source, err.text);
	return topology;
}

static void expect_place(const char *source, const char *pin_text, uint32_t copies,
			 const int *expected)
{
	struct topology *topology = machine(source);
	int *cpu = calloc(copies, sizeof(*cpu));
	struct pin pin;

	assert_int_equal(pin_parse(pin_text, &pin, NULL), 0);
	assert_int_equal(topology_place(topology, &pin, copies, cpu, NULL), 0);
	for (uint32_t i = 0; i < copies; i++) {
		if (cpu[i] != expected[i])
			fail_msg("copy %u: CPU %d, expected %d", i, cpu[i], expected[i]);
	}
	free(cpu);
	pin_free(&pin);
	topology_close(topology);
}

static void expect_pairs(const char *source, enum workload_pair pair, uint32_t copies,
			 const int (*expected)[2])
{
	struct topology *topology = machine(source);
	int(*cpu)[2] = calloc(copies, sizeof(*cpu));
	struct error err = { 0 };

	if (topology_pairs(topology, pair, copies, cpu, &err))
		fail_msg("%s", err.text);
	for (uint32_t i = 0; i < copies; i++) {
		if (cpu[i][0] != expected[i][0] || cpu[i][1] != expected[i][1])
			fail_msg("copy %u: CPUs %d, %d, expected %d, %d", i, cpu[i][0], cpu[i][1],
				 expected[i][0], expected[i][1]);
	}
	free(cpu);
	topology_close(topology);
}

static void expect_no_pairs(const char *source, enum workload_pair pair, const char *words)
{
	struct topology *topology = machine(source);
	struct error err = { 0 };
	int cpu[1][2];

	assert_int_equal(topology_pairs(topology, pair, 1, cpu, &err), -ENOTSUP);
	if (!strstr(err.text, words))
		fail_msg("%s", err.text);
	topology_close(topology);
}

static void spread_takes_packages_in_turn_and_siblings_last(void **state)
{
	const int expected[] = { 0,  16, 2,  18, 4, 20, 6, 22, 8, 24, 10, 26,
				 12, 28, 14, 30, 1, 17, 3, 19, 5, 21, 7,  23 };

	(void)state;
	expect_place(TWO_PACKAGES, "spread", 24, expected);
}

static void compact_fills_a_core_before_the_next(void **state)
{
	const int expected[] = { 0, 1, 2, 3, 4, 5 };

	(void)state;
	expect_place(TWO_PACKAGES, "compact", 6, expected);
}

static void more_copies_than_cpus_wrap_round(void **state)
{
	const int expected[] = { 0, 2, 4, 6, 0, 2, 4, 6, 0 };

	(void)state;
	expect_place(HOLES, "compact", 9, expected);
}

static void spread_takes_nodes_before_cores(void **state)
{
	const int expected[] = { 0, 4, 2, 6, 1, 5, 3, 7, 0 };

	(void)state;
	expect_place(FOUR_NODES, "spread", 9, expected);
}

static void fast_cores_come_first_on_a_hybrid_machine(void **state)
{
	const int spread[] = { 8, 10, 0, 2, 4, 6, 9, 11 };
	const int compact[] = { 8, 9, 10, 11, 0, 2, 4, 6 };

	(void)state;
	expect_place(HYBRID, "spread", 8, spread);
	expect_place(HYBRID, "compact", 8, compact);
}

static void only_allowed_cpus_are_used(void **state)
{
	const int expected[] = { 0, 8, 2, 4, 6, 0 };

	(void)state;
	expect_place(ALLOWED, "spread", 6, expected);
}

static void a_machine_of_1024_cpus_is_placed_without_repeats(void **state)
{
	struct topology *topology = machine("synthetic:pack:8 core:64 pu:2");
	struct pin pin = { .kind = PIN_SPREAD };
	bool is_used[1024] = { false };
	int cpu[1024];

	(void)state;
	assert_int_equal(topology_cpus(topology), 1024);
	assert_int_equal(topology_place(topology, &pin, 1024, cpu, NULL), 0);
	for (int i = 0; i < 1024; i++) {
		assert_in_range(cpu[i], 0, 1023);
		assert_false(is_used[cpu[i]]);
		is_used[cpu[i]] = true;
	}
	topology_close(topology);
}

static void list_is_taken_as_given_and_wraps(void **state)
{
	const int expected[] = { 6, 2, 4, 6, 2 };

	(void)state;
	expect_place(HOLES, "6,2,4", 5, expected);
}

static void list_with_a_cpu_not_allowed_names_it(void **state)
{
	struct topology *topology = machine(HOLES);
	struct error err = { 0 };
	struct pin pin;
	int cpu[1];

	(void)state;
	assert_int_equal(pin_parse("0,3", &pin, &err), 0);
	assert_int_equal(topology_place(topology, &pin, 1, cpu, &err), -EINVAL);
	assert_non_null(strstr(err.text, "CPU 3 "));
	pin_free(&pin);
	topology_close(topology);
}

static void not_pinned_is_minus_one(void **state)
{
	const int expected[] = { -1, -1 };

	(void)state;
	expect_place(HOLES, "none", 2, expected);
}

static void pin_refuses_what_is_no_placement(void **state)
{
	static const char *const bad[] = {
		"",	    "spreads", "0,",  "0,,1", "3-1",
		"0-",	    "-1",      "0;1", "0 1",  "99999999999999999999",
		"0-65535,1"
	};
	struct error err;
	struct pin pin;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		err = (struct error){ 0 };
		assert_true(pin_parse(bad[i], &pin, &err) < 0);
		assert_true(err.text[0]);
		pin_free(&pin);
	}
}

static void cpu_list_keeps_order_and_ranges(void **state)
{
	const int expected[] = { 8, 0, 1, 2, 5 };
	size_t count;
	int *cpus;

	(void)state;
	assert_int_equal(cpu_list_parse("8,0-2,5\n", 8, &cpus, &count, NULL), 0);
	assert_int_equal(count, 5);
	assert_memory_equal(cpus, expected, sizeof(expected));
	free(cpus);
	assert_int_equal(cpu_list_parse("\n", 1, &cpus, &count, NULL), 0);
	assert_int_equal(count, 0);
	free(cpus);
}

static void smt_pairs_are_the_threads_of_a_core(void **state)
{
	const int expected[][2] = { { 0, 1 }, { 16, 17 }, { 2, 3 } };
	const int hybrid[][2] = { { 8, 9 }, { 10, 11 }, { 8, 9 } };

	(void)state;
	expect_pairs(TWO_PACKAGES, PAIR_SMT, 3, expected);
	expect_pairs(HYBRID, PAIR_SMT, 3, hybrid);
}

static void smt_pair_without_smt_says_why(void **state)
{
	(void)state;
	expect_no_pairs(HOLES, PAIR_SMT, "no core has two");
	expect_no_pairs(ALLOWED, PAIR_SMT, "of no core are two allowed");
}

static void cross_pairs_are_disjoint_and_nearest_first(void **state)
{
	const int expected[][2] = { { 0, 2 }, { 16, 18 }, { 4, 6 }, { 20, 22 } };
	/* three cores of one package remain beside one of another: 0 and 2, then 4 and 6 */
	const int allowed[][2] = { { 0, 2 }, { 4, 6 }, { 0, 2 } };
	/* a shared last-level cache comes before a shared package */
	const int caches[][2] = { { 0, 1 }, { 3, 4 }, { 2, 5 } };

	(void)state;
	expect_pairs(TWO_PACKAGES, PAIR_CROSS_CPU, 4, expected);
	expect_pairs(ALLOWED, PAIR_CROSS_CPU, 3, allowed);
	expect_pairs("synthetic:pack:1 l3:2 core:3 pu:1", PAIR_CROSS_CPU, 3, caches);
}

static void cross_pairs_keep_to_one_kind_of_core(void **state)
{
	const int expected[][2] = { { 8, 10 }, { 0, 2 }, { 4, 6 } };

	(void)state;
	expect_pairs(HYBRID, PAIR_CROSS_CPU, 3, expected);
}

static void a_core_without_its_like_takes_the_next(void **state)
{
	const int expected[][2] = { { 4, 0 }, { 1, 2 }, { 4, 0 } };

	(void)state;
	expect_pairs("xml:" DATA_DIR "/topology/hybrid-odd.xml", PAIR_CROSS_CPU, 3, expected);
}

static void cross_pair_on_one_core_says_why(void **state)
{
	(void)state;
	expect_no_pairs("synthetic:pack:1 core:1 pu:2", PAIR_CROSS_CPU, "only one is allowed");
}

static void same_cpu_pairs_are_spread(void **state)
{
	const int expected[][2] = { { 0, 0 }, { 16, 16 }, { 2, 2 } };

	(void)state;
	expect_pairs(TWO_PACKAGES, PAIR_SAME_CPU, 3, expected);
}

static void node_pairs_join_two_nodes(void **state)
{
	const int expected[][2] = { { 0, 2 }, { 4, 6 }, { 1, 3 }, { 5, 7 }, { 0, 2 } };

	(void)state;
	expect_pairs(FOUR_NODES, PAIR_NODE, 5, expected);
	expect_no_pairs(HOLES, PAIR_NODE, "this machine has one");
}

static void unknown_sources_are_refused(void **state)
{
	static const char *const bad[] = { "synthetic:pack:x", "xml:/nonexistent.xml", "two cores",
					   "xml:" DATA_DIR "/topology/README" };
	struct topology *topology;
	struct error err;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		err = (struct error){ 0 };
		assert_true(topology_open(bad[i], &topology, &err) < 0);
		assert_null(topology);
		assert_true(err.text[0]);
	}
}

static void this_machine_keeps_to_the_affinity_mask(void **state)
{
	struct topology *topology;
	cpu_set_t before, one;
	int cpu = 0, placed;
	struct pin pin = { .kind = PIN_SPREAD };

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof(before), &before), 0);
	while (!CPU_ISSET(cpu, &before))
		cpu++;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
	topology = machine(NULL);
	assert_int_equal(sched_setaffinity(0, sizeof(before), &before), 0);
	assert_int_equal(topology_cpus(topology), 1);
	assert_int_equal(topology_place(topology, &pin, 1, &placed, NULL), 0);
	assert_int_equal(placed, cpu);
	topology_close(topology);
}

static void summary_counts_what_there_is(void **state)
{
	struct topology *topology = machine(HYBRID);
	json_t *summary = topology_summary(topology);

	(void)state;
	assert_int_equal(json_integer_value(json_object_get(summary, "packages")), 1);
	assert_int_equal(json_integer_value(json_object_get(summary, "nodes")), 1);
	assert_int_equal(json_integer_value(json_object_get(summary, "cores")), 6);
	assert_int_equal(json_integer_value(json_object_get(summary, "threads")), 8);
	assert_string_equal(json_string_value(json_object_get(summary, "allowed_cpus")),
			    "0,2,4,6,8-11");
	assert_int_equal(json_array_size(json_object_get(summary, "caches")), 2);
	assert_int_equal(json_array_size(json_object_get(summary, "kinds")), 2);
	json_decref(summary);
	topology_close(topology);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(spread_takes_packages_in_turn_and_siblings_last),
		cmocka_unit_test(compact_fills_a_core_before_the_next),
		cmocka_unit_test(more_copies_than_cpus_wrap_round),
		cmocka_unit_test(spread_takes_nodes_before_cores),
		cmocka_unit_test(fast_cores_come_first_on_a_hybrid_machine),
		cmocka_unit_test(only_allowed_cpus_are_used),
		cmocka_unit_test(a_machine_of_1024_cpus_is_placed_without_repeats),
		cmocka_unit_test(list_is_taken_as_given_and_wraps),
		cmocka_unit_test(list_with_a_cpu_not_allowed_names_it),
		cmocka_unit_test(not_pinned_is_minus_one),
		cmocka_unit_test(pin_refuses_what_is_no_placement),
		cmocka_unit_test(cpu_list_keeps_order_and_ranges),
		cmocka_unit_test(smt_pairs_are_the_threads_of_a_core),
		cmocka_unit_test(smt_pair_without_smt_says_why),
		cmocka_unit_test(cross_pairs_are_disjoint_and_nearest_first),
		cmocka_unit_test(cross_pairs_keep_to_one_kind_of_core),
		cmocka_unit_test(a_core_without_its_like_takes_the_next),
		cmocka_unit_test(cross_pair_on_one_core_says_why),
		cmocka_unit_test(same_cpu_pairs_are_spread),
		cmocka_unit_test(node_pairs_join_two_nodes),
		cmocka_unit_test(unknown_sources_are_refused),
		cmocka_unit_test(this_machine_keeps_to_the_affinity_mask),
		cmocka_unit_test(summary_counts_what_there_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
