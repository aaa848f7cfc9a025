/* SPDX-License-Identifier: GPL-2.0-or-later */
/* environment_rows.h - the readers of the environment table that are more than one file's text. */
#ifndef ONPROC_MEASURE_ENVIRONMENT_ROWS_H
#define ONPROC_MEASURE_ENVIRONMENT_ROWS_H

#include "measure/environment_read.h"

/* environment_kernel.c */
json_t *read_host(struct reading *reading);
json_t *read_arch(struct reading *reading);
json_t *read_uptime(struct reading *reading);
json_t *read_load(struct reading *reading);
json_t *read_preemption(struct reading *reading);
json_t *read_hz(struct reading *reading);
json_t *read_debugging(struct reading *reading);
json_t *read_scheduler_tunables(struct reading *reading);
json_t *read_scheduler_features(struct reading *reading);
json_t *read_sched_ext(struct reading *reading);
json_t *read_rt_throttling(struct reading *reading);

/* environment_cpu.c */
json_t *read_cpu_model(struct reading *reading);
json_t *read_microcode(struct reading *reading);
json_t *read_policies(struct reading *reading); /* path: a file of each cpufreq policy */
json_t *read_boost(struct reading *reading);
json_t *read_mitigations(struct reading *reading);
json_t *read_topology(struct reading *reading);
json_t *read_memory(struct reading *reading);
json_t *read_page_size(struct reading *reading);

/* environment_virtual.c */
/* "KVM" of the signature "KVMKVMKVM" that it leaves in cpuid; an unknown one as it is. */
const char *hypervisor_name(const char *signature);

json_t *read_hypervisor(struct reading *reading);
json_t *read_machine(struct reading *reading);
json_t *read_container(struct reading *reading);

/* environment_limits.c */
json_t *read_cgroup_version(struct reading *reading);
json_t *read_cgroup_path(struct reading *reading);
json_t *read_cgroup_quota(struct reading *reading);
json_t *read_cgroup_cpuset(struct reading *reading);
json_t *read_cgroup_memory(struct reading *reading);
json_t *read_cgroup_pids(struct reading *reading);
json_t *read_nice(struct reading *reading);
json_t *read_policy(struct reading *reading);
json_t *read_rlimits(struct reading *reading);
json_t *read_status_key(struct reading *reading); /* path: a key of /proc/self/status */
json_t *read_user(struct reading *reading);

/* environment_filesystem.c */
json_t *read_filesystem(struct reading *reading);

/* environment_programs.c */
json_t *read_libc(struct reading *reading);
json_t *read_compiler(struct reading *reading);
json_t *read_cflags(struct reading *reading);
json_t *read_programs(struct reading *reading);
json_t *read_locale(struct reading *reading);

/* environment_tools.c */
json_t *read_tools(struct reading *reading);

#endif
