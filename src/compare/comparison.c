// SPDX-License-Identifier: GPL-2.0-or-later
/* comparison.c - a comparison begun, named, finished and freed; see comparison.h. */
#include "compare/comparison_private.h"
#include "stats/further.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const char *const comparison_design_names[] = {
	[DESIGN_ABBA] = "abba",
	[DESIGN_UNPAIRED] = "unpaired",
	[DESIGN_BOOT] = "boot",
};

int comparison_no_memory(struct error *err)
{
	return error_set(err, -ENOMEM, "no memory for a comparison");
}

static int append_text(json_t *array, const char *format, va_list args)
{
	json_t *text = json_vsprintf(format, args);

	/* a text from outside that is no UTF-8 cannot be a JSON string */
	if (!text)
		text = json_string("a text that is no UTF-8");
	return json_array_append_new(array, text) ? -ENOMEM : 0;
}

int comparison_warn(struct comparison *comparison, const char *format, ...)
{
	va_list args;
	int rc;

	va_start(args, format);
	rc = append_text(comparison->warnings, format, args);
	va_end(args);
	return rc;
}

int comparison_warn_as(struct comparison *comparison, const struct run *run, const char *before)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < json_array_size(run->warnings); i++) {
		const char *text = json_string_value(json_array_get(run->warnings, i));

		if (text)
			rc = comparison_warn(comparison, "%s%s", before, text);
	}
	return rc;
}

int comparison_note(struct comparison *comparison, const char *format, ...)
{
	va_list args;
	int rc;

	va_start(args, format);
	rc = append_text(comparison->notes, format, args);
	va_end(args);
	return rc;
}

static const json_t *plan_of_sides(const struct run *run)
{
	return run ? json_object_get(run->plan, "sides") : NULL;
}

/* What was asked for, else what the run was measured for, else the default. */
static double share_of(double asked, const struct run *run, const char *name, double fallback)
{
	double own = json_number_value(json_object_get(plan_of_sides(run), name));

	if (asked != 0)
		return asked;
	return own > 0 && own < 1 ? own : fallback;
}

int making_start(struct making *making, const struct comparison_request *request,
		 const struct run *own, struct comparison *comparison,
		 enum comparison_design design, struct error *err)
{
	*making = (struct making){ .request = request, .comparison = comparison };
	*comparison = (struct comparison){
		.design = design,
		.margin = share_of(request->margin, own, "margin", COMPARISON_MARGIN),
		.alpha = share_of(request->alpha, own, "alpha", COMPARISON_ALPHA),
		.differences = json_array(),
		.warnings = json_array(),
		.notes = json_array(),
	};
	if (!(comparison->margin > 0) || isinf(comparison->margin))
		return error_set(err, -EINVAL, "the margin must be more than 0");
	if (!(comparison->alpha > 0 && comparison->alpha < 1))
		return error_set(err, -EINVAL, "alpha must lie between 0 and 1");
	if (!comparison->differences || !comparison->warnings || !comparison->notes)
		return comparison_no_memory(err);
	return 0;
}

static void sample_free(struct sample *sample)
{
	free(sample->a);
	free(sample->b);
	free(sample->d);
	block_values_free(&sample->by_block_a);
	block_values_free(&sample->by_block_b);
}

int making_finish(struct making *making, int rc)
{
	for (size_t i = 0; i < making->comparison->n_tests; i++)
		sample_free(&making->samples[i]);
	free(making->samples);
	if (rc)
		comparison_free(making->comparison);
	return rc;
}

/* What stood above the table that was imported. */
static const char *label_of(const struct run *run)
{
	const json_t *imported = json_object_get(run->environment, "imported");

	return json_string_value(json_object_get(imported, "label"));
}

static const char *kernel_of(const struct run *run)
{
	return json_string_value(json_object_get(run->environment, "kernel_release"));
}

/* As typed in `ab`. */
static const char *name_of_side(const struct run *run, const char *letter)
{
	const json_t *side = json_object_get(plan_of_sides(run), letter);
	const char *name = json_string_value(json_object_get(side, "name"));

	return name ? name : letter;
}

typedef const char *(*name_kind)(const struct run *run);

