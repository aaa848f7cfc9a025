// SPDX-License-Identifier: GPL-2.0-or-later
/* lock_summary.c - see lock_summary.h. */
#include "store/lock_summary.h"

#include "stats/estimate.h"
#include "stats/order.h"
#include "store/block_values.h"
#include "store/score.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PATH_BYTES 64
#define ALPHA	   0.05

enum summary { MEDIAN, LARGEST };

/* In the order of the document; a member with parts has a row for each. */
static const struct {
	const char *member, *part; /* part NULL: a number itself */
	enum summary summary;
	bool is_optional; /* absent where no slot has it */
} rows[] = {
	{ "jain", NULL, MEDIAN, true },
	{ "wait_ns", "p50", MEDIAN, true },
	{ "wait_ns", "p99", MEDIAN, true },
	{ "wait_ns", "p999", MEDIAN, true },
	{ "wait_ns", "max", LARGEST, true },
	{ "write_wait_ns", "p50", MEDIAN, true },
	{ "write_wait_ns", "p99", MEDIAN, true },
	{ "write_wait_ns", "p999", MEDIAN, true },
	{ "write_wait_ns", "max", LARGEST, true },
	{ "waits", NULL, MEDIAN, true },
	{ "waits_over_50us", NULL, MEDIAN, true },
	{ "unfinished_waits", NULL, MEDIAN, true },
	{ "switches_per_1000", "voluntary", MEDIAN, false },
	{ "switches_per_1000", "involuntary", MEDIAN, false },
	{ "yields_per_1000", NULL, MEDIAN, false },
	{ "cpu_ns_per_op", NULL, MEDIAN, false },
};

#define ROWS (sizeof(rows) / sizeof(rows[0]))

double lock_number(const json_t *lock, const char *path)
{
	const char *dot = strchr(path, '.');
	char member[PATH_BYTES];
	const json_t *value;

	if (dot && (size_t)(dot - path) < sizeof(member)) {
		memcpy(member, path, (size_t)(dot - path));
		member[dot - path] = '\0';
		value = json_object_get(json_object_get(lock, member), dot + 1);
	} else {
		value = json_object_get(lock, path);
	}
	return json_is_number(value) ? json_number_value(value) : NAN;
}

/* The numbers of the slots that count; path below the slot's evidence. */
static size_t numbers_take(const struct series *series, const char *member, const char *path,
			   double *number)
{
	size_t n = 0;

	for (size_t i = 0; i < series->n_slots; i++) {
		const json_t *evidence = series->slots[i].evidence;
		double value;

		if (!slot_counts(&series->slots[i]))
			continue;
		value = lock_number(member ? json_object_get(evidence, member) : evidence, path);
		if (isfinite(value))
			number[n++] = value;
	}
	return n;
}

static double summary_of(double *number, size_t n, enum summary summary)
{
	if (!n)
		return NAN;
	order_sort(number, n);
	return summary == LARGEST ? number[n - 1] : order_median(number, n);
}

