// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * groups.c - the suites and the names by which UnixBench users ask for several tests at once.
 *
 * Graphics is the one group of UnixBench that is not here.
 */
#include "workload/workload.h"

#include <stddef.h>
#include <string.h>

#define LIST(name, ...) static const char *const name[] = { __VA_ARGS__, NULL }

#define FILE_COPY  "fstime", "fsbuffer", "fsdisk"
#define OLDSYSTEM  "execl", FILE_COPY, "pipe", "context1", "spawn", "syscall"
#define ARITHMETIC "arithoh", "short", "int", "long", "float", "double", "whetstone-double"
#define SYSTEM	   OLDSYSTEM, "shell1", "shell8", "shell16"
#define INDEX	   "dhry2reg", "whetstone-double", OLDSYSTEM, "shell1", "shell8"
#define FILE_ALL                                                                                   \
	"fstime-w", "fstime-r", "fstime", "fsbuffer-w", "fsbuffer-r", "fsbuffer", "fsdisk-w",      \
		"fsdisk-r", "fsdisk"
#define MISC "C", "dc", "hanoi"

LIST(index_tests, INDEX);
LIST(index5_tests, "dhry2reg", "whetstone-double", "execl", "fstime5", "fsbuffer5", "fsdisk5",
     "pipe", "context1", "spawn", "syscall5", "shell1", "shell8");
LIST(system_tests, SYSTEM);
LIST(oldsystem_tests, OLDSYSTEM);
LIST(arithmetic_tests, ARITHMETIC);
LIST(speed_tests, ARITHMETIC, SYSTEM);
LIST(fs_tests, FILE_ALL);
LIST(shell_tests, "shell1", "shell8", "shell16");
LIST(misc_tests, MISC);
LIST(all_tests, INDEX, "shell16", "fstime-w", "fstime-r", "fsbuffer-w", "fsbuffer-r", "fsdisk-w",
     "fsdisk-r", "arithoh", "short", "int", "long", "float", "double", "hanoi", "C", "dc", "grep",
     "sysexec");
LIST(dhrystone_tests, "dhry2reg");
LIST(whetstone_tests, "whetstone-double");

const struct workload_group workload_groups[] = {
	{ "unixbench6", "the twelve index tests of UnixBench 6", index_tests, true },
	{ "index", "another name of unixbench6", index_tests, true },
	{ "unixbench5", "the same with version 5's file copies and system calls", index5_tests,
	  true },
	{ "system", "index without Dhrystone and Whetstone, with shell16", system_tests },
	{ "oldsystem", "system without the shell scripts", oldsystem_tests },
	{ "arithmetic", "arithmetic in each type, and Whetstone", arithmetic_tests },
	{ "speed", "arithmetic and system", speed_tests },
	{ "fs", "file write, read and copy", fs_tests },
	{ "shell", "1, 8 and 16 concurrent shell scripts", shell_tests },
	{ "misc", "C compiler, dc, recursion", misc_tests },
	{ "all", "every test of UnixBench but graphics", all_tests },
	{ "dhry", "Dhrystone 2", dhrystone_tests },
	{ "dhrystone", "Dhrystone 2", dhrystone_tests },
	{ "whets", "Whetstone in double precision", whetstone_tests },
	{ "whetstone", "Whetstone in double precision", whetstone_tests },
	{ NULL },
};

const struct workload_group *workload_group_find(const char *name)
{
	for (const struct workload_group *group = workload_groups; group->name; group++)
		if (!strcmp(group->name, name))
			return group;
	return NULL;
}
