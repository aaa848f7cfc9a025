// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * environment_warnings.c - what a reader must know beside the scores.
 *
 * A table of checks over the collected object; a null member never warns.
 */
#include "measure/environment.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef void (*check)(const json_t *environment, json_t *warnings);

static void warn(json_t *warnings, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void warn(json_t *warnings, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	json_array_append_new(warnings, json_vsprintf(format, args));
	va_end(args);
}

static const char *text_of(const json_t *object, const char *name)
{
	return json_string_value(json_object_get(object, name));
}

static long allowed_cpus(const json_t *environment)
{
	return (long)json_integer_value(
		json_object_get(json_object_get(environment, "topology"), "allowed"));
}

static void check_quota(const json_t *environment, json_t *warnings)
{
	double quota = json_number_value(json_object_get(environment, "cgroup_cpu_quota"));
	long cpus = allowed_cpus(environment);

	if (quota > 0 && cpus > 0 && quota < (double)cpus)
		warn(warnings,
		     "a CPU quota of %.2f CPUs is lower than the %ld allowed CPUs: copies beyond "
		     "it "
		     "are throttled",
		     quota, cpus);
}

static void check_governor(const json_t *environment, json_t *warnings)
{
	const json_t *governor = json_object_get(environment, "governor");
	const char *name = json_string_value(governor);

	if (json_is_array(governor))
		warn(warnings, "CPUs have different frequency governors");
	else if (name && strcmp(name, "performance") != 0)
		warn(warnings,
		     "frequency governor is %.32s, not performance: the clock follows the load",
		     name);
}

static void check_filesystem(const json_t *environment, json_t *warnings)
{
	const json_t *filesystem = json_object_get(environment, "filesystem");
	const char *kind = text_of(filesystem, "kind");

	if (kind && strcmp(kind, "local") != 0)
		warn(warnings, "file tests run on %.32s (%s), not on a local disk: %.200s",
		     text_of(filesystem, "type"), kind, text_of(filesystem, "dir"));
}

static void check_debugging(const json_t *environment, json_t *warnings)
{
	const json_t *debugging = json_object_get(environment, "kernel_debugging");
	char names[256] = "";

	for (size_t i = 0; i < json_array_size(debugging); i++) {
		size_t used = strlen(names);
		const char *name = json_string_value(json_array_get(debugging, i));

		snprintf(names + used, sizeof(names) - used, "%s%s", used ? ", " : "",
			 name ? name : "?");
	}
	if (names[0])
		warn(warnings, "the kernel is built with debugging that costs time: %s", names);
}

static void check_smt(const json_t *environment, json_t *warnings)
{
	if (json_is_true(json_object_get(environment, "smt_active")))
		warn(warnings, "SMT is on: at one copy per CPU two copies share a core");
}

static void check_load(const json_t *environment, json_t *warnings)
{
	double load =
		json_number_value(json_array_get(json_object_get(environment, "load_average"), 0));
	long cpus = allowed_cpus(environment);

	/* Half a CPU's worth is 25 % of a small machine; a large one bears more in total. */
	if (cpus > 0 && load > 0.5 && load > 0.1 * (double)cpus)
		warn(warnings, "the machine was busy at the start: load %.2f on %ld CPUs", load,
		     cpus);
}

static void check_scheduling(const json_t *environment, json_t *warnings)
{
	const char *policy = text_of(environment, "policy");
	const char *ext = text_of(environment, "sched_ext");
	long nice_value = (long)json_integer_value(json_object_get(environment, "nice"));

	if (policy && strcmp(policy, "other") != 0)
		warn(warnings, "started with scheduling policy %.32s", policy);
	if (nice_value)
		warn(warnings, "started with nice %ld", nice_value);
	if (ext && strcmp(ext, "disabled") != 0)
		warn(warnings, "a sched_ext scheduler is loaded: %.64s", ext);
}

static void check_clocksource(const json_t *environment, json_t *warnings)
{
	static const char *const slow[] = { "hpet", "acpi_pm", "pit", "jiffies" };
	const char *clocksource = text_of(environment, "clocksource");

	for (size_t i = 0; clocksource && i < sizeof(slow) / sizeof(slow[0]); i++) {
		if (strcmp(clocksource, slow[i]) == 0)
			warn(warnings, "clocksource is %s: reading the time is a slow system call",
			     slow[i]);
	}
}

json_t *environment_warnings(const json_t *environment)
{
	static const check checks[] = { check_quota,	  check_governor,   check_filesystem,
					check_debugging,  check_smt,	    check_load,
					check_scheduling, check_clocksource };
	json_t *warnings = json_array();

	for (size_t i = 0; warnings && i < sizeof(checks) / sizeof(checks[0]); i++)
		checks[i](environment, warnings);
	return warnings;
}
