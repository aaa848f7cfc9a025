// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * procfiles.c - fuzzes every parser of /proc, /sys and ELF text of src/measure.
 *
 * The first byte chooses the parser, the rest is its text, in a buffer that ends where the text
 * does.
 */
#include "measure/cgroup.h"
#include "measure/cgroup_mounts.h"
#include "measure/environment_elf.h"
#include "measure/evidence_parse.h"
#include "measure/topology.h"
#include "measure/topology_cpulist.h"

#include <stdlib.h>
#include <string.h>

static void fuzz_cpu_times(const char *text, size_t len)
{
	struct cpu_times times[8];

	cpu_times_parse(text, len, times, 8, NULL);
}

static void fuzz_process_stat(const char *text, size_t len)
{
	struct process_stat stat;

	if (!process_stat_parse(text, len, &stat, NULL) &&
	    (stat.pid <= 0 || strlen(stat.comm) >= COMM_BYTES))
		abort();
}

static void fuzz_run_time(const char *text, size_t len)
{
	uint64_t run_ns;

	run_time_parse(text, len, &run_ns, NULL);
}

static void fuzz_pressure(const char *text, size_t len)
{
	uint64_t some_us;

	pressure_parse(text, len, &some_us, NULL);
}

static void fuzz_throttling(const char *text, size_t len)
{
	struct throttling throttling;

	throttling_parse(text, len, &throttling, NULL);
}

static void fuzz_cgroup_line(const char *text, size_t len)
{
	struct slice path;
	int version;

	if (!cgroup_line_find(text, len, "cpu", &path, &version, NULL) &&
	    (!path.len || path.at[0] != '/' || version < 1 || version > 2))
		abort();
}

static void fuzz_mounts(const char *text, size_t len)
{
	struct scan scan = scan_start(text, len);
	struct mount_line line;

	while (mount_line_next(&scan, &line, NULL) > 0) {
		free(mount_unescape(line.point));
		option_list_has(line.super_options, "cpu");
	}
}

static void fuzz_quota(const char *text, size_t len)
{
	double cpus;

	quota_v2_parse(text, len, &cpus, NULL);
	quota_v1_parse(text, len / 2, text + len / 2, len - len / 2, &cpus, NULL);
}

static void fuzz_cpu_list(const char *text, size_t len)
{
	size_t count;
	int *cpus;

	if (cpu_list_parse(text, len, &cpus, &count, NULL))
		return;
	if (count > CPU_NUMBERS)
		abort();
	free(cpus);
}

static void fuzz_pin(const char *text, size_t len)
{
	char *words = strndup(text, len);
	struct pin pin;

	if (!pin_parse(words, &pin, NULL))
		pin_free(&pin);
	free(words);
}

static void fuzz_elf(const char *text, size_t len)
{
	struct linkage linkage;

	if (!elf_linkage(text, len, &linkage, NULL) &&
	    strlen(linkage.interpreter) >= sizeof(linkage.interpreter))
		abort();
}

int LLVMFuzzerTestOneInput(const unsigned char *input, size_t len);

int LLVMFuzzerTestOneInput(const unsigned char *input, size_t len)
{
	static void (*const parsers[])(const char *, size_t) = {
		fuzz_cpu_times,	 fuzz_process_stat, fuzz_run_time, fuzz_pressure,
		fuzz_throttling, fuzz_cgroup_line,  fuzz_mounts,   fuzz_quota,
		fuzz_cpu_list,	 fuzz_pin,	    fuzz_elf,
	};
	char *text;

	if (!len)
		return 0;
	text = malloc(len - 1 ? len - 1 : 1);
	if (!text)
		return 0;
	memcpy(text, input + 1, len - 1);
	parsers[input[0] % (sizeof(parsers) / sizeof(parsers[0]))](text, len - 1);
	free(text);
	return 0;
}
