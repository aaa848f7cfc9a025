// SPDX-License-Identifier: GPL-2.0-or-later
/* causes.c - see causes.h. */
#include "report/causes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* Shares of processes of one name add up within a slot, never over slots. */
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
	if (same_text(kind, "foreign") && cause->in_slot > 0 && much > 0)
		much += cause->in_slot;
	cause->in_slot = much;
	if (!(much > cause->worst) && cause->worst >= 0)
		return;
	cause->worst = much;
	cause->khz = khz;
	cause->was_khz = was_khz;
	cause->policy = json_string_value(json_object_get(external, "policy"));
	cause->reason = json_string_value(json_object_get(external, "reason"));
}

void causes_add_slot(struct causes *causes, const struct slot *slot)
{
	const json_t *external = json_object_get(slot->evidence, "external");

	for (size_t i = 0; i < causes->kept; i++)
		causes->cause[i].in_slot = 0;
	for (size_t i = 0; i < json_array_size(external); i++)
		cause_add(causes, json_array_get(external, i));
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

void causes_add_cause(struct paragraph *line, const struct cause *cause, bool several_slots)
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
		paragraph_add(
			line,
			"frequency %s%.0f" PARAGRAPH_STAY "MHz, was %.0f" PARAGRAPH_STAY "MHz",
			several_slots ? "down to " : "", cause->khz / 1e3, cause->was_khz / 1e3);
	} else {
		paragraph_add_outside(line, cause->kind);
	}
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

void causes_sort(struct causes *causes)
{
	qsort(causes->cause, causes->kept, sizeof(causes->cause[0]), compare_causes);
}

static bool cause_is_share(const struct cause *cause)
{
	return same_text(cause->kind, "foreign") || same_text(cause->kind, "steal");
}

/* What has no share of a CPU first, then by share. */
static int compare_shares(const void *left, const void *right)
{
	const struct cause *a = left, *b = right;

	if (cause_is_share(a) != cause_is_share(b))
		return cause_is_share(a) - cause_is_share(b);
	return (a->worst < b->worst) - (a->worst > b->worst);
}

void causes_sort_by_share(struct causes *causes)
{
	qsort(causes->cause, causes->kept, sizeof(causes->cause[0]), compare_shares);
}
