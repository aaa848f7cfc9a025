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

#include "base/clock.h"

#include <math.h>
#include <string.h>

#define ROWS_APART    3
#define CAUSES_SHOWN  4 /* of a series */
#define CAUSES_WORST  3 /* of a run */
#define SLOTS_NAMED   4
#define RATE_COLUMNS  12
#define LONGER_WINDOW 1.05 /* of the planned length: less is no news */

static double number_member(const json_t *object, const char *name)
{
	const json_t *member = json_object_get(object, name);

	return json_is_number(member) ? json_number_value(member) : NAN;
}

static bool slot_is_marked(const struct slot *slot)
{
	return json_array_size(json_object_get(slot->evidence, "external")) > 0;
}

static void add_series(struct paragraph *line, const struct series *series)
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
	add_series(line, series);
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
	add_series(line, series);
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
	add_series(line, series);
	paragraph_add(line, "%s ", number);
	paragraph_add_outside(line, series->unit);
	format_number(now->value, half_width, RATE_COLUMNS, number, sizeof(number));
	paragraph_add(line, " without the re-runs, %s with them", number);
}

/* Length of a slot as planned, NAN when slots of the plan have no one length. */
static double planned_slot_ns(const struct run *run)
{
	if (json_is_true(json_object_get(run->plan, "classic")))
		return NAN;
	return number_member(run->plan, "slot_ns");
}

/* The longest window that grew; NAN: none by as much as is news. */
static double longest_window(const struct run *run, const struct series *series)
{
	const double planned_ns = planned_slot_ns(run);
	double longest_ns = NAN;

	for (size_t i = 0; i < series->n_slots; i++) {
		const struct slot *slot = &series->slots[i];

		if (json_is_true(json_object_get(slot->evidence, "lengthened")) &&
		    !((double)slot->length_ns < LONGER_WINDOW * planned_ns))
			longest_ns = fmax(longest_ns, (double)slot->length_ns);
	}
	return longest_ns;
}

/* The most, or with `least` the least, that a member of the slots' evidence counts; NAN: none has
 * it. */
static double evidence_count(const struct series *series, const char *name, bool least)
{
	double found = NAN;

	for (size_t i = 0; i < series->n_slots; i++) {
		double count = number_member(series->slots[i].evidence, name);

		found = least ? fmin(found, count) : fmax(found, count);
	}
	return found;
}

static double most_unscheduled(const struct run *run, const struct series *series)
{
	(void)run;
	return evidence_count(series, "unscheduled", false);
}

static double fewest_iterations(const struct run *run, const struct series *series)
{
	(void)run;
	return evidence_count(series, "fewest_iterations", true);
}

static double is_not_steady(const struct run *run, const struct series *series)
{
	(void)run;
	return series->not_steady ? 1 : NAN;
}

static const char *run_warning(const struct run *run, size_t i)
{
	const char *text = json_string_value(json_array_get(run->warnings, i));

	return text ? text : "";
}

static double is_spread(const struct run *run, const struct series *series)
{
	for (size_t i = 0; i < json_array_size(run->warnings); i++)
		if (run_warning_is_spread(run_warning(run, i), series))
			return 1;
	return NAN;
}

static void say_window(const struct run *run, double longest_ns, struct paragraph *line)
{
	paragraph_add(line, "windows grew to up to ");
	paragraph_add_duration(line, longest_ns);
	if (planned_slot_ns(run) > 0) {
		paragraph_add(line, " instead of ");
		paragraph_add_duration(line, planned_slot_ns(run));
	}
	paragraph_add(line, ", until every copy had run often enough");
}

static void say_windows(const struct run *run, struct paragraph *line)
{
	paragraph_add(line, "windows");
	if (planned_slot_ns(run) > 0) {
		paragraph_add(line, " of ");
		paragraph_add_duration(line, planned_slot_ns(run));
	}
	paragraph_add(line, " grew until every copy had run often enough, the longest");
}

static void say_unscheduled(const struct run *run, double copies, struct paragraph *line)
{
	(void)run;
	paragraph_add(line, "%.0f %s got no CPU in the longest window a slot may have", copies,
		      copies == 1 ? "copy" : "copies");
}

static void say_unscheduled_rows(const struct run *run, struct paragraph *line)
{
	(void)run;
	paragraph_add(line, "copies that got no CPU in the longest window a slot may have");
}

static void say_fewest(const struct run *run, double iterations, struct paragraph *line)
{
	(void)run;
	paragraph_add(line,
		      "a window at its limit of ten slots had a copy with only %.0f %s completed",
		      iterations, iterations == 1 ? "iteration" : "iterations");
}

static void say_fewest_rows(const struct run *run, struct paragraph *line)
{
	(void)run;
	paragraph_add(line, "windows at their limit of ten slots had a copy with few iterations "
			    "completed, the fewest");
}

static void say_not_steady(const struct run *run, double value, struct paragraph *line)
{
	(void)run;
	(void)value;
	paragraph_add(line, "not steady: the rate still changed after the warm-up");
}

static void say_not_steady_rows(const struct run *run, struct paragraph *line)
{
	say_not_steady(run, 1, line);
}

