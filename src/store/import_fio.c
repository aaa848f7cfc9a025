// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * import_fio.c - `fio --output-format=json`: bandwidth, operations and latency of each job and
 * direction.
 *
 * Jobs of one name that ran side by side (numjobs without group_reporting) are one test of so many
 * copies: their rates add up. Mean latency, lower is better, is inverted here, once, into 1/s. fio
 * keeps no observations that could be slots.
 */
#include "store/import_formats.h"
#include "store/import_json.h"
#include "store/import_number.h"
#include "store/json_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT	    "fio JSON"
#define KIB	    1024
#define COPIES_MOST 1000000
#define JOBS_MOST   5000 /* names: jobs are looked up one by one */
#define JOB_BYTES   256

static const char *const directions[] = { "read", "write", "trim" };

#define DIRECTIONS (sizeof(directions) / sizeof(directions[0]))

/* What jobs of one name did in one direction. */
struct direction {
	double bytes_per_s, ios_per_s;
	double latency_s, ios; /* sum of latency × operations, and of operations */
};

struct job {
	char name[JOB_BYTES];
	json_int_t group;
	uint32_t copies;
	json_int_t error;
	size_t number; /* of its first element, from 1 */
	const json_t *options;
	struct direction direction[DIRECTIONS];
};

struct jobs {
	struct job *job;
	size_t count, room;
};

static struct job *find_job(struct jobs *jobs, const char *name, json_int_t group)
{
	for (size_t i = 0; i < jobs->count; i++)
		if (jobs->job[i].group == group && !strcmp(jobs->job[i].name, name))
			return &jobs->job[i];
	return NULL;
}

static struct job *add_job(struct jobs *jobs)
{
	if (jobs->count == jobs->room) {
		size_t room = jobs->room ? 2 * jobs->room : 8;
		struct job *grown = reallocarray(jobs->job, room, sizeof(*grown));

		if (!grown)
			return NULL;
		jobs->job = grown;
		jobs->room = room;
	}
	memset(&jobs->job[jobs->count], 0, sizeof(*jobs->job));
	return &jobs->job[jobs->count++];
}

/* fio 2 gave microseconds, without a unit in the name. */
static double mean_latency_s(const json_t *direction)
{
	double ns = json_positive(json_object_get(json_object_get(direction, "lat_ns"), "mean"));
	double us = json_positive(json_object_get(json_object_get(direction, "lat"), "mean"));

	return isfinite(ns) ? ns / 1e9 : us / 1e6;
}

static double or_zero(double number)
{
	return isfinite(number) ? number : 0;
}

static void add_direction(struct direction *sum, const json_t *direction)
{
	double bytes = json_positive(json_object_get(direction, "bw_bytes"));
	double kib = json_positive(json_object_get(direction, "bw"));
	double ios = json_positive(json_object_get(direction, "total_ios"));
	double latency_s = mean_latency_s(direction);

	sum->bytes_per_s += isfinite(bytes) ? bytes : KIB * or_zero(kib);
	sum->ios_per_s += or_zero(json_positive(json_object_get(direction, "iops")));
	if (isfinite(latency_s)) {
		/* without a number of operations all count the same */
		sum->latency_s += latency_s * (isfinite(ios) ? ios : 1);
		sum->ios += isfinite(ios) ? ios : 1;
	}
}

/* With group_reporting one element stands for all copies: numjobs says how many. */
static uint32_t copies_of(const json_t *options)
{
	const char *numjobs = json_string_value(json_object_get(options, "numjobs"));
	uint32_t copies;

	return numjobs && count_parse(numjobs, COPIES_MOST, &copies) && copies ? copies : 1;
}

static void read_job(struct imported *imported, struct jobs *jobs, const json_t *element,
		     size_t number)
{
	const char *name = json_string_value(json_object_get(element, "jobname"));
	json_int_t group = json_integer_value(json_object_get(element, "groupid"));
	json_int_t error = json_integer_value(json_object_get(element, "error"));
	struct job *job;

	if (!name) {
		imported_warn(imported, 0, "job %zu has no \"jobname\"", number);
		return;
	}
	job = find_job(jobs, name, group);
	if (!job && jobs->count >= JOBS_MOST) {
		imported_warn(imported, 0, "more than %d jobs: job %zu is left out", JOBS_MOST,
			      number);
		return;
	}
	if (!job) {
		job = add_job(jobs);
		if (!job) {
			imported->no_memory = true;
			return;
		}
		snprintf(job->name, sizeof(job->name), "%s", name);
		job->group = group;
		job->number = number;
		job->options = json_object_get(element, "job options");
	}
	job->copies++;
	if (error && !job->error)
		job->error = error;
	for (size_t i = 0; i < DIRECTIONS; i++)
		add_direction(&job->direction[i], json_object_get(element, directions[i]));
}

