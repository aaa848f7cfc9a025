/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * comparison_private.h - what the files that make a comparison share.
 *
 * A comparison is made in three steps: the tests of both sides are matched into rows, each row gets
 * the numbers it is judged by, and all rows are judged together.
 */
#ifndef ONPROC_COMPARE_COMPARISON_PRIVATE_H
#define ONPROC_COMPARE_COMPARISON_PRIVATE_H

#include "compare/comparison.h"
#include "store/block_values.h"

/* What a row is judged by. Belongs to comparison->tests[i] of the same i. */
struct sample {
	const struct series *series_a, *series_b; /* NULL: that side has no such test */
	double *a, *b;				  /* ln(rate) of each unit, unpaired */
	size_t n_a, n_b;
	double *d; /* ln(B/A) of each block, paired; NULL: unpaired */
	size_t n_d;
	double alpha;	 /* to spend on this test */
	double baseline; /* of both; 0: outside any index */
	/* For the index: what the blocks of each side say; paired: by_block_a holds ln(B/A). */
	struct block_values by_block_a, by_block_b;
};

struct making {
	const struct comparison_request *request;
	struct comparison *comparison;
	struct sample *samples; /* comparison->n_tests */
	size_t room;
};

/*
 * comparison_rows.c: rows of all tests that a side has, in the order of `a`, those of `b` alone at
 * the end, of series that have the comparison's sides. What cannot be compared has its reason.
 * -ENOENT: no test of this name; -ENOMEM.
 */
int rows_match(struct making *making, const struct run *a, const struct run *b, struct error *err);

/* -ENOTSUP with the reasons where no row has series to compare. */
int rows_check(const struct making *making, struct error *err);

/* A row's reason, unless it has one already. -ENOMEM. */
int row_refuse(struct comparison_test *test, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Fills a row's n, spread and estimate of both sides from their series. */
void row_describe(struct comparison_test *test, const struct sample *sample);

/* comparison_judge.c: estimates, p-values and verdicts of all rows. -ENOMEM. */
int rows_judge(struct making *making, struct error *err);

/* comparison_index.c: the index ratio of every suite and copy count. -ENOMEM. */
int indexes_make(struct making *making, const struct run *a, const struct run *b,
		 struct error *err);

/* environment_diff.c: fills comparison->differences, and warns. -ENOMEM. */
int environments_compare(struct comparison *comparison, const struct run *a, const struct run *b,
			 struct error *err);

/* comparison.c */
/* own: the run whose plan has margin and alpha where the request has none; NULL: none. */
int making_start(struct making *making, const struct comparison_request *request,
		 const struct run *own, struct comparison *comparison,
		 enum comparison_design design, struct error *err);
/* Which side of each run takes part. -EINVAL: the run has no such side. */
int sides_choose(struct making *making, const struct run *a, const struct run *b,
		 struct error *err);
/* The names of both sides, from the request or from what tells them apart; after the above. */
int sides_name(struct making *making, const struct run *a, const struct run *b, struct error *err);
/* The steps that all designs end with; frees what making holds, and the comparison on an error. */
int making_finish(struct making *making, int rc);
int comparison_warn(struct comparison *comparison, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
int comparison_note(struct comparison *comparison, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* What a run that has sides was warned of while it was measured; before: "A: ", or "". */
int comparison_warn_as(struct comparison *comparison, const struct run *run, const char *before);
int comparison_no_memory(struct error *err);

#endif
