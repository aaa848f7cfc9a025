// SPDX-License-Identifier: GPL-2.0-or-later
/* header.c - the first lines of the report: which run, where, when, by what plan. */
#include "report/blocks.h"

#include "base/clock.h"

#include <math.h>
#include <string.h>
#include <time.h>

static double plan_number(const struct run *run, const char *name)
{
	const json_t *member = json_object_get(run->plan, name);

	return json_is_number(member) ? json_number_value(member) : NAN;
}

/* An import has the clock of its report, whose zone may be a word or not known. */
static void add_zone(struct paragraph *line, const struct run *run)
{
	const json_t *imported = json_object_get(run->environment, "imported");
	const json_t *zone = json_object_get(imported, "zone");

	if (run->status != RUN_IMPORTED || !zone) {
		paragraph_add(line, " UTC");
	} else if (json_is_string(zone)) {
		paragraph_add(line, " ");
		paragraph_add_outside(line, json_string_value(zone));
	} else {
		paragraph_add(line, " (time zone unknown)");
	}
}

static void add_time(struct paragraph *line, const struct run *run)
{
	time_t seconds = (time_t)run->created_s;
	struct tm utc;
	char text[64];

	if (!run->created_s || !gmtime_r(&seconds, &utc) ||
	    !strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &utc)) {
		paragraph_add(line, "date unknown");
		return;
	}
	paragraph_add(line, "%s", text);
	add_zone(line, run);
}

/* "spread", or a list of CPUs; by default nothing. */
static void add_pin(const json_t *pin, struct paragraph *line)
{
	const char *kind = json_string_value(pin);

	if (kind && strcmp(kind, "none") != 0) {
		paragraph_add(line, "; copies pinned ");
		paragraph_add_outside(line, kind);
	}
	for (size_t i = 0; i < json_array_size(pin); i++)
		paragraph_add(line, "%s%lld", i ? "," : "; copies pinned to CPU ",
			      (long long)json_integer_value(json_array_get(pin, i)));
}

/* A slot of a command is as long as its run. */
static bool has_only_a_command(const struct run *run)
{
	const json_t *rows = json_object_get(run->plan, "rows"), *row;
	size_t i;

	if (!json_object_get(run->plan, "command"))
		return false;
	json_array_foreach(rows, i, row)
	{
		const char *test = json_string_value(json_object_get(row, "test"));

		if (!test || strncmp(test, "cmd/", 4) != 0)
			return false;
	}
	return true;
}

static void add_slots(const struct run *run, struct paragraph *line)
{
	/* A row whose interval is as narrow as asked for ends early. */
	bool may_end_early = plan_number(run, "precision") > 0;

	if (json_object_get(run->plan, "sides"))
		paragraph_add(line, "two sides in blocks of four slots");
	else
		paragraph_add(line, "%s%.0f %s", may_end_early ? "at most " : "",
			      plan_number(run, "slots"),
			      plan_number(run, "slots") > 1 ? "slots" : "slot");
	if (has_only_a_command(run)) {
		paragraph_add(line, " a row, each a run of a command");
		return;
	}
	paragraph_add(line, " of ");
	paragraph_add_duration(line, plan_number(run, "slot_ns"));
	paragraph_add(line, " a row, each after ");
	paragraph_add_duration(line, plan_number(run, "warmup_ns"));
}

static void add_plan(const struct run *run, struct paragraph *line)
{
	if (json_is_true(json_object_get(run->plan, "classic"))) {
		paragraph_add(line, "UnixBench 6's own passes, the worst third dropped");
	} else {
		add_slots(run, line);
	}
	add_pin(json_object_get(run->plan, "pin"), line);
	paragraph_add(line, "; took ");
	paragraph_add_duration(line, run->elapsed_s * (double)NS_PER_S);
	paragraph_add(line, "; seed" PARAGRAPH_STAY "%llu", (unsigned long long)run->seed);
}

static bool has_slots(const struct run *run)
{
	for (size_t i = 0; i < run->n_series; i++)
		if (run->series[i].n_slots)
			return true;
	return false;
}

void report_header(const struct run *run, struct paragraph *line, FILE *out)
{
	paragraph_add(line, "Run ");
	paragraph_add_outside(line, run->id);
	paragraph_add(line, " of ");
	paragraph_add_outside(line, run->host);
	paragraph_add(line, ", ");
	add_time(line, run);
	paragraph_add(line, ", by ");
	paragraph_add_outside(line, run->tool);
	paragraph_print(line, out, 4);
	if (run->status == RUN_IMPORTED) {
		paragraph_add(line, has_slots(run)
					    ? "Imported: slots as recorded by that tool"
					    : "Imported: scores as printed by that tool, which "
					      "keeps no slots");
		paragraph_print(line, out, 4);
	} else if (run->plan) {
		add_plan(run, line);
		paragraph_print(line, out, 4);
	}
	if (run->status == RUN_INTERRUPTED || run->status == RUN_RUNNING) {
		paragraph_add(line, "Not complete: `onproc resume ");
		paragraph_add_outside(line, run->id);
		paragraph_add(line, "` measures what is missing");
		paragraph_print(line, out, 4);
	}
}
