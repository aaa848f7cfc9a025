// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evidence.c - what two snapshots of a fake /proc and /sys amount to.
 *
 * The machine of these tests has two CPUs, the window lasts 1 s (100 ticks on each CPU), the caller
 * is process 100 and the slot's process group is 200.
 */
#include "measure/evidence.h"

#include "base/clock.h"
#include "measure/evidence_account.h"
#include "measure/evidence_json.h"
#include "tree.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define CALLER	  100
#define OWN_GROUP 200

struct machine {
	char root[TREE_BYTES];
	struct sources sources;
	struct snapshot before, after;
	struct cgroup cgroup;
	struct error cgroup_error;
	struct frequency_memory memory;
	json_t *evidence;
};

static void put_cpus(struct machine *machine, const char *cpu0, const char *cpu1)
{
	tree_put(machine->root, "proc/stat", "cpu  0 0 0 0 0 0 0 0 0 0\ncpu0 %s 0 0\ncpu1 %s 0 0\n",
		 cpu0, cpu1);
}

/* A process of a fake /proc. Times in ticks of 10 ms; run_ns follows from own. */
struct fake {
	int pid, parent, group;
	const char *comm;
	unsigned flags;
	int own, children, threads, cpu, policy, start;
};

static void put_process(struct machine *machine, struct fake fake)
{
	char path[64];

	snprintf(path, sizeof(path), "proc/%d/stat", fake.pid);
	tree_put(machine->root, path,
		 "%d (%s) S %d %d 1 0 -1 %u 0 0 0 0 %d 0 %d 0 20 0 %d 0 %d 0 0 0 0 0 0 0 0 0 0 0 0 "
		 "0 0 0 17 %d 0 %d 0 0 0\n",
		 fake.pid, fake.comm, fake.parent, fake.group, fake.flags, fake.own, fake.children,
		 fake.threads ? fake.threads : 1, fake.start ? fake.start : 50, fake.cpu,
		 fake.policy);
	snprintf(path, sizeof(path), "proc/%d/schedstat", fake.pid);
	tree_put(machine->root, path, "%llu 0 1\n", (unsigned long long)fake.own * 10000000ull);
}

static void remove_process(struct machine *machine, int pid)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/proc/%d", machine->root, pid);
	tree_remove(path);
}

static void machine_make(struct machine *machine)
{
	*machine = (struct machine){ 0 };
	tree_make(machine->root);
	tree_put(machine->root, "proc/self/status", "Name:\tx\nCpus_allowed_list:\t0-1\n");
	tree_put(machine->root, "proc/pressure/cpu", "some avg10=0 avg60=0 avg300=0 total=1000\n");
	put_cpus(machine, "0 0 0 0 0 0 0 0", "0 0 0 0 0 0 0 0");
	put_process(machine, (struct fake){ .pid = 1, .comm = "init" });
	put_process(machine,
		    (struct fake){ .pid = CALLER, .parent = 1, .group = CALLER, .comm = "onproc" });
	put_process(machine, (struct fake){ .pid = OWN_GROUP,
					    .parent = CALLER,
					    .group = OWN_GROUP,
					    .comm = "warden" });
}

static void snapshot_take(struct machine *machine, struct snapshot *snapshot, uint64_t at_ns)
{
	assert_int_equal(snapshot_cpus(&machine->sources, snapshot), 0);
	assert_int_equal(snapshot_processes(&machine->sources, snapshot), 0);
	assert_int_equal(snapshot_pressure(&machine->sources, snapshot), 0);
	if (machine->cgroup_error.code)
		snapshot->throttling_error = machine->cgroup_error;
	else
		assert_int_equal(snapshot_throttling(&machine->sources, &machine->cgroup, snapshot),
				 0);
	snapshot->cpu_at_ns = snapshot->scan_at_ns = at_ns;
}

