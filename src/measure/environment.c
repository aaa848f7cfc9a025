// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * environment.c - see environment.h: the table, and the walk over it.
 *
 * Adding a row is adding a line. Values are what the files say, without white space at the end.
 */
#include "measure/environment.h"

#include "measure/environment_read.h"
#include "measure/environment_rows.h"

#include <stdio.h>
#include <string.h>

#define CPU_DIR "/sys/devices/system/cpu/"

static const struct environment_row rows[] = {
	{ "host", "node name", read_host },
	{ "machine", "vendor and product by the firmware", read_machine },
	{ "hypervisor", "who runs this virtual machine", read_hypervisor },
	{ "container", "kind of container", read_container },
	{ "boot_id", "tells boots apart", read_text, "/proc/sys/kernel/random/boot_id" },
	{ "uptime_s", "seconds since boot at the start", read_uptime },
	{ "load_average", "over 1, 5 and 15 minutes at the start", read_load },

	{ "kernel_release", "uname -r", read_text, "/proc/sys/kernel/osrelease" },
	{ "kernel_version", "uname -v", read_text, "/proc/sys/kernel/version" },
	{ "arch", "uname -m", read_arch },
	{ "cmdline", "kernel command line", read_text, "/proc/cmdline" },
	{ "kernel_taint", "taint bits", read_integer, "/proc/sys/kernel/tainted" },
	{ "kernel_debugging", "debugging that costs time", read_debugging },
	{ "preemption", "none, voluntary, lazy, full or rt", read_preemption },
	{ "hz", "timer ticks a second", read_hz },
	{ "clocksource", "what reads the time", read_text,
	  "/sys/devices/system/clocksource/clocksource0/current_clocksource" },
	{ "thp", "transparent huge pages", read_text,
	  "/sys/kernel/mm/transparent_hugepage/enabled" },
	{ "aslr", "randomize_va_space", read_integer, "/proc/sys/kernel/randomize_va_space" },
	{ "personality", "of the caller; 00040000: no address randomisation", read_text,
	  "/proc/self/personality" },
	{ "lsm", "Linux security modules", read_text, "/sys/kernel/security/lsm" },
	{ "lockdown", "kernel lockdown", read_text, "/sys/kernel/security/lockdown" },
	{ "seccomp", "0: none, 1: strict, 2: filter", read_status_key, "Seccomp" },
	{ "no_new_privileges", "of the caller", read_status_key, "NoNewPrivs" },
	{ "security_label", "of the caller", read_text, "/proc/self/attr/current" },
	{ "perf_event_paranoid", "who may use perf_event_open", read_integer,
	  "/proc/sys/kernel/perf_event_paranoid" },

	{ "autogroup", "a scheduling group per session", read_switch,
	  "/proc/sys/kernel/sched_autogroup_enabled" },
	{ "scheduler_features", "of the kernel's scheduler", read_scheduler_features },
	{ "scheduler_tunables", "of the kernel's scheduler", read_scheduler_tunables },
	{ "sched_ext", "scheduler loaded as a BPF program", read_sched_ext },
	{ "rt_throttling", "CPU time left to other than real-time tasks", read_rt_throttling },
	{ "numa_balancing", "memory follows tasks", read_integer,
	  "/proc/sys/kernel/numa_balancing" },

	{ "cpu_model", "as the kernel names it", read_cpu_model },
	{ "microcode", "revision", read_microcode },
	{ "topology", "packages, nodes, cores, threads, caches", read_topology },
	{ "cpus_online", "CPU numbers", read_text, CPU_DIR "online" },
	{ "cpus_isolated", "kept free by the command line", read_text, CPU_DIR "isolated" },
	{ "cpus_nohz_full", "without a tick while one task runs", read_text, CPU_DIR "nohz_full" },
	{ "smt_active", "two threads of a core are in use", read_switch, CPU_DIR "smt/active" },
	{ "smt_control", "what the kernel allows", read_text, CPU_DIR "smt/control" },
	{ "governor", "of the clock frequency", read_policies, "scaling_governor" },
	{ "frequency_driver", "of the clock frequency", read_policies, "scaling_driver" },
	{ "frequency_max_khz", "highest allowed", read_policies, "scaling_max_freq" },
	{ "energy_preference", "hint to the hardware", read_policies,
	  "energy_performance_preference" },
	{ "boost", "frequencies above the nominal one", read_boost },
	{ "cpuidle_driver", "of the idle states", read_text, CPU_DIR "cpuidle/current_driver" },
	{ "cpuidle_governor", "of the idle states", read_text, CPU_DIR "cpuidle/current_governor" },
	{ "mitigations", "of each known weakness", read_mitigations },

	{ "memory_bytes", "usable by the kernel", read_memory },
	{ "page_bytes", "size of a page", read_page_size },
	{ "numa_nodes", "node numbers", read_text, "/sys/devices/system/node/online" },
	{ "dirty_ratio", "share of memory that may wait for the disk, percent", read_integer,
	  "/proc/sys/vm/dirty_ratio" },
	{ "dirty_background_ratio", "share from which writing starts, percent", read_integer,
	  "/proc/sys/vm/dirty_background_ratio" },

	{ "user", "effective user number", read_user },
	{ "nice", "of the caller", read_nice },
	{ "policy", "scheduling policy of the caller", read_policy },
	{ "cpus_allowed", "affinity and cpuset of the caller", read_status_key,
	  "Cpus_allowed_list" },
	{ "rlimits", "soft and hard limits of the caller", read_rlimits },
	{ "pid_max", "process numbers", read_integer, "/proc/sys/kernel/pid_max" },
	{ "threads_max", "threads on the machine", read_integer, "/proc/sys/kernel/threads-max" },
	{ "cgroup_version", "of the CPU controller", read_cgroup_version },
	{ "cgroup_path", "of the CPU controller", read_cgroup_path },
	{ "cgroup_cpu_quota", "lowest quota on the way up, in CPUs", read_cgroup_quota },
	{ "cgroup_cpuset", "CPUs", read_cgroup_cpuset },
	{ "cgroup_memory_bytes", "lowest limit on the way up", read_cgroup_memory },
	{ "cgroup_pids", "lowest limit on the way up", read_cgroup_pids },

	{ "filesystem", "of the directory of the file tests", read_filesystem },

	{ "libc", "of this program", read_libc },
	{ "compiler", "of the workload programs", read_compiler },
	{ "cflags", "of the workload programs", read_cflags },
	{ "programs", "the workload programs", read_programs },
	{ "tools", "external programs of the tests", read_tools },
	{ "locale", "in which the tests run", read_locale },
};

static int row_collect(struct reading *reading, json_t *environment)
{
	const struct environment_row *row = reading->row;
	char reason_name[64];
	json_t *value;

	reading->reason[0] = '\0';
	value = row->read(reading);
	if (value)
		return json_object_set_new(environment, row->name, value);
	snprintf(reason_name, sizeof(reason_name), "%s_reason", row->name);
	if (json_object_set_new(environment, row->name, json_null()))
		return -1;
	return json_object_set_new(environment, reason_name,
				   reading->reason[0]
					   ? string_json(reading->reason, strlen(reading->reason))
					   : json_string("no memory"));
}

json_t *environment_collect(const struct environment_request *request)
{
	struct reading reading = { .request = request };
	json_t *environment = json_object();
	int failed = !environment;

	for (size_t i = 0; !failed && i < sizeof(rows) / sizeof(rows[0]); i++) {
		reading.row = &rows[i];
		failed = row_collect(&reading, environment);
	}
	text_free(&reading.text);
	text_free(&reading.config);
	if (!failed)
		return environment;
	json_decref(environment);
	return NULL;
}

const char *environment_help(const char *name)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (strcmp(rows[i].name, name) == 0)
			return rows[i].help;
	}
	return NULL;
}
