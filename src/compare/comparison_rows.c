// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * comparison_rows.c - which test of one side is compared with which of the other, and why not.
 *
 * A test of B belongs to one of A when name and copy count are the same; of several, the one with
 * the same id and parameters. What differs beyond that is a reason to refuse the row: their
 * iterations do different work.
 */
#include "compare/comparison_private.h"
#include "store/lock_summary.h"
#include "store/score.h"
#include "store/suite.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define REFUSAL_BYTES 700 /* of all reasons in the text of an error */

int row_refuse(struct comparison_test *test, const char *format, ...)
{
	va_list args;
	int length;

	if (test->reason)
		return 0;
	va_start(args, format);
	length = vasprintf(&test->reason, format, args);
	va_end(args);
	if (length >= 0)
		return 0;
	test->reason = NULL;
	return -ENOMEM;
}

/* Bytes of "unixbench6/pipe" in "unixbench6/pipe@1". */
static size_t name_bytes(const char *id)
{
	return strcspn(id, "@");
}

static int compare_names(const char *a, const char *b)
{
	size_t a_bytes = name_bytes(a), b_bytes = name_bytes(b);
	int order = memcmp(a, b, a_bytes < b_bytes ? a_bytes : b_bytes);

	return order ? order : (a_bytes > b_bytes) - (a_bytes < b_bytes);
}

/* A series of a side, to be sorted; `taken` once a row has it. */
struct candidate {
	const struct series *series;
	bool taken;
};

static int compare_candidates(const void *left, const void *right)
{
	const struct candidate *a = left, *b = right;
	int order = compare_names(a->series->test, b->series->test);

	if (order)
		return order;
	if (a->series->copies != b->series->copies)
		return a->series->copies < b->series->copies ? -1 : 1;
	/* As in the run: both point into one array. */
	return a->series < b->series ? -1 : a->series > b->series;
}

static bool is_asked_for(const struct making *making, const char *id)
{
	const char *const *name = making->request->tests;

	if (!name || !*name)
		return true;
	for (; *name; name++) {
		if (test_is_called(id, *name))
			return true;
	}
	return false;
}

/* A series without a side is one of either run; of the sides of one run it is none. */
static bool takes_part(const struct making *making, const struct series *series, const char *side)
{
	if (!series->test)
		return false;
	if (series->side ? !side || strcmp(series->side, side) != 0
			 : making->comparison->design == DESIGN_ABBA)
		return false;
	return is_asked_for(making, series->test);
}

/* The series of a side, in the order of the run. NULL: no memory. */
static struct candidate *candidates_of(const struct making *making, const struct run *run,
				       const char *side, size_t *count)
{
	struct candidate *list = calloc(run->n_series + 1, sizeof(*list));

	*count = 0;
	for (size_t i = 0; list && i < run->n_series; i++) {
		if (takes_part(making, &run->series[i], side))
			list[(*count)++].series = &run->series[i];
	}
	return list;
}

static size_t first_of(const struct candidate *sorted, size_t count, const struct series *series)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct series *other = sorted[middle].series;
		int order = compare_names(other->test, series->test);

		if (order < 0 || (!order && other->copies < series->copies))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool same_params(const struct series *a, const struct series *b)
{
	return json_equal(a->params, b->params) ||
	       (!json_object_size(a->params) && !json_object_size(b->params));
}

/*
 * The partner of a series among those of its name and copy count; NULL: none. A test that has
 * several series with parameters of their own takes none but the same.
 */
static struct candidate *partner_of(struct candidate *sorted, size_t count,
				    const struct series *series)
{
	struct candidate *best = NULL;
	int best_fit = -1;

	for (size_t i = first_of(sorted, count, series); i < count; i++) {
		const struct series *other = sorted[i].series;
		int fit;

		if (compare_names(other->test, series->test) || other->copies != series->copies)
			break;
		if (lock_is_series(series) && !same_params(other, series))
			continue;
		fit = 2 * !strcmp(other->test, series->test) + same_params(other, series);
		if (!sorted[i].taken && fit > best_fit) {
			best = &sorted[i];
			best_fit = fit;
		}
	}
	return best;
}

static char *text_or_empty(const char *text)
{
	return strdup(text ? text : "");
}