static void window_start(struct machine *machine)
{
	assert_int_equal(sources_open(machine->root, &machine->sources, NULL), 0);
	machine->sources.caller = CALLER;
	machine->sources.tick_ns = NS_PER_S / 100;
	cgroup_find(machine->root, 0, "cpu", &machine->cgroup, &machine->cgroup_error);
	snapshot_take(machine, &machine->before, NS_PER_S);
}

static const json_t *window_end(struct machine *machine)
{
	struct account_request request = { .sources = &machine->sources,
					   .before = &machine->before,
					   .after = &machine->after,
					   .own_group = OWN_GROUP };
	struct error frequency_error = { 0 };
	struct frequency frequency = { 0 };
	struct account account;
	struct evidence_parts parts = { .sources = &machine->sources,
					.before = &machine->before,
					.after = &machine->after,
					.cgroup = &machine->cgroup,
					.account = &account,
					.frequency = &frequency,
					.frequency_error = &frequency_error };

	snapshot_take(machine, &machine->after, 2 * NS_PER_S);
	assert_int_equal(account_make(&request, &account), 0);
	frequency_read(&machine->sources, account.busy_cpu, account.n_busy, &machine->memory,
		       &frequency, &frequency_error);
	json_decref(machine->evidence);
	assert_int_equal(evidence_json(&parts, &machine->evidence), 0);
	account_free(&account);
	return machine->evidence;
}

static void machine_remove(struct machine *machine)
{
	json_decref(machine->evidence);
	snapshot_free(&machine->before);
	snapshot_free(&machine->after);
	cgroup_free(&machine->cgroup);
	free(machine->memory.best);
	sources_close(&machine->sources);
	tree_remove(machine->root);
}

static void assert_share(const json_t *object, const char *name, double expected)
{
	const json_t *value = json_object_get(object, name);

	if (!json_is_number(value) || fabs(json_number_value(value) - expected) > 1e-6)
		fail_msg("%s: %f, expected %f", name, json_number_value(value), expected);
}

static void assert_missing(const json_t *object, const char *name, const char *words)
{
	char reason[64];
	const char *text;

	snprintf(reason, sizeof(reason), "%s_reason", name);
	assert_true(json_is_null(json_object_get(object, name)));
	text = json_string_value(json_object_get(object, reason));
	assert_non_null(text);
	if (!strstr(text, words))
		fail_msg("%s: %s", reason, text);
}

/* The first external entry of a kind. */
static const json_t *external(const json_t *evidence, const char *kind)
{
	const json_t *entries = json_object_get(evidence, "external");

	for (size_t i = 0; i < json_array_size(entries); i++) {
		const json_t *entry = json_array_get(entries, i);

		if (strcmp(json_string_value(json_object_get(entry, "kind")), kind) == 0)
			return entry;
	}
	return NULL;
}

static void assert_comm(const json_t *entry, const char *comm)
{
	assert_true(entry);
	assert_string_equal(json_string_value(json_object_get(entry, "comm")), comm);
}

static void shares_are_of_the_allowed_cpu_time(void **state)
{
	struct machine machine;
	const json_t *evidence;

	(void)state;
	machine_make(&machine);
	window_start(&machine);
	put_cpus(&machine, "80 0 10 6 0 0 0 4", "0 0 0 100 0 0 0 0");
	put_process(&machine, (struct fake){ .pid = OWN_GROUP,
					     .parent = CALLER,
					     .group = OWN_GROUP,
					     .comm = "warden",
					     .own = 90 });
	evidence = window_end(&machine);
	assert_share(evidence, "steal", 0.02);
	assert_share(evidence, "idle", 0.53);
	assert_share(evidence, "busy", 0.45);
	assert_share(evidence, "foreign", 0);
	assert_false(evidence_is_external(evidence));
	assert_string_equal(json_string_value(json_object_get(evidence, "placement")), "one-cpu");
	machine_remove(&machine);
}

