// SPDX-License-Identifier: GPL-2.0-or-later
/* evidence_parse.c - the kernel's accounting files: whole, odd, cut short and garbage. */
#include "measure/evidence_parse.h"
#include "measure/cgroup.h"
#include "measure/cgroup_mounts.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* pid (comm) state ppid pgrp session tty tpgid flags 4 faults utime stime cutime cstime … */
#define STAT_TAIL                                                                                  \
	" S 7 99 99 0 -1 4194560 100 0 0 0 30 12 5 3 20 0 4 0 777 4096000 120 "                    \
	"18446744073709551615 1 1 0 0 0 0 0 0 65536 0 0 0 17 1 50 1 0 0 0 0 0 0 0 0 0 0 0\n"

static void stat_parsed(const char *text, struct process_stat *stat)
{
	struct error err = { 0 };

	if (process_stat_parse(text, strlen(text), stat, &err))
		fail_msg("%s", err.text);
}

static void process_stat_gives_all_used_fields(void **state)
{
	struct process_stat stat;

	(void)state;
	stat_parsed("4711 (cc1)" STAT_TAIL, &stat);
	assert_int_equal(stat.pid, 4711);
	assert_int_equal(stat.parent, 7);
	assert_int_equal(stat.group, 99);
	assert_int_equal(stat.flags, 4194560);
	assert_int_equal(stat.own_ticks, 42);
	assert_int_equal(stat.children_ticks, 8);
	assert_int_equal(stat.threads, 4);
	assert_int_equal(stat.start_ticks, 777);
	assert_int_equal(stat.cpu, 1);
	assert_int_equal(stat.policy, 1);
	assert_string_equal(stat.comm, "cc1");
}

static void process_name_may_hold_anything(void **state)
{
	static const char *const names[] = { "a b",	    ")",
					     "((",	    ") S 1 1 1 (",
					     "line\nbreak", "",
					     "\xff\xfe",    "kworker/u8:3-events_unbound" };
	struct process_stat stat;
	char text[512];

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(text, sizeof(text), "1 (%s)" STAT_TAIL, names[i]);
		stat_parsed(text, &stat);
		assert_string_equal(stat.comm, names[i]);
		assert_int_equal(stat.start_ticks, 777);
	}
}

static void long_process_name_is_cut(void **state)
{
	struct process_stat stat;
	char name[300], text[700];

	(void)state;
	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	snprintf(text, sizeof(text), "1 (%s)" STAT_TAIL, name);
	stat_parsed(text, &stat);
	assert_int_equal(strlen(stat.comm), COMM_BYTES - 1);
}

/* Every cut is refused up to the last field used; the buffer ends where the text does. */
static void process_stat_cut_short_is_refused(void **state)
{
	static const char whole[] = "4711 (cc1)" STAT_TAIL;
	const char *policy = strstr(whole, " 50 1 0 0") + strlen(" 50 1");

	(void)state;
	for (size_t len = 0; len < strlen(whole); len++) {
		char *cut = malloc(len + 1);
		struct process_stat stat;
		struct error err = { 0 };
		int rc;

		memcpy(cut, whole, len);
		rc = process_stat_parse(cut, len, &stat, &err);
		if (len <= (size_t)(policy - whole)) {
			assert_int_equal(rc, -EINVAL);
			assert_non_null(strstr(err.text, "line 1: expected"));
		} else {
			assert_int_equal(rc, 0);
		}
		free(cut);
	}
}

static void cpu_times_are_filled_by_cpu_number(void **state)
{
	static const char text[] = "cpu  9 9 9 9 9 9 9 9 0 0\n"
				   "cpu0 1 2 3 4 5 6 7 8 0 0\n"
				   "cpu2 10 20 30 40 50 60 70 80 0 0\n"
				   "cpu9 1 1 1 1 1 1 1 1 0 0\n"
				   "intr 5\n";
	struct cpu_times times[3];

	(void)state;
	assert_int_equal(cpu_times_parse(text, strlen(text), times, 3, NULL), 0);
	assert_true(times[0].online);
	assert_false(times[1].online);
	assert_int_equal(times[0].steal, 8);
	assert_int_equal(times[2].idle, 40);
	assert_int_equal(times[2].iowait, 50);
}

