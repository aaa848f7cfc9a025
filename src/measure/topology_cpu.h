/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * topology_cpu.h - the allowed CPUs with their place in the machine; shared by the topology files.
 */
#ifndef ONPROC_MEASURE_TOPOLOGY_CPU_H
#define ONPROC_MEASURE_TOPOLOGY_CPU_H

#include <hwloc.h>

/*
 * One allowed hardware thread. Numbers are hwloc's logical ones, so that neighbours have
 * neighbouring numbers. Ranks count among the allowed ones only.
 */
struct topology_cpu {
	int number;	      /* as Linux counts CPUs */
	hwloc_obj_t pu, core; /* core is pu where the machine shows no cores */
	unsigned package, node;
	int slowness;	      /* 0: the fastest kind of core; a hybrid machine has more */
	unsigned thread_rank; /* within the core */
	unsigned core_rank;   /* within the node */
	unsigned node_rank;   /* within the package */
	unsigned package_rank;
};

struct topology {
	hwloc_topology_t hwloc;
	struct topology_cpu *cpu; /* compact: package, node, kind, core, thread */
	size_t n_cpus;
	size_t *spread; /* indexes into cpu[]: one per package, then node, core, thread */
	double quota;
	char *source; /* NULL: this machine */
};

#endif
