// SPDX-License-Identifier: GPL-2.0-or-later
/* bench_lock.c - see bench_lock.h. */
#include "cmd/bench_lock.h"
#include "base/clock.h"
#include "base/text.h"
#include "cmd/options.h"
#include "measure/environment_spawn.h"
#include "measure/programs.h"
#include "workload/lock.h"
#include "workload/lock_kinds.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define OVERSUBSCRIPTION 32 /* most threads of a CPU, where none were typed */
#define ROWS_MAX	 100000
#define VALUES_MAX	 1000

const char *const lock_sensor_names[] = {
	"auto",	  "none", "heartbeat", "sched", "rseq-slice", "stuck-running", "stuck-preempted",
	"random", NULL
};

/* The values of one dimension. */
struct values {
	int64_t *value;
	size_t count;
	bool is_typed;
};

struct grid {
	struct values kinds, threads, hold, think, readers;
	int64_t sensor;
};

static int no_memory(struct error *err)
{
	return error_set(err, -ENOMEM, "no memory for the plan");
}

static int values_add(struct values *values, int64_t value, struct error *err)
{
	int64_t *grown;

	for (size_t i = 0; i < values->count; i++) {
		if (values->value[i] == value)
			return 0;
	}
	if (values->count == VALUES_MAX)
		return error_set(err, -EINVAL, "more than %d values", VALUES_MAX);
	grown = reallocarray(values->value, values->count + 1, sizeof(*grown));
	if (!grown)
		return no_memory(err);
	values->value = grown;
	values->value[values->count++] = value;
	return 0;
}

/* One word of a list. */
typedef int read_word(const char *word, struct values *values, struct error *err);

static int read_kind(const char *word, struct values *values, struct error *err)
{
	const char *nearest;

	for (int i = 0; i < LOCK_KIND_COUNT; i++) {
		if (!strcmp(lock_names[i].name, word))
			return values_add(values, i, err);
	}
	nearest = near_name(word, lock_kind_choices);
	if (nearest)
		return error_set(err, -EINVAL, "\"%s\": unknown kind; did you mean %s?", word,
				 nearest);
	return error_set(err, -EINVAL, "\"%s\": unknown kind; onproc bench --list --json shows all",
			 word);
}

static int read_work(const char *word, struct values *values, struct error *err)
{
	uint64_t ns;
	int rc = value_duration(word, 0, LOCK_WORK_NS_MAX, &ns, err);

	return rc ? rc : values_add(values, (int64_t)ns, err);
}

static int read_readers(const char *word, struct values *values, struct error *err)
{
	uint64_t percent;
	int rc = value_count(word, 0, 100, &percent, err);

	return rc ? rc : values_add(values, (int64_t)percent, err);
}

/* A list of words with commas between them. */
static int read_list(const char *option, const char *typed, read_word *read, struct values *values,
		     struct error *err)
{
	char *text = strdup(typed), *rest = text, *word;
	int rc = 0;

	if (!text)
		return no_memory(err);
	while (!rc && (word = strsep(&rest, ",")))
		rc = read(word, values, err);
	free(text);
	values->is_typed = true;
	return rc ? error_context(err, "%s", option) : 0;
}

static int read_threads(const char *typed, uint32_t cpus, struct values *values, struct error *err)
{
	uint32_t *counts = NULL;
	size_t n = 0;
	int rc = copies_parse(typed, cpus, &counts, &n, err);

	for (size_t i = 0; !rc && i < n; i++) {
		if (counts[i] > LOCK_THREADS_MAX)
			rc = error_set(err, -EINVAL, "%u: at most %d threads", counts[i],
				       LOCK_THREADS_MAX);
		else
			rc = values_add(values, counts[i], err);
	}
	free(counts);
	values->is_typed = true;
	return rc ? error_context(err, "--threads") : 0;
}

