// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * import_hyperfine.c - `hyperfine --export-json`: each command is a test, each of its times a slot.
 *
 * Times are seconds of one run, lower is better: they are inverted here, once, into runs per
 * second. A run that did not exit with 0 is a failed slot.
 */
#include "store/import_formats.h"
#include "store/import_json.h"
#include "store/json_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FORMAT "hyperfine JSON"
#define UNIT   "1/s"

static void add_times(struct imported *imported, struct series *series, const json_t *result)
{
	const json_t *times = json_object_get(result, "times");
	const json_t *codes = json_object_get(result, "exit_codes");

	for (size_t i = 0; i < json_array_size(times) && !imported->no_memory; i++) {
		double time_s = json_positive(json_array_get(times, i));
		const json_t *code = json_array_get(codes, i);
		char reason[64];

		if (json_is_integer(code) && json_integer_value(code) != 0) {
			snprintf(reason, sizeof(reason), "exit status %" JSON_INTEGER_FORMAT,
				 json_integer_value(code));
			imported_slot(imported, series, NAN, time_s, reason);
		} else {
			imported_slot(imported, series, 1 / time_s, time_s,
				      isnan(time_s) ? "its time is no number > 0" : NULL);
		}
	}
}

static size_t failed_slots(const struct series *series)
{
	size_t failed = 0;

	for (size_t i = 0; i < series->n_slots; i++)
		failed += series->slots[i].status == SLOT_FAILED;
	return failed;
}

/* The mean that the document gives, against that of its times. */
static void check_mean(struct imported *imported, const char *command, const json_t *result)
{
	const json_t *times = json_object_get(result, "times");
	double mean = json_positive(json_object_get(result, "mean")), sum = 0;
	size_t n = json_array_size(times);

	for (size_t i = 0; i < n; i++)
		sum += json_number_value(json_array_get(times, i));
	if (n && isfinite(mean) && !(fabs(sum / (double)n - mean) <= 1e-6 * mean))
		imported_warn(imported, 0,
			      "the mean %g s of \"%.60s\" is not that of its %zu times, %g s", mean,
			      command, n, sum / (double)n);
}

static void add_result(struct imported *imported, struct run *run, const json_t *result,
		       size_t number)
{
	const char *command = json_string_value(json_object_get(result, "command"));
	const json_t *parameters = json_object_get(result, "parameters");
	double mean = json_positive(json_object_get(result, "mean"));
	char id[IMPORT_ID_BYTES];
	struct series *series;
	size_t failed;

	if (!command || !*command) {
		imported_warn(imported, 0, "result %zu names no command", number);
		return;
	}
	imported_id("hyperfine", command, id);
	if (run_find_series(run, id, 1, NULL)) {
		imported_warn(imported, 0, "result %zu is of \"%.80s\" again: the first is kept",
			      number, command);
		return;
	}
	if (!json_array_size(json_object_get(result, "times")) && isnan(mean)) {
		imported_warn(imported, 0, "result %zu, \"%.80s\", has no times", number, command);
		return;
	}
	series = imported_series(imported, run, id, command, UNIT, 1);
	if (!series)
		return;
	if (json_object_set_new(series->params, "command", json_text(command)) ||
	    (json_is_object(parameters) &&
	     json_object_set_new(series->params, "parameters", json_deep_copy(parameters))))
		imported->no_memory = true;
	imported_text(imported, &series->note, IMPORT_WARNING "times in s, inverted");
	add_times(imported, series, result);
	check_mean(imported, command, result);
	failed = failed_slots(series);
	if (!series->n_slots)
		imported_rate(series, 1 / mean);
	if (failed)
		imported_warn(imported, 0, "%zu of %zu runs of \"%.80s\" failed", failed,
			      series->n_slots, command);
	if (failed && failed == series->n_slots)
		imported_text(imported, &series->reason, "all of its runs failed");
}

static void add_document(struct imported *imported, const json_t *document, size_t line)
{
	const json_t *results = json_object_get(document, "results");
	struct run *run;

	if (!json_is_array(results)) {
		imported_warn(imported, line, "expected an array \"results\"");
		return;
	}
	run = imported_begin(imported, "hyperfine", FORMAT, line);
	for (size_t i = 0; run && i < json_array_size(results) && !imported->no_memory; i++)
		add_result(imported, run, json_array_get(results, i), i + 1);
	if (run && !json_array_size(results))
		imported_warn(imported, line, "the array \"results\" is empty");
}

bool import_hyperfine_recognise(const struct import_source *source)
{
	static const char *const with_times[] = { "\"results\"", "\"command\"", "\"times\"", NULL };
	static const char *const with_mean[] = { "\"results\"", "\"command\"", "\"mean\"", NULL };

	return import_json_recognise(source, with_times) ||
	       import_json_recognise(source, with_mean);
}

int import_hyperfine_read(const struct import_source *source, struct imported *imported,
			  struct error *err)
{
	(void)err;
	return import_json_each(source, imported, "results", add_document);
}
