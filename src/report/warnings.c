// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * warnings.c - what may make a number wrong or wide, with its evidence.
 *
 * One line per series and kind of trouble: slots marked by external evidence and what became of
 * them, a result that the re-runs changed, slots that failed, windows longer than planned, copies
 * without a CPU, rates that had not settled. A kind that more than ROWS_APART rows have is one
 * paragraph for all of them. Then what the run itself warned of.
 */
#include "report/blocks.h"
#include "report/causes.h"
#include "report/report.h"
#include "report/row_warnings.h"

#include <math.h>
#include <string.h>

#define CAUSES_SHOWN 4 /* of a series */
#define CAUSES_WORST 3 /* of a run */
#define SLOTS_NAMED  4
#define RATE_COLUMNS 12

static bool slot_is_marked(const struct slot *slot)
{
	return json_array_size(json_object_get(slot->evidence, "external")) > 0;
}

void warning_add_row(struct paragraph *line, const struct series *series)
{
	paragraph_add(line, "  ");
	paragraph_add_test(line, series);
	paragraph_add(line, ", ");
	paragraph_add_copies(line, series->copies);
	paragraph_add(line, ": ");
}

/* "slot 3", "slots 3, 17 and 20", "9 of 24 slots": those for which is_meant() holds. */
static size_t add_slots(struct paragraph *line, const struct series *series,
			bool (*is_meant)(const struct slot *slot))
{
	size_t meant = 0, named = 0;

	for (size_t i = 0; i < series->n_slots; i++)
		meant += is_meant(&series->slots[i]);
	if (meant > SLOTS_NAMED) {
		paragraph_add(line, "%zu of %zu slots", meant, series->n_slots);
		return meant;
	}
	paragraph_add(line, meant == 1 ? "slot " : "slots ");
	for (size_t i = 0; i < series->n_slots; i++)
		if (is_meant(&series->slots[i]))
			paragraph_add(line, "%s%u", list_separator(named++, meant),
				      series->slots[i].ordinal);
	return meant;
}

static void warn_marked(const struct series *series, struct paragraph *line)
{
	struct causes causes = { .kept = 0 };
	size_t rerun = 0, marked = 0;

	for (size_t i = 0; i < series->n_slots; i++) {
		marked += slot_is_marked(&series->slots[i]);
		rerun += slot_is_marked(&series->slots[i]) &&
			 series->slots[i].status == SLOT_REPLACED;
		causes_add_slot(&causes, &series->slots[i]);
	}
	if (!marked)
		return;
	warning_add_row(line, series);
	add_slots(line, series, slot_is_marked);
	causes_sort(&causes);
	for (size_t i = 0; i < causes.kept && i < CAUSES_SHOWN; i++) {
		paragraph_add(line, i ? ", " : ": ");
		causes_add_cause(line, &causes.cause[i], marked > 1);
	}
	if (causes.kept > CAUSES_SHOWN)
		paragraph_add(line, ", and %zu more", causes.kept - CAUSES_SHOWN + causes.more);
	if (rerun == marked)
		paragraph_add(line, "; re-run");
	else if (!rerun)
		paragraph_add(line, "; kept, not re-run");
	else
		paragraph_add(line, "; %zu re-run, %zu kept", rerun, marked - rerun);
}

static size_t count_marked_rows(const struct run *run)
{
	size_t rows = 0;

	for (size_t i = 0; i < run->n_series; i++) {
		const struct series *series = &run->series[i];
		bool is_marked = false;

		for (size_t k = 0; k < series->n_slots; k++)
			is_marked |= slot_is_marked(&series->slots[k]);
		rows += is_marked;
	}
	return rows;
}

