// SPDX-License-Identifier: GPL-2.0-or-later
/* environment_kernel.c - how the kernel was built and how it schedules. */
#include "measure/environment_config.h"
#include "measure/environment_rows.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

json_t *read_host(struct reading *reading)
{
	struct utsname name;

	if (uname(&name))
		return reading_because(reading, "uname: %s", strerror(errno));
	return string_json(name.nodename, strlen(name.nodename));
}

json_t *read_arch(struct reading *reading)
{
	struct utsname name;

	if (uname(&name))
		return reading_because(reading, "uname: %s", strerror(errno));
	return json_string(name.machine);
}

/* A number with decimals, as the kernel prints them. */
static bool scan_decimal(struct scan *scan, double *number)
{
	struct scan start;
	uint64_t whole, fraction = 0;
	double scale;

	if (!scan_u64(scan, &whole))
		return false;
	*number = (double)whole;
	if (!scan_char(scan, '.'))
		return true;
	start = *scan;
	if (!scan_u64(scan, &fraction))
		return false;
	scale = pow(10, (double)(scan->at - start.at));
	*number += (double)fraction / scale;
	return true;
}

json_t *read_uptime(struct reading *reading)
{
	struct scan scan;
	double seconds;

	if (!reading_file(reading, "/proc/uptime"))
		return NULL;
	scan = scan_start(reading->text.bytes, reading->text.len);
	if (!scan_decimal(&scan, &seconds))
		return reading_because(reading, "/proc/uptime: line 1: expected a number");
	return json_real(seconds);
}

json_t *read_load(struct reading *reading)
{
	double load[3];
	struct scan scan;

	if (!reading_file(reading, "/proc/loadavg"))
		return NULL;
	scan = scan_start(reading->text.bytes, reading->text.len);
	for (int i = 0; i < 3; i++) {
		scan_blanks(&scan);
		if (!scan_decimal(&scan, &load[i]))
			return reading_because(reading,
					       "/proc/loadavg: line 1: expected three numbers");
	}
	return json_pack("[f,f,f]", load[0], load[1], load[2]);
}

/* The word in parentheses of "none voluntary (full)", or in brackets. */
static bool chosen_word(const struct text *text, struct slice *word)
{
	struct scan scan = scan_start(text->bytes, text->len);

	while (!scan_is_line_end(&scan)) {
		if (scan_char(&scan, '(')) {
			*word = scan_until(&scan, ')');
			return word->len > 0;
		}
		if (scan_char(&scan, '[')) {
			*word = scan_until(&scan, ']');
			return word->len > 0;
		}
		scan.at++;
	}
	return false;
}

/* Value of a word KEY=VALUE of the kernel command line. */
static bool cmdline_value(struct reading *reading, const char *key, struct slice *value)
{
	struct scan scan;

	if (!reading_file(reading, "/proc/cmdline"))
		return false;
	scan = scan_start(reading->text.bytes, reading->text.len);
	while (!scan_is_line_end(&scan)) {
		scan_blanks(&scan);
		if (scan_word_is(&scan, key) && scan_char(&scan, '=')) {
			*value = scan_word(&scan);
			return true;
		}
		scan_word(&scan);
	}
	return false;
}

/* The running mode where debugfs shows it; else that of the command line, else that built in. */
json_t *read_preemption(struct reading *reading)
{
	static const struct {
		const char *option, *mode;
	} built[] = {
		{ "PREEMPT_RT", "rt" },
		{ "PREEMPT_NONE", "none" },
		{ "PREEMPT_VOLUNTARY", "voluntary" },
		{ "PREEMPT_LAZY", "lazy" },
		{ "PREEMPT", "full" },
	};
	struct slice word;
	bool is_dynamic;

	if (reading_file(reading, "/sys/kernel/debug/sched/preempt") &&
	    chosen_word(&reading->text, &word))
		return string_json(word.at, word.len);
	if (!reading_file(reading, "/proc/sys/kernel/version"))
		return NULL;
	if (strstr(reading->text.bytes, "PREEMPT_RT"))
		return json_string("rt");
	is_dynamic = strstr(reading->text.bytes, "PREEMPT_DYNAMIC");
	if (!is_dynamic && strstr(reading->text.bytes, " PREEMPT "))
		return json_string("full");
	if (is_dynamic && cmdline_value(reading, "preempt", &word))
		return string_json(word.at, word.len);
	if (!config_read(reading))
		return NULL;
	for (size_t i = 0; i < sizeof(built) / sizeof(built[0]); i++) {
		if (config_is_on(reading, built[i].option))
			return json_string(built[i].mode);
	}
	return reading_because(reading, "the kernel configuration names no preemption mode");
}

