/* SPDX-License-Identifier: GPL-2.0-or-later */
/* causes.h - what disturbed the slots of a series or of a run, each kind once with its worst. */
#ifndef ONPROC_REPORT_CAUSES_H
#define ONPROC_REPORT_CAUSES_H

#include "report/paragraph.h"
#include "store/record.h"

#include <jansson.h>
#include <stdbool.h>

#define CAUSES_KEPT 256 /* the rest is only counted */

/* One kind of disturbance over all slots that were added: the worst of it. */
struct cause {
	const char *kind, *comm, *policy;
	const char *reason; /* in place of the name of a process */
	json_int_t pid;
	bool several;	/* processes of that name */
	double worst;	/* share of a CPU, ns throttled, or kHz lost: the most of one slot */
	double in_slot; /* the same of the slot that is being added */
	double khz, was_khz;
};

struct causes {
	struct cause cause[CAUSES_KEPT];
	size_t kept, more;
};

void causes_add_slot(struct causes *causes, const struct slot *slot);

/* What is no process first, then processes by the CPU time they took. */
void causes_sort(struct causes *causes);

/* What has no share of a CPU first, then by share. */
void causes_sort_by_share(struct causes *causes);

/* "foreign cc1 (pid 123) 43 % of a CPU"; "up to" with several slots. */
void causes_add_cause(struct paragraph *line, const struct cause *cause, bool several_slots);

#endif