static void steal_above_3_percent_is_external(void **state)
{
	struct machine machine;
	const json_t *evidence;

	(void)state;
	machine_make(&machine);
	window_start(&machine);
	put_cpus(&machine, "0 0 0 93 0 0 0 7", "0 0 0 100 0 0 0 0");
	evidence = window_end(&machine);
	assert_share(evidence, "steal", 0.035);
	assert_share(external(evidence, "steal"), "cpu", 0.07);
	machine_remove(&machine);
}

static void a_foreign_process_is_named(void **state)
{
	struct machine machine;
	const json_t *evidence, *entry;

	(void)state;
	machine_make(&machine);
	put_process(&machine, (struct fake){ .pid = 50,
					     .parent = 1,
					     .group = 50,
					     .comm = "cc1",
					     .own = 1000,
					     .policy = 1 });
	window_start(&machine);
	put_cpus(&machine, "100 0 0 0 0 0 0 0", "0 0 0 100 0 0 0 0");
	put_process(&machine, (struct fake){ .pid = 50,
					     .parent = 1,
					     .group = 50,
					     .comm = "cc1",
					     .own = 1043,
					     .policy = 1 });
	put_process(&machine, (struct fake){ .pid = OWN_GROUP,
					     .parent = CALLER,
					     .group = OWN_GROUP,
					     .comm = "warden",
					     .own = 57 });
	evidence = window_end(&machine);
	assert_share(evidence, "foreign", 0.215);
	entry = external(evidence, "foreign");
	assert_comm(entry, "cc1");
	assert_share(entry, "cpu", 0.43);
	assert_int_equal(json_integer_value(json_object_get(entry, "pid")), 50);
	assert_string_equal(json_string_value(json_object_get(entry, "policy")), "fifo");
	machine_remove(&machine);
}

static void own_processes_and_kernel_threads_are_not_foreign(void **state)
{
	const unsigned kernel_thread = 0x00200000;
	struct machine machine;
	const json_t *evidence;

	(void)state;
	machine_make(&machine);
	window_start(&machine);
	put_cpus(&machine, "100 0 0 0 0 0 0 0", "100 0 0 0 0 0 0 0");
	/* of the slot's group, though its parent is gone */
	put_process(
		&machine,
		(struct fake){
			.pid = 201, .parent = 1, .group = OWN_GROUP, .comm = "copy", .own = 50 });
	/* below the caller, in a group of its own */
	put_process(
		&machine,
		(struct fake){
			.pid = 202, .parent = OWN_GROUP, .group = 202, .comm = "copy", .own = 50 });
	put_process(
		&machine,
		(struct fake){
			.pid = CALLER, .parent = 1, .group = CALLER, .comm = "onproc", .own = 10 });
	put_process(
		&machine,
		(struct fake){ .pid = 2, .comm = "kthreadd", .own = 90, .flags = kernel_thread });
	evidence = window_end(&machine);
	assert_share(evidence, "foreign", 0);
	assert_false(evidence_is_external(evidence));
	machine_remove(&machine);
}

static void a_process_that_leaves_the_group_stays_own(void **state)
{
	struct machine machine;

	(void)state;
	machine_make(&machine);
	put_process(&machine,
		    (struct fake){ .pid = 201, .parent = 1, .group = OWN_GROUP, .comm = "copy" });
	window_start(&machine);
	put_cpus(&machine, "100 0 0 0 0 0 0 0", "0 0 0 100 0 0 0 0");
	put_process(
		&machine,
		(struct fake){ .pid = 201, .parent = 1, .group = 201, .comm = "copy", .own = 100 });
	assert_share(window_end(&machine), "foreign", 0);
	machine_remove(&machine);
}

