/* SPDX-License-Identifier: GPL-2.0-or-later */
/* placement.h - on which CPU the caller runs, without a system call. */
#ifndef ONPROC_WORKLOAD_PLACEMENT_H
#define ONPROC_WORKLOAD_PLACEMENT_H

#include <features.h>
#include <sched.h>
#include <stdint.h>

#define PLACEMENT_UNKNOWN UINT16_MAX

/*
 * glibc 2.35 and later reads the word that the kernel keeps in the thread's rseq area (2 ns);
 * before, x86-64 has a vDSO call. Elsewhere it would be a system call and change the test: unknown.
 */
static inline uint16_t placement_cpu(void)
{
#if (defined(__GLIBC__) && __GLIBC_PREREQ(2, 35)) || defined(__x86_64__)
	int cpu = sched_getcpu();

	return cpu >= 0 && cpu < PLACEMENT_UNKNOWN ? (uint16_t)cpu : PLACEMENT_UNKNOWN;
#else
	return PLACEMENT_UNKNOWN;
#endif
}

#endif
