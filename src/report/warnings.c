// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * warnings.c - what may make a number wrong or wide, with its evidence.
 *
 * One line per series and kind of trouble: slots marked by external evidence and what became of
 * them, slots that failed, windows longer than planned, a result that the re-runs changed, rates
 * that had not settled. Then what the run itself warned of.
 */
#include "report/blocks.h"
#include "report/report.h"

#include "base/clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CAUSES_KEPT  256 /* of a series; the rest is only counted */
#define CAUSES_SHOWN 4
#define SLOTS_NAMED  4
#define RATE_COLUMNS 12

/* One kind of disturbance of a series, over all its slots: the worst of it. */
struct cause {
	const char *kind, *comm, *policy;
	const char *reason; /* in place of the name of a process */
	json_int_t pid;
	bool several; /* processes of that name */
	double worst; /* share of a CPU, ns throttled, or kHz lost */
	double khz, was_khz;
};

struct causes {
	struct cause cause[CAUSES_KEPT];
	size_t kept, more;
};

static double number_member(const json_t *object, const char *name)
{
	const json_t *member = json_object_get(object, name);

	return json_is_number(member) ? json_number_value(member) : NAN;
}

static bool same_text(const char *a, const char *b)
{
	return (!a && !b) || (a && b && !strcmp(a, b));
}

static struct cause *cause_find(struct causes *causes, const char *kind, const char *comm)
{
	for (size_t i = 0; i < causes->kept; i++)
		if (same_text(causes->cause[i].kind, kind) &&
		    same_text(causes->cause[i].comm, comm))
			return &causes->cause[i];
	if (causes->kept == CAUSES_KEPT)
		return NULL;
	causes->cause[causes->kept] = (struct cause){ .kind = kind, .comm = comm, .worst = -1 };
	return &causes->cause[causes->kept++];
}

static void cause_add(struct causes *causes, const json_t *external)
{
	const char *kind = json_string_value(json_object_get(external, "kind"));
	const char *comm = json_string_value(json_object_get(external, "comm"));
	json_int_t pid = json_integer_value(json_object_get(external, "pid"));
	struct cause *cause = cause_find(causes, kind, comm);
	double khz = number_member(external, "khz");
	double was_khz = number_member(external, "was_khz");
	double much = number_member(external, "cpu");

	if (!cause) {
		causes->more++;
		return;
	}
	if (isnan(much))
		much = number_member(external, "ns");
	if (isnan(much))
		much = was_khz - khz;
	cause->several |= cause->pid && pid != cause->pid;
	cause->pid = pid;
	if (!(much > cause->worst) && cause->worst >= 0)
		return;
	cause->worst = much;
	cause->khz = khz;
	cause->was_khz = was_khz;
	cause->policy = json_string_value(json_object_get(external, "policy"));
	cause->reason = json_string_value(json_object_get(external, "reason"));
}

static void add_share(struct paragraph *line, double share)
{
	if (isnan(share))
		paragraph_add(line, "an unknown share of a CPU");
	else
		paragraph_add(line, share < 0.1 ? "%.1f %% of a CPU" : "%.0f %% of a CPU",
			      share * 100);
}

/* "foreign cc1 (pid 123)", "foreign rt-task (pid 77, policy fifo)", "6 smaller processes together"
 */
static void add_process(struct paragraph *line, const struct cause *cause)
{
	if (!cause->comm) {
		paragraph_add_outside(line, cause->reason ? cause->reason : "foreign processes");
		return;
	}
	paragraph_add(line, "foreign ");
	paragraph_add_outside(line, cause->comm);
	if (cause->several)
		paragraph_add(line, " (several processes");
	else if (cause->pid > 0)
		paragraph_add(line, " (pid %" JSON_INTEGER_FORMAT, cause->pid);
	else
		paragraph_add(line, " (pid unknown");
	if (cause->policy && strcmp(cause->policy, "other") != 0) {
		paragraph_add(line, ", policy ");
		paragraph_add_outside(line, cause->policy);
	}
	paragraph_add(line, ")");
}

