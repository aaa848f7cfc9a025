/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * comparison.h - two sides, test by test: the ratio B/A with its interval, and a verdict.
 *
 * Made from the two sides of one `ab` run (paired by blocks), or from two runs that were not
 * interleaved (unpaired: drift not controlled). Whatever shows a comparison reads this record.
 * Strings and json_t members are owned by it; NAN is what cannot be known.
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

enum comparison_design {
	DESIGN_ABBA,	 /* blocks of four slots, order drawn afresh for each: paired */
	DESIGN_UNPAIRED, /* two runs, one after the other */
	DESIGN_BOOT,	 /* the unit is the boot: medians of the runs of each boot */
};

/* One (test, copies) of a comparison. */
struct comparison_test {
	char *test, *title, *unit;
	uint32_t copies;
	double a, b;		   /* estimates of both sides in unit; NAN without result */
	double a_spread, b_spread; /* standard deviation of a side's slots / mean; NAN for n < 2 */
	uint32_t a_n, b_n;	   /* slots */
	struct estimate log_ratio; /* of ln(B/A); value NAN: not compared, see reason */
	double margin;		   /* ln of the practical margin of this test */
	double p, q, p_holm;	   /* NAN without interval; q: Benjamini-Hochberg, over all tests */
	struct decision decision;
	char *reason; /* why it was not compared, or has no interval; NULL: it has one */
};

struct comparison_side {
	char *run;  /* id */
	char *name; /* as typed in `ab`, else what tells the sides apart (kernel, tag, id) */
	const struct run *record; /* not owned, must outlive the comparison */
};

struct comparison {
	enum comparison_design design;
	struct comparison_side a, b;
	uint32_t blocks; /* the fewest of a paired test; 0: unpaired */
	uint64_t seed;
	double margin, alpha;
	struct comparison_test *tests;
	size_t n_tests;
	struct estimate index; /* of ln(index B / index A); n 0: no test of an index in both */
	struct decision index_decision;
	uint32_t index_tests; /* rows that the index rests on */
	bool index_is_partial;
	json_t *differences; /* array of {"path":…,"a":…,"b":…}: how the environments differ */
	json_t *warnings;    /* array of strings */
};

struct comparison_request {
	double margin;		     /* share: 0.01 for 1 % */
	double alpha;		     /* 0.05 */
	const char *a_name, *b_name; /* NULL: found from the runs */
};

/*
 * The sides A and B of one run that interleaved them. -EINVAL: the run has no two sides.
 * Refuses a test (its `reason`) rather than the whole wherever something can be compared.
 */
int comparison_of_sides(const struct run *run, const struct comparison_request *request,
			struct comparison *comparison, struct error *err);

/*
 * Two runs. -ENOTSUP with what differs where no test can be compared: other ids, content hashes,
 * units. A run that has sides takes part with its side B as `b` and its side A as `a`.
 */
int comparison_of_runs(const struct run *a, const struct run *b,
		       const struct comparison_request *request, struct comparison *comparison,
		       struct error *err);

/* {"schema":"onproc.comparison","schema_version":1,…}. A new object; NULL: no memory. */
json_t *comparison_to_json(const struct comparison *comparison);

void comparison_free(struct comparison *comparison); /* safe on a zeroed or half-filled one */

#endif
