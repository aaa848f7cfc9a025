/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record.h - the one record: run → series → slot. Whatever measures makes it, whatever shows reads
 * it.
 *
 * Strings and json_t members are owned by the record. What cannot be known is NULL / NAN here and
 * null with a reason beside it in JSON.
 */
#ifndef ONPROC_STORE_RECORD_H
#define ONPROC_STORE_RECORD_H

#include "base/error.h"
#include "stats/estimate.h"
#include "stats/scaling.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#define RUN_SCHEMA	   "onproc.run"
#define RUN_SCHEMA_VERSION 1
#define RUN_ID_BYTES	   32 /* "20261130-142233-1a2b3c": UTC date, time, 24 random bits */

enum run_status {
	RUN_RUNNING,
	RUN_COMPLETE,
	RUN_INTERRUPTED, /* Ctrl-C or killed: `onproc resume` can finish it */
	RUN_IMPORTED,
};

enum slot_status {
	SLOT_OK,
	SLOT_REPLACED, /* measured, marked by external evidence, and re-run: out of the estimate */
	SLOT_FAILED,   /* no rate: `error` says why */
};

struct slot {
	uint32_t block;	  /* block of the plan that drew it */
	uint32_t ordinal; /* order in which the slots of the run were measured, from 0 */
	enum slot_status status;
	bool rerun;	    /* takes the place of a replaced slot */
	uint64_t start_ns;  /* since the start of the run, CLOCK_MONOTONIC_RAW */
	uint64_t length_ns; /* of the common window really measured */
	double rate;	    /* in the series' unit; NAN for a failed slot */
	uint32_t copies;
	double *counts;	  /* copies values: iterations per copy in the window; NULL if unknown */
	json_t *evidence; /* object, see evidence.h; NULL: none taken (import) */
	char *error;	  /* NULL unless failed */
};

/* One mode of a series whose slots fall into more than one. */
struct mode {
	double share; /* of the slots, 0..1 */
	struct estimate estimate;
	char placement[24]; /* "same-cpu", "cross-cpu", "mixed", or "" when not known */
};

struct series {
	char *test;  /* "unixbench6/pipe@1" */
	char *title; /* "Pipe Throughput" */
	char *unit;
	char *content_hash; /* of the workload; NULL: unknown (import) */
	char *program_hash; /* of the program that ran; NULL: unknown */
	char *side;	    /* NULL, "A" or "B" */
	char *note;	    /* what is kept for comparability; NULL: none */
	char *reason;	    /* why there is no result: not supported, failed; NULL: there is one */
	json_t *params;	    /* object: with the test, copies and side what tells series apart */
	uint32_t copies;
	double baseline; /* 0: outside any index */
	struct slot *slots;
	size_t n_slots, room_slots;

	/* Derived by run_summarise() from the slots; stored for readers of the JSON. */
	struct estimate estimate; /* over all slots in state SLOT_OK */
	struct estimate
		first_result; /* without re-runs: the marked slots instead of their re-runs */
	struct mode *modes;
	size_t n_modes;	 /* 0: one mode, else 2 or 3 by ascending rate */
	double index;	 /* 10 × value / baseline; NAN outside the index or without result */
	bool not_steady; /* MSER wants to cut more than the warm-up */
	json_t *lock;	 /* members of a lock test (lock_summary.h); NULL: another test */
};

struct score {
	uint32_t copies;
	char *suite;		     /* "unixbench6" */
	double value, lo, hi, level; /* NAN without interval */
	const char *reason; /* static or in run.reasons; why there is no interval, or NULL */
	uint32_t tests,
		tests_full;  /* rows it rests on, rows of the whole suite: partial if fewer */
	bool rests_on_modes; /* a row has two modes */
};

/* One number of copies of a law. */
struct law_point {
	uint32_t copies;
	double rate;	       /* measured */
	struct estimate curve; /* the law's, with a jackknife interval */
};