/* The number of a process that ended may be given again: its time is the newcomer's from 0. */
static void a_reused_number_is_another_process(void **state)
{
	struct machine machine;
	const json_t *evidence;

	(void)state;
	machine_make(&machine);
	put_process(&machine, (struct fake){ .pid = 50, .parent = 1, .comm = "old", .own = 90 });
	window_start(&machine);
	put_cpus(&machine, "100 0 0 0 0 0 0 0", "0 0 0 100 0 0 0 0");
	put_process(&machine,
		    (struct fake){ .pid = 50, .parent = 1, .comm = "new", .own = 95, .start = 60 });
	evidence = window_end(&machine);
	assert_comm(external(evidence, "foreign"), "new");
	assert_share(external(evidence, "foreign"), "cpu", 0.95);
	machine_remove(&machine);
}

static void short_lived_children_are_charged_to_the_parent_that_waited(void **state)
{
	struct machine machine;
	const json_t *entry;

	(void)state;
	machine_make(&machine);
	put_process(&machine,
		    (struct fake){ .pid = 50, .parent = 1, .comm = "make", .children = 500 });
	/* was there before with 30 ticks, used 20 more, and was waited for */
	put_process(&machine, (struct fake){ .pid = 51, .parent = 50, .comm = "cc1", .own = 30 });
	window_start(&machine);
	put_cpus(&machine, "100 0 0 0 0 0 0 0", "0 0 0 100 0 0 0 0");
	remove_process(&machine, 51);
	/* + 50 of cc1, + 40 of another one that came and went */
	put_process(
		&machine,
		(struct fake){ .pid = 50, .parent = 1, .comm = "make", .own = 1, .children = 590 });
	entry = external(window_end(&machine), "foreign");
	assert_comm(entry, "make");
	assert_share(entry, "cpu", 0.61);
	assert_share(entry, "children", 0.60);
	machine_remove(&machine);
}

static void time_that_nobody_accounts_for_is_hidden(void **state)
{
	struct machine machine;
	const json_t *entry;

	(void)state;
	machine_make(&machine);
	window_start(&machine);
	put_cpus(&machine, "100 0 0 0 0 0 0 0", "0 0 0 100 0 0 0 0");
	put_process(&machine, (struct fake){ .pid = OWN_GROUP,
					     .parent = CALLER,
					     .group = OWN_GROUP,
					     .comm = "warden",
					     .own = 50 });
	entry = external(window_end(&machine), "foreign");
	assert_true(entry);
	assert_true(json_is_null(json_object_get(entry, "comm")));
	assert_share(entry, "cpu", 0.5);
	machine_remove(&machine);
}

/* 6 ticks of 3 %, and 2 for each of two CPUs and two own processes: from 14 ticks on. */
static void hidden_time_within_the_resolution_is_not_claimed(void **state)
{
	struct machine machine;

	(void)state;
	machine_make(&machine);
	window_start(&machine);
	put_cpus(&machine, "100 0 0 0 0 0 0 0", "0 0 0 100 0 0 0 0");
	put_process(&machine, (struct fake){ .pid = OWN_GROUP,
					     .parent = CALLER,
					     .group = OWN_GROUP,
					     .comm = "warden",
					     .own = 87 });
	assert_false(evidence_is_external(window_end(&machine)));
	put_process(&machine, (struct fake){ .pid = OWN_GROUP,
					     .parent = CALLER,
					     .group = OWN_GROUP,
					     .comm = "warden",
					     .own = 85 });
	assert_true(evidence_is_external(window_end(&machine)));
	machine_remove(&machine);
}

static void a_process_on_a_cpu_not_allowed_is_not_foreign(void **state)
{
	struct machine machine;

	(void)state;
	machine_make(&machine);
	tree_put(machine.root, "proc/self/status", "Cpus_allowed_list:\t0\n");
	put_process(&machine, (struct fake){ .pid = 50, .parent = 1, .comm = "hog", .cpu = 1 });
	window_start(&machine);
	put_cpus(&machine, "0 0 0 100 0 0 0 0", "100 0 0 0 0 0 0 0");
	put_process(&machine,
		    (struct fake){ .pid = 50, .parent = 1, .comm = "hog", .own = 100, .cpu = 1 });
	assert_false(evidence_is_external(window_end(&machine)));
	machine_remove(&machine);
}