static int row_add(struct making *making, const struct series *a, const struct series *b)
{
	struct comparison *comparison = making->comparison;
	const struct series *shown = b ? b : a;
	struct comparison_test *test;

	if (comparison->n_tests == making->room) {
		size_t room = making->room ? 2 * making->room : 16;
		struct comparison_test *tests =
			reallocarray(comparison->tests, room, sizeof(*tests));
		struct sample *samples;

		if (!tests)
			return -ENOMEM;
		comparison->tests = tests;
		samples = reallocarray(making->samples, room, sizeof(*samples));
		if (!samples)
			return -ENOMEM;
		making->samples = samples;
		making->room = room;
	}
	making->samples[comparison->n_tests] = (struct sample){
		.series_a = a,
		.series_b = b,
		.alpha = comparison->alpha,
	};
	test = &comparison->tests[comparison->n_tests++];
	*test = (struct comparison_test){
		.test = text_or_empty(shown->test),
		.title = text_or_empty(shown->title),
		.unit = text_or_empty(shown->unit),
		.label = lock_label(shown),
		.params = shown->params ? json_incref(shown->params) : json_object(),
		.copies = shown->copies,
		.a = NAN,
		.b = NAN,
		.a_spread = NAN,
		.b_spread = NAN,
		.margin = log1p(comparison->margin),
		.p = NAN,
		.q = NAN,
		.p_holm = NAN,
		.p_regression = NAN,
	};
	estimate_none(&test->log_ratio, 0, NULL);
	estimate_none(&test->holm, 0, NULL);
	return test->test && test->title && test->unit && test->params ? 0 : -ENOMEM;
}

static bool has_version(const char *id)
{
	return id[name_bytes(id)] == '@';
}

/* What an import of another tool cannot know does not refuse it. */
static bool is_known(const struct series *series)
{
	return series->content_hash != NULL;
}

static int refuse_params(struct comparison_test *test, const struct series *a,
			 const struct series *b)
{
	char *a_text = json_dumps(a->params, JSON_COMPACT | JSON_SORT_KEYS);
	char *b_text = json_dumps(b->params, JSON_COMPACT | JSON_SORT_KEYS);
	int rc = row_refuse(test, "the parameters differ: A %s, B %s", a_text ? a_text : "{}",
			    b_text ? b_text : "{}");

	free(a_text);
	free(b_text);
	return rc;
}

static bool has_result(const struct series *series)
{
	return series->estimate.value > 0 && isfinite(series->estimate.value);
}

static int refuse_side(struct comparison_test *test, const struct series *series, const char *side)
{
	const char *why = series->reason ? series->reason : series->estimate.reason;

	return row_refuse(test, "no result in %s: %s", side, why ? why : "it was not measured");
}

/* Sets the row's reason where both cannot be compared. */
static int row_match(struct comparison_test *test, const struct series *a, const struct series *b)
{
	test->is_one_sided = !a || !b;
	if (test->is_one_sided)
		return row_refuse(test, "only in %s", a ? "A" : "B");
	if (strcmp(a->test, b->test) != 0 && has_version(a->test) && has_version(b->test))
		return row_refuse(test, "A is %s, B is %s: their iterations do different work",
				  a->test, b->test);
	if (is_known(a) && is_known(b) && !same_params(a, b))
		return refuse_params(test, a, b);
	if (is_known(a) && is_known(b) && strcmp(a->content_hash, b->content_hash) != 0)
		return row_refuse(test,
				  "the content hashes differ (A %.12s, B %.12s): the test or its "
				  "parameters were changed between the runs",
				  a->content_hash, b->content_hash);
	if (!a->unit || !b->unit || strcmp(a->unit, b->unit) != 0)
		return row_refuse(test, "the units differ: A is in %s, B in %s",
				  a->unit ? a->unit : "none", b->unit ? b->unit : "none");
	if (!has_result(a))
		return refuse_side(test, a, "A");
	if (!has_result(b))
		return refuse_side(test, b, "B");
	return 0;
}

static int match_all(struct making *making, const struct candidate *a, size_t n_a,
		     struct candidate *b, size_t n_b)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < n_a; i++) {
		struct candidate *partner = partner_of(b, n_b, a[i].series);

		if (partner)
			partner->taken = true;
		rc = row_add(making, a[i].series, partner ? partner->series : NULL);
	}
	for (size_t i = 0; !rc && i < n_b; i++) {
		if (!b[i].taken)
			rc = row_add(making, NULL, b[i].series);
	}
	for (size_t i = 0; !rc && i < making->comparison->n_tests; i++) {
		struct sample *sample = &making->samples[i];
		const struct series *one = sample->series_a, *other = sample->series_b;

		rc = row_match(&making->comparison->tests[i], one, other);
		if (one && other && one->baseline == other->baseline)
			sample->baseline = one->baseline;
	}
	return rc;
}