static json_t *number_json(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

/* The object that a row's part goes into, made when it is the first. */
static json_t *part_parent(json_t *lock, const char *member)
{
	json_t *parent = json_object_get(lock, member);

	if (!parent && !json_object_set_new(lock, member, json_object()))
		parent = json_object_get(lock, member);
	return parent;
}

static int row_put(const struct series *series, size_t row, double *number, json_t *lock)
{
	json_t *into = lock;
	char path[PATH_BYTES];
	size_t n;

	snprintf(path, sizeof(path), "%s%s%s", rows[row].member, rows[row].part ? "." : "",
		 rows[row].part ? rows[row].part : "");
	n = numbers_take(series, LOCK_EVIDENCE, path, number);
	if (!n && rows[row].is_optional)
		return 0;
	if (rows[row].part)
		into = part_parent(lock, rows[row].member);
	return json_object_set_new(into, rows[row].part ? rows[row].part : rows[row].member,
				   number_json(summary_of(number, n, rows[row].summary)));
}

/* The sensors in use: one, as all slots ask for the same; or all of them. */
static json_t *sensors_of(const struct series *series)
{
	const char *first = NULL;

	for (size_t i = 0; i < series->n_slots; i++) {
		const char *one = json_string_value(json_object_get(
			json_object_get(series->slots[i].evidence, LOCK_EVIDENCE), "sensor"));

		if (!one)
			continue;
		if (first && strcmp(first, one) != 0)
			return json_string("mixed");
		first = one;
	}
	return first ? json_string(first) : json_null();
}

static bool is_of_lock(const struct series *series)
{
	for (size_t i = 0; i < series->n_slots; i++) {
		if (json_is_object(json_object_get(series->slots[i].evidence, LOCK_EVIDENCE)))
			return true;
	}
	return false;
}

static int series_sum(struct series *series)
{
	double *number = malloc((series->n_slots + 1) * sizeof(*number));
	json_t *lock = json_object();
	int failed = !number || !lock;
	size_t n;

	if (!failed)
		failed = json_object_set_new(lock, "sensor", sensors_of(series));
	for (size_t row = 0; !failed && row < ROWS; row++)
		failed = row_put(series, row, number, lock);
	if (!failed) {
		n = numbers_take(series, NULL, "foreign", number);
		failed = json_object_set_new(lock, "foreign",
					     number_json(summary_of(number, n, MEDIAN)));
	}
	free(number);
	if (failed) {
		json_decref(lock);
		return -ENOMEM;
	}
	series->lock = lock;
	return 0;
}

bool lock_is_pair(const struct series *series)
{
	return series->test && !strncmp(series->test, LOCK_PAIR_TEST, strlen(LOCK_PAIR_TEST));
}

bool lock_is_series(const struct series *series)
{
	return lock_is_pair(series) ||
	       (series->test && !strncmp(series->test, LOCK_TEST, strlen(LOCK_TEST)));
}

const char *lock_kind_of(const struct series *series)
{
	const char *kind = json_string_value(json_object_get(series->params, "kind"));

	return kind ? kind : "";
}

bool lock_is_own(const struct series *series)
{
	return !strncmp(lock_kind_of(series), "onproc-", strlen("onproc-"));
}

char *lock_label(const struct series *series)
{
	const json_t *params = series->params;
	json_int_t threads = json_integer_value(json_object_get(params, "threads"));
	json_int_t readers = json_integer_value(json_object_get(params, "readers_pct"));
	const char *sensor = json_string_value(json_object_get(params, "sensor"));
	char of_readers[32] = "";
	char *label = NULL;
	int length;

	if (!lock_is_series(series))
		return NULL;
	if (!sensor || !lock_is_own(series))
		sensor = "";
	if (readers)
		snprintf(of_readers, sizeof(of_readers), ", %" JSON_INTEGER_FORMAT " %% readers",
			 readers);
	if (lock_is_pair(series))
		length = asprintf(&label, "%s%s%s", lock_kind_of(series), *sensor ? ", " : "",
				  sensor);
	else
		length = asprintf(&label,
				  "%s%s%s, %" JSON_INTEGER_FORMAT " %s, %" JSON_INTEGER_FORMAT
				  "/%" JSON_INTEGER_FORMAT " ns%s",
				  lock_kind_of(series), *sensor ? ", " : "", sensor, threads,
				  threads == 1 ? "thread" : "threads",
				  json_integer_value(json_object_get(params, "hold_ns")),
				  json_integer_value(json_object_get(params, "think_ns")),
				  of_readers);
	return length < 0 ? NULL : label;
}

bool lock_same_point(const struct series *a, const struct series *b)
{
	static const char *const names[] = { "threads", "hold_ns", "think_ns", "readers_pct" };

	if (!a->test || !b->test || strcmp(a->test, b->test) != 0 || a->copies != b->copies ||
	    !a->side != !b->side || (a->side && strcmp(a->side, b->side) != 0))
		return false;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const json_t *of_a = json_object_get(a->params, names[i]);
		const json_t *of_b = json_object_get(b->params, names[i]);

		if (of_a != of_b && !json_equal(of_a, of_b))
			return false;
	}
	return true;
}

/* The fastest peer at the point of a series, itself left out; NULL: none. */
static const struct series *best_peer(const struct run *run, const struct series *series)
{
	const struct series *best = NULL;

	for (size_t i = 0; i < run->n_series; i++) {
		const struct series *peer = &run->series[i];

		if (peer == series || !peer->lock || lock_is_own(peer) ||
		    !(peer->estimate.value > 0) || !lock_same_point(peer, series))
			continue;
		if (!best || peer->estimate.value > best->estimate.value)
			best = peer;
	}
	return best;
}

/* ln of the ratio in every block that has both. */
static int pair_ratio(const struct series *series, const struct series *peer,
		      struct estimate *ratio)
{
	struct block_values own = { 0 }, other = { 0 };
	double *d = malloc((series->n_slots + 1) * sizeof(*d));
	size_t n = 0;
	int rc = d ? 0 : -ENOMEM;

	rc = rc ? rc : block_values_of(series, &own);
	rc = rc ? rc : block_values_of(peer, &other);
	for (size_t i = 0; !rc && i < own.count; i++) {
		double value = own.value[i].value - block_value_in(&other, own.value[i].block);

		if (isfinite(value))
			d[n++] = value;
	}
	if (!rc)
		rc = estimate_hl(d, n, ALPHA, ratio);
	block_values_free(&own);
	block_values_free(&other);
	free(d);
	return rc;
}

static int no_peer(struct series *series, const char *why)
{
	return json_object_set_new(series->lock, "best_peer", json_null()) ||
			       json_object_set_new(series->lock, "best_peer_reason",
						   json_string(why))
		       ? -ENOMEM
		       : 0;
}

static int peer_put(const struct run *run, struct series *series)
{
	const struct series *peer = best_peer(run, series);
	struct estimate ratio;
	json_t *object;
	int rc;

	if (!peer)
		return no_peer(series, "no other peer was measured at this point");
	rc = pair_ratio(series, peer, &ratio);
	if (rc)
		return rc;
	if (!ratio.n)
		return no_peer(series, "no block has both");
	object = json_pack("{s:s, s:o, s:o, s:o, s:o, s:I}", "kind", lock_kind_of(peer), "ratio",
			   number_json(exp(ratio.value)), "lo", number_json(exp(ratio.lo)), "hi",
			   number_json(exp(ratio.hi)), "level", number_json(ratio.level), "n",
			   (json_int_t)ratio.n);
	return json_object_set_new(series->lock, "best_peer", object) ? -ENOMEM : 0;
}

int run_sum_locks(struct run *run)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < run->n_series; i++) {
		struct series *series = &run->series[i];

		json_decref(series->lock);
		series->lock = NULL;
		if (is_of_lock(series))
			rc = series_sum(series);
	}
	for (size_t i = 0; !rc && i < run->n_series; i++) {
		if (run->series[i].lock)
			rc = peer_put(run, &run->series[i]);
	}
	return rc;
}
