/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * topology_cpulist.h - CPU lists as the kernel and taskset write them: "0,2-5,8".
 */
#ifndef ONPROC_MEASURE_TOPOLOGY_CPULIST_H
#define ONPROC_MEASURE_TOPOLOGY_CPULIST_H

#include "base/error.h"

#include <stddef.h>

#define CPU_NUMBERS 65536 /* none of the kernels goes beyond; bounds what a list may cost */

/*
 * CPU numbers in the order given, repeats kept, into a new array. An empty list gives count 0.
 * -EINVAL says where and what was expected.
 */
int cpu_list_parse(const char *text, size_t len, int **cpus, size_t *count, struct error *err);

#endif