/* All marked slots of the run in one paragraph. */
static void warn_marked_rows(const struct run *run, size_t rows, struct paragraph *line)
{
	struct causes causes = { .kept = 0 };
	size_t slots = 0, rerun = 0, marked = 0;

	for (size_t i = 0; i < run->n_series; i++) {
		const struct series *series = &run->series[i];

		slots += series->n_slots;
		for (size_t k = 0; k < series->n_slots; k++) {
			marked += slot_is_marked(&series->slots[k]);
			rerun += slot_is_marked(&series->slots[k]) &&
				 series->slots[k].status == SLOT_REPLACED;
			causes_add_slot(&causes, &series->slots[k]);
		}
	}
	paragraph_add(line, "  %zu of %zu slots, in %zu of %zu rows, were disturbed from outside",
		      marked, slots, rows, run->n_series);
	causes_sort_by_share(&causes);
	for (size_t i = 0; i < causes.kept && i < CAUSES_WORST; i++) {
		paragraph_add(line, i ? ", " : ", the worst: ");
		causes_add_cause(line, &causes.cause[i], true);
	}
	paragraph_add(line, "; %zu re-run, %zu kept", rerun, marked - rerun);
	if (rerun < marked)
		paragraph_add(line, ", since at most 15 %% of a plan's slots are re-run");
	paragraph_add(line, ". `onproc show ");
	paragraph_add_outside(line, run->id);
	paragraph_add(line, " --format json` has each slot's evidence");
}

static bool slot_has_failed(const struct slot *slot)
{
	return slot->status == SLOT_FAILED;
}

/* A series without any result has its reason in its row. */
static void warn_failed(const struct series *series, struct paragraph *line)
{
	size_t first = 0, failed;

	while (first < series->n_slots && !slot_has_failed(&series->slots[first]))
		first++;
	if (first == series->n_slots || series->reason)
		return;
	warning_add_row(line, series);
	failed = add_slots(line, series, slot_has_failed);
	paragraph_add(line, failed == 1 ? " failed: " : " failed, the first: ");
	paragraph_add_outside(line, series->slots[first].error);
}

static void warn_rerun_matters(const struct series *series, struct paragraph *line)
{
	const struct estimate *now = &series->estimate, *first = &series->first_result;
	double half_width = (now->hi - now->lo) / 2;
	char number[RATE_COLUMNS + 1];

	if (!(fabs(first->value - now->value) > half_width))
		return;
	format_number(first->value, half_width, RATE_COLUMNS, number, sizeof(number));
	warning_add_row(line, series);
	paragraph_add(line, "%s ", number);
	paragraph_add_outside(line, series->unit);
	format_number(now->value, half_width, RATE_COLUMNS, number, sizeof(number));
	paragraph_add(line, " without the re-runs, %s with them", number);
}

void warning_print(struct paragraph *line, FILE *out, bool *is_headed)
{
	if (!line->length)
		return;
	if (!*is_headed)
		fprintf(out, "\nWarnings\n");
	*is_headed = true;
	paragraph_print(line, out, 4);
}

void report_warnings(const struct run *run, struct paragraph *line, FILE *out)
{
	const size_t marked_rows = count_marked_rows(run);
	bool is_headed = false;

	if (marked_rows > ROWS_APART) {
		warn_marked_rows(run, marked_rows, line);
		warning_print(line, out, &is_headed);
	}
	for (size_t i = 0; i < run->n_series; i++) {
		const struct series *series = &run->series[i];

		if (marked_rows <= ROWS_APART)
			warn_marked(series, line);
		warning_print(line, out, &is_headed);
		warn_rerun_matters(series, line);
		warning_print(line, out, &is_headed);
		warn_failed(series, line);
		warning_print(line, out, &is_headed);
	}
	row_warnings(run, line, out, &is_headed);
	for (size_t i = 0; i < json_array_size(run->warnings); i++) {
		if (row_warnings_have(run, warning_of_run(run, i)))
			continue;
		paragraph_add(line, "  ");
		paragraph_add_outside(line, warning_of_run(run, i));
		warning_print(line, out, &is_headed);
	}
}
