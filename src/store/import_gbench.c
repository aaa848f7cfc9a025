// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * import_gbench.c - `--benchmark_format=json` of Google Benchmark: each benchmark is a test, each
 * of its repetitions a slot.
 *
 * Real time of one iteration, lower is better, is inverted here, once, into iterations per second.
 * Aggregates repeat what the repetitions say; where only they were written, the median is the
 * result, else the mean.
 */
#include "store/import_formats.h"
#include "store/import_json.h"
#include "store/import_lines.h"
#include "store/import_number.h"
#include "store/json_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FORMAT	   "Google Benchmark JSON"
#define UNIT	   "1/s"
#define NAME_BYTES 256

/* What one element of "benchmarks" says it is. */
struct entry {
	char name[NAME_BYTES]; /* of the benchmark, without the aggregate's */
	const char *aggregate; /* "mean", "median", …; NULL: a repetition */
	double time_s;	       /* real time; NAN: none */
	uint32_t threads;
};

static double seconds_of(const json_t *element)
{
	static const struct {
		const char *unit;
		double seconds;
	} units[] = { { "ns", 1e-9 }, { "us", 1e-6 }, { "ms", 1e-3 }, { "s", 1 } };
	const char *unit = json_text_or(json_object_get(element, "time_unit"), "ns");
	double time = json_positive(json_object_get(element, "real_time"));

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(unit, units[i].unit))
			return time * units[i].seconds;
	return NAN;
}

/* Older ones say only by the end of the name that this is an aggregate. */
static const char *aggregate_of_name(char *name)
{
	static const char *const aggregates[] = { "mean", "median", "stddev", "cv",
						  "BigO", "RMS",    "max",    "min" };
	char end[16];

	for (size_t i = 0; i < sizeof(aggregates) / sizeof(aggregates[0]); i++) {
		snprintf(end, sizeof(end), "_%s", aggregates[i]);
		if (!text_ends(name, end))
			continue;
		name[strlen(name) - strlen(end)] = '\0';
		return aggregates[i];
	}
	return NULL;
}

static bool read_entry(const json_t *element, struct entry *entry)
{
	const char *name = json_string_value(json_object_get(element, "name"));
	const char *type = json_string_value(json_object_get(element, "run_type"));
	const char *run_name = json_string_value(json_object_get(element, "run_name"));
	const json_t *threads = json_object_get(element, "threads");

	if (!name || !*name)
		return false;
	snprintf(entry->name, sizeof(entry->name), "%s", name);
	entry->aggregate = NULL;
	if (!type)
		entry->aggregate = aggregate_of_name(entry->name);
	else if (!strcmp(type, "aggregate"))
		entry->aggregate =
			json_text_or(json_object_get(element, "aggregate_name"), "aggregate");
	if (type && run_name && *run_name)
		snprintf(entry->name, sizeof(entry->name), "%s", run_name);
	entry->time_s = seconds_of(element);
	entry->threads = 1;
	if (json_is_integer(threads) && json_integer_value(threads) > 0 &&
	    json_integer_value(threads) <= 1000000)
		entry->threads = (uint32_t)json_integer_value(threads);
	return true;
}

static struct series *series_of(struct imported *imported, struct run *run,
				const struct entry *entry)
{
	char id[IMPORT_ID_BYTES];
	struct series *series;

	imported_id("gbench", entry->name, id);
	series = run_find_series(run, id, entry->threads, NULL);
	if (series)
		return series;
	series = imported_series(imported, run, id, entry->name, UNIT, entry->threads);
	if (!series)
		return NULL;
	if (json_object_set_new(series->params, "name", json_text(entry->name)))
		imported->no_memory = true;
	imported_text(imported, &series->note, IMPORT_WARNING "real time inverted");
	return series;
}

static void add_repetition(struct imported *imported, struct run *run, const json_t *element,
			   const struct entry *entry)
{
	const char *message = NULL;
	struct series *series = series_of(imported, run, entry);

	if (!series)
		return;
	if (json_is_true(json_object_get(element, "error_occurred")))
		message = json_text_or(json_object_get(element, "error_message"), "an error");
	else if (isnan(entry->time_s))
		message = "its real time is no number > 0 of a known unit";
	imported_slot(imported, series, 1 / entry->time_s, entry->time_s, message);
	if (message)
		imported_warn(imported, 0, "%.80s failed: %.120s", entry->name, message);
}

/* Only where there are no repetitions. */
static void add_aggregate(struct imported *imported, struct run *run, const struct entry *entry)
{
	bool is_median = !strcmp(entry->aggregate, "median");
	struct series *series;

	if (isnan(entry->time_s) || (!is_median && strcmp(entry->aggregate, "mean") != 0))
		return;
	series = series_of(imported, run, entry);
	if (!series || series->n_slots || (!is_median && isfinite(series->estimate.value)))
		return;
	imported_rate(series, 1 / entry->time_s);
	imported_text(imported, &series->note,
		      IMPORT_WARNING "%s of repetitions that were not written, real time inverted",
		      entry->aggregate);
}

static void read_context(struct imported *imported, struct run *run, const json_t *context)
{
	const char *host = json_string_value(json_object_get(context, "host_name"));
	const char *date = json_string_value(json_object_get(context, "date"));
	const json_t *cpus = json_object_get(context, "num_cpus");

	if (host)
		imported_text(imported, &run->host, "%s", host);
	if (date)
		run->created_s = date_parse_iso(date);
	if (date && !date_iso_has_zone(date))
		imported_zone_unknown(imported, run);
	if (json_is_integer(cpus) && json_object_set_new(run->environment, "cpus_online",
							 json_integer(json_integer_value(cpus))))
		imported->no_memory = true;
	if (json_is_object(context))
		imported_detail(imported, run, "context", json_deep_copy(context));
}

static void add_document(struct imported *imported, const json_t *document, size_t line)
{
	const json_t *benchmarks = json_object_get(document, "benchmarks");
	struct entry entry;
	struct run *run;

	if (!json_is_array(benchmarks)) {
		imported_warn(imported, line, "expected an array \"benchmarks\"");
		return;
	}
	run = imported_begin(imported, "Google Benchmark", FORMAT, line);
	if (run)
		read_context(imported, run, json_object_get(document, "context"));
	for (int aggregates = 0; run && aggregates < 2; aggregates++) {
		for (size_t i = 0; i < json_array_size(benchmarks) && !imported->no_memory; i++) {
			const json_t *element = json_array_get(benchmarks, i);

			if (!read_entry(element, &entry)) {
				if (!aggregates)
					imported_warn(imported, 0, "benchmark %zu has no name",
						      i + 1);
			} else if (aggregates && entry.aggregate) {
				add_aggregate(imported, run, &entry);
			} else if (!aggregates && !entry.aggregate) {
				add_repetition(imported, run, element, &entry);
			}
		}
	}
	if (run && !json_array_size(benchmarks))
		imported_warn(imported, line, "the array \"benchmarks\" is empty");
}

bool import_gbench_recognise(const struct import_source *source)
{
	static const char *const texts[] = { "\"benchmarks\"", "\"real_time\"", NULL };
	static const char *const empty[] = { "\"benchmarks\"", "\"context\"", NULL };

	return import_json_recognise(source, texts) || import_json_recognise(source, empty);
}

int import_gbench_read(const struct import_source *source, struct imported *imported,
		       struct error *err)
{
	(void)err;
	return import_json_each(source, imported, "benchmarks", add_document);
}
