/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * comparison.h - two sides, test by test: the ratio B/A with its interval, and a verdict.
 *
 * Made from the two sides of one `ab` run (paired by blocks), from two runs that were not
 * interleaved (unpaired: drift not controlled), or from the runs of several boots of each side.
 * Whatever shows a comparison reads this record. Strings and json_t members are owned by it; NAN is
 * what cannot be known.
 */
#ifndef ONPROC_COMPARE_COMPARISON_H
#define ONPROC_COMPARE_COMPARISON_H

#include "base/error.h"
#include "stats/estimate.h"
#include "stats/verdict.h"
#include "store/record.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COMPARISON_SCHEMA	  "onproc.comparison"
#define COMPARISON_SCHEMA_VERSION 1

#define COMPARISON_MARGIN 0.01
#define COMPARISON_ALPHA  0.05

enum comparison_design {
	DESIGN_ABBA,	 /* blocks of four slots, order drawn afresh for each: paired */
	DESIGN_UNPAIRED, /* two runs, one after the other */
	DESIGN_BOOT,	 /* the unit is the boot: medians of the runs of each boot */
};

/* One (test, copies) of a comparison. */
struct comparison_test {
	char *test, *title, *unit;
	char *label;	/* what tells it from other rows of the test; NULL: there are none */
	json_t *params; /* of the series; owned */
	uint32_t copies;
	double a, b;		   /* estimates of both sides in unit; NAN without result */
	double a_spread, b_spread; /* standard deviation of a side's slots / mean; NAN for n < 2 */
	uint32_t a_n, b_n;	   /* slots; by boot: boots; a result without slots counts as 1 */
	uint32_t units;		   /* blocks of a paired test, else the smaller of a_n and b_n */
	struct estimate log_ratio; /* of ln(B/A); value NAN: not compared, see reason */
	double margin;		   /* ln of the practical margin of this test */
	double p, q, p_holm;	   /* NAN without interval; q: Benjamini-Hochberg, over all tests */
	struct decision decision;
	/* For the gate: of "B is worse by no more than the margin", Holm-adjusted over all tests,
	 * and the interval at the level of this test's step. */
	double p_regression;
	struct estimate holm;
	bool is_one_sided; /* only one side has this test: nothing to compare with */
	char *reason;	   /* why it was not compared, or has no interval; NULL: it has one */
};

/* The index ratio of one suite at one copy count: the geometric mean over its tests. */
struct comparison_index {
	char *suite;
	uint32_t copies;
	double a, b;		   /* the index of each side over these tests */
	struct estimate log_ratio; /* of ln(index B / index A) */
	struct decision decision;
	uint32_t tests, tests_full; /* rows that it rests on, rows of the whole suite */
	const char *reason;	    /* why it has no interval; NULL: it has one */
};

struct comparison_side {
	char *run;  /* id; of the first where a side is several runs */
	char *name; /* as typed in `ab`, else what tells the sides apart (kernel, tag, id); with
		     * ":A" or ":B" and the side's name where one side of such a run takes part */
	const char *letter; /* "A" or "B": the side of a run that has sides; NULL: it has none */
	const struct run *record; /* not owned, must outlive the comparison */
};

struct comparison {
	enum comparison_design design;
	struct comparison_side a, b;
	uint32_t blocks; /* the fewest of a paired test, or boots of a side; 0: unpaired */
	uint64_t seed;
	double margin, alpha;
	struct comparison_test *tests;
	size_t n_tests;
	struct comparison_index *indexes; /* by suite, then by ascending copy count */
	size_t n_indexes;
	json_t *differences; /* array of {"path":…,"a":…,"b":…}: how the environments differ */
	json_t *warnings;    /* array of strings */
	json_t *notes;	     /* array of strings: what else the data say (boots that are needed) */
};

struct comparison_request {
	double margin;		     /* share: 0.01 for 1 %; 0: the run's own, else 1 % */
	double alpha;		     /* 0.05; 0: likewise */
	const char *a_name, *b_name; /* NULL: found from the runs */
	const char *a_side, *b_side; /* "A" or "B" of a run that has sides; NULL: A as `a`, B as
				      * `b`. Not for comparison_of_sides() */
	const char *const *tests;    /* names, NULL-terminated; NULL: all */
};

/* The runs of one side, newest or oldest first, none of them twice. */
struct comparison_runs {
	const struct run *const *runs;
	size_t count;
};

/*
 * The sides A and B of one run that interleaved them. -EINVAL: the run has no two sides.
 * Refuses a test (its `reason`) rather than the whole wherever something can be compared.
 *
 * A plan with "looks": true was stopped by looks (stats/looks.h): each test is judged at the level
 * of the first look that is not before its last block. The plan's "sides" have the names of both
 * ("A" and "B", each with a "name"), "margin" and "alpha".
 */
int comparison_of_sides(const struct run *run, const struct comparison_request *request,
			struct comparison *comparison, struct error *err);

/*
 * Two runs. -ENOTSUP with what differs where no test can be compared: other ids, content hashes,
 * units. -EINVAL: it is one run, or has no such side. Of a run that has sides one takes part: see
 * the request.
 */
int comparison_of_runs(const struct run *a, const struct run *b,
		       const struct comparison_request *request, struct comparison *comparison,
		       struct error *err);

/*
 * The runs of both sides grouped by the boot they were measured in: the unit is the boot, its value
 * the median of the runs of that boot. Notes say how many runs a boot and how many boots are
 * needed. -EINVAL: the boot of a run is not known, or both sides hold the same boot; -ENOTSUP as
 * above.
 */
int comparison_of_boots(const struct comparison_runs *a, const struct comparison_runs *b,
			const struct comparison_request *request, struct comparison *comparison,
			struct error *err);

/* Does the run hold both sides of some test? */
bool comparison_has_sides(const struct run *run);

/*
 * Units (blocks, slots a side, boots) that an inconclusive test is expected to need beyond those it
 * has, if its ratio stays: the interval shrinks with the square root of their number. 0: decided;
 * NAN: not to be said (not compared, no interval).
 */
double comparison_further_units(const struct comparison_test *test);

/* What so many values more or less of the ratio (estimate.n) are in these units: n of an unpaired
 * one counts the slots of both sides. */
double comparison_units(const struct comparison_test *test, size_t values);

/* The suite's index at most copies; NULL: no two tests of an index in both. */
const struct comparison_index *comparison_main_index(const struct comparison *comparison);

/* {"schema":"onproc.comparison","schema_version":1,…}. A new object; NULL: no memory. */
json_t *comparison_to_json(const struct comparison *comparison);

extern const char *const comparison_design_names[]; /* "abba", "unpaired", "boot" */

void comparison_free(struct comparison *comparison); /* safe on a zeroed or half-filled one */

#endif