json_t *read_hz(struct reading *reading)
{
	struct slice value;
	struct scan scan;
	uint64_t hz;

	if (!config_read(reading))
		return NULL;
	if (!config_value(reading, "HZ", &value))
		return reading_because(reading, "the kernel configuration has no CONFIG_HZ");
	scan = scan_start(value.at, value.len);
	if (!scan_u64(&scan, &hz) || !scan_is_end(&scan))
		return reading_because(reading, "CONFIG_HZ: expected a number");
	return json_integer((json_int_t)hz);
}

json_t *read_debugging(struct reading *reading)
{
	/* Each costs some percent or more in a kernel path that the tests go through. */
	static const char *const options[] = {
		"KASAN",
		"KCSAN",
		"KMSAN",
		"UBSAN",
		"PROVE_LOCKING",
		"LOCK_STAT",
		"DEBUG_LOCK_ALLOC",
		"DEBUG_MUTEXES",
		"DEBUG_SPINLOCK",
		"DEBUG_ATOMIC_SLEEP",
		"DEBUG_OBJECTS",
		"DEBUG_PAGEALLOC_ENABLE_DEFAULT",
		"SLUB_DEBUG_ON",
		"DEBUG_KMEMLEAK",
		"DEBUG_VM",
		"PREEMPT_TRACER",
		"IRQSOFF_TRACER",
		"KCOV",
		"GCOV_KERNEL",
	};
	json_t *found;

	if (!config_read(reading))
		return NULL;
	found = json_array();
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		if (config_is_on(reading, options[i]))
			json_array_append_new(found, json_string(options[i]));
	}
	return found;
}

/* Old kernels have them in /proc/sys/kernel, newer ones in debugfs; which there are differs. */
json_t *read_scheduler_tunables(struct reading *reading)
{
	static const char *const names[] = { "base_slice_ns",
					     "min_base_slice_ns",
					     "latency_ns",
					     "min_granularity_ns",
					     "wakeup_granularity_ns",
					     "idle_min_granularity_ns",
					     "migration_cost_ns",
					     "nr_migrate",
					     "tunable_scaling" };
	static const char *const places[] = { "/sys/kernel/debug/sched/",
					      "/proc/sys/kernel/sched_" };
	static const char *const others[] = { "sched_rr_timeslice_ms",
					      "sched_cfs_bandwidth_slice_us", "timer_migration" };
	json_t *tunables = json_object();
	char path[128];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		for (size_t place = 0; place < sizeof(places) / sizeof(places[0]); place++) {
			snprintf(path, sizeof(path), "%s%s", places[place], names[i]);
			if (reading_file(reading, path))
				json_object_set_new(tunables, names[i],
						    json_string(text_trim(&reading->text)));
		}
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		snprintf(path, sizeof(path), "/proc/sys/kernel/%s", others[i]);
		if (reading_file(reading, path))
			json_object_set_new(tunables, others[i],
					    json_string(text_trim(&reading->text)));
	}
	if (json_object_size(tunables))
		return tunables;
	json_decref(tunables);
	return NULL;
}

json_t *read_scheduler_features(struct reading *reading)
{
	if (!reading_file(reading, "/sys/kernel/debug/sched/features") &&
	    !reading_file(reading, "/sys/kernel/debug/sched_features"))
		return reading_because(reading, "/sys/kernel/debug/sched/features: not readable "
						"(debugfs not mounted, or not root)");
	text_trim(&reading->text);
	return string_json(reading->text.bytes, reading->text.len);
}

/* Name of the loaded scheduler, or the state when none is. */
json_t *read_sched_ext(struct reading *reading)
{
	if (reading_file(reading, "/sys/kernel/sched_ext/root/ops") && reading->text.len) {
		text_trim(&reading->text);
		return string_json(reading->text.bytes, reading->text.len);
	}
	if (!reading_file(reading, "/sys/kernel/sched_ext/state"))
		return NULL;
	text_trim(&reading->text);
	return string_json(reading->text.bytes, reading->text.len);
}

json_t *read_rt_throttling(struct reading *reading)
{
	int64_t value[2];
	static const char *const files[] = { "/proc/sys/kernel/sched_rt_runtime_us",
					     "/proc/sys/kernel/sched_rt_period_us" };

	for (int i = 0; i < 2; i++) {
		struct scan scan;

		if (!reading_file(reading, files[i]))
			return NULL;
		scan = scan_start(reading->text.bytes, reading->text.len);
		if (!scan_i64(&scan, &value[i]))
			return reading_because(reading, "%s: line 1: expected a number", files[i]);
	}
	return json_pack("{s:I,s:I}", "runtime_us", (json_int_t)value[0], "period_us",
			 (json_int_t)value[1]);
}
