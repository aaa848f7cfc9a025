// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stolen_cpu.c - see stolen_cpu.h.
 *
 * To the guest's scheduler a thread on such a CPU is still running: no switch tells of it. KVM
 * tells the guest, on x86-64, in a per-CPU variable of the kernel. An eBPF program finds variables
 * by /proc/kallsyms, which has them only with CONFIG_KALLSYMS_ALL; functions are always there.
 */
#include "cmd/stolen_cpu.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define RECORD "steal_time"

/* 0: no; 1: yes; -errno: not known. */
static int kernel_names_the_record(void)
{
	FILE *symbols = fopen("/proc/kallsyms", "re");
	char line[512], name[256];
	bool has_symbols = false, is_named = false;

	if (!symbols)
		return -errno;
	while (!is_named && fgets(line, sizeof(line), symbols)) {
		if (sscanf(line, "%*s %*s %255s", name) != 1)
			continue;
		has_symbols = true;
		is_named = !strcmp(name, RECORD);
	}
	fclose(symbols);
	return has_symbols ? is_named : -ENODATA;
}

const char *stolen_cpu_reason(void)
{
#ifdef __x86_64__
	int named = kernel_names_the_record();

	if (named > 0)
		return "the kernel has a record of it (" RECORD "), which no sensor reads";
	if (!named)
		return "the kernel's record of it (" RECORD ") cannot be found: this kernel is "
		       "without CONFIG_KALLSYMS_ALL, or has none";
	return "the kernel's record of it (" RECORD ") cannot be found: /proc/kallsyms is not "
	       "readable";
#else
	return "the kernel has no record of it on this architecture";
#endif
}