static int warn_unknown(struct making *making)
{
	size_t unknown = 0;

	for (size_t i = 0; i < making->comparison->n_tests; i++) {
		const struct sample *sample = &making->samples[i];

		if (!making->comparison->tests[i].reason &&
		    !(is_known(sample->series_a) && is_known(sample->series_b)))
			unknown++;
	}
	if (!unknown)
		return 0;
	return comparison_warn(making->comparison,
			       "the content hash of %zu %s is not known (import): whether both "
			       "sides did the same work is not known either",
			       unknown, unknown == 1 ? "test" : "tests");
}

static int warn_modes(struct making *making)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < making->comparison->n_tests; i++) {
		const struct comparison_test *test = &making->comparison->tests[i];
		const struct sample *sample = &making->samples[i];

		if (!test->reason && (sample->series_a->n_modes || sample->series_b->n_modes))
			rc = comparison_warn(making->comparison,
					     "%s at %u: its slots fall into modes; the ratio is "
					     "of the centres over all slots",
					     test->test, test->copies);
	}
	return rc;
}

int rows_match(struct making *making, const struct run *a, const struct run *b, struct error *err)
{
	const struct comparison *comparison = making->comparison;
	size_t n_a, n_b;
	struct candidate *of_a = candidates_of(making, a, comparison->a.letter, &n_a);
	struct candidate *of_b = candidates_of(making, b, comparison->b.letter, &n_b);
	int rc = of_a && of_b ? 0 : -ENOMEM;

	if (!rc && !n_a && !n_b && making->request->tests && making->request->tests[0]) {
		rc = error_set(err, -ENOENT, "%s: neither side has such a test",
			       making->request->tests[0]);
		goto out;
	}
	if (!rc) {
		qsort(of_b, n_b, sizeof(*of_b), compare_candidates);
		rc = match_all(making, of_a, n_a, of_b, n_b);
	}
	rc = rc ? rc : warn_unknown(making);
	rc = rc ? rc : warn_modes(making);
	if (rc)
		comparison_no_memory(err);
out:
	free(of_a);
	free(of_b);
	return rc;
}

int rows_check(const struct making *making, struct error *err)
{
	const struct comparison *comparison = making->comparison;
	char reasons[REFUSAL_BYTES] = "";
	size_t used = 0, left_out = 0;

	for (size_t i = 0; i < comparison->n_tests; i++) {
		const struct comparison_test *test = &comparison->tests[i];
		int length;

		if (!test->reason)
			return 0;
		if (used + 100 > sizeof(reasons)) {
			left_out++;
			continue;
		}
		length = snprintf(reasons + used, sizeof(reasons) - used, "%s%s at %u: %s",
				  used ? "; " : "", test->test, test->copies, test->reason);
		used += length > 0 ? (size_t)length : 0;
		if (used >= sizeof(reasons))
			used = sizeof(reasons) - 1;
	}
	if (!comparison->n_tests)
		return error_set(err, -ENOTSUP, "%s and %s: no tests to compare", comparison->a.run,
				 comparison->b.run);
	if (left_out)
		return error_set(err, -ENOTSUP,
				 "%s and %s: nothing can be compared: %s; and %zu more",
				 comparison->a.run, comparison->b.run, reasons, left_out);
	return error_set(err, -ENOTSUP, "%s and %s: nothing can be compared: %s", comparison->a.run,
			 comparison->b.run, reasons);
}

/* Standard deviation over mean of the slots that count; and how many they are. */
static double spread_of(const struct series *series, uint32_t *count)
{
	double mean = 0, squares = 0;
	uint32_t n = 0;

	for (size_t i = 0; i < series->n_slots; i++) {
		const struct slot *slot = &series->slots[i];
		double step;

		if (!slot_counts(slot))
			continue;
		n++;
		step = slot->rate - mean;
		mean += step / n;
		squares += step * (slot->rate - mean);
	}
	*count = n;
	return n > 1 ? sqrt(squares / (n - 1)) / mean : NAN;
}

void row_describe(struct comparison_test *test, const struct sample *sample)
{
	if (sample->series_a) {
		test->a_spread = spread_of(sample->series_a, &test->a_n);
		test->a = sample->series_a->estimate.value;
		if (!test->a_n && has_result(sample->series_a))
			test->a_n = 1;
	}
	if (sample->series_b) {
		test->b_spread = spread_of(sample->series_b, &test->b_n);
		test->b = sample->series_b->estimate.value;
		if (!test->b_n && has_result(sample->series_b))
			test->b_n = 1;
	}
}
