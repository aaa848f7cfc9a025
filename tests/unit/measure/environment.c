// SPDX-License-Identifier: GPL-2.0-or-later
/* environment.c - the environment of fake trees and of this machine, and what is warned about. */
#include "measure/environment.h"

#include "base/sha256.h"
#include "measure/environment_elf.h"
#include "measure/environment_rows.h"
#include "measure/environment_spawn.h"
#include "tree.h"

#include <elf.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static json_t *collect(const char *root, const char *dir)
{
	const struct environment_request request = { .root = root, .dir = dir };
	json_t *environment = environment_collect(&request);

	assert_true(environment);
	return environment;
}

static void assert_text(const json_t *object, const char *name, const char *expected)
{
	const char *text = json_string_value(json_object_get(object, name));

	if (!text || strcmp(text, expected) != 0)
		fail_msg("%s: %s, expected %s", name, text ? text : "(no string)", expected);
}

static void assert_missing(const json_t *object, const char *name, const char *words)
{
	char reason[64];
	const char *text;

	snprintf(reason, sizeof(reason), "%s_reason", name);
	text = json_string_value(json_object_get(object, reason));
	if (!json_is_null(json_object_get(object, name)) || !text || !strstr(text, words))
		fail_msg("%s: not null because of \"%s\" but \"%s\"", name, words,
			 text ? text : "");
}

static void every_null_has_a_reason_and_every_member_help(json_t *environment)
{
	const char *name;
	json_t *value;

	json_object_foreach(environment, name, value)
	{
		size_t len = strlen(name);
		char reason[80];

		if (len > 7 && strcmp(name + len - 7, "_reason") == 0)
			continue;
		if (!environment_help(name))
			fail_msg("%s has no help", name);
		snprintf(reason, sizeof(reason), "%s_reason", name);
		if (json_is_null(value) != json_is_string(json_object_get(environment, reason)))
			fail_msg("%s is null without a reason, or has one without need", name);
	}
}

static void this_machine_is_collected(void **state)
{
	json_t *environment = collect("", "/tmp");

	(void)state;
	every_null_has_a_reason_and_every_member_help(environment);
	assert_true(json_is_string(json_object_get(environment, "kernel_release")));
	assert_true(json_integer_value(json_object_get(environment, "page_bytes")) >= 4096);
	assert_true(json_integer_value(json_object_get(environment, "memory_bytes")) > 0);
	assert_true(json_is_object(json_object_get(environment, "topology")));
	assert_true(json_is_object(json_object_get(environment, "filesystem")));
	json_decref(environment);
}

static void an_empty_machine_is_no_failure(void **state)
{
	char root[TREE_BYTES];
	json_t *environment;

	(void)state;
	tree_make(root);
	environment = collect(root, "/nonexistent");
	every_null_has_a_reason_and_every_member_help(environment);
	assert_missing(environment, "cpu_model", "/proc/cpuinfo: No such file");
	assert_missing(environment, "mitigations", "vulnerabilities: No such file");
	assert_missing(environment, "hz", "no kernel configuration");
	assert_missing(environment, "filesystem", "No such file");
	assert_missing(environment, "tools", "no external programs");
	json_decref(environment);
	tree_remove(root);
}

static void a_known_signature_of_a_hypervisor_is_named(void **state)
{
	(void)state;
	assert_string_equal(hypervisor_name("KVMKVMKVM"), "KVM");
	assert_string_equal(hypervisor_name("Microsoft Hv"), "Hyper-V");
	assert_string_equal(hypervisor_name("bhyve bhyve "), "bhyve");
	assert_string_equal(hypervisor_name("NewNewNewNew"), "NewNewNewNew");
}

static void processors_of_x86_and_arm64_are_named(void **state)
{
	char root[TREE_BYTES];
	json_t *environment;

	(void)state;
	tree_make(root);
	tree_put(root, "proc/cpuinfo",
		 "processor\t: 0\nmodel name\t: Some CPU @ 2.00GHz\nmicrocode\t: 0x2b000590\n"
		 "flags\t\t: fpu hypervisor sse\n");
	environment = collect(root, NULL);
	assert_text(environment, "cpu_model", "Some CPU @ 2.00GHz");
	assert_text(environment, "microcode", "0x2b000590");
	assert_text(environment, "hypervisor", "unnamed");
	json_decref(environment);
	tree_put(root, "proc/cpuinfo",
		 "processor\t: 0\nBogoMIPS\t: 50.00\nCPU implementer\t: 0x41\n"
		 "CPU architecture: 8\nCPU variant\t: 0x3\nCPU part\t: 0xd0c\nCPU revision\t: 1\n");
	environment = collect(root, NULL);
	assert_text(environment, "cpu_model",
		    "CPU implementer 0x41, CPU variant 0x3, CPU part 0xd0c, CPU revision 1");
	assert_missing(environment, "microcode", "no \"microcode\"");
	assert_missing(environment, "hypervisor", "no sign");
	json_decref(environment);
	tree_remove(root);
}

