// SPDX-License-Identifier: GPL-2.0-or-later
/* topology_place.c - where copies, and the two parties of a copy, go; see topology.h. */
#include "measure/topology.h"
#include "measure/topology_cpu.h"

#include <errno.h>
#include <stdlib.h>

static bool cpu_is_allowed(const struct topology *topology, int number)
{
	for (size_t i = 0; i < topology->n_cpus; i++) {
		if (topology->cpu[i].number == number)
			return true;
	}
	return false;
}

static int list_check(const struct topology *topology, const struct pin *pin, struct error *err)
{
	if (!pin->count)
		return error_set(err, -EINVAL, "the CPU list is empty");
	for (size_t i = 0; i < pin->count; i++) {
		if (!cpu_is_allowed(topology, pin->list[i]))
			return error_set(err, -EINVAL,
					 "CPU %d of the list is not one of the %zu allowed CPUs",
					 pin->list[i], topology->n_cpus);
	}
	return 0;
}

int topology_place(const struct topology *topology, const struct pin *pin, uint32_t copies,
		   int *cpu, struct error *err)
{
	int rc = pin->kind == PIN_LIST ? list_check(topology, pin, err) : 0;

	for (uint32_t i = 0; !rc && i < copies; i++) {
		size_t at = i % topology->n_cpus;

		switch (pin->kind) {
		case PIN_NONE:
			cpu[i] = -1;
			break;
		case PIN_SPREAD:
			cpu[i] = topology->cpu[topology->spread[at]].number;
			break;
		case PIN_COMPACT:
			cpu[i] = topology->cpu[at].number;
			break;
		case PIN_LIST:
			cpu[i] = pin->list[i % pin->count];
			break;
		}
	}
	return rc;
}

/* A pair of CPUs by their indexes in topology->cpu[]. */
struct pair {
	size_t first, second;
	int nearness; /* depth of the lowest thing they share: cache, package … */
};

struct pairs {
	const struct topology *topology;
	struct pair *pair;
	size_t count;
};

/* Depth of the lowest thing that two CPUs share. */
static int nearness(const struct topology *topology, size_t first, size_t second)
{
	return hwloc_get_common_ancestor_obj(topology->hwloc, topology->cpu[first].pu,
					     topology->cpu[second].pu)
		->depth;
}

static void pair_add(struct pairs *pairs, size_t first, size_t second)
{
	pairs->pair[pairs->count++] = (struct pair){
		.first = first,
		.second = second,
		.nearness = nearness(pairs->topology, first, second),
	};
}

static int pairs_same_cpu(struct pairs *pairs, struct error *err)
{
	(void)err;
	for (size_t i = 0; i < pairs->topology->n_cpus; i++)
		pairs->pair[pairs->count++] = (struct pair){ .first = i, .second = i };
	return 0;
}

static int pairs_smt(struct pairs *pairs, struct error *err)
{
	const struct topology *topology = pairs->topology;
	bool has_smt = false;

	for (size_t i = 0; i < topology->n_cpus; i++) {
		const struct topology_cpu *cpu = &topology->cpu[i];

		/* the complete set also holds threads that may not be used */
		if (hwloc_bitmap_weight(cpu->core->complete_cpuset) > 1)
			has_smt = true;
		if (cpu->thread_rank % 2 == 1)
			pair_add(pairs, i - 1, i);
	}
	if (pairs->count)
		return 0;
	return error_set(err, -ENOTSUP,
			 has_smt ? "needs two hardware threads of one core: of no core are two "
				   "allowed"
				 : "needs two hardware threads of one core: no core has two");
}

/*
 * Partner for core i among those that share something at least as deep: the first of the same kind,
 * else the first. i itself: none.
 */
static size_t partner_find(const struct topology *topology, const bool *is_taken, size_t i,
			   int least_nearness)
{
	size_t partner = i;

	for (size_t j = i + 1; j < topology->n_cpus; j++) {
		bool is_alike = topology->cpu[j].slowness == topology->cpu[i].slowness;

		if (topology->cpu[j].thread_rank || is_taken[j] || (partner != i && !is_alike) ||
		    nearness(topology, i, j) < least_nearness)
			continue;
		partner = j;
		if (is_alike)
			break;
	}
	return partner;
}

