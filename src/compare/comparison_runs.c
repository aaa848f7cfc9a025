// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * comparison_runs.c - two runs that were not interleaved: every slot of one against every slot of
 * the other. What drifted between the runs is in the ratio, and no interval shows it.
 */
#include "compare/comparison_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int values_of(const struct block_values *slots, double **values, size_t *count)
{
	*values = malloc((slots->count + 1) * sizeof(**values));
	if (!*values)
		return -ENOMEM;
	for (size_t i = 0; i < slots->count; i++)
		(*values)[i] = slots->value[i].value;
	*count = slots->count;
	return 0;
}

static int row_fill(struct comparison_test *test, struct sample *sample)
{
	int rc = block_values_of_slots(sample->series_a, &sample->by_block_a);

	rc = rc ? rc : block_values_of_slots(sample->series_b, &sample->by_block_b);
	rc = rc ? rc : values_of(&sample->by_block_a, &sample->a, &sample->n_a);
	rc = rc ? rc : values_of(&sample->by_block_b, &sample->b, &sample->n_b);
	if (rc)
		return rc;
	block_values_merge(&sample->by_block_a);
	block_values_merge(&sample->by_block_b);
	test->units = test->a_n < test->b_n ? test->a_n : test->b_n;
	return 0;
}

static int rows_fill(struct making *making)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < making->comparison->n_tests; i++) {
		struct comparison_test *test = &making->comparison->tests[i];

		row_describe(test, &making->samples[i]);
		if (!test->reason)
			rc = row_fill(test, &making->samples[i]);
	}
	return rc;
}

int comparison_of_runs(const struct run *a, const struct run *b,
		       const struct comparison_request *request, struct comparison *comparison,
		       struct error *err)
{
	struct making making;
	int rc = making_start(&making, request, NULL, comparison, DESIGN_UNPAIRED, err);

	if (!rc && !strcmp(a->id, b->id))
		rc = error_set(err, -EINVAL, "run %s is on both sides: %s", a->id,
			       comparison_has_sides(a) ? "alone it is compared side with side"
						       : "name two runs");
	rc = rc ? rc : sides_choose(&making, a, b, err);
	rc = rc ? rc : sides_name(&making, a, b, err);
	rc = rc ? rc : rows_match(&making, a, b, err);
	rc = rc ? rc : rows_check(&making, err);
	if (!rc && rows_fill(&making))
		rc = comparison_no_memory(err);
	rc = rc ? rc : rows_judge(&making, err);
	rc = rc ? rc : indexes_make(&making, a, b, err);
	rc = rc ? rc : environments_compare(comparison, a, b, err);
	if (!rc && comparison->a.letter && comparison_warn_as(comparison, a, "A: "))
		rc = comparison_no_memory(err);
	if (!rc && comparison->b.letter && comparison_warn_as(comparison, b, "B: "))
		rc = comparison_no_memory(err);
	return making_finish(&making, rc);
}
