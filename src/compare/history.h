/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history.h - a test over time: one series per environment fingerprint, and where its level
 * changed.
 *
 * The fingerprint holds what makes results incomparable: host, CPU model, microcode, memory,
 * hypervisor, workload id and content hash. Another one starts another series and is no regression.
 * Kernel, its configuration, flags and tools are what one looks for: they stand beside each point.
 */
#ifndef ONPROC_COMPARE_HISTORY_H
#define ONPROC_COMPARE_HISTORY_H

#include "base/error.h"
#include "stats/changes.h"
#include "store/record.h"

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#define HISTORY_SCHEMA	       "onproc.history"
#define HISTORY_SCHEMA_VERSION 1
#define FINGERPRINT_BYTES      13 /* 12 hexadecimal digits */
#define HISTORY_SEED	       1  /* of the permutations: the same history gives the same answer */

/* What may explain a change, in the order of history_circumstances[]. */
enum circumstance {
	CIRCUMSTANCE_KERNEL,
	CIRCUMSTANCE_BUILD, /* of the kernel */
	CIRCUMSTANCE_CMDLINE,
	CIRCUMSTANCE_CONFIG, /* of the kernel: preemption, timer, debugging */
	CIRCUMSTANCE_FLAGS,  /* of the workload programs, with their compiler */
	CIRCUMSTANCE_TOOL,
	CIRCUMSTANCES,
};
extern const char *const history_circumstances[]; /* "kernel", "kernel_build", … */

struct history_point {
	char run[RUN_ID_BYTES];
	uint64_t created_s;
	double value, lo, hi;		   /* as in the series' estimate */
	char *circumstance[CIRCUMSTANCES]; /* NULL: unknown */
};

struct history_series {
	char fingerprint[FINGERPRINT_BYTES];
	char *test, *title, *unit;
	char *label;   /* what tells it from other series of the test; NULL: nothing */
	char *machine; /* "host, CPU model, hypervisor", what the fingerprint is of, for reading */
	uint32_t copies;
	struct history_point *points; /* oldest first, once judged */
	size_t n_points, room;
	struct change *changes;
	size_t n_changes;
};

struct history {
	struct history_series *series;
	size_t n_series;
	size_t undated, without_result; /* runs that were left out */
	double margin, alpha;
};

/* Twelve digits of the SHA-256 of what the fingerprint is of. */
void history_fingerprint(const struct run *run, const struct series *series,
			 char fingerprint[FINGERPRINT_BYTES]);

/* Adds the series as a point, if it has a result and the run a date. -ENOMEM. */
int history_add(struct history *history, const struct run *run, const struct series *series);

/* Sorts the points of each series and finds its changes. margin: share. */
int history_judge(struct history *history, double margin, double alpha, struct error *err);

/* {"schema":"onproc.history","schema_version":1,…}. NULL: no memory. */
json_t *history_to_json(const struct history *history);

void history_free(struct history *history);

#endif
