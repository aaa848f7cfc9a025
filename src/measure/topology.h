/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * topology.h - which CPUs may be used and where copies go, by hwloc.
 */
#ifndef ONPROC_MEASURE_TOPOLOGY_H
#define ONPROC_MEASURE_TOPOLOGY_H

#include "base/error.h"
#include "workload/workload.h"

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

struct topology;

/*
 * source NULL: this machine, restricted to the affinity mask and cpuset of the caller. Otherwise a
 * machine nobody here owns: "synthetic:pack:2 core:4 pu:2" or "xml:FILE" (hwloc's), all CPUs
 * allowed.
 */
int topology_open(const char *source, struct topology **topology, struct error *err);
void topology_close(struct topology *topology);

/* Allowed online CPUs: "all". And the CPU quota of the cgroup in CPUs (rounded up to 0.01), 0:
 * none. */
uint32_t topology_cpus(const struct topology *topology);
double topology_quota(const struct topology *topology);

enum pin_kind { PIN_NONE, PIN_SPREAD, PIN_COMPACT, PIN_LIST };
struct pin {
	enum pin_kind kind;
	int *list; /* PIN_LIST: CPU numbers */
	size_t count;
};
/* "none", "spread", "compact" or a CPU list "0,2-5,8". */
int pin_parse(const char *text, struct pin *pin, struct error *err);
void pin_free(struct pin *pin);

/*
 * CPU of each copy into cpu[copies] (-1: not pinned). spread: one per package, then node, then
 * core, SMT siblings last; compact: fill a core's threads, then the next core. More copies than
 * CPUs wrap round. -EINVAL with the CPU's number for a list with a CPU that is not allowed.
 */
int topology_place(const struct topology *topology, const struct pin *pin, uint32_t copies,
		   int *cpu, struct error *err);

/*
 * CPUs of the two parties of each copy into cpu[copies][2] for a pair kind other than PAIR_FREE.
 * -ENOTSUP with the reason in words: "needs two hardware threads of one core: no core has two".
 */
int topology_pairs(const struct topology *topology, enum workload_pair pair, uint32_t copies,
		   int (*cpu)[2], struct error *err);

/*
 * Summary for the environment: packages, nodes, cores, threads, allowed CPUs, quota, caches, kinds
 * of cores. New object.
 */
json_t *topology_summary(const struct topology *topology);

#endif
