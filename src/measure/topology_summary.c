// SPDX-License-Identifier: GPL-2.0-or-later
/* topology_summary.c - packages, nodes, cores, threads, caches and kinds of core as JSON; see
 * topology.h. */
#include "measure/topology.h"
#include "measure/topology_cpu.h"

#include <stdlib.h>

static json_t *count_json(const struct topology *topology, hwloc_obj_type_t type)
{
	return json_integer(hwloc_get_nbobjs_by_type(topology->hwloc, type));
}

static json_t *bitmap_json(hwloc_const_bitmap_t bitmap)
{
	char *list = NULL;
	json_t *string;

	if (hwloc_bitmap_list_asprintf(&list, bitmap) < 0)
		return json_null();
	string = json_string(list);
	free(list);
	return string;
}

static json_t *allowed_json(const struct topology *topology)
{
	hwloc_bitmap_t allowed = hwloc_bitmap_alloc();
	json_t *list;

	for (size_t i = 0; allowed && i < topology->n_cpus; i++)
		hwloc_bitmap_set(allowed, (unsigned)topology->cpu[i].number);
	list = allowed ? bitmap_json(allowed) : json_null();
	hwloc_bitmap_free(allowed);
	return list;
}

/* One entry per level and type: the first of its kind stands for all. */
static json_t *caches_json(const struct topology *topology)
{
	json_t *caches = json_array();

	for (int depth = 0; depth < hwloc_topology_get_depth(topology->hwloc); depth++) {
		hwloc_obj_t first = hwloc_get_obj_by_depth(topology->hwloc, depth, 0);
		const struct hwloc_cache_attr_s *cache;

		if (!first || !hwloc_obj_type_is_cache(first->type))
			continue;
		cache = &first->attr->cache;
		json_array_append_new(
			caches,
			json_pack("{s:i,s:s,s:I,s:i,s:i,s:i}", "level", (int)cache->depth, "type",
				  cache->type == HWLOC_OBJ_CACHE_UNIFIED ? "unified"
				  : cache->type == HWLOC_OBJ_CACHE_DATA	 ? "data"
									 : "instruction",
				  "bytes", (json_int_t)cache->size, "line_bytes",
				  (int)cache->linesize, "count",
				  (int)hwloc_get_nbobjs_by_depth(topology->hwloc, depth),
				  "shared_by", hwloc_bitmap_weight(first->cpuset)));
	}
	return caches;
}

static json_t *kinds_json(const struct topology *topology)
{
	json_t *kinds = json_array();
#if HWLOC_API_VERSION >= 0x00020400
	hwloc_bitmap_t cpus = hwloc_bitmap_alloc();
	int count = hwloc_cpukinds_get_nr(topology->hwloc, 0);

	for (int kind = 0; cpus && kind < count; kind++) {
		int efficiency = -1;

		if (!hwloc_cpukinds_get_info(topology->hwloc, (unsigned)kind, cpus, &efficiency,
					     NULL, NULL, 0))
			json_array_append_new(kinds,
					      json_pack("{s:o,s:i}", "cpus", bitmap_json(cpus),
							"efficiency", efficiency));
	}
	hwloc_bitmap_free(cpus);
#endif
	return kinds;
}

json_t *topology_summary(const struct topology *topology)
{
	json_t *summary = json_object();

	json_object_set_new(summary, "packages", count_json(topology, HWLOC_OBJ_PACKAGE));
	json_object_set_new(summary, "nodes", count_json(topology, HWLOC_OBJ_NUMANODE));
	json_object_set_new(summary, "cores", count_json(topology, HWLOC_OBJ_CORE));
	json_object_set_new(summary, "threads", count_json(topology, HWLOC_OBJ_PU));
	json_object_set_new(summary, "allowed", json_integer((json_int_t)topology->n_cpus));
	json_object_set_new(summary, "allowed_cpus", allowed_json(topology));
	json_object_set_new(summary, "quota_cpus",
			    topology->quota > 0 ? json_real(topology->quota) : json_null());
	if (!(topology->quota > 0))
		json_object_set_new(summary, "quota_cpus_reason", json_string("no CPU quota"));
	json_object_set_new(summary, "caches", caches_json(topology));
	json_object_set_new(summary, "kinds", kinds_json(topology));
	if (topology->source)
		json_object_set_new(summary, "source", json_string(topology->source));
	return summary;
}