/* A child that ended while the processes were read brings time from before the window. */
static void foreign_is_never_more_than_what_was_busy(void **state)
{
	struct machine machine;

	(void)state;
	machine_make(&machine);
	put_process(&machine, (struct fake){ .pid = 50, .parent = 1, .comm = "make" });
	window_start(&machine);
	put_cpus(&machine, "90 0 0 10 0 0 0 0", "0 0 0 100 0 0 0 0");
	put_process(&machine,
		    (struct fake){ .pid = 50, .parent = 1, .comm = "make", .children = 300 });
	assert_share(window_end(&machine), "foreign", 0.45);
	machine_remove(&machine);
}

/* Both parents waited for children with time from before the window; only hog ran itself. */
static void no_process_and_no_sum_of_them_is_more_than_there_was(void **state)
{
	struct machine machine;
	const json_t *evidence, *entry;
	double sum = 0;
	size_t i;

	(void)state;
	machine_make(&machine);
	put_process(&machine, (struct fake){ .pid = 50, .parent = 1, .comm = "make" });
	put_process(&machine, (struct fake){ .pid = 51, .parent = 1, .comm = "ninja" });
	put_process(&machine, (struct fake){ .pid = 52, .parent = 1, .comm = "hog" });
	window_start(&machine);
	put_cpus(&machine, "90 0 0 10 0 0 0 0", "70 0 0 30 0 0 0 0");
	put_process(&machine,
		    (struct fake){ .pid = 50, .parent = 1, .comm = "make", .children = 244 });
	put_process(&machine,
		    (struct fake){ .pid = 51, .parent = 1, .comm = "ninja", .children = 122 });
	put_process(&machine, (struct fake){ .pid = 52, .parent = 1, .comm = "hog", .own = 70 });
	evidence = window_end(&machine);
	assert_share(evidence, "foreign", 0.8);
	json_array_foreach(json_object_get(evidence, "external"), i, entry) sum +=
		json_number_value(json_object_get(entry, "cpu"));
	assert_true(fabs(sum - 1.6) < 1e-5);
	entry = external(evidence, "foreign");
	assert_comm(entry, "hog");
	assert_share(entry, "cpu", 0.7);
	machine_remove(&machine);
}

static void comm_that_is_no_utf8_is_made_ascii(void **state)
{
	struct machine machine;

	(void)state;
	machine_make(&machine);
	window_start(&machine);
	put_cpus(&machine, "100 0 0 0 0 0 0 0", "0 0 0 100 0 0 0 0");
	put_process(&machine,
		    (struct fake){ .pid = 50, .parent = 1, .comm = "a\xff) b\n", .own = 100 });
	assert_comm(external(window_end(&machine), "foreign"), "a?) b\n");
	machine_remove(&machine);
}

static void many_foreign_processes_are_summed_beyond_sixteen(void **state)
{
	struct machine machine;
	const json_t *entries, *last;

	(void)state;
	machine_make(&machine);
	window_start(&machine);
	put_cpus(&machine, "100 0 0 0 0 0 0 0", "100 0 0 0 0 0 0 0");
	for (int i = 0; i < 20; i++)
		put_process(&machine,
			    (struct fake){ .pid = 300 + i, .parent = 1, .comm = "hog", .own = 10 });
	entries = json_object_get(window_end(&machine), "external");
	assert_int_equal(json_array_size(entries), 17);
	last = json_array_get(entries, 16);
	assert_share(last, "cpu", 0.4);
	assert_string_equal(json_string_value(json_object_get(last, "reason")),
			    "4 smaller processes together");
	machine_remove(&machine);
}