/* 1 thread to OVERSUBSCRIPTION a CPU, twice as many each time; --quick: three of these. */
static int default_threads(bool quick, uint32_t cpus, struct values *values, struct error *err)
{
	uint64_t most = (uint64_t)cpus * OVERSUBSCRIPTION;
	int rc = 0;

	if (most > LOCK_THREADS_MAX)
		most = LOCK_THREADS_MAX;
	if (quick) {
		const uint64_t few[] = { 1, cpus, 4ull * cpus };

		for (size_t i = 0; !rc && i < sizeof(few) / sizeof(few[0]); i++)
			rc = values_add(values, (int64_t)(few[i] < most ? few[i] : most), err);
		return rc;
	}
	for (uint64_t threads = 1; !rc && threads <= most; threads *= 2)
		rc = values_add(values, (int64_t)threads, err);
	return rc;
}

static int default_kinds(struct values *values, struct error *err)
{
	int rc = 0;

	for (int i = 0; !rc && i < LOCK_KIND_COUNT; i++)
		rc = values_add(values, i, err);
	return rc;
}

static bool kind_is_built(int kind)
{
	struct reason unused;

	return !lock_kind_supported(kind, 0, &unused);
}

/* What the locks of this onproc use by themselves here: one of them is asked. */
static int64_t sensor_found(void)
{
	char program[PATH_MAX + 32], dir[PATH_MAX];
	const char *const argv[] = { "/bin/sh",	    "-c",	 "exec \"$0\" \"$@\" 2>&1",
				     program,	    "lock-pair", "--bare",
				     "1",	    "0",	 "kind=onproc-mutex",
				     "sensor=auto", NULL };
	int64_t found = LOCK_SENSOR_NONE;
	struct text text = { 0 };
	struct error unused = { 0 };

	if (programs_find(dir, sizeof(dir), &unused))
		return found;
	snprintf(program, sizeof(program), "%s/onproc-work-lock", dir);
	if (!spawn_read(argv, &text, &unused)) {
		for (int64_t i = 0; i < LOCK_SENSOR_AUTO; i++) {
			char member[40];

			snprintf(member, sizeof(member), "\"sensor\":\"%s\"",
				 lock_sensor_choices[i]);
			if (text.bytes && strstr(text.bytes, member))
				found = i;
		}
	}
	text_free(&text);
	return found;
}

static int64_t sensor_choice(const char *typed)
{
	if (typed && strcmp(typed, "auto") != 0) {
		for (int64_t i = 0; i < LOCK_SENSOR_AUTO; i++) {
			if (!strcmp(typed, lock_sensor_choices[i]))
				return i;
		}
	}
	return kind_is_built(LOCK_onproc_mutex) ? sensor_found() : LOCK_SENSOR_NONE;
}

static void grid_free(struct grid *grid)
{
	free(grid->kinds.value);
	free(grid->threads.value);
	free(grid->hold.value);
	free(grid->think.value);
	free(grid->readers.value);
}

static int grid_make(const struct bench_options *options, uint32_t cpus, struct grid *grid,
		     struct error *err)
{
	int rc;

	rc = options->kinds ? read_list("--kinds", options->kinds, read_kind, &grid->kinds, err)
			    : default_kinds(&grid->kinds, err);
	if (!rc)
		rc = options->threads ? read_threads(options->threads, cpus, &grid->threads, err)
				      : default_threads(options->quick, cpus, &grid->threads, err);
	if (!rc)
		rc = read_list("--hold", options->hold ? options->hold : "1us", read_work,
			       &grid->hold, err);
	if (!rc)
		rc = read_list("--think", options->think ? options->think : "1us", read_work,
			       &grid->think, err);
	if (!rc)
		rc = read_list("--readers", options->readers ? options->readers : "0", read_readers,
			       &grid->readers, err);
	if (!rc)
		grid->sensor = sensor_choice(options->sensor);
	return rc;
}

static int row_add(const struct grid *grid, const int64_t *param, struct lock_rows *rows,
		   struct error *err)
{
	int kind = (int)param[LOCK_PARAM_KIND];
	struct lock_row *row, *grown;

	/* Nobody asked for readers of a kind that has none. */
	if (!grid->kinds.is_typed && param[LOCK_PARAM_READERS_PCT] && !lock_names[kind].has_readers)
		return 0;
	if (rows->count == ROWS_MAX)
		return error_set(err, -EINVAL, "more than %d rows of lock", ROWS_MAX);
	grown = reallocarray(rows->rows, rows->count + 1, sizeof(*grown));
	if (!grown)
		return no_memory(err);
	rows->rows = grown;
	row = &rows->rows[rows->count++];
	memcpy(row->param, param, sizeof(row->param));
	row->by_name = grid->kinds.is_typed || kind_is_built(kind);
	return 0;
}

