// SPDX-License-Identifier: GPL-2.0-or-later
/* topology.c - see topology.h: loads the machine and ranks its allowed CPUs. */
#include "measure/topology.h"

#include "measure/cgroup.h"
#include "measure/topology_cpu.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int hwloc_open(const char *source, struct topology *topology, struct error *err)
{
	int rc;

	/* What it cannot read is said here, or does not matter: hwloc is not to print on its own.
	 */
	setenv("HWLOC_HIDE_ERRORS", "2", 0);
	if (hwloc_topology_init(&topology->hwloc))
		return error_set(err, -ENOMEM, "hwloc: no memory");
	errno = EINVAL;
	if (!source) {
#if HWLOC_API_VERSION >= 0x00020500
		/* Looking at every CPU in turn would move the caller about. */
		hwloc_topology_set_flags(topology->hwloc, HWLOC_TOPOLOGY_FLAG_DONT_CHANGE_BINDING);
#endif
		rc = 0;
	} else if (strncmp(source, "synthetic:", 10) == 0) {
		rc = hwloc_topology_set_synthetic(topology->hwloc, source + 10);
	} else if (strncmp(source, "xml:", 4) == 0) {
		rc = hwloc_topology_set_xml(topology->hwloc, source + 4);
	} else {
		return error_set(err, -EINVAL,
				 "topology \"%s\": expected synthetic:DESCRIPTION or xml:FILE",
				 source);
	}
	if (rc || hwloc_topology_load(topology->hwloc))
		return error_errno(err, -errno, "topology %s: hwloc cannot read it",
				   source ? source : "of this machine");
	if (!source && !hwloc_topology_is_thissystem(topology->hwloc))
		return error_set(err, -ENOTSUP,
				 "hwloc is told by its environment variables (HWLOC_XMLFILE, "
				 "HWLOC_SYNTHETIC, HWLOC_FSROOT) to show another machine");
	return 0;
}

/* Affinity of the caller, which the kernel has cut to cpuset and active CPUs. */
static int affinity_get(hwloc_bitmap_t allowed, struct error *err)
{
	int rc = -EINVAL;

	/* The kernel's mask may be longer than asked for: EINVAL until it fits. */
	for (int bits = 1024; rc == -EINVAL && bits <= 1 << 20; bits *= 2) {
		size_t bytes = CPU_ALLOC_SIZE(bits);
		cpu_set_t *set = CPU_ALLOC(bits);

		if (!set)
			return error_set(err, -ENOMEM, "no memory");
		rc = sched_getaffinity(0, bytes, set) ? -errno : 0;
		for (int cpu = 0; !rc && cpu < bits; cpu++) {
			if (CPU_ISSET_S(cpu, bytes, set))
				hwloc_bitmap_set(allowed, (unsigned)cpu);
		}
		CPU_FREE(set);
	}
	return rc ? error_errno(err, rc, "CPU affinity of this process") : 0;
}

/* Highest efficiency rank of hwloc is the fastest kind. */
static int slowness_of(hwloc_topology_t hwloc, hwloc_obj_t pu)
{
#if HWLOC_API_VERSION >= 0x00020400
	int kinds = hwloc_cpukinds_get_nr(hwloc, 0);
	int kind = hwloc_cpukinds_get_by_cpuset(hwloc, pu->cpuset, 0);
	int efficiency = -1;

	if (kind < 0 ||
	    hwloc_cpukinds_get_info(hwloc, (unsigned)kind, NULL, &efficiency, NULL, NULL, 0) ||
	    efficiency < 0)
		return 0;
	return kinds - 1 - efficiency;
#else
	(void)hwloc;
	(void)pu;
	return 0;
#endif
}

static void cpu_fill(hwloc_topology_t hwloc, hwloc_obj_t pu, struct topology_cpu *cpu)
{
	hwloc_obj_t package = hwloc_get_ancestor_obj_by_type(hwloc, HWLOC_OBJ_PACKAGE, pu);
	hwloc_obj_t core = hwloc_get_ancestor_obj_by_type(hwloc, HWLOC_OBJ_CORE, pu);
	int node = pu->nodeset ? hwloc_bitmap_first(pu->nodeset) : -1;
	hwloc_obj_t node_obj =
		node < 0 ? NULL : hwloc_get_numanode_obj_by_os_index(hwloc, (unsigned)node);

	*cpu = (struct topology_cpu){
		.number = (int)pu->os_index,
		.pu = pu,
		.core = core ? core : pu,
		.package = package ? package->logical_index : 0,
		.node = node_obj ? node_obj->logical_index : 0,
		.slowness = slowness_of(hwloc, pu),
	};
}

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

