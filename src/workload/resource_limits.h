/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * resource_limits.h - are there enough processes and descriptors for a test? Asked before anything
 * is started.
 */
#ifndef ONPROC_WORKLOAD_RESOURCE_LIMITS_H
#define ONPROC_WORKLOAD_RESOURCE_LIMITS_H

#include "workload/workload.h"

#include <stdint.h>

/*
 * 0 when `copies` copies of `processes` processes (or threads) each can exist beside those that
 * exist now. Else -EAGAIN with limit and need in words. Looks at RLIMIT_NPROC, at pids.max of the
 * cgroup and of those above it (versions 1 and 2), at kernel.pid_max and kernel.threads-max.
 */
int limits_processes(uint64_t copies, uint64_t processes, struct reason *why);

/* The same for a tree that stands for the root directory: proc, sys and cgroup mounts in it. */
int limits_processes_in(const char *root, uint64_t copies, uint64_t processes, struct reason *why);

/* 0 when one process may have `need` descriptors (it may raise its own limit), else -EMFILE. */
int limits_descriptors(uint64_t need, struct reason *why);

/* Raises the soft limit to the hard one where `need` descriptors are more. 0 or a negative errno.
 */
int limits_raise_descriptors(uint64_t need);

#endif
