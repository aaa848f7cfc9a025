// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * comparison_boot.c - several boots of each side: what changes with a boot (placement of code and
 * data, order of start) is the same for all runs in it, so the unit is the boot and not the run.
 *
 * The value of a boot is the median of its runs. How often to repeat on which level is answered by
 * Kalibera and Jones (stats/hierarchy.h) from what is stored.
 */
#include "compare/comparison_private.h"
#include "stats/hierarchy.h"
#include "stats/order.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a repetition costs on each level: a slot, starting a run, a boot. Only ratios count. */
static const double cost_s[HIERARCHY_LEVELS_MAX] = { 2, 10, 60 };

struct boot {
	const char *id; /* of the kernel, in the environment of its runs */
	const struct run **runs;
	size_t count;
};

struct boots {
	struct boot *boot;
	size_t count;
};

static void boots_free(struct boots *boots)
{
	for (size_t i = 0; i < boots->count; i++)
		free(boots->boot[i].runs);
	free(boots->boot);
}

static struct boot *boot_find(const struct boots *boots, const char *id)
{
	for (size_t i = 0; i < boots->count; i++) {
		if (!strcmp(boots->boot[i].id, id))
			return &boots->boot[i];
	}
	return NULL;
}

/* boots has room for all runs. */
static int boots_add(struct boots *boots, const struct run *run, size_t most, struct error *err)
{
	const char *id = json_string_value(json_object_get(run->environment, "boot_id"));
	struct boot *boot;

	if (!id)
		return error_set(err, -EINVAL, "run %s: the boot it was measured in is not known",
				 run->id);
	boot = boot_find(boots, id);
	if (!boot) {
		boot = &boots->boot[boots->count];
		*boot = (struct boot){ id, calloc(most, sizeof(const struct run *)), 0 };
		if (!boot->runs)
			return comparison_no_memory(err);
		boots->count++;
	}
	boot->runs[boot->count++] = run;
	return 0;
}

static int boots_of(const struct comparison_runs *runs, struct boots *boots, struct error *err)
{
	int rc = 0;

	*boots = (struct boots){ calloc(runs->count + 1, sizeof(*boots->boot)), 0 };
	if (!boots->boot)
		return comparison_no_memory(err);
	for (size_t i = 0; !rc && i < runs->count; i++)
		rc = boots_add(boots, runs->runs[i], runs->count, err);
	return rc;
}

