// SPDX-License-Identifier: GPL-2.0-or-later
/* history.c - see history.h. */
#include "compare/history.h"

#include "base/sha256.h"
#include "store/lock_summary.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* MemTotal differs a little between kernels of one machine; whole GiB do not. */
#define MEMORY_UNIT_BYTES (1024.0 * 1024 * 1024)

const char *const history_circumstances[] = { "kernel", "kernel_build", "cmdline", "kernel_config",
					      "flags",	"tool",		NULL };

static const char *environment_text(const struct run *run, const char *name)
{
	return json_string_value(json_object_get(run->environment, name));
}

static const char *host_of(const struct run *run)
{
	const char *host = environment_text(run, "host");

	return host ? host : run->host;
}

/* Length first, so that no two lists of texts look alike; what is unknown differs from all texts.
 */
static void hash_text(struct sha256 *sha, const char *text)
{
	char length[32];
	int bytes = text ? snprintf(length, sizeof(length), "%zu:", strlen(text))
			 : snprintf(length, sizeof(length), "-:");

	sha256_add(sha, length, (size_t)bytes);
	if (text)
		sha256_add(sha, text, strlen(text));
}

void history_fingerprint(const struct run *run, const struct series *series,
			 char fingerprint[FINGERPRINT_BYTES])
{
	const json_t *memory = json_object_get(run->environment, "memory_bytes");
	char hex[SHA256_HEX_BYTES], size[32];
	struct sha256 sha;

	snprintf(size, sizeof(size), "%.0f", json_number_value(memory) / MEMORY_UNIT_BYTES);
	sha256_init(&sha);
	hash_text(&sha, host_of(run));
	hash_text(&sha, environment_text(run, "cpu_model"));
	hash_text(&sha, environment_text(run, "microcode"));
	hash_text(&sha, json_is_number(memory) ? size : NULL);
	hash_text(&sha, environment_text(run, "hypervisor"));
	hash_text(&sha, series->test);
	hash_text(&sha, series->content_hash);
	sha256_hex(&sha, hex);
	memcpy(fingerprint, hex, FINGERPRINT_BYTES - 1);
	fingerprint[FINGERPRINT_BYTES - 1] = '\0';
}

/* Texts that are known, joined by ", "; NULL: none is, or no memory. */
static char *join(const char *const *texts, size_t n)
{
	char *joined = NULL;

	for (size_t i = 0; i < n; i++) {
		char *longer = NULL;

		if (!texts[i])
			continue;
		if (asprintf(&longer, "%s%s%s", joined ? joined : "", joined ? ", " : "",
			     texts[i]) < 0)
			longer = NULL;
		free(joined);
		joined = longer;
		if (!joined)
			return NULL;
	}
	return joined;
}

static char *copy_or_null(const char *text)
{
	return text ? strdup(text) : NULL;
}

static char *config_of(const struct run *run)
{
	const json_t *hz = json_object_get(run->environment, "hz");
	char *debugging = NULL, *config, rate[32];
	const json_t *debug = json_object_get(run->environment, "kernel_debugging");
	const char *texts[3] = { environment_text(run, "preemption"), NULL, NULL };

	if (json_is_integer(hz)) {
		snprintf(rate, sizeof(rate), "%" JSON_INTEGER_FORMAT " Hz", json_integer_value(hz));
		texts[1] = rate;
	}
	if (debug && !json_is_null(debug))
		debugging = json_dumps(debug, JSON_COMPACT | JSON_ENCODE_ANY);
	texts[2] = debugging;
	config = join(texts, 3);
	free(debugging);
	return config;
}

static void set_circumstances(struct history_point *point, const struct run *run)
{
	const char *flags[] = { environment_text(run, "compiler"),
				environment_text(run, "cflags") };

	point->circumstance[CIRCUMSTANCE_KERNEL] =
		copy_or_null(environment_text(run, "kernel_release"));
	point->circumstance[CIRCUMSTANCE_BUILD] =
		copy_or_null(environment_text(run, "kernel_version"));
	point->circumstance[CIRCUMSTANCE_CMDLINE] = copy_or_null(environment_text(run, "cmdline"));
	point->circumstance[CIRCUMSTANCE_CONFIG] = config_of(run);
	point->circumstance[CIRCUMSTANCE_FLAGS] = join(flags, 2);
	point->circumstance[CIRCUMSTANCE_TOOL] = copy_or_null(run->tool);
}