/* The first of the kinds of names that both runs have and that tells them apart. */
static void tell_apart(const struct run *a, const struct run *b, const char *names[2])
{
	static const name_kind kinds[] = { kernel_of, label_of };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		names[0] = kinds[i](a);
		names[1] = kinds[i](b);
		if (names[0] && names[1] && strcmp(names[0], names[1]) != 0)
			return;
	}
	names[0] = a == b ? name_of_side(a, "A") : a->id;
	names[1] = a == b ? name_of_side(b, "B") : b->id;
}

static bool has_side(const struct run *run, const char *letter)
{
	for (size_t i = 0; i < run->n_series; i++) {
		if (run->series[i].side && !strcmp(run->series[i].side, letter))
			return true;
	}
	return false;
}

static int choose_side(struct comparison_side *side, const struct run *run, const char *asked,
		       const char *otherwise, struct error *err)
{
	if (asked && !has_side(run, asked))
		return error_set(err, -EINVAL,
				 "run %s has no side %s: it was not measured by onproc ab", run->id,
				 asked);
	if (!asked && has_side(run, otherwise))
		asked = otherwise;
	side->letter = asked;
	return 0;
}

int sides_choose(struct making *making, const struct run *a, const struct run *b, struct error *err)
{
	const struct comparison_request *request = making->request;
	struct comparison *comparison = making->comparison;
	int rc = choose_side(&comparison->a, a, request->a_side, "A", err);

	return rc ? rc : choose_side(&comparison->b, b, request->b_side, "B", err);
}

/* "v6.13", of one side of a run "v6.13:B (on)". NULL: no memory. */
static char *name_of(const struct comparison_side *side, const struct run *run, const char *name,
		     bool is_one_of_two)
{
	const char *own = side->letter ? name_of_side(run, side->letter) : NULL;
	bool is_named = own && strcmp(own, side->letter) != 0;
	char *whole = NULL;

	if (!is_one_of_two || !side->letter)
		return strdup(name);
	if (asprintf(&whole, "%s:%s%s%s%s", name, side->letter, is_named ? " (" : "",
		     is_named ? own : "", is_named ? ")" : "") < 0)
		return NULL;
	return whole;
}

int sides_name(struct making *making, const struct run *a, const struct run *b, struct error *err)
{
	const char *a_name = making->request->a_name, *b_name = making->request->b_name;
	struct comparison *comparison = making->comparison;
	bool are_apart = comparison->design != DESIGN_ABBA;
	const char *names[2];

	tell_apart(a, b, names);
	comparison->a.record = a;
	comparison->b.record = b;
	comparison->a.run = strdup(a->id);
	comparison->b.run = strdup(b->id);
	comparison->a.name = name_of(&comparison->a, a, a_name ? a_name : names[0], are_apart);
	comparison->b.name = name_of(&comparison->b, b, b_name ? b_name : names[1], are_apart);
	if (!comparison->a.run || !comparison->b.run || !comparison->a.name || !comparison->b.name)
		return comparison_no_memory(err);
	return 0;
}

double comparison_units(const struct comparison_test *test, size_t values)
{
	return ceil((double)values * ((double)test->units / (double)test->log_ratio.n));
}

double comparison_further_units(const struct comparison_test *test)
{
	if (!isfinite(test->log_ratio.lo) || !test->log_ratio.n)
		return NAN;
	if (test->decision.verdict != VERDICT_INCONCLUSIVE)
		return 0;
	return comparison_units(test, further_blocks(&test->log_ratio, test->margin));
}

const struct comparison_index *comparison_main_index(const struct comparison *comparison)
{
	const struct comparison_index *most = NULL;

	for (size_t i = 0; i < comparison->n_indexes; i++) {
		const struct comparison_index *index = &comparison->indexes[i];

		if (!most || (!strcmp(index->suite, most->suite) && index->copies > most->copies))
			most = index;
	}
	return most;
}

static void side_free(struct comparison_side *side)
{
	free(side->run);
	free(side->name);
}

void comparison_free(struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->n_tests; i++) {
		struct comparison_test *test = &comparison->tests[i];

		free(test->test);
		free(test->title);
		free(test->unit);
		free(test->label);
		json_decref(test->params);
		free(test->reason);
	}
	for (size_t i = 0; i < comparison->n_indexes; i++)
		free(comparison->indexes[i].suite);
	free(comparison->tests);
	free(comparison->indexes);
	side_free(&comparison->a);
	side_free(&comparison->b);
	json_decref(comparison->differences);
	json_decref(comparison->warnings);
	json_decref(comparison->notes);
	*comparison = (struct comparison){ 0 };
}