static void governors_that_differ_are_all_told(void **state)
{
	char root[TREE_BYTES];
	json_t *environment, *governor;

	(void)state;
	tree_make(root);
	tree_put(root, "sys/devices/system/cpu/cpufreq/policy0/scaling_governor", "powersave\n");
	tree_put(root, "sys/devices/system/cpu/cpufreq/policy1/scaling_governor", "performance\n");
	tree_put(root, "sys/devices/system/cpu/cpufreq/policy0/scaling_driver", "acpi-cpufreq\n");
	tree_put(root, "sys/devices/system/cpu/cpufreq/policy1/scaling_driver", "acpi-cpufreq\n");
	tree_put(root, "sys/devices/system/cpu/intel_pstate/no_turbo", "1\n");
	environment = collect(root, NULL);
	governor = json_object_get(environment, "governor");
	assert_int_equal(json_array_size(governor), 2);
	assert_string_equal(json_string_value(json_array_get(governor, 0)), "performance");
	assert_text(environment, "frequency_driver", "acpi-cpufreq");
	assert_true(json_is_false(json_object_get(environment, "boost")));
	json_decref(environment);
	tree_remove(root);
}

static void preemption_comes_from_the_most_certain_source(void **state)
{
	static const struct {
		const char *debugfs, *version, *cmdline, *config, *expected;
	} cases[] = {
		{ "none voluntary (full) lazy\n", "#1 SMP PREEMPT_DYNAMIC", "preempt=none",
		  "CONFIG_PREEMPT_NONE=y\n", "full" },
		{ NULL, "#1 SMP PREEMPT_RT x", "", "", "rt" },
		{ NULL, "#1 SMP PREEMPT x", "", "", "full" },
		{ NULL, "#1 SMP PREEMPT_DYNAMIC x", "quiet preempt=voluntary",
		  "CONFIG_PREEMPT_NONE=y\n", "voluntary" },
		{ NULL, "#1 SMP PREEMPT_DYNAMIC x", "quiet",
		  "# CONFIG_PREEMPT_NONE is not set\nCONFIG_PREEMPT_LAZY=y\nCONFIG_PREEMPT=n\n",
		  "lazy" },
		{ NULL, "#1 SMP x", "", "CONFIG_PREEMPT_NONE=y\nCONFIG_PREEMPT_COUNT=y\n", "none" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char root[TREE_BYTES];
		json_t *environment;

		tree_make(root);
		if (cases[i].debugfs)
			tree_put(root, "sys/kernel/debug/sched/preempt", "%s", cases[i].debugfs);
		tree_put(root, "proc/sys/kernel/version", "%s\n", cases[i].version);
		tree_put(root, "proc/sys/kernel/osrelease", "6.1-x\n");
		tree_put(root, "proc/cmdline", "%s\n", cases[i].cmdline);
		tree_put(root, "boot/config-6.1-x", "CONFIG_HZ=250\nCONFIG_HZ_250=y\n%s",
			 cases[i].config);
		environment = collect(root, NULL);
		assert_text(environment, "preemption", cases[i].expected);
		assert_int_equal(json_integer_value(json_object_get(environment, "hz")), 250);
		json_decref(environment);
		tree_remove(root);
	}
}

static void debugging_options_are_found(void **state)
{
	char root[TREE_BYTES];
	json_t *environment, *debugging;

	(void)state;
	tree_make(root);
	tree_put(root, "proc/sys/kernel/osrelease", "6.1-x\n");
	tree_put(root, "boot/config-6.1-x",
		 "CONFIG_KASAN=y\n# CONFIG_KCSAN is not set\nCONFIG_PROVE_LOCKING=y\n");
	environment = collect(root, NULL);
	debugging = json_object_get(environment, "kernel_debugging");
	assert_int_equal(json_array_size(debugging), 2);
	json_decref(environment);
	tree_remove(root);
}

static void limits_are_the_lowest_on_the_way_up(void **state)
{
	char root[TREE_BYTES];
	json_t *environment;

	(void)state;
	tree_make(root);
	tree_put(root, "proc/self/cgroup", "0::/a/b\n");
	tree_put(root, "proc/self/mountinfo",
		 "30 1 0:9 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
	tree_put(root, "sys/fs/cgroup/a/cpu.max", "150000 100000\n");
	tree_put(root, "sys/fs/cgroup/a/b/cpu.max", "300000 100000\n");
	tree_put(root, "sys/fs/cgroup/a/memory.max", "1073741824\n");
	tree_put(root, "sys/fs/cgroup/a/b/memory.max", "2147483648\n");
	tree_put(root, "sys/fs/cgroup/pids.max", "max\n");
	tree_put(root, "sys/fs/cgroup/a/pids.max", "500\n");
	tree_put(root, "sys/fs/cgroup/a/b/pids.max", "100\n");
	tree_put(root, "sys/fs/cgroup/a/cpuset.cpus.effective", "0-3\n");
	environment = collect(root, NULL);
	assert_int_equal(json_integer_value(json_object_get(environment, "cgroup_version")), 2);
	assert_text(environment, "cgroup_path", "/a/b");
	assert_true(json_real_value(json_object_get(environment, "cgroup_cpu_quota")) == 1.5);
	assert_int_equal(json_integer_value(json_object_get(environment, "cgroup_memory_bytes")),
			 1073741824);
	assert_int_equal(json_integer_value(json_object_get(environment, "cgroup_pids")), 100);
	assert_text(environment, "cgroup_cpuset", "0-3");
	json_decref(environment);
	tree_remove(root);
}

static void limits_of_version_1_are_read(void **state)
{
	char root[TREE_BYTES];
	json_t *environment;

	(void)state;
	tree_make(root);
	tree_put(root, "proc/self/cgroup", "3:memory:/docker/abc\n2:cpu,cpuacct:/docker/abc\n");
	/* a container sees its own part of the hierarchy at the top */
	tree_put(root, "proc/self/mountinfo",
		 "30 1 0:9 /docker/abc /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n"
		 "31 1 0:9 /docker/abc /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
	tree_put(root, "sys/fs/cgroup/cpu/cpu.cfs_quota_us", "50000\n");
	tree_put(root, "sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
	tree_put(root, "sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
	environment = collect(root, NULL);
	assert_int_equal(json_integer_value(json_object_get(environment, "cgroup_version")), 1);
	assert_true(json_real_value(json_object_get(environment, "cgroup_cpu_quota")) == 0.5);
	assert_missing(environment, "cgroup_memory_bytes", "no limit");
	json_decref(environment);
	tree_remove(root);
}

static void the_last_mount_above_the_directory_counts(void **state)
{
	char root[TREE_BYTES];
	json_t *environment, *filesystem;

	(void)state;
	tree_make(root);
	tree_put(root, "proc/self/mountinfo",
		 "1 0 8:1 / / rw - ext4 /dev/vda rw\n"
		 "2 1 0:5 / /tmp rw,noatime shared:3 - tmpfs a\\040disk rw,size=4k\n"
		 "3 1 0:6 / /tm rw - nfs server:/x rw\n");
	environment = collect(root, "/tmp");
	filesystem = json_object_get(environment, "filesystem");
	assert_text(filesystem, "type", "tmpfs");
	assert_text(filesystem, "kind", "memory");
	assert_text(filesystem, "device", "a disk");
	assert_text(filesystem, "options", "rw,noatime");
	assert_text(filesystem, "filesystem_options", "rw,size=4k");
	json_decref(environment);
	/* a name that only starts alike is no directory above */
	tree_put(root, "proc/self/mountinfo",
		 "1 0 8:1 / / rw - ext4 /dev/vda rw\n3 1 0:6 / /tm rw - nfs server:/x rw\n");
	environment = collect(root, "/tmp");
	assert_text(json_object_get(environment, "filesystem"), "kind", "local");
	json_decref(environment);
	tree_put(root, "proc/self/mountinfo", "1 0 8:1 / / rw - ext4\n");
	environment = collect(root, "/tmp");
	assert_missing(environment, "filesystem", "/proc/self/mountinfo: line 1: expected");
	json_decref(environment);
	tree_remove(root);
}

static void programs_are_hashed_and_their_linkage_read(void **state)
{
	struct environment_request request = { .root = "" };
	char dir[TREE_BYTES], hex[SHA256_HEX_BYTES], path[128];
	json_t *environment, *programs, *program;

	(void)state;
	tree_make(dir);
	tree_put(dir, "onproc-work-text", "#!/bin/sh\n");
	tree_put(dir, "other", "x");
	snprintf(path, sizeof(path), "%s/onproc-work-self", dir);
	assert_int_equal(symlink("/proc/self/exe", path), 0);
	request.program_dir = dir;
	environment = environment_collect(&request);
	programs = json_object_get(environment, "programs");
	assert_int_equal(json_object_size(programs), 2);
	program = json_object_get(programs, "onproc-work-self");
	assert_int_equal(sha256_file("/proc/self/exe", hex), 0);
	assert_text(program, "sha256", hex);
	assert_non_null(strstr(json_string_value(json_object_get(program, "linkage")), "dynamic"));
	assert_non_null(strstr(json_string_value(json_object_get(program, "interpreter")), "ld"));
	assert_missing(json_object_get(programs, "onproc-work-text"), "linkage", "an ELF file");
	json_decref(environment);
	tree_remove(dir);
}

/* A minimal static program: header and one segment that is not an interpreter. */
static size_t elf_make(unsigned char *bytes)
{
	Elf64_Ehdr header = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
			     __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB
								       : ELFDATA2MSB },
		.e_type = ET_EXEC,
		.e_phoff = sizeof(header),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = 1,
	};
	Elf64_Phdr segment = { .p_type = PT_LOAD };

	memcpy(bytes, &header, sizeof(header));
	memcpy(bytes + sizeof(header), &segment, sizeof(segment));
	return sizeof(header) + sizeof(segment);
}

static void elf_static_and_broken_files_are_told_apart(void **state)
{
	unsigned char bytes[256];
	size_t len = elf_make(bytes);
	Elf64_Phdr segment = { .p_type = PT_INTERP, .p_offset = UINT64_MAX - 3, .p_filesz = 8 };
	struct linkage linkage;

	(void)state;
	assert_int_equal(elf_linkage(bytes, len, &linkage, NULL), 0);
	assert_false(linkage.is_dynamic);
	for (size_t cut = 0; cut < len; cut++) {
		unsigned char *file = malloc(cut + 1);

		memcpy(file, bytes, cut);
		assert_int_equal(elf_linkage(file, cut, &linkage, NULL), -EINVAL);
		free(file);
	}
	/* an interpreter whose place wraps round the end of the address space */
	memcpy(bytes + sizeof(Elf64_Ehdr), &segment, sizeof(segment));
	assert_int_equal(elf_linkage(bytes, len, &linkage, NULL), -EINVAL);
	segment.p_offset = 0;
	segment.p_filesz = UINT64_MAX;
	memcpy(bytes + sizeof(Elf64_Ehdr), &segment, sizeof(segment));
	assert_int_equal(elf_linkage(bytes, len, &linkage, NULL), -EINVAL);
}

static void put_tool(const char *dir, const char *name, const char *script)
{
	char path[128];

	tree_put(dir, name, "#!/bin/sh\n%s\n", script);
	snprintf(path, sizeof(path), "%s/%s", dir, name);
	assert_int_equal(chmod(path, 0755), 0);
}

static void tools_are_resolved_and_asked_for_their_version(void **state)
{
	static const char *const names[] = { "good",  "link", "silent", "broken",
					     "hangs", "none", NULL };
	const struct environment_request request = { .root = "", .tools = names };
	const char *path = getenv("PATH");
	char dir[TREE_BYTES], link[128], real[128], both[4096];
	json_t *environment, *tools;

	(void)state;
	tree_make(dir);
	put_tool(dir, "good", "echo \"$1 1.2 $LC_ALL\"; echo more");
	put_tool(dir, "silent", "true");
	put_tool(dir, "broken", "echo no; exit 2");
	/* what it leaves behind holds the pipe open */
	put_tool(dir, "hangs", "sleep 100 & exit 0");
	snprintf(link, sizeof(link), "%s/link", dir);
	snprintf(real, sizeof(real), "%s/good", dir);
	assert_int_equal(symlink(real, link), 0);
	snprintf(both, sizeof(both), "%s:%s", dir, path ? path : "/usr/bin:/bin");
	setenv("PATH", both, 1);
	environment = environment_collect(&request);
	if (path)
		setenv("PATH", path, 1);
	tools = json_object_get(environment, "tools");
	assert_text(json_object_get(tools, "good"), "version", "--version 1.2 C");
	assert_text(json_object_get(tools, "good"), "path", real);
	assert_text(json_object_get(tools, "link"), "path", real);
	assert_missing(json_object_get(tools, "silent"), "version", "prints nothing");
	assert_missing(json_object_get(tools, "broken"), "version", "exit status 2");
	assert_missing(json_object_get(tools, "hangs"), "version", "no end within 2 s");
	assert_missing(json_object_get(tools, "none"), "path", "not found in PATH");
	json_decref(environment);
	tree_remove(dir);
}

static void output_without_end_is_cut(void **state)
{
	static const char *const argv[] = { "head", "-c", "3000000", "/dev/zero", NULL };
	struct text text = { 0 };

	(void)state;
	assert_int_equal(spawn_read(argv, &text, NULL), 0);
	assert_int_equal(text.len, 1 << 20);
	text_free(&text);
}

/* The only warning, or "" for none. */
static void expect_warning(json_t *environment, const char *words)
{
	json_t *warnings = environment_warnings(environment);
	const char *first = json_string_value(json_array_get(warnings, 0));

	assert_int_equal(json_array_size(warnings), words[0] ? 1 : 0);
	if (words[0] && !strstr(first, words))
		fail_msg("\"%s\" has no \"%s\"", first, words);
	json_decref(warnings);
	json_decref(environment);
}

static void what_bends_the_scores_is_warned_about(void **state)
{
	(void)state;
	expect_warning(
		json_pack("{s:f,s:{s:i}}", "cgroup_cpu_quota", 1.5, "topology", "allowed", 4),
		"quota of 1.50 CPUs is lower than the 4");
	expect_warning(json_pack("{s:s}", "governor", "powersave"), "powersave");
	expect_warning(json_pack("{s:[s,s]}", "governor", "a", "b"), "different");
	expect_warning(json_pack("{s:{s:s,s:s,s:s}}", "filesystem", "kind", "memory", "type",
				 "tmpfs", "dir", "/tmp"),
		       "tmpfs");
	expect_warning(json_pack("{s:[s,s]}", "kernel_debugging", "KASAN", "LOCK_STAT"),
		       "KASAN, LOCK_STAT");
	expect_warning(json_pack("{s:b}", "smt_active", 1), "SMT");
	expect_warning(json_pack("{s:[f,f,f],s:{s:i}}", "load_average", 5.0, 1.0, 1.0, "topology",
				 "allowed", 2),
		       "load 5.00 on 2 CPUs");
	expect_warning(json_pack("{s:s}", "policy", "batch"), "batch");
	expect_warning(json_pack("{s:i}", "nice", 5), "nice 5");
	expect_warning(json_pack("{s:s}", "sched_ext", "simple"), "sched_ext");
	expect_warning(json_pack("{s:s}", "clocksource", "hpet"), "hpet");
}

static void a_plain_machine_has_no_warnings(void **state)
{
	(void)state;
	expect_warning(json_object(), "");
	expect_warning(json_pack("{s:n,s:s,s:s,s:i,s:b,s:[],s:{s:s},s:s,s:s}", "cgroup_cpu_quota",
				 "governor", "performance", "policy", "other", "nice", 0,
				 "smt_active", 0, "kernel_debugging", "filesystem", "kind", "local",
				 "sched_ext", "disabled", "clocksource", "tsc"),
		       "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(this_machine_is_collected),
		cmocka_unit_test(an_empty_machine_is_no_failure),
		cmocka_unit_test(a_known_signature_of_a_hypervisor_is_named),
		cmocka_unit_test(processors_of_x86_and_arm64_are_named),
		cmocka_unit_test(governors_that_differ_are_all_told),
		cmocka_unit_test(preemption_comes_from_the_most_certain_source),
		cmocka_unit_test(debugging_options_are_found),
		cmocka_unit_test(limits_are_the_lowest_on_the_way_up),
		cmocka_unit_test(limits_of_version_1_are_read),
		cmocka_unit_test(the_last_mount_above_the_directory_counts),
		cmocka_unit_test(programs_are_hashed_and_their_linkage_read),
		cmocka_unit_test(elf_static_and_broken_files_are_told_apart),
		cmocka_unit_test(tools_are_resolved_and_asked_for_their_version),
		cmocka_unit_test(output_without_end_is_cut),
		cmocka_unit_test(what_bends_the_scores_is_warned_about),
		cmocka_unit_test(a_plain_machine_has_no_warnings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