static void bad_cpu_times_name_the_line(void **state)
{
	static const struct {
		const char *text, *words;
	} bad[] = {
		{ "", "line 1: expected a line \"cpuN" },
		{ "cpu  1 2\nintr 1\n", "line 2: expected a line \"cpuN" },
		{ "cpu  1 2\ncpu0 1 2 3 4 5 6 7\n", "line 2: expected 8 numbers" },
		{ "cpu0 1 2 3 4 5 6 7 8\n", NULL },
		{ "cpu0 1 2 3 4 5 6 7 8", "line 1: expected a whole line" },
		{ "cpu0 1 2 3 4 5 6 7 99999999999999999999\n", "line 1: expected 8 numbers" },
		{ "cpu0 1 2 3 -4 5 6 7 8\n", "line 1: expected 8 numbers" },
		{ "cpux 1\n", "line 1: expected a CPU number" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct error err = { 0 };
		struct cpu_times times[1];
		int rc = cpu_times_parse(bad[i].text, strlen(bad[i].text), times, 1, &err);

		assert_int_equal(rc, bad[i].words ? -EINVAL : 0);
		if (bad[i].words && !strstr(err.text, bad[i].words))
			fail_msg("%s", err.text);
	}
}

static void run_time_wants_three_numbers(void **state)
{
	uint64_t run_ns;

	(void)state;
	assert_int_equal(run_time_parse("123456789 5 7\n", 14, &run_ns, NULL), 0);
	assert_int_equal(run_ns, 123456789);
	assert_int_equal(run_time_parse("123456789 5", 11, &run_ns, NULL), -EINVAL);
	assert_int_equal(run_time_parse("", 0, &run_ns, NULL), -EINVAL);
}

static void pressure_gives_the_total_of_some(void **state)
{
	static const char text[] = "some avg10=1.00 avg60=0.50 avg300=0.10 total=7206140\n"
				   "full avg10=0.00 avg60=0.00 avg300=0.00 total=9\n";
	static const char *const bad[] = { "full avg10=0.00 total=9\n", "some avg10=1.00\n",
					   "some avg10=1.00 total=\n", "some total=12", "" };
	uint64_t some_us;

	(void)state;
	assert_int_equal(pressure_parse(text, strlen(text), &some_us, NULL), 0);
	assert_int_equal(some_us, 7206140);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(pressure_parse(bad[i], strlen(bad[i]), &some_us, NULL), -EINVAL);
}

static void throttling_is_read_in_both_versions(void **state)
{
	static const char v1[] = "nr_periods 10\nnr_throttled 4\nthrottled_time 5000\n";
	static const char v2[] = "usage_usec 77\nnr_periods 10\nnr_throttled 4\nthrottled_usec 5\n";
	static const char none[] = "usage_usec 77\nuser_usec 1\nsystem_usec 2\n";
	struct throttling throttling;

	(void)state;
	assert_int_equal(throttling_parse(v1, strlen(v1), &throttling, NULL), 0);
	assert_true(throttling.present);
	assert_int_equal(throttling.periods, 4);
	assert_int_equal(throttling.ns, 5000);
	assert_int_equal(throttling_parse(v2, strlen(v2), &throttling, NULL), 0);
	assert_int_equal(throttling.ns, 5000);
	assert_int_equal(throttling_parse(none, strlen(none), &throttling, NULL), 0);
	assert_false(throttling.present);
}

static void bad_throttling_is_refused(void **state)
{
	static const char *const bad[] = { "nr_throttled 4\n",
					   "nr_throttled\n",
					   "nr_throttled x\n",
					   "nr_throttled 4\nthrottled_usec 18446744073709551615\n",
					   "nr_throttled 4\nthrottled_time 50",
					   "\n" };
	struct throttling throttling;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(throttling_parse(bad[i], strlen(bad[i]), &throttling, NULL),
				 -EINVAL);
}

static void cgroup_line_prefers_the_controllers_own_hierarchy(void **state)
{
	static const char hybrid[] = "3:cpuset:/\n1:cpu,cpuacct:/box\n0::/unified\n";
	static const char v2[] = "0::/a:b/c\n";
	struct slice path;
	int version;

	(void)state;
	assert_int_equal(cgroup_line_find(hybrid, strlen(hybrid), "cpu", &path, &version, NULL), 0);
	assert_int_equal(version, 1);
	assert_true(slice_is(path, "/box"));
	assert_int_equal(cgroup_line_find(hybrid, strlen(hybrid), "pids", &path, &version, NULL),
			 0);
	assert_int_equal(version, 2);
	assert_true(slice_is(path, "/unified"));
	assert_int_equal(cgroup_line_find(v2, strlen(v2), "cpu", &path, &version, NULL), 0);
	assert_true(slice_is(path, "/a:b/c"));
}

static void bad_cgroup_lines_are_refused(void **state)
{
	static const char *const bad[] = { "", "cpu\n", "1:cpu\n", "1:cpu:\n", "1:cpu:relative\n" };
	struct slice path;
	int version;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_true(cgroup_line_find(bad[i], strlen(bad[i]), "cpu", &path, &version, NULL) <
			    0);
}

static void mount_lines_are_read_with_optional_fields_and_escapes(void **state)
{
	static const char text[] =
		"36 35 98:0 /mnt1 /mnt\\0402 rw,noatime master:1 shared:2 - ext3 /dev/root rw\n";
	struct scan scan = scan_start(text, strlen(text));
	struct mount_line line;
	char *point;

	(void)state;
	assert_int_equal(mount_line_next(&scan, &line, NULL), 1);
	assert_int_equal(line.device_major, 98);
	assert_true(slice_is(line.type, "ext3"));
	assert_true(option_list_has(line.options, "noatime"));
	assert_false(option_list_has(line.options, "noat"));
	point = mount_unescape(line.point);
	assert_string_equal(point, "/mnt 2");
	free(point);
	assert_int_equal(mount_line_next(&scan, &line, NULL), 0);
}

static void bad_mount_lines_name_the_line(void **state)
{
	static const char *const bad[] = { "x\n", "36 35\n", "36 35 98:0 / /mnt rw\n",
					   "36 35 98:0 / /mnt rw - ext3\n",
					   "36 35 98:0 / /mnt rw - ext3 /dev/root rw" };

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct scan scan = scan_start(bad[i], strlen(bad[i]));
		struct error err = { 0 };
		struct mount_line line;

		assert_int_equal(mount_line_next(&scan, &line, &err), -EINVAL);
		assert_non_null(strstr(err.text, "line 1: expected"));
	}
}