static struct history_series *series_add(struct history *history, const struct run *run,
					 const struct series *series, const char *fingerprint)
{
	const char *machine[] = { host_of(run), environment_text(run, "cpu_model"),
				  environment_text(run, "hypervisor") };
	struct history_series *grown =
		reallocarray(history->series, history->n_series + 1, sizeof(*grown));
	struct history_series *added;

	if (!grown)
		return NULL;
	history->series = grown;
	added = &grown[history->n_series++];
	*added = (struct history_series){
		.test = strdup(series->test),
		.title = copy_or_null(series->title),
		.label = lock_label(series),
		.unit = copy_or_null(series->unit),
		.machine = join(machine, 3),
		.copies = series->copies,
	};
	memcpy(added->fingerprint, fingerprint, FINGERPRINT_BYTES);
	return added->test ? added : NULL;
}

static struct history_series *series_find(struct history *history, const struct run *run,
					  const struct series *series)
{
	char fingerprint[FINGERPRINT_BYTES];

	history_fingerprint(run, series, fingerprint);
	for (size_t i = 0; i < history->n_series; i++) {
		struct history_series *known = &history->series[i];

		if (known->copies == series->copies && !strcmp(known->fingerprint, fingerprint))
			return known;
	}
	return series_add(history, run, series, fingerprint);
}

int history_add(struct history *history, const struct run *run, const struct series *series)
{
	struct history_series *into;
	struct history_point *point;

	if (!(series->estimate.value > 0) || isinf(series->estimate.value)) {
		history->without_result++;
		return 0;
	}
	if (!run->created_s) {
		history->undated++;
		return 0;
	}
	into = series_find(history, run, series);
	if (!into)
		return -ENOMEM;
	if (into->n_points == into->room) {
		size_t room = into->room ? 2 * into->room : 16;
		struct history_point *grown = reallocarray(into->points, room, sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		into->points = grown;
		into->room = room;
	}
	point = &into->points[into->n_points++];
	*point = (struct history_point){
		.created_s = run->created_s,
		.value = series->estimate.value,
		.lo = series->estimate.lo,
		.hi = series->estimate.hi,
	};
	memcpy(point->run, run->id, RUN_ID_BYTES);
	set_circumstances(point, run);
	return 0;
}

static int compare_points(const void *left, const void *right)
{
	const struct history_point *a = left, *b = right;

	if (a->created_s != b->created_s)
		return a->created_s < b->created_s ? -1 : 1;
	return strcmp(a->run, b->run);
}

static int series_judge(struct history_series *series, double margin, double alpha)
{
	double *y = malloc((series->n_points + 1) * sizeof(*y));
	int rc;

	if (!y)
		return -ENOMEM;
	qsort(series->points, series->n_points, sizeof(*series->points), compare_points);
	for (size_t i = 0; i < series->n_points; i++)
		y[i] = log(series->points[i].value);
	rc = changes_find(y, series->n_points, log1p(margin), alpha, HISTORY_SEED, &series->changes,
			  &series->n_changes);
	free(y);
	return rc;
}

int history_judge(struct history *history, double margin, double alpha, struct error *err)
{
	int rc = 0;

	history->margin = margin;
	history->alpha = alpha;
	for (size_t i = 0; !rc && i < history->n_series; i++)
		rc = series_judge(&history->series[i], margin, alpha);
	return rc ? error_errno(err, rc, "finding changes") : 0;
}

static void point_free(struct history_point *point)
{
	for (size_t i = 0; i < CIRCUMSTANCES; i++)
		free(point->circumstance[i]);
}

void history_free(struct history *history)
{
	for (size_t i = 0; i < history->n_series; i++) {
		struct history_series *series = &history->series[i];

		for (size_t k = 0; k < series->n_points; k++)
			point_free(&series->points[k]);
		free(series->points);
		free(series->changes);
		free(series->test);
		free(series->title);
		free(series->label);
		free(series->unit);
		free(series->machine);
	}
	free(history->series);
	*history = (struct history){ 0 };
}