static int refuse_common(const struct boots *a, const struct boots *b, struct error *err)
{
	for (size_t i = 0; i < a->count; i++) {
		const struct boot *other = boot_find(b, a->boot[i].id);

		if (other)
			return error_set(err, -EINVAL,
					 "runs %s and %s are of one boot, and of both sides: the "
					 "boot cannot be the unit",
					 a->boot[i].runs[0]->id, other->runs[0]->id);
	}
	return 0;
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/* The series of another run that did the same work; NULL: none with a result. */
static const struct series *series_like(const struct run *run, const struct series *like)
{
	for (size_t i = 0; i < run->n_series; i++) {
		const struct series *series = &run->series[i];

		if (series->copies == like->copies && same_text(series->test, like->test) &&
		    same_text(series->side, like->side) &&
		    same_text(series->content_hash, like->content_hash) &&
		    same_text(series->unit, like->unit) && series->estimate.value > 0 &&
		    isfinite(series->estimate.value))
			return series;
	}
	return NULL;
}

/* ln of the median over the runs of a boot; NAN: none has the test. -ENOMEM. */
static int boot_value(const struct boot *boot, const struct series *like, double *value)
{
	double *values = malloc(boot->count * sizeof(*values));
	size_t n = 0;

	if (!values)
		return -ENOMEM;
	for (size_t i = 0; i < boot->count; i++) {
		const struct series *series = series_like(boot->runs[i], like);

		if (series)
			values[n++] = log(series->estimate.value);
	}
	order_sort(values, n);
	*value = order_median(values, n);
	free(values);
	return 0;
}

/* One side of a row: a value for each boot. */
static int side_fill(const struct boots *boots, const struct series *like, double **values,
		     size_t *n, struct block_values *by_block)
{
	int rc = 0;

	*values = malloc(boots->count * sizeof(**values));
	by_block->value = malloc(boots->count * sizeof(*by_block->value));
	if (!*values || !by_block->value)
		return -ENOMEM;
	for (size_t i = 0; !rc && i < boots->count; i++) {
		double value;

		rc = boot_value(&boots->boot[i], like, &value);
		if (rc || isnan(value))
			continue;
		(*values)[(*n)++] = value;
		by_block->value[by_block->count++] = (struct block_value){ (uint32_t)i, value };
	}
	return rc;
}

/* Estimate over the boots, and their standard deviation over the mean. */
static int side_describe(const double *logs, size_t n, double alpha, double *value, double *spread)
{
	double mean = 0, squares = 0;
	struct estimate centre;
	int rc = estimate_hl(logs, n, alpha, &centre);

	*value = exp(centre.value);
	for (size_t i = 0; i < n; i++)
		mean += exp(logs[i]) / (double)n;
	for (size_t i = 0; i < n; i++)
		squares += pow(exp(logs[i]) - mean, 2);
	*spread = n > 1 ? sqrt(squares / (double)(n - 1)) / mean : NAN;
	return rc;
}

static int row_fill(struct comparison_test *test, struct sample *sample, const struct boots *a,
		    const struct boots *b)
{
	int rc = side_fill(a, sample->series_a, &sample->a, &sample->n_a, &sample->by_block_a);

	rc = rc ? rc
		: side_fill(b, sample->series_b, &sample->b, &sample->n_b, &sample->by_block_b);
	rc = rc ? rc
		: side_describe(sample->a, sample->n_a, sample->alpha, &test->a, &test->a_spread);
	rc = rc ? rc
		: side_describe(sample->b, sample->n_b, sample->alpha, &test->b, &test->b_spread);
	test->a_n = (uint32_t)sample->n_a;
	test->b_n = (uint32_t)sample->n_b;
	test->units = test->a_n < test->b_n ? test->a_n : test->b_n;
	return rc;
}

/* Slots that count of one run. */
static size_t slots_in(const struct series *series)
{
	size_t n = 0;

	for (size_t i = 0; i < series->n_slots; i++)
		n += series->slots[i].status == SLOT_OK;
	return n;
}

/* Fewest runs of a boot with the test, and fewest slots of one of these: both sides of a group must
 * be the same. */
static void smallest_counts(const struct boots *boots, const struct series *like, size_t *boots_n,
			    size_t *runs, size_t *slots)
{
	*boots_n = 0;
	*runs = *slots = SIZE_MAX;
	for (size_t i = 0; i < boots->count; i++) {
		size_t of_boot = 0;

		for (size_t k = 0; k < boots->boot[i].count; k++) {
			const struct series *series = series_like(boots->boot[i].runs[k], like);

			if (!series)
				continue;
			of_boot++;
			*slots = slots_in(series) < *slots ? slots_in(series) : *slots;
		}
		*boots_n += of_boot > 0;
		*runs = of_boot && of_boot < *runs ? of_boot : *runs;
	}
}

static size_t take_slots(const struct series *series, size_t count, double *x)
{
	size_t n = 0;

	for (size_t i = 0; i < series->n_slots && n < count; i++) {
		if (series->slots[i].status == SLOT_OK)
			x[n++] = log(series->slots[i].rate);
	}
	return n;
}

/* ln(rate) by boot, run and slot, each cut to the smallest count. A level without repetition is the
 * run's estimate. Returns how many values. */
static size_t take_values(const struct boots *boots, const struct series *like, size_t runs,
			  size_t slots, double *x)
{
	size_t n = 0;

	for (size_t i = 0; i < boots->count; i++) {
		size_t taken = 0;

		for (size_t k = 0; k < boots->boot[i].count && taken < runs; k++) {
			const struct series *series = series_like(boots->boot[i].runs[k], like);

			if (!series)
				continue;
			taken++;
			if (slots > 1)
				n += take_slots(series, slots, x + n);
			else
				x[n++] = log(series->estimate.value);
		}
	}
	return n;
}

/* Analysis of one side; levels 0: boots are not repeated, nothing to be said. */
static int side_analyse(const struct boots *boots, const struct series *like, double alpha,
			struct hierarchy *hierarchy, double costs[HIERARCHY_LEVELS_MAX])
{
	size_t n_boots, runs, slots, count[HIERARCHY_LEVELS_MAX];
	unsigned int levels = 0;
	double *x;
	int rc;

	*hierarchy = (struct hierarchy){ 0 };
	smallest_counts(boots, like, &n_boots, &runs, &slots);
	if (n_boots < 2)
		return 0;
	if (slots > 1) {
		costs[levels] = cost_s[0];
		count[levels++] = slots;
	}
	if (runs > 1) {
		costs[levels] = cost_s[1];
		count[levels++] = runs;
	}
	costs[levels] = cost_s[2];
	count[levels++] = n_boots;
	x = malloc(n_boots * runs * (slots ? slots : 1) * sizeof(*x));
	if (!x)
		return -ENOMEM;
	take_values(boots, like, runs, slots, x);
	rc = hierarchy_analyse(x, count, levels, alpha, hierarchy);
	free(x);
	return rc;
}

/* Boots of one side for half of the ratio's variance; 0: not to be said. */
static int boots_needed(const struct boots *boots, const struct series *like, double margin,
			double alpha, size_t *needed, size_t repeat[HIERARCHY_LEVELS_MAX],
			unsigned int *levels)
{
	double costs[HIERARCHY_LEVELS_MAX], optimal[HIERARCHY_LEVELS_MAX];
	struct hierarchy hierarchy;
	int rc = side_analyse(boots, like, alpha, &hierarchy, costs);

	*needed = 0;
	*levels = hierarchy.levels;
	if (rc || !hierarchy.levels)
		return rc;
	rc = hierarchy_optimum(&hierarchy, costs, optimal, repeat);
	if (rc)
		return rc;
	rc = hierarchy_units_needed(&hierarchy, NULL, margin / sqrt(2), alpha, needed);
	if (rc == -ERANGE)
		*needed = HIERARCHY_UNITS_MAX;
	return rc == -ERANGE ? 0 : rc;
}

static int note_boots(struct comparison *comparison, const struct comparison_test *test,
		      const struct sample *sample, const struct boots *a, const struct boots *b)
{
	size_t repeat_a[HIERARCHY_LEVELS_MAX] = { 0 }, repeat_b[HIERARCHY_LEVELS_MAX] = { 0 };
	size_t for_a, for_b, needed;
	unsigned int levels_a, levels_b;
	char best[100] = "";
	int rc = boots_needed(a, sample->series_a, test->margin, sample->alpha, &for_a, repeat_a,
			      &levels_a);

	rc = rc ? rc
		: boots_needed(b, sample->series_b, test->margin, sample->alpha, &for_b, repeat_b,
			       &levels_b);
	if (rc)
		return rc;
	if (!for_a || !for_b)
		return comparison_note(comparison,
				       "%s at %u: how many boots are needed is not known from "
				       "fewer than two boots a side",
				       test->test, test->copies);
	needed = for_a > for_b ? for_a : for_b;
	if (levels_a == levels_b && levels_a == HIERARCHY_LEVELS_MAX)
		snprintf(best, sizeof(best), "; cheapest with %zu slots a run and %zu runs a boot",
			 repeat_a[0] > repeat_b[0] ? repeat_a[0] : repeat_b[0],
			 repeat_a[1] > repeat_b[1] ? repeat_a[1] : repeat_b[1]);
	return comparison_note(
		comparison,
		"%s at %u: %s%zu boots a side are needed for an interval of ±%.3g %%, "
		"there are %u%s",
		test->test, test->copies, needed >= HIERARCHY_UNITS_MAX ? "more than " : "", needed,
		100 * expm1(test->margin), test->units, best);
}

static int rows_fill(struct making *making, const struct boots *a, const struct boots *b)
{
	struct comparison *comparison = making->comparison;
	int rc = 0;

	for (size_t i = 0; !rc && i < comparison->n_tests; i++) {
		struct comparison_test *test = &comparison->tests[i];

		if (test->reason)
			continue;
		rc = row_fill(test, &making->samples[i], a, b);
		rc = rc ? rc : note_boots(comparison, test, &making->samples[i], a, b);
	}
	comparison->blocks = (uint32_t)(a->count < b->count ? a->count : b->count);
	return rc;
}

static int compare_boots(struct making *making, const struct boots *a, const struct boots *b,
			 struct error *err)
{
	const struct run *first_a, *first_b;
	int rc;

	if (!a->count || !b->count)
		return error_set(err, -EINVAL, "a side has no run");
	first_a = a->boot[0].runs[0];
	first_b = b->boot[0].runs[0];
	rc = refuse_common(a, b, err);
	rc = rc ? rc : sides_choose(making, first_a, first_b, err);
	rc = rc ? rc : sides_name(making, first_a, first_b, err);
	rc = rc ? rc : rows_match(making, first_a, first_b, err);
	rc = rc ? rc : rows_check(making, err);
	if (!rc) {
		rc = rows_fill(making, a, b);
		if (rc)
			error_errno(err, rc, "comparing boots");
	}
	rc = rc ? rc : rows_judge(making, err);
	rc = rc ? rc : indexes_make(making, first_a, first_b, err);
	return rc ? rc : environments_compare(making->comparison, first_a, first_b, err);
}

int comparison_of_boots(const struct comparison_runs *a, const struct comparison_runs *b,
			const struct comparison_request *request, struct comparison *comparison,
			struct error *err)
{
	struct boots of_a = { 0 }, of_b = { 0 };
	struct making making;
	int rc = making_start(&making, request, NULL, comparison, DESIGN_BOOT, err);

	rc = rc ? rc : boots_of(a, &of_a, err);
	rc = rc ? rc : boots_of(b, &of_b, err);
	rc = rc ? rc : compare_boots(&making, &of_a, &of_b, err);
	boots_free(&of_a);
	boots_free(&of_b);
	return making_finish(&making, rc);
}
