// SPDX-License-Identifier: GPL-2.0-or-later
/* legend.c - what the table leaves out: levels of the intervals, full names, kept limits of tests.
 */
#include "report/blocks.h"
#include "store/lock_summary.h"

#include <math.h>
#include <string.h>

#define LEVELS_NAMED  6
#define TITLE_COLUMNS 19

/* Levels by number of slots: both go together, but where an interval was taken at a look. */
struct levels {
	struct level {
		size_t n;
		double level;
	} level[LEVELS_NAMED];
	size_t named;
	double lowest, highest;
	bool more, has_normal;
};

static void levels_add(struct levels *levels, const struct estimate *estimate)
{
	if (!isfinite(estimate->level) || !isfinite(estimate->lo))
		return;
	levels->has_normal |= !estimate->exact;
	if (!levels->named || estimate->level < levels->lowest)
		levels->lowest = estimate->level;
	if (!levels->named || estimate->level > levels->highest)
		levels->highest = estimate->level;
	for (size_t i = 0; i < levels->named; i++)
		if (levels->level[i].n == estimate->n &&
		    fabs(levels->level[i].level - estimate->level) < 5e-4)
			return;
	if (levels->named == LEVELS_NAMED)
		levels->more = true;
	else
		levels->level[levels->named++] = (struct level){ estimate->n, estimate->level };
}

static bool same_text(const char *a, const char *b)
{
	return (!a && !b) || (a && b && !strcmp(a, b));
}

static const struct {
	const char *unit, *meaning;
} units[] = {
	{ "lps", "iterations per second" },
	{ "lpm", "iterations per minute" },
	{ "KBps", "KiB per second" },
	{ "MWIPS", "million Whetstone instructions per second" },
};

static bool has_unit(const struct run *run, const char *unit)
{
	for (size_t i = 0; i < run->n_series; i++)
		if (same_text(run->series[i].unit, unit))
			return true;
	return false;
}

static void add_units(const struct run *run, struct paragraph *line)
{
	paragraph_add(line, "Rates are of all copies together, higher is better");
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (has_unit(run, units[i].unit))
			paragraph_add(line, "; %s: %s", units[i].unit, units[i].meaning);
	paragraph_add(line, ". ");
}

void report_levels(const struct run *run, struct paragraph *line, FILE *out)
{
	struct levels levels = { 0 };

	for (size_t i = 0; i < run->n_series; i++) {
		const struct series *series = &run->series[i];

		if (series->n_modes <= 1)
			levels_add(&levels, &series->estimate);
		for (size_t k = 0; k < series->n_modes; k++)
			levels_add(&levels, &series->modes[k].estimate);
	}
	fputc('\n', out);
	add_units(run, line);
	if (!levels.named)
		goto out;
	paragraph_add(line, "Intervals by the signed-rank method%s; level reached: ",
		      levels.has_normal
			      ? ", its distribution by the corrected normal above 200 slots"
			      : "");
	if (levels.more)
		paragraph_add(line, "%.1f to %.1f %%", levels.lowest * 100, levels.highest * 100);
	for (size_t i = 0; !levels.more && i < levels.named; i++)
		paragraph_add(line, "%s%.1f %% (n = %zu)", list_separator(i, levels.named),
			      levels.level[i].level * 100, levels.level[i].n);
	paragraph_add(line, ". They hold for this boot and this period.");
out:
	paragraph_print(line, out, 0);
}