/* One measure of a job. rate 0 or no number: it has none. */
static void add_measure(struct imported *imported, struct run *run, const struct job *job,
			const char *name, const char *unit, double rate, const char *note)
{
	char id[IMPORT_ID_BYTES], prefix[IMPORT_ID_BYTES], title[JOB_BYTES + 32];
	uint32_t group_copies = copies_of(job->options);
	struct series *series;

	if (!(rate > 0) || !isfinite(rate))
		return;
	/* "fio/JOB@1" with the measure before the version */
	imported_id("fio", job->name, prefix);
	prefix[strlen(prefix) - strlen("@1")] = '\0';
	if (job->group > 0)
		snprintf(id, sizeof(id), "%.90s/%s-group%d@1", prefix, name,
			 (int)(job->group % COPIES_MOST));
	else
		snprintf(id, sizeof(id), "%.90s/%s@1", prefix, name);
	snprintf(title, sizeof(title), "%s, %s", job->name, name);
	series = imported_series(imported, run, id, title, unit,
				 job->copies > 1 || job->copies > group_copies ? job->copies
									       : group_copies);
	if (!series)
		return;
	imported_rate(series, rate);
	if (json_is_object(job->options) &&
	    json_object_set_new(series->params, "job options", json_deep_copy(job->options)))
		imported->no_memory = true;
	if (note)
		imported_text(imported, &series->note, IMPORT_WARNING "%s", note);
	if (job->error)
		imported_text(imported, &series->reason, "fio says error %d of this job",
			      (int)(job->error % COPIES_MOST));
}

static void add_measures(struct imported *imported, struct run *run, const struct job *job)
{
	size_t before = run->n_series;
	char name[16], note[96];

	for (size_t i = 0; i < DIRECTIONS && !imported->no_memory; i++) {
		const struct direction *direction = &job->direction[i];
		double latency_s = direction->latency_s / direction->ios;

		snprintf(name, sizeof(name), "%s-bw", directions[i]);
		add_measure(imported, run, job, name, "B/s", direction->bytes_per_s, NULL);
		snprintf(name, sizeof(name), "%s-iops", directions[i]);
		add_measure(imported, run, job, name, "IO/s", direction->ios_per_s, NULL);
		snprintf(name, sizeof(name), "%s-lat", directions[i]);
		snprintf(note, sizeof(note), "mean latency %.6g s, inverted", latency_s);
		add_measure(imported, run, job, name, "1/s", 1 / latency_s, note);
	}
	if (job->error)
		imported_warn(imported, 0, "job %zu, \"%.80s\", ended with error %d", job->number,
			      job->name, (int)(job->error % COPIES_MOST));
	else if (run->n_series == before)
		imported_warn(imported, 0, "job %zu, \"%.80s\", did nothing", job->number,
			      job->name);
}

static void add_document(struct imported *imported, const json_t *document, size_t line)
{
	const json_t *elements = json_object_get(document, "jobs");
	const json_t *version = json_object_get(document, "fio version");
	const json_t *timestamp = json_object_get(document, "timestamp");
	const json_t *global = json_object_get(document, "global options");
	struct jobs jobs = { 0 };
	struct run *run;

	if (!json_is_array(elements))
		elements = json_object_get(document, "client_stats");
	if (!json_is_array(elements)) {
		imported_warn(imported, line, "expected an array \"jobs\"");
		return;
	}
	run = imported_begin(imported, json_text_or(version, "fio"), FORMAT, line);
	if (!run)
		return;
	if (json_is_integer(timestamp) && json_integer_value(timestamp) > 0)
		run->created_s = (uint64_t)json_integer_value(timestamp);
	if (json_is_object(global))
		imported_detail(imported, run, "global options", json_deep_copy(global));
	for (size_t i = 0; i < json_array_size(elements) && !imported->no_memory; i++)
		read_job(imported, &jobs, json_array_get(elements, i), i + 1);
	for (size_t i = 0; i < jobs.count && !imported->no_memory; i++)
		add_measures(imported, run, &jobs.job[i]);
	if (!json_array_size(elements))
		imported_warn(imported, line, "the array of jobs is empty");
	free(jobs.job);
}

bool import_fio_recognise(const struct import_source *source)
{
	static const char *const texts[] = { "\"fio version\"", NULL };
	static const char *const jobs[] = { "\"jobs\"", "\"jobname\"", NULL };

	return import_json_recognise(source, texts) || import_json_recognise(source, jobs);
}

int import_fio_read(const struct import_source *source, struct imported *imported,
		    struct error *err)
{
	(void)err;
	return import_json_each(source, imported, "jobs", add_document);
}