static void add_cause(struct paragraph *line, const struct cause *cause, bool several_slots)
{
	const char *up_to = several_slots ? "up to " : "";

	if (same_text(cause->kind, "foreign")) {
		add_process(line, cause);
		paragraph_add(line, " %s", up_to);
		add_share(line, cause->worst);
	} else if (same_text(cause->kind, "steal")) {
		paragraph_add(line, "steal %s", up_to);
		add_share(line, cause->worst);
	} else if (same_text(cause->kind, "throttled")) {
		paragraph_add(line, "throttled by a CPU quota for %s", up_to);
		paragraph_add_duration(line, cause->worst);
	} else if (same_text(cause->kind, "frequency")) {
		paragraph_add(line, "frequency %s%.0f MHz, was %.0f MHz",
			      several_slots ? "down to " : "", cause->khz / 1e3,
			      cause->was_khz / 1e3);
	} else {
		paragraph_add_outside(line, cause->kind);
	}
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

/* What is not a process first, then processes by the CPU time they took. */
static int compare_causes(const void *left, const void *right)
{
	const struct cause *a = left, *b = right;
	bool a_is_process = same_text(a->kind, "foreign");
	bool b_is_process = same_text(b->kind, "foreign");

	if (a_is_process != b_is_process)
		return a_is_process - b_is_process;
	return (a->worst < b->worst) - (a->worst > b->worst);
}

static void warn_marked(const struct series *series, struct paragraph *line)
{
	struct causes causes = { .kept = 0 };
	size_t rerun = 0, marked = 0;

	for (size_t i = 0; i < series->n_slots; i++) {
		const json_t *external = json_object_get(series->slots[i].evidence, "external");

		marked += slot_is_marked(&series->slots[i]);
		rerun += slot_is_marked(&series->slots[i]) &&
			 series->slots[i].status == SLOT_REPLACED;
		for (size_t k = 0; k < json_array_size(external); k++)
			cause_add(&causes, json_array_get(external, k));
	}
	if (!marked)
		return;
	add_series(line, series);
	add_slots(line, series, slot_is_marked);
	qsort(causes.cause, causes.kept, sizeof(causes.cause[0]), compare_causes);
	for (size_t i = 0; i < causes.kept && i < CAUSES_SHOWN; i++) {
		paragraph_add(line, i ? ", " : ": ");
		add_cause(line, &causes.cause[i], marked > 1);
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

/* A window grows until every copy has run and completed iterations often enough. */
static void warn_long_windows(const struct series *series, double planned_ns,
			      struct paragraph *line)
{
	double longest_ns = 0;

	for (size_t i = 0; i < series->n_slots; i++) {
		const struct slot *slot = &series->slots[i];

		if (json_is_true(json_object_get(slot->evidence, "lengthened")))
			longest_ns = fmax(longest_ns, (double)slot->length_ns);
	}
	if (longest_ns <= 0)
		return;
	add_series(line, series);
	paragraph_add(line, "windows grew to up to ");
	paragraph_add_duration(line, longest_ns);
	if (planned_ns > 0) {
		paragraph_add(line, " instead of ");
		paragraph_add_duration(line, planned_ns);
	}
	paragraph_add(line, ", until every copy had run often enough");
}

static void warn_not_steady(const struct series *series, struct paragraph *line)
{
	if (!series->not_steady)
		return;
	add_series(line, series);
	paragraph_add(line, "not steady: the rate still changed after the warm-up");
}

/* Length of a slot as planned, NAN when slots of the plan have no one length. */
static double planned_slot_ns(const struct run *run)
{
	if (json_is_true(json_object_get(run->plan, "classic")))
		return NAN;
	return number_member(run->plan, "slot_ns");
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

void report_warnings(const struct run *run, struct paragraph *line, FILE *out)
{
	const double planned_ns = planned_slot_ns(run);
	bool is_headed = false;

	for (size_t i = 0; i < run->n_series; i++) {
		const struct series *series = &run->series[i];

		warn_marked(series, line);
		print_warning(line, out, &is_headed);
		warn_rerun_matters(series, line);
		print_warning(line, out, &is_headed);
		warn_failed(series, line);
		print_warning(line, out, &is_headed);
		warn_long_windows(series, planned_ns, line);
		print_warning(line, out, &is_headed);
		warn_not_steady(series, line);
		print_warning(line, out, &is_headed);
	}
	for (size_t i = 0; i < json_array_size(run->warnings); i++) {
		paragraph_add(line, "  ");
		paragraph_add_outside(line, json_string_value(json_array_get(run->warnings, i)));
		print_warning(line, out, &is_headed);
	}
}