/* How a test grows with its copies, over one range of them: stats/scaling.h. */
struct law {
	char *test, *unit;
	struct scaling_law fit;
	struct law_point *points; /* ascending */
	size_t n_points;
};

struct run {
	char id[RUN_ID_BYTES];
	enum run_status status;
	uint64_t created_s; /* Unix time of the start, UTC; 0: unknown (import) */
	double elapsed_s;   /* NAN: unknown */
	char *tool;	    /* "onproc 0.1.0", "UnixBench 6.0.0" */
	char *command;	    /* as typed, for the record; NULL: unknown */
	char *host;	    /* node name */
	uint64_t seed;
	json_t *plan;	     /* object: see plan.h */
	json_t *environment; /* object: see environment.h; NULL: unknown (import) */
	json_t *warnings;    /* array of strings, made while measuring */
	struct series *series;
	size_t n_series, room_series;
	struct score *scores;
	size_t n_scores;
	struct law *laws; /* derived as the scores are; of tests with three copy counts or more */
	size_t n_laws;
	char **reasons; /* texts that estimates and scores of a run that was read point to */
	size_t n_reasons;
};

/* An id of created_s and 24 bits: "20261130-142233-1a2b3c". */
void run_make_id(struct run *run, uint32_t bits);

/* What may be an id: [0-9a-z-], 1 to 31 characters, and not "last…", which names the newest run. */
bool run_id_is_valid(const char *id);

/* The words of a status in JSON, NULL-terminated: "running", "complete", "interrupted", "imported".
 */
extern const char *const run_status_names[];
extern const char *const slot_status_names[]; /* "ok", "replaced", "failed" */

void run_init(struct run *run);
void series_free(struct series *series);
void slot_free(struct slot *slot);
void run_free(struct run *run); /* safe on a zeroed or half-filled record */

/* Appends a zeroed series / slot and returns it; NULL: no memory. Earlier pointers become invalid.
 */
struct series *run_add_series(struct run *run);
struct slot *series_add_slot(struct series *series, uint32_t copies);

/* A copy of the text that lives as long as the run, for `reason` members. NULL: no memory. */
const char *run_keep_reason(struct run *run, const char *reason);

/* The series of a test, copy count and side (NULL: no side); NULL: none. */
struct series *run_find_series(struct run *run, const char *test, uint32_t copies,
			       const char *side);

/* The one of them with these parameters. */
struct series *run_find_series_with(struct run *run, const char *test, const json_t *params,
				    uint32_t copies, const char *side);

/*
 * Computes estimate, first_result, modes, index and not_steady of every series, and the scores of
 * every copy count and suite (stats/index.h; the plan's "suite" and "suite_tests", else the suites
 * known by name). A plan that is "classic" gives values by stats/classic.h. A series with a slot
 * whose rate is no number > 0 has no value, and says so. Warns in run->warnings of slots that
 * spread without falling into modes.
 *
 * Laws over the copy counts of a test: one up to the number of cores, one for the CPUs that share
 * them and one beyond, each where there are enough counts for it, else together with the next.
 *
 * Idempotent. A series without slots keeps its estimate.value when that is finite, and a run
 * without any slot keeps its scores: it was imported. 0 or -ENOMEM.
 */
int run_summarise(struct run *run);

/* What it warns of a series whose slots spread, after the name of the series. */
extern const char run_spread_warning[];

/* Is that a warning of this series? */
bool run_warning_is_spread(const char *warning, const struct series *series);

/* Whole record as one JSON document, without slots when !with_slots. NULL: no memory. No NaN in it.
 */
json_t *run_to_json(const struct run *run, bool with_slots);

/*
 * Reads a document made by run_to_json() (of any older schema_version). Checks every type and
 * bound; on bad input -EINVAL and a text with the path of the member and what was expected
 * ("series[3].slots[0].rate: expected a number > 0 or null"); -ENOTSUP for a schema from the
 * future.
 */
int run_from_json(const json_t *document, struct run *run, struct error *err);

#endif