static int lock_rows(const struct grid *grid, struct lock_rows *rows, struct error *err)
{
	const struct values *dimension[] = { &grid->readers, &grid->hold, &grid->think,
					     &grid->threads, &grid->kinds };
	static const int place[] = { LOCK_PARAM_READERS_PCT, LOCK_PARAM_HOLD_NS,
				     LOCK_PARAM_THINK_NS, LOCK_PARAM_THREADS, LOCK_PARAM_KIND };
	enum { DIMENSIONS = sizeof(place) / sizeof(place[0]) };
	size_t at[DIMENSIONS] = { 0 };
	int64_t param[PLAN_PARAMS] = { 0 };
	size_t d = 0;

	for (d = 0; d < DIMENSIONS; d++) {
		if (!dimension[d]->count)
			return 0;
	}
	d = 0;
	while (d < DIMENSIONS) {
		int rc;

		for (d = 0; d < DIMENSIONS; d++)
			param[place[d]] = dimension[d]->value[at[d]];
		param[LOCK_PARAM_SENSOR] = lock_kind_has_sensor((int)param[LOCK_PARAM_KIND])
						   ? grid->sensor
						   : LOCK_SENSOR_NONE;
		rc = row_add(grid, param, rows, err);
		if (rc)
			return rc;
		/* The next point: the last dimension first, as a counter. */
		for (d = 0; d < DIMENSIONS; d++) {
			size_t k = DIMENSIONS - 1 - d;

			if (++at[k] < dimension[k]->count)
				break;
			at[k] = 0;
		}
	}
	return 0;
}

static int pair_rows(const struct grid *grid, struct lock_rows *rows, struct error *err)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < grid->kinds.count; i++) {
		int64_t param[PLAN_PARAMS] = { 0 };

		param[LOCK_PAIR_PARAM_KIND] = grid->kinds.value[i];
		param[LOCK_PAIR_PARAM_SENSOR] = lock_kind_has_sensor((int)grid->kinds.value[i])
							? grid->sensor
							: LOCK_SENSOR_NONE;
		rc = row_add(grid, param, rows, err);
	}
	return rc;
}

bool lock_has_rows(const struct workload *workload)
{
	return workload == &workload_lock || workload == &workload_lock_pair;
}

int lock_rows_make(const struct bench_options *options, const struct workload *workload,
		   uint32_t cpus, struct lock_rows *rows, struct error *err)
{
	struct grid grid = { 0 };
	int rc;

	*rows = (struct lock_rows){ 0 };
	if (options->copies.count)
		return error_set(err, -EINVAL,
				 "--copies: %s is one process; --threads sets how many threads "
				 "share its lock",
				 workload->id);
	rc = grid_make(options, cpus, &grid, err);
	if (!rc)
		rc = workload == &workload_lock ? lock_rows(&grid, rows, err)
						: pair_rows(&grid, rows, err);
	grid_free(&grid);
	return rc;
}

int lock_options_check(const struct bench_options *options, const struct selection *selection,
		       struct error *err)
{
	const struct {
		const char *name, *typed;
		bool of_pair;
	} asked[] = {
		{ "--threads", options->threads, false }, { "--hold", options->hold, false },
		{ "--think", options->think, false },	  { "--readers", options->readers, false },
		{ "--kinds", options->kinds, true },	  { "--sensor", options->sensor, true },
	};
	bool has_lock = false, has_pair = false;

	for (size_t i = 0; i < selection->count; i++) {
		has_lock |= selection->tests[i].workload == &workload_lock;
		has_pair |= selection->tests[i].workload == &workload_lock_pair;
	}
	for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
		if (asked[i].typed && !has_lock && !(has_pair && asked[i].of_pair))
			return error_set(err, -EINVAL,
					 "%s: it is about the test lock, which is not among the "
					 "tests to run",
					 asked[i].name);
	}
	return 0;
}