static void quotas_are_read_in_both_versions(void **state)
{
	double cpus;

	(void)state;
	assert_int_equal(quota_v2_parse("150000 100000\n", 14, &cpus, NULL), 0);
	assert_true(cpus == 1.5);
	assert_int_equal(quota_v2_parse("max 100000\n", 11, &cpus, NULL), 0);
	assert_true(cpus == 0);
	assert_int_equal(quota_v2_parse("150000 0\n", 9, &cpus, NULL), -EINVAL);
	assert_int_equal(quota_v2_parse("150000", 6, &cpus, NULL), -EINVAL);
	assert_int_equal(quota_v1_parse("50000\n", 6, "100000\n", 7, &cpus, NULL), 0);
	assert_true(cpus == 0.5);
	assert_int_equal(quota_v1_parse("-1\n", 3, "100000\n", 7, &cpus, NULL), 0);
	assert_true(cpus == 0);
	assert_int_equal(quota_v1_parse("50000\n", 6, "0\n", 2, &cpus, NULL), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(process_stat_gives_all_used_fields),
		cmocka_unit_test(process_name_may_hold_anything),
		cmocka_unit_test(long_process_name_is_cut),
		cmocka_unit_test(process_stat_cut_short_is_refused),
		cmocka_unit_test(cpu_times_are_filled_by_cpu_number),
		cmocka_unit_test(bad_cpu_times_name_the_line),
		cmocka_unit_test(run_time_wants_three_numbers),
		cmocka_unit_test(pressure_gives_the_total_of_some),
		cmocka_unit_test(throttling_is_read_in_both_versions),
		cmocka_unit_test(bad_throttling_is_refused),
		cmocka_unit_test(cgroup_line_prefers_the_controllers_own_hierarchy),
		cmocka_unit_test(bad_cgroup_lines_are_refused),
		cmocka_unit_test(mount_lines_are_read_with_optional_fields_and_escapes),
		cmocka_unit_test(bad_mount_lines_name_the_line),
		cmocka_unit_test(quotas_are_read_in_both_versions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