/* Disjoint pairs of cores, from the deepest that two can share up to the whole machine. */
static int pairs_cross_cpu(struct pairs *pairs, struct error *err)
{
	const struct topology *topology = pairs->topology;
	bool *is_taken = calloc(topology->n_cpus, sizeof(*is_taken));

	if (!is_taken)
		return error_set(err, -ENOMEM, "no memory");
	for (int depth = hwloc_topology_get_depth(topology->hwloc) - 1; depth >= 0; depth--) {
		for (size_t i = 0; i < topology->n_cpus; i++) {
			size_t partner;

			if (topology->cpu[i].thread_rank || is_taken[i])
				continue;
			partner = partner_find(topology, is_taken, i, depth);
			if (partner == i)
				continue;
			is_taken[i] = is_taken[partner] = true;
			pair_add(pairs, i, partner);
		}
	}
	free(is_taken);
	if (pairs->count)
		return 0;
	return error_set(err, -ENOTSUP, "needs two cores: only one is allowed");
}

/* Index of the first CPU of the next node after that of `at`, or n_cpus. */
static size_t next_node(const struct topology *topology, size_t at)
{
	unsigned node = topology->cpu[at].node;

	while (at < topology->n_cpus && topology->cpu[at].node == node)
		at++;
	return at;
}

/* First with second node, third with fourth …; their cores side by side. */
static int pairs_node(struct pairs *pairs, struct error *err)
{
	const struct topology *topology = pairs->topology;
	size_t first = 0;

	while (first < topology->n_cpus) {
		size_t second = next_node(topology, first), end;
		size_t i = first, j = second;

		if (second == topology->n_cpus)
			break;
		end = next_node(topology, second);
		for (; i < second && j < end; i++, j++)
			pair_add(pairs, i, j);
		first = end;
	}
	if (pairs->count)
		return 0;
	return error_set(err, -ENOTSUP,
			 hwloc_get_nbobjs_by_type(topology->hwloc, HWLOC_OBJ_NUMANODE) > 1
				 ? "needs two NUMA nodes: CPUs of only one are allowed"
				 : "needs two NUMA nodes: this machine has one");
}

/* Nearest first; of equally near ones as copies are spread: SMT siblings last, packages in turn. */
static int pair_order(const void *a, const void *b, void *context)
{
	const struct topology *topology = context;
	const struct pair *first = a, *second = b;
	const struct topology_cpu *cpu = &topology->cpu[first->first];
	const struct topology_cpu *other = &topology->cpu[second->first];

	if (first->nearness != second->nearness)
		return first->nearness > second->nearness ? -1 : 1;
	if (cpu->thread_rank != other->thread_rank)
		return cpu->thread_rank < other->thread_rank ? -1 : 1;
	if (cpu->core_rank != other->core_rank)
		return cpu->core_rank < other->core_rank ? -1 : 1;
	if (cpu->node_rank != other->node_rank)
		return cpu->node_rank < other->node_rank ? -1 : 1;
	return (cpu->package_rank > other->package_rank) -
	       (cpu->package_rank < other->package_rank);
}

int topology_pairs(const struct topology *topology, enum workload_pair pair, uint32_t copies,
		   int (*cpu)[2], struct error *err)
{
	static int (*const find[])(struct pairs *, struct error *) = {
		[PAIR_SAME_CPU] = pairs_same_cpu,
		[PAIR_SMT] = pairs_smt,
		[PAIR_CROSS_CPU] = pairs_cross_cpu,
		[PAIR_NODE] = pairs_node,
	};
	struct pairs pairs = { .topology = topology };
	int rc;

	if (pair <= PAIR_FREE || (size_t)pair >= sizeof(find) / sizeof(find[0]))
		return error_set(err, -EINVAL, "pair kind %d has no placement", (int)pair);
	pairs.pair = calloc(topology->n_cpus, sizeof(*pairs.pair));
	if (!pairs.pair)
		return error_set(err, -ENOMEM, "no memory");
	rc = find[pair](&pairs, err);
	if (!rc)
		qsort_r(pairs.pair, pairs.count, sizeof(*pairs.pair), pair_order,
			(void *)(uintptr_t)topology);
	for (uint32_t i = 0; !rc && i < copies; i++) {
		const struct pair *of_copy = &pairs.pair[i % pairs.count];

		cpu[i][0] = topology->cpu[of_copy->first].number;
		cpu[i][1] = topology->cpu[of_copy->second].number;
	}
	free(pairs.pair);
	return rc;
}