static int compact_order(const void *a, const void *b)
{
	const struct topology_cpu *first = a, *second = b;
	int order = COMPARE(first->package, second->package);

	if (!order)
		order = COMPARE(first->node, second->node);
	if (!order)
		order = COMPARE(first->slowness, second->slowness);
	if (!order)
		order = COMPARE(first->core->logical_index, second->core->logical_index);
	if (!order)
		order = COMPARE(first->pu->logical_index, second->pu->logical_index);
	return order;
}

static int spread_order(const void *a, const void *b, void *context)
{
	const struct topology *topology = context;
	const struct topology_cpu *first = &topology->cpu[*(const size_t *)a];
	const struct topology_cpu *second = &topology->cpu[*(const size_t *)b];
	int order = COMPARE(first->thread_rank, second->thread_rank);

	if (!order)
		order = COMPARE(first->core_rank, second->core_rank);
	if (!order)
		order = COMPARE(first->node_rank, second->node_rank);
	if (!order)
		order = COMPARE(first->package_rank, second->package_rank);
	return order;
}

/* Ranks from the compact order, in which everything that belongs together stands together. */
static void ranks_fill(struct topology *topology)
{
	for (size_t i = 1; i < topology->n_cpus; i++) {
		const struct topology_cpu *last = &topology->cpu[i - 1];
		struct topology_cpu *cpu = &topology->cpu[i];

		cpu->package_rank = last->package_rank + (cpu->package != last->package);
		if (cpu->package != last->package)
			continue;
		cpu->node_rank = last->node_rank + (cpu->node != last->node);
		if (cpu->node != last->node)
			continue;
		cpu->core_rank = last->core_rank + (cpu->core != last->core);
		if (cpu->core == last->core)
			cpu->thread_rank = last->thread_rank + 1;
	}
}

static int cpus_fill(struct topology *topology, hwloc_const_bitmap_t allowed, struct error *err)
{
	hwloc_obj_t pu = NULL;
	int pus = hwloc_get_nbobjs_by_type(topology->hwloc, HWLOC_OBJ_PU);

	if (pus < 1)
		return error_set(err, -ENODEV, "hwloc finds no CPU");
	topology->cpu = calloc((size_t)pus, sizeof(*topology->cpu));
	topology->spread = calloc((size_t)pus, sizeof(*topology->spread));
	if (!topology->cpu || !topology->spread)
		return error_set(err, -ENOMEM, "no memory");
	while ((pu = hwloc_get_next_obj_by_type(topology->hwloc, HWLOC_OBJ_PU, pu))) {
		if (hwloc_bitmap_isset(allowed, pu->os_index))
			cpu_fill(topology->hwloc, pu, &topology->cpu[topology->n_cpus++]);
	}
	if (!topology->n_cpus)
		return error_set(err, -ENODEV, "hwloc knows none of the allowed CPUs");
	qsort(topology->cpu, topology->n_cpus, sizeof(*topology->cpu), compact_order);
	ranks_fill(topology);
	for (size_t i = 0; i < topology->n_cpus; i++)
		topology->spread[i] = i;
	qsort_r(topology->spread, topology->n_cpus, sizeof(*topology->spread), spread_order,
		topology);
	return 0;
}

static double quota_read(void)
{
	struct cgroup cgroup;
	double cpus;

	if (cgroup_find("", 0, "cpu", &cgroup, NULL))
		return 0;
	cpus = cgroup_quota_cpus(&cgroup);
	cgroup_free(&cgroup);
	return ceil(cpus * 100 - 1e-9) / 100; /* 1e-9: 0.29 is 0.29, not 0.30 */
}

int topology_open(const char *source, struct topology **topology, struct error *err)
{
	struct topology *opened = calloc(1, sizeof(*opened));
	hwloc_bitmap_t allowed = hwloc_bitmap_alloc();
	int rc;

	*topology = NULL;
	if (!opened || !allowed) {
		rc = error_set(err, -ENOMEM, "no memory");
		goto out;
	}
	rc = hwloc_open(source, opened, err);
	if (rc)
		goto out;
	if (source) {
		opened->source = strdup(source);
		hwloc_bitmap_copy(allowed, hwloc_topology_get_allowed_cpuset(opened->hwloc));
	} else {
		rc = affinity_get(allowed, err);
		opened->quota = quota_read();
	}
	if (!rc)
		rc = cpus_fill(opened, allowed, err);
out:
	hwloc_bitmap_free(allowed);
	if (rc)
		topology_close(opened);
	else
		*topology = opened;
	return rc;
}

void topology_close(struct topology *topology)
{
	if (!topology)
		return;
	if (topology->hwloc)
		hwloc_topology_destroy(topology->hwloc);
	free(topology->cpu);
	free(topology->spread);
	free(topology->source);
	free(topology);
}

uint32_t topology_cpus(const struct topology *topology)
{
	return (uint32_t)topology->n_cpus;
}

double topology_quota(const struct topology *topology)
{
	return topology->quota;
}
