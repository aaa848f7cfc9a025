// SPDX-License-Identifier: GPL-2.0-or-later
/* report.c - a failing execution as text, and how often which outcome was reached. */
#include "explorer.h"

#include <string.h>

#define OUTCOMES 64
#define KINDS	 (1u << 20) /* of executions that are told apart */

static struct {
	const char *name;
	unsigned long count;
	bool now;
} outcomes[OUTCOMES];
static unsigned int outcome_count;

static uint64_t kinds[KINDS];
static unsigned long kind_count;

void report_reset(void)
{
	outcome_count = 0;
	kind_count = 0;
	memset(kinds, 0, sizeof(kinds));
}

unsigned long report_kinds(void)
{
	return kind_count;
}

static uint64_t mixed(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

/* What each thread did and read, and from which step: the same however the steps interleaved. */
static uint64_t fingerprint(void)
{
	uint64_t of_thread[THREADS] = { 0 }, sum = 1;
	unsigned int i;

	for (i = 0; i < world.event_count; i++) {
		const struct event *event = &world.events[i];
		uint64_t *hash = &of_thread[event->thread];

		if (event->operation.kind == NOTE_PLAIN)
			continue;
		*hash = mixed(*hash, event->operation.kind);
		*hash = mixed(*hash, event->operation.result);
		*hash = mixed(*hash, event->operation.value);
		if (event->source >= 0) {
			*hash = mixed(*hash, world.events[event->source].thread);
			*hash = mixed(*hash, world.events[event->source].number);
		}
	}
	for (i = 0; i < THREADS; i++)
		sum = mixed(sum, of_thread[i]);
	return sum ? sum : 1;
}

static void count_kind(void)
{
	uint64_t print = fingerprint();
	size_t at = print % KINDS;

	while (kinds[at] && kinds[at] != print)
		at = (at + 1) % KINDS;
	if (kinds[at] || kind_count == KINDS / 2)
		return;
	kinds[at] = print;
	kind_count++;
}

void explore_reached(const char *name)
{
	unsigned int i;

	for (i = 0; i < outcome_count && strcmp(outcomes[i].name, name) != 0; i++)
		;
	if (i == OUTCOMES)
		return;
	if (i == outcome_count) {
		outcomes[i].name = name;
		outcomes[i].count = 0;
		outcome_count++;
	}
	outcomes[i].now = true;
}

/* Outcomes count when their execution is complete. */
void report_execution(void)
{
	unsigned int i;

	if (settings.count)
		count_kind();
	for (i = 0; i < outcome_count; i++) {
		outcomes[i].count += outcomes[i].now;
		outcomes[i].now = false;
	}
}

unsigned long report_count_of(const char *name)
{
	unsigned int i;

	for (i = 0; i < outcome_count; i++) {
		if (!strcmp(outcomes[i].name, name))
			return outcomes[i].count;
	}
	return 0;
}

void report_outcomes(FILE *out)
{
	unsigned int i;

	for (i = 0; i < outcome_count; i++)
		fprintf(out, "# %10lu times: %s\n", outcomes[i].count, outcomes[i].name);
}

static const char *order_name(int order)
{
	switch (order) {
	case memory_order_relaxed:
		return "relaxed";
	case memory_order_consume:
	case memory_order_acquire:
		return "acquire";
	case memory_order_release:
		return "release";
	case memory_order_acq_rel:
		return "acq_rel";
	default:
		return "seq_cst";
	}
}

/* Members of slots by their place, all else by the expression of the first touch. */
static void location_name(char *text, size_t size, const struct location *location)
{
	static const struct {
		size_t offset;
		const char *name;
	} members[] = {
		{ offsetof(struct slot, osq.front), "osq.front" },
		{ offsetof(struct slot, osq.next), "osq.next" },
		{ offsetof(struct slot, osq.busy), "osq.busy" },
		{ offsetof(struct slot, sleeper.state), "sleeper.state" },
		{ offsetof(struct slot, sleeper.thread), "sleeper.thread" },
		{ offsetof(struct slot, sleeper.kind), "sleeper.kind" },
		{ offsetof(struct slot, sleeper.older), "sleeper.older" },
		{ offsetof(struct slot, sleeper.newer), "sleeper.newer" },
		{ offsetof(struct slot, sleeper.oldest), "sleeper.oldest" },
		{ offsetof(struct slot, sleeper.place), "sleeper.place" },
		{ offsetof(struct slot, sleeper.due_ns), "sleeper.due_ns" },
	};
	const char *at = location->address, *slots = (const char *)world.slots;
	const char *expression = location->site->expression;
	size_t i;

	if (at >= slots && at < slots + sizeof(world.slots)) {
		size_t offset = (size_t)(at - slots) % sizeof(struct slot);

		for (i = 0; i < sizeof(members) / sizeof(*members); i++) {
			if (members[i].offset == offset) {
				snprintf(text, size, "slot%zu.%s",
					 (size_t)(at - slots) / sizeof(struct slot),
					 members[i].name);
				return;
			}
		}
		snprintf(text, size, "slot%zu+%zu", (size_t)(at - slots) / sizeof(struct slot),
			 offset);
		return;
	}
	snprintf(text, size, "%s", expression + (expression[0] == '&'));
}

static void access_text(char *text, size_t size, const struct event *event)
{
	const struct operation *operation = &event->operation;
	unsigned long long value = operation->value, found = operation->result;
	const char *order = order_name(operation->order);

	switch (operation->kind) {
	case LOAD:
		snprintf(text, size, "is %#llx, %s", found, order);
		return;
	case STORE:
		snprintf(text, size, "= %#llx, %s%s", value, order,
			 operation->expected ? " (before newer writes)" : "");
		return;
	case COMPARE:
		if (operation->done)
			snprintf(text, size, "%#llx -> %#llx, %s", found, value, order);
		else
			snprintf(text, size, "is %#llx, not %#llx: stays, %s", found,
				 (unsigned long long)operation->expected,
				 order_name(operation->order_of_failure));
		return;
	case EXCHANGE:
		snprintf(text, size, "%#llx -> %#llx, %s", found, value, order);
		return;
	case ADD:
		snprintf(text, size, "%#llx + %#llx, %s", found, value, order);
		return;
	case AND:
		snprintf(text, size, "%#llx & %#llx, %s", found, value, order);
		return;
	case OR:
		snprintf(text, size, "%#llx | %#llx, %s", found, value, order);
		return;
	case PARK:
		snprintf(text, size, "%s",
			 operation->done ? "as expected: sleeps"
					 : "is another value: does not sleep");
		return;
	case ASLEEP:
		snprintf(text, size, "%s",
			 found == 0			 ? "woken"
			 : found == (uint64_t)-ETIMEDOUT ? "timed out"
							 : "interrupted by a signal");
		return;
	case UNPARK:
		snprintf(text, size, "up to %llu: takes threads %#llx (bits)", value, found);
		return;
	default:
		snprintf(text, size, "%s", order);
	}
}

static const char *const kind_names[] = {
	[STEP] = "step",	[LOAD] = "load",
	[STORE] = "store",	[EXCHANGE] = "exchange",
	[COMPARE] = "compare",	[ADD] = "add",
	[AND] = "and",		[OR] = "or",
	[FENCE] = "fence",	[PARK] = "park",
	[ASLEEP] = "wakes",	[UNPARK] = "unpark",
	[POLL] = "polls on",	[CREATE] = "create",
	[JOIN] = "join",	[END] = "end",
	[NOTE_YIELD] = "asks",	[NOTE_PREEMPTED] = "asks",
	[NOTE_CLOCK] = "clock", [NOTE_FREEZE] = "frozen",
	[NOTE_PLAIN] = "plain",
};

static void trace(FILE *out)
{
	unsigned int i;

	for (i = 0; i < world.event_count; i++) {
		const struct event *event = &world.events[i];
		const char *base = strrchr(event->site.file, '/');
		char name[64] = "", text[96] = "";

		if (event->number && event->operation.kind == STEP)
			continue;
		if (event->operation.location)
			location_name(name, sizeof(name), event->operation.location);
		if (event->number)
			access_text(text, sizeof(text), event);
		if (event->operation.kind == NOTE_PLAIN) {
			snprintf(name, sizeof(name), "%s", event->site.expression);
			snprintf(text, sizeof(text), "%s %#llx", event->text,
				 (unsigned long long)event->operation.result);
		} else if (event->text) {
			snprintf(text, sizeof(text), "%s %llu", event->text,
				 (unsigned long long)event->operation.result);
		}
		if (event->operation.kind >= CREATE && event->operation.kind <= END)
			text[0] = 0;
		if (event->operation.kind == NOTE_PREEMPTED)
			snprintf(name, sizeof(name), "%s", event->site.expression);
		fprintf(out, "# %4u  T%u  %-8s  %-22s  %-44s  %s:%d %s\n", i, event->thread,
			kind_names[event->operation.kind], name, text,
			base ? base + 1 : event->site.file, event->site.line, event->site.function);
	}
}

static void replay(FILE *out, const char *program)
{
	static const char digits[] =
		"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+-";
	static uint8_t choices[CHOICES];
	unsigned int count = search_choices(choices), i;

	fprintf(out, "# again: %s --replay=", program);
	for (i = 0; i < count; i++)
		fputc(digits[choices[i] % 64], out);
	if (settings.weaken)
		fprintf(out, " --weaken=%s", settings.weaken);
	if (settings.mutant)
		fprintf(out, " --mutant=%d", settings.mutant);
	if (settings.again || settings.drawn)
		fprintf(out, " --again");
	fputc('\n', out);
}

void report_failure(FILE *out, const char *program)
{
	fprintf(out, "# %s\n",
		world.verdict == BOUND ? "an execution does not come to its end" : world.failure);
	trace(out);
	replay(out, program);
}
