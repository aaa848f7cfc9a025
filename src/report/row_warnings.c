// SPDX-License-Identifier: GPL-2.0-or-later
/* row_warnings.c - kinds of trouble that a row has or has not; see row_warnings.h. */
#include "report/row_warnings.h"

#include "report/blocks.h"

#include <math.h>

#define LONGER_WINDOW 1.05 /* of the planned length: less is no news */

static double number_member(const json_t *object, const char *name)
{
	const json_t *member = json_object_get(object, name);

	return json_is_number(member) ? json_number_value(member) : NAN;
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

const char *warning_of_run(const struct run *run, size_t i)
{
	const char *text = json_string_value(json_array_get(run->warnings, i));

	return text ? text : "";
}

static double is_spread(const struct run *run, const struct series *series)
{
	for (size_t i = 0; i < json_array_size(run->warnings); i++)
		if (run_warning_is_spread(warning_of_run(run, i), series))
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

static void warn_kind(const struct run *run, const struct kind *kind, struct paragraph *line,
		      FILE *out, bool *is_headed)
{
	size_t rows = 0;

	for (size_t i = 0; i < run->n_series; i++)
		rows += !isnan(kind->of(run, &run->series[i]));
	if (rows > ROWS_APART) {
		warn_many(run, kind, line);
		warning_print(line, out, is_headed);
		return;
	}
	for (size_t i = 0; i < run->n_series; i++) {
		double value = kind->of(run, &run->series[i]);

		if (isnan(value))
			continue;
		warning_add_row(line, &run->series[i]);
		kind->say(run, value, line);
		warning_print(line, out, is_headed);
	}
}

bool row_warnings_have(const struct run *run, const char *text)
{
	for (size_t i = 0; i < run->n_series; i++)
		if (run_warning_is_spread(text, &run->series[i]))
			return true;
	return false;
}

void row_warnings(const struct run *run, struct paragraph *line, FILE *out, bool *is_headed)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		warn_kind(run, &kinds[i], line, out, is_headed);
}