static void put_throttling_v1(struct machine *machine, const char *group, int periods, int ns)
{
	char path[128];

	snprintf(path, sizeof(path), "sys/fs/cgroup/cpu%s/cpu.stat", group);
	tree_put(machine->root, path, "nr_periods 99\nnr_throttled %d\nthrottled_time %d\n",
		 periods, ns);
}

static void throttling_of_an_ancestor_is_external_in_version_1(void **state)
{
	struct machine machine;
	const json_t *evidence, *entry;

	(void)state;
	machine_make(&machine);
	tree_put(machine.root, "proc/self/cgroup", "2:cpu,cpuacct:/box/inner\n0::/\n");
	tree_put(machine.root, "proc/self/mountinfo",
		 "30 1 0:9 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n");
	put_throttling_v1(&machine, "", 0, 0);
	put_throttling_v1(&machine, "/box", 5, 1000);
	put_throttling_v1(&machine, "/box/inner", 0, 0);
	window_start(&machine);
	put_throttling_v1(&machine, "/box", 8, 12001000);
	evidence = window_end(&machine);
	assert_int_equal(json_integer_value(json_object_get(evidence, "throttled_ns")), 12000000);
	entry = external(evidence, "throttled");
	assert_true(entry);
	assert_int_equal(json_integer_value(json_object_get(entry, "ns")), 12000000);
	assert_int_equal(json_integer_value(json_object_get(entry, "periods")), 3);
	assert_string_equal(json_string_value(json_object_get(entry, "cgroup")), "/box");
	machine_remove(&machine);
}

static void throttling_is_external_in_version_2(void **state)
{
	struct machine machine;
	const json_t *evidence, *entry;

	(void)state;
	machine_make(&machine);
	tree_put(machine.root, "proc/self/cgroup", "0::/box\n");
	tree_put(machine.root, "proc/self/mountinfo",
		 "30 1 0:9 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw,nsdelegate\n");
	/* the top of version 2 cannot be throttled, and has no file in older kernels */
	tree_put(machine.root, "sys/fs/cgroup/box/cpu.stat",
		 "usage_usec 1\nnr_periods 1\nnr_throttled 0\nthrottled_usec 0\n");
	window_start(&machine);
	tree_put(machine.root, "sys/fs/cgroup/box/cpu.stat",
		 "usage_usec 1\nnr_periods 9\nnr_throttled 2\nthrottled_usec 700\n");
	evidence = window_end(&machine);
	entry = external(evidence, "throttled");
	assert_true(entry);
	assert_int_equal(json_integer_value(json_object_get(entry, "ns")), 700000);
	assert_string_equal(json_string_value(json_object_get(entry, "cgroup")), "/box");
	machine_remove(&machine);
}

static void a_missing_cpu_stat_of_version_1_is_null(void **state)
{
	struct machine machine;

	(void)state;
	machine_make(&machine);
	tree_put(machine.root, "proc/self/cgroup", "2:cpu:/box\n");
	tree_put(machine.root, "proc/self/mountinfo",
		 "30 1 0:9 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n");
	put_throttling_v1(&machine, "", 0, 0);
	window_start(&machine);
	assert_missing(window_end(&machine), "throttled_ns",
		       "/sys/fs/cgroup/cpu/box/cpu.stat: No such file");
	machine_remove(&machine);
}

