/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session.h - what measuring a plan needs whatever its design: its rows placed and described in the
 * record, one slot at a time measured into record and journal, and the clock of the budget.
 *
 * What was measured is read back from the record itself, never from counters beside it, so a
 * resumed run takes the same decisions as one that was never cut.
 */
#ifndef ONPROC_MEASURE_SESSION_H
#define ONPROC_MEASURE_SESSION_H

#include "base/error.h"
#include "measure/bench.h"
#include "measure/evidence.h"
#include "measure/plan.h"
#include "store/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One row of the plan while it is measured. */
struct session_row {
	const struct plan_row *plan;
	size_t number;	    /* in the plan */
	size_t series[2];   /* of side A and B, the same without sides; indexes: series move when
			       the run grows */
	int *cpu;	    /* per copy, NULL: not pinned */
	int (*pair)[2];	    /* per copy, NULL: free */
	double overhead_ns; /* of the last slot: wall time beyond slot and warm-up */
};

struct session {
	const struct bench_request *request;
	const struct plan *plan;
	struct run *run;
	struct evidence *evidence;
	struct session_row *rows;
	size_t n_rows;
	uint64_t start_ns;	 /* of this session */
	double elapsed_before_s; /* of earlier sessions of a resumed run */
	bool over_budget;
};

/* Which slot of a row is to be measured. */
struct session_slot {
	int side; /* 0 without sides */
	uint32_t block;
	bool rerun;
	char *const *environment; /* of the side, NULL: none */
};

/* To be closed in any case. */
int session_open(struct session *session, const struct bench_request *request, struct run *run,
		 struct error *err);
void session_close(struct session *session);

struct series *session_series(const struct session *session, const struct session_row *row,
			      int side);

double session_elapsed_s(const struct session *session);

/* The row is to run, and what it costs fits into the budget; notes in over_budget when not. */
bool session_allows(struct session *session, double cost_ns);
double session_slot_cost_ns(const struct session *session, const struct session_row *row);

/* Told of the left time: no more than the budget. */
double session_left_ns(const struct session *session, double left_ns);

/*
 * Measures one slot and appends it to the record, failed or not; the caller appends to the journal
 * once the states of other slots are settled too. -EINTR: nothing was appended.
 */
int session_measure(struct session *session, struct session_row *row,
		    const struct session_slot *which, struct slot **measured, struct error *err);

/* Writes what is new in the run, and its age. */
int session_journal(struct session *session, struct error *err);

/* A row that never worked has no result: its last failure says why. Warns of an ended budget. */
int session_conclude(struct session *session, struct error *err);

/* Appends a warning to the record. 0 or -ENOMEM. */
int session_warn(struct session *session, const char *text, struct error *err);

#endif