static void say_spread(const struct run *run, double value, struct paragraph *line)
{
	(void)run;
	(void)value;
	paragraph_add(line, "%s", run_spread_warning);
}

static void say_spread_rows(const struct run *run, struct paragraph *line)
{
	say_spread(run, 1, line);
}

static void add_count(struct paragraph *line, double count)
{
	paragraph_add(line, "%.0f", count);
}

/* A kind of trouble that a row has or has not. */
static const struct kind {
	/* What the row has of it; NAN: it has not. */
	double (*of)(const struct run *run, const struct series *series);
	void (*say)(const struct run *run, double value, struct paragraph *line);
	/* Of many rows, whose names and values follow. */
	void (*say_rows)(const struct run *run, struct paragraph *line);
	void (*add_value)(struct paragraph *line, double value); /* NULL: names say all */
} kinds[] = {
	{ longest_window, say_window, say_windows, paragraph_add_duration },
	{ most_unscheduled, say_unscheduled, say_unscheduled_rows, add_count },
	{ fewest_iterations, say_fewest, say_fewest_rows, add_count },
	{ is_not_steady, say_not_steady, say_not_steady_rows, NULL },
	{ is_spread, say_spread, say_spread_rows, NULL },
};

/* "at 1 copy: pipe 1.2 s, execl 2 s" for the rows of one copy count. */
static void add_rows(const struct run *run, const struct kind *kind, uint32_t copies,
		     struct paragraph *line)
{
	const char *separator = ": ";

	paragraph_add(line, "at ");
	paragraph_add_copies(line, copies);
	for (size_t i = 0; i < run->n_series; i++) {
		double value = kind->of(run, &run->series[i]);

		if (run->series[i].copies != copies || isnan(value))
			continue;
		paragraph_add(line, "%s", separator);
		paragraph_add_test(line, &run->series[i]);
		if (kind->add_value) {
			paragraph_add(line, PARAGRAPH_STAY);
			kind->add_value(line, value);
		}
		separator = ", ";
	}
}

/* The smallest copy count above `after` of a row that has the kind; 0: none. */
static uint32_t next_copies(const struct run *run, const struct kind *kind, uint32_t after)
{
	uint32_t next = 0;

	for (size_t i = 0; i < run->n_series; i++) {
		uint32_t copies = run->series[i].copies;

		if (copies > after && (!next || copies < next) &&
		    !isnan(kind->of(run, &run->series[i])))
			next = copies;
	}
	return next;
}

static void warn_many(const struct run *run, const struct kind *kind, struct paragraph *line)
{
	const char *separator = ": ";

	paragraph_add(line, "  ");
	kind->say_rows(run, line);
	for (uint32_t copies = 0; (copies = next_copies(run, kind, copies));) {
		paragraph_add(line, "%s", separator);
		add_rows(run, kind, copies, line);
		separator = "; ";
	}
}

/* Prints the line, if there is one, below the heading of the block. */
static void print_warning(struct paragraph *line, FILE *out, bool *is_headed)
{
	if (!line->length)
		return;
	if (!*is_headed)
		fprintf(out, "\nWarnings\n");
	*is_headed = true;
	paragraph_print(line, out, 4);
}

static void warn_kind(const struct run *run, const struct kind *kind, struct paragraph *line,
		      FILE *out, bool *is_headed)
{
	size_t rows = 0;

	for (size_t i = 0; i < run->n_series; i++)
		rows += !isnan(kind->of(run, &run->series[i]));
	if (rows > ROWS_APART) {
		warn_many(run, kind, line);
		print_warning(line, out, is_headed);
		return;
	}
	for (size_t i = 0; i < run->n_series; i++) {
		double value = kind->of(run, &run->series[i]);

		if (isnan(value))
			continue;
		add_series(line, &run->series[i]);
		kind->say(run, value, line);
		print_warning(line, out, is_headed);
	}
}

static bool is_said_by_kind(const struct run *run, const char *text)
{
	for (size_t i = 0; i < run->n_series; i++)
		if (run_warning_is_spread(text, &run->series[i]))
			return true;
	return false;
}

void report_warnings(const struct run *run, struct paragraph *line, FILE *out)
{
	const size_t marked_rows = count_marked_rows(run);
	bool is_headed = false;

	if (marked_rows > ROWS_APART) {
		warn_marked_rows(run, marked_rows, line);
		print_warning(line, out, &is_headed);
	}
	for (size_t i = 0; i < run->n_series; i++) {
		const struct series *series = &run->series[i];

		if (marked_rows <= ROWS_APART)
			warn_marked(series, line);
		print_warning(line, out, &is_headed);
		warn_rerun_matters(series, line);
		print_warning(line, out, &is_headed);
		warn_failed(series, line);
		print_warning(line, out, &is_headed);
	}
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		warn_kind(run, &kinds[i], line, out, &is_headed);
	for (size_t i = 0; i < json_array_size(run->warnings); i++) {
		if (is_said_by_kind(run, run_warning(run, i)))
			continue;
		paragraph_add(line, "  ");
		paragraph_add_outside(line, run_warning(run, i));
		print_warning(line, out, &is_headed);
	}
}