static void a_group_outside_the_namespace_has_no_throttling(void **state)
{
	struct machine machine;

	(void)state;
	machine_make(&machine);
	tree_put(machine.root, "proc/self/cgroup", "0::/../other\n");
	tree_put(machine.root, "proc/self/mountinfo",
		 "30 1 0:9 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
	window_start(&machine);
	assert_missing(window_end(&machine), "throttled_ns", "outside of what is mounted");
	machine_remove(&machine);
}

static void pressure_is_a_share_of_the_window(void **state)
{
	struct machine machine;

	(void)state;
	machine_make(&machine);
	window_start(&machine);
	tree_put(machine.root, "proc/pressure/cpu", "some avg10=0 avg60=0 avg300=0 total=251000\n");
	assert_share(window_end(&machine), "psi_cpu_some", 0.25);
	machine_remove(&machine);
}

static void put_frequency(struct machine *machine, int cpu, int khz)
{
	char path[96];

	snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%d/cpufreq/scaling_cur_freq", cpu);
	tree_put(machine->root, path, "%d\n", khz);
	snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%d/cpufreq/cpuinfo_max_freq", cpu);
	tree_put(machine->root, path, "4000000\n");
}

static void a_lower_frequency_is_external(void **state)
{
	struct machine machine;
	const json_t *evidence, *entry;

	(void)state;
	machine_make(&machine);
	window_start(&machine);
	put_cpus(&machine, "100 0 0 0 0 0 0 0", "0 0 0 100 0 0 0 0");
	put_process(&machine, (struct fake){ .pid = OWN_GROUP,
					     .parent = CALLER,
					     .group = OWN_GROUP,
					     .comm = "warden",
					     .own = 100 });
	put_frequency(&machine, 0, 3000000);
	put_frequency(&machine, 1, 800000); /* idle: not asked */
	evidence = window_end(&machine);
	assert_int_equal(json_integer_value(json_object_get(evidence, "frequency_khz")), 3000000);
	assert_false(evidence_is_external(evidence));
	put_frequency(&machine, 0, 2860000); /* 4.7 % */
	assert_false(evidence_is_external(window_end(&machine)));
	put_frequency(&machine, 0, 2840000); /* 5.3 % */
	entry = external(window_end(&machine), "frequency");
	assert_true(entry);
	assert_int_equal(json_integer_value(json_object_get(entry, "khz")), 2840000);
	assert_int_equal(json_integer_value(json_object_get(entry, "was_khz")), 3000000);
	machine_remove(&machine);
}

/* One busy CPU turbos higher than two do: not a drop. */
static void a_frequency_is_compared_with_as_many_busy_cpus(void **state)
{
	struct machine machine;

	(void)state;
	machine_make(&machine);
	window_start(&machine);
	put_frequency(&machine, 0, 4000000);
	put_frequency(&machine, 1, 4000000);
	put_cpus(&machine, "100 0 0 0 0 0 0 0", "0 0 0 100 0 0 0 0");
	window_end(&machine);
	put_frequency(&machine, 0, 3000000);
	put_frequency(&machine, 1, 3000000);
	put_cpus(&machine, "100 0 0 0 0 0 0 0", "100 0 0 0 0 0 0 0");
	assert_false(external(window_end(&machine), "frequency"));
	/* and one alone at that frequency has lost something */
	put_frequency(&machine, 0, 2000000);
	put_cpus(&machine, "100 0 0 0 0 0 0 0", "0 0 0 100 0 0 0 0");
	assert_true(external(window_end(&machine), "frequency"));
	machine_remove(&machine);
}

static void what_cannot_be_read_is_null_with_the_file(void **state)
{
	struct machine machine;
	const json_t *evidence;

	(void)state;
	machine_make(&machine);
	tree_put(machine.root, "proc/stat", "cpu  1 2\ncpu0 1 2 3\n");
	tree_put(machine.root, "proc/pressure/cpu", "garbage\n");
	tree_put(machine.root, "proc/300/stat", "300 (cut) S 1");
	window_start(&machine);
	evidence = window_end(&machine);
	assert_missing(evidence, "steal", "/proc/stat: line 2: expected 8 numbers");
	assert_missing(evidence, "busy", "/proc/stat: line 2");
	assert_missing(evidence, "idle", "/proc/stat: line 2");
	assert_missing(evidence, "placement", "/proc/stat: line 2");
	assert_missing(evidence, "foreign", "/proc/300/stat: line 1: expected");
	assert_missing(evidence, "psi_cpu_some", "/proc/pressure/cpu: line 1: expected");
	assert_missing(evidence, "throttled_ns", "/proc/self/cgroup: No such file");
	assert_missing(evidence, "frequency_khz", "busy");
	assert_false(evidence_is_external(evidence));
	machine_remove(&machine);
}

static void missing_pressure_and_cpufreq_are_null(void **state)
{
	struct machine machine;
	const json_t *evidence;
	char path[128];

	(void)state;
	machine_make(&machine);
	snprintf(path, sizeof(path), "%s/proc/pressure/cpu", machine.root);
	unlink(path);
	window_start(&machine);
	put_cpus(&machine, "100 0 0 0 0 0 0 0", "100 0 0 0 0 0 0 0");
	evidence = window_end(&machine);
	assert_missing(evidence, "psi_cpu_some", "/proc/pressure/cpu: No such file");
	assert_missing(evidence, "frequency_khz", "scaling_cur_freq: No such file");
	machine_remove(&machine);
}

static void no_proc_at_all_is_no_failure(void **state)
{
	struct evidence *evidence;
	char root[TREE_BYTES];
	json_t *object;

	(void)state;
	tree_make(root);
	assert_int_equal(evidence_open(root, &evidence, NULL), 0);
	assert_int_equal(evidence_before(evidence, OWN_GROUP, NULL), 0);
	assert_int_equal(evidence_after(evidence, OWN_GROUP, &object, NULL), 0);
	assert_missing(object, "steal", "/proc: No such file");
	assert_missing(object, "foreign", "/proc: No such file");
	assert_false(evidence_is_external(object));
	json_decref(object);
	evidence_close(evidence);
	tree_remove(root);
}

static void a_known_member_loses_its_reason(void **state)
{
	json_t *object = json_pack("{s:n,s:s}", "migrations", "migrations_reason", "unknown");

	(void)state;
	assert_int_equal(evidence_put(object, "migrations", json_integer(3)), 0);
	assert_int_equal(json_integer_value(json_object_get(object, "migrations")), 3);
	assert_false(json_object_get(object, "migrations_reason"));
	json_decref(object);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares_are_of_the_allowed_cpu_time),
		cmocka_unit_test(steal_above_3_percent_is_external),
		cmocka_unit_test(a_foreign_process_is_named),
		cmocka_unit_test(own_processes_and_kernel_threads_are_not_foreign),
		cmocka_unit_test(a_process_that_leaves_the_group_stays_own),
		cmocka_unit_test(a_reused_number_is_another_process),
		cmocka_unit_test(short_lived_children_are_charged_to_the_parent_that_waited),
		cmocka_unit_test(time_that_nobody_accounts_for_is_hidden),
		cmocka_unit_test(hidden_time_within_the_resolution_is_not_claimed),
		cmocka_unit_test(a_process_on_a_cpu_not_allowed_is_not_foreign),
		cmocka_unit_test(foreign_is_never_more_than_what_was_busy),
		cmocka_unit_test(no_process_and_no_sum_of_them_is_more_than_there_was),
		cmocka_unit_test(comm_that_is_no_utf8_is_made_ascii),
		cmocka_unit_test(many_foreign_processes_are_summed_beyond_sixteen),
		cmocka_unit_test(throttling_of_an_ancestor_is_external_in_version_1),
		cmocka_unit_test(throttling_is_external_in_version_2),
		cmocka_unit_test(a_missing_cpu_stat_of_version_1_is_null),
		cmocka_unit_test(a_group_outside_the_namespace_has_no_throttling),
		cmocka_unit_test(pressure_is_a_share_of_the_window),
		cmocka_unit_test(a_lower_frequency_is_external),
		cmocka_unit_test(a_frequency_is_compared_with_as_many_busy_cpus),
		cmocka_unit_test(what_cannot_be_read_is_null_with_the_file),
		cmocka_unit_test(missing_pressure_and_cpufreq_are_null),
		cmocka_unit_test(no_proc_at_all_is_no_failure),
		cmocka_unit_test(a_known_member_loses_its_reason),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