static void add_params(const json_t *params, struct paragraph *line)
{
	const char *name, *separator = " (";
	json_t *value;

	json_object_foreach((json_t *)params, name, value)
	{
		if (!json_is_integer(value) && !json_is_string(value))
			continue; /* a document of its own: in the JSON */
		paragraph_add(line, "%s", separator);
		paragraph_add_outside(line, name);
		paragraph_add(line, " ");
		if (json_is_integer(value))
			paragraph_add(line, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
		else
			paragraph_add_outside(line, json_string_value(value));
		separator = ", ";
	}
	if (strcmp(separator, " (") != 0)
		paragraph_add(line, ")");
}

void report_titles(const struct run *run, const struct series *const *series,
		   struct paragraph *line, FILE *out)
{
	bool is_headed = false;

	for (size_t i = 0; i < run->n_series; i++) {
		size_t earlier = 0;

		/* The parameters of lock tests stand in their own block. */
		while (earlier < i && !(same_text(series[earlier]->test, series[i]->test) &&
					(lock_is_series(series[i]) ||
					 json_equal(series[earlier]->params, series[i]->params))))
			earlier++;
		if (earlier < i || !series[i]->title)
			continue;
		if (!is_headed)
			fprintf(out, "\nTests\n");
		is_headed = true;
		paragraph_add(line, "  ");
		paragraph_add_test_id(line, series[i]->test ? series[i]->test : "unknown");
		paragraph_pad(line, TITLE_COLUMNS - 1);
		paragraph_add(line, " ");
		paragraph_add_outside(line, series[i]->title);
		if (!lock_is_series(series[i]))
			add_params(series[i]->params, line);
		paragraph_print(line, out, TITLE_COLUMNS);
	}
}

/* Has a series before this one, of the same test or of another, the same note? */
static bool note_is_said(const struct run *run, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (same_text(run->series[k].note, run->series[i].note))
			return true;
	return false;
}

/* Is the note that of the test at every copy count? Then none needs to be named. */
static bool is_of_all_copies(const struct run *run, const struct series *series)
{
	for (size_t i = 0; i < run->n_series; i++) {
		if (same_text(run->series[i].test, series->test) &&
		    !same_text(run->series[i].note, series->note))
			return false;
	}
	return true;
}

/* "pipe (1 and 4 copies)": the copy counts of a test that have the note. */
static void add_noted_copies(const struct run *run, const struct series *noted,
			     struct paragraph *line)
{
	size_t count = 0, named = 0;

	for (int print = 0; print < 2; print++) {
		for (size_t i = 0; i < run->n_series; i++) {
			const struct series *series = &run->series[i];

			if (!same_text(series->test, noted->test) ||
			    !same_text(series->note, noted->note))
				continue;
			if (!print)
				count++;
			else
				paragraph_add(line, "%s%u",
					      named ? list_separator(named, count) : " (",
					      series->copies);
			named += print;
		}
	}
	paragraph_add(line, count == 1 && noted->copies == 1 ? " copy)" : " copies)");
}

/* Names of all tests with the note, each once. */
static void add_noted_tests(const struct run *run, const char *note, struct paragraph *line)
{
	const char *separator = "";

	for (size_t i = 0; i < run->n_series; i++) {
		const struct series *series = &run->series[i];
		size_t k = 0;

		while (k < i && !(same_text(run->series[k].test, series->test) &&
				  same_text(run->series[k].note, note)))
			k++;
		if (k < i || !same_text(series->note, note))
			continue;
		paragraph_add(line, "%s", separator);
		paragraph_add_test_id(line, series->test ? series->test : "unknown");
		if (!is_of_all_copies(run, series))
			add_noted_copies(run, series, line);
		separator = ", ";
	}
}

void report_notes(const struct run *run, struct paragraph *line, FILE *out)
{
	bool is_headed = false;

	for (size_t i = 0; i < run->n_series; i++) {
		const char *note = run->series[i].note;

		if (!note || note_is_said(run, i))
			continue;
		if (!is_headed)
			fprintf(out, run->status == RUN_IMPORTED
					     ? "\nNotes\n"
					     : "\nNotes: limits kept so that scores compare with "
					       "UnixBench\n");
		is_headed = true;
		paragraph_add(line, "  ");
		add_noted_tests(run, note, line);
		paragraph_add(line, ": ");
		paragraph_add_outside(line, note);
		paragraph_print(line, out, 4);
	}
}
