// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * locks.c - see locks.h. What is in no column here is in the JSON document.
 *
 * Columns of rates: kind 18, then up to 6 of 10. Columns of waits: kind 18, p99, p99.9 and the
 * longest 8 each, Jain 6, switches 8, ratio with interval 22.
 */
#include "report/locks.h"
#include "report/report.h"
#include "store/lock_summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define KIND_COLUMNS   18
#define RATE_COLUMNS   10
#define RATES	       6 /* thread counts side by side */
#define WAIT_COLUMNS   8
#define JAIN_COLUMNS   6
#define SWITCH_COLUMNS 8
#define TEXT_BYTES     16
#define CELL_BYTES     32

/* What the print functions share. */
struct block {
	const struct run *run;
	const struct series *const *series;
	struct paragraph *line;
	FILE *out;
};

void lock_time(double ns, char *text)
{
	static const struct {
		double ns;
		const char *unit;
	} units[] = { { 1e9, "s" }, { 1e6, "ms" }, { 1e3, "us" }, { 1, "ns" } };
	size_t i = 0;

	if (!isfinite(ns)) {
		memcpy(text, "-", 2);
		return;
	}
	while (i < 3 && ns < units[i].ns)
		i++;
	snprintf(text, TEXT_BYTES, "%.*f %s", ns / units[i].ns < 9.95 && i < 3 ? 1 : 0,
		 ns / units[i].ns, units[i].unit);
}

/* "2.20M", "474k", "430". */
static void rate_text(double rate, char *text)
{
	static const struct {
		double per;
		const char *unit;
	} units[] = { { 1e9, "G" }, { 1e6, "M" }, { 1e3, "k" } };

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		double value = rate / units[i].per;

		if (value < 0.9995)
			continue;
		snprintf(text, TEXT_BYTES, "%.*f%s",
			 value < 9.995	 ? 2
			 : value < 99.95 ? 1
					 : 0,
			 value, units[i].unit);
		return;
	}
	snprintf(text, TEXT_BYTES, "%.3g", rate);
}

/* A rate with half the width of its interval in percent, where it has one. */
static void rate_cell(const struct series *series, char cell[CELL_BYTES])
{
	char rate[TEXT_BYTES];
	double half_width;

	if (!series || !isfinite(series->estimate.value)) {
		memcpy(cell, "-", 2);
		return;
	}
	rate_text(series->estimate.value, rate);
	half_width = 100 * estimate_half_width(&series->estimate);
	if (isfinite(half_width) && half_width < 999.5)
		snprintf(cell, CELL_BYTES, "%s ±%.0f%%", rate, half_width < 1 ? 1 : half_width);
	else
		snprintf(cell, CELL_BYTES, "%s", rate);
}

static json_int_t param_of(const struct series *series, const char *name)
{
	return json_integer_value(json_object_get(series->params, name));
}

/* Of one table: the same work, whatever the threads and the kind. */
static bool is_same_work(const struct series *a, const struct series *b)
{
	static const char *const names[] = { "hold_ns", "think_ns", "readers_pct" };
	bool same = !lock_is_pair(a) && !lock_is_pair(b) && !a->side == !b->side &&
		    (!a->side || !strcmp(a->side, b->side));

	for (size_t i = 0; same && i < sizeof(names) / sizeof(names[0]); i++)
		same = param_of(a, names[i]) == param_of(b, names[i]);
	return same;
}

static bool is_lock_row(const struct series *series)
{
	return lock_is_series(series) && !lock_is_pair(series);
}

/* Is it the first of its kind (and sensor) among those of one table? */
static bool is_first_of_kind(const struct block *block, size_t at)
{
	for (size_t i = 0; i < at; i++) {
		const struct series *other = block->series[i];

		if (is_lock_row(other) && is_same_work(other, block->series[at]) &&
		    !strcmp(lock_kind_of(other), lock_kind_of(block->series[at])))
			return false;
	}
	return true;
}

/* The series of a kind at a number of threads; NULL: none. */
static const struct series *series_at(const struct block *block, const struct series *like,
				      json_int_t threads)
{
	for (size_t i = 0; i < block->run->n_series; i++) {
		const struct series *series = block->series[i];

		if (is_lock_row(series) && is_same_work(series, like) &&
		    param_of(series, "threads") == threads &&
		    !strcmp(lock_kind_of(series), lock_kind_of(like)))
			return series;
	}
	return NULL;
}

/* The smallest number of threads of a table above `after`; 0: none. */
static json_int_t next_threads(const struct block *block, const struct series *like,
			       json_int_t after)
{
	json_int_t next = 0;

	for (size_t i = 0; i < block->run->n_series; i++) {
		const struct series *series = block->series[i];
		json_int_t threads = param_of(series, "threads");

		if (is_lock_row(series) && is_same_work(series, like) && threads > after &&
		    (!next || threads < next))
			next = threads;
	}
	return next;
}

static void add_kind(const struct block *block, const struct series *series)
{
	paragraph_add_outside(block->line, lock_kind_of(series));
	paragraph_pad(block->line, KIND_COLUMNS);
}

/* Columns, not bytes: the sign before an interval is one. */
static void add_cell(const struct block *block, size_t columns, const char *cell)
{
	size_t used = 0;

	for (const char *c = cell; *c; c++)
		used += ((unsigned char)*c & 0xc0) != 0x80;
	paragraph_add(block->line, "%*s%s", used < columns ? (int)(columns - used) : 1, "", cell);
}

static bool has_result(const struct series *series)
{
	return series && isfinite(series->estimate.value);
}

/* A kind without a result at any number of threads says why, once. */
static bool print_no_result(const struct block *block, const struct series *like)
{
	const char *reason = like->reason;

	for (json_int_t threads = 0; (threads = next_threads(block, like, threads));) {
		const struct series *series = series_at(block, like, threads);

		if (has_result(series))
			return false;
		if (series && series->reason)
			reason = series->reason;
	}
	add_kind(block, like);
	paragraph_add(block->line, " no result: ");
	paragraph_add_outside(block->line, reason ? reason : "not measured");
	paragraph_print(block->line, block->out, KIND_COLUMNS + 1);
	return true;
}

/* Up to RATES thread counts beginning with `from`; the first one after them, or 0. */
static json_int_t print_rates(const struct block *block, const struct series *like, size_t first,
			      json_int_t from)
{
	json_int_t threads[RATES], next = from;
	size_t n = 0;
	char cell[CELL_BYTES];

	for (; next && n < RATES; next = next_threads(block, like, next))
		threads[n++] = next;
	paragraph_add(block->line, "threads");
	paragraph_pad(block->line, KIND_COLUMNS);
	for (size_t i = 0; i < n; i++) {
		snprintf(cell, sizeof(cell), "%" JSON_INTEGER_FORMAT, threads[i]);
		add_cell(block, RATE_COLUMNS, cell);
	}
	paragraph_print(block->line, block->out, 0);
	for (size_t i = first; i < block->run->n_series; i++) {
		const struct series *series = block->series[i];

		if (!is_lock_row(series) || !is_same_work(series, like) ||
		    !is_first_of_kind(block, i) || print_no_result(block, series))
			continue;
		add_kind(block, series);
		for (size_t k = 0; k < n; k++) {
			rate_cell(series_at(block, series, threads[k]), cell);
			add_cell(block, RATE_COLUMNS, cell);
		}
		paragraph_print(block->line, block->out, 0);
	}
	return next;
}

/* "0.97 [0.95, 0.99]" and the peer where it is another one than above. */
static void ratio_cell(const json_t *lock, char cell[CELL_BYTES])
{
	double ratio = lock_number(lock, "best_peer.ratio");
	double lo = lock_number(lock, "best_peer.lo"), hi = lock_number(lock, "best_peer.hi");
	int digits = ratio < 0.095 ? 4 : 2;

	if (!isfinite(ratio))
		memcpy(cell, "-", 2);
	else if (ratio >= 1000 || hi >= 1000)
		snprintf(cell, CELL_BYTES, "%.3g", ratio);
	else if (isfinite(lo) && isfinite(hi))
		snprintf(cell, CELL_BYTES, "%.*f [%.*f, %.*f]", digits, ratio, digits, lo, digits,
			 hi);
	else
		snprintf(cell, CELL_BYTES, "%.*f", digits, ratio);
}

static void number_cell(double number, int digits, char cell[CELL_BYTES])
{
	if (!isfinite(number))
		memcpy(cell, "-", 2);
	else if (fabs(number) >= 99999.5)
		snprintf(cell, CELL_BYTES, "%.1e", number);
	else
		snprintf(cell, CELL_BYTES, "%.*f", fabs(number) >= 999.5 ? 0 : digits, number);
}

/* Switches of both kinds and calls of sched_yield(). */
static double switches_of(const json_t *lock)
{
	return lock_number(lock, "switches_per_1000.voluntary") +
	       lock_number(lock, "switches_per_1000.involuntary");
}

static void print_waits_of(const struct block *block, const struct series *series)
{
	static const char *const waits[] = { "wait_ns.p99", "wait_ns.p999", "wait_ns.max" };
	char cell[CELL_BYTES];

	add_kind(block, series);
	for (size_t i = 0; i < sizeof(waits) / sizeof(waits[0]); i++) {
		lock_time(lock_number(series->lock, waits[i]), cell);
		add_cell(block, WAIT_COLUMNS, cell);
	}
	number_cell(lock_number(series->lock, "jain"), 2, cell);
	add_cell(block, JAIN_COLUMNS, cell);
	number_cell(switches_of(series->lock), 1, cell);
	add_cell(block, SWITCH_COLUMNS, cell);
	ratio_cell(series->lock, cell);
	add_cell(block,
		 REPORT_COLUMNS - KIND_COLUMNS - 3 * WAIT_COLUMNS - JAIN_COLUMNS - SWITCH_COLUMNS,
		 cell);
	paragraph_print(block->line, block->out, 4);
}

/* The peer that the others of a point are compared with: the fastest. */
static const char *peer_of_point(const struct block *block, const struct series *like,
				 json_int_t threads)
{
	const struct series *best = NULL;

	for (size_t i = 0; i < block->run->n_series; i++) {
		const struct series *series = block->series[i];

		if (is_lock_row(series) && is_same_work(series, like) && !lock_is_own(series) &&
		    param_of(series, "threads") == threads && has_result(series) &&
		    (!best || series->estimate.value > best->estimate.value))
			best = series;
	}
	return best ? lock_kind_of(best) : "none";
}

static void print_waits(const struct block *block, const struct series *like, size_t first,
			json_int_t threads)
{
	fputc('\n', block->out);
	paragraph_add(block->line, "%" JSON_INTEGER_FORMAT " %s", threads,
		      threads == 1 ? "thread" : "threads");
	paragraph_pad(block->line, KIND_COLUMNS);
	paragraph_add(block->line, "%*s%*s%*s%*s%*s%*s", WAIT_COLUMNS, "p99", WAIT_COLUMNS, "p99.9",
		      WAIT_COLUMNS, "longest", JAIN_COLUMNS, "Jain", SWITCH_COLUMNS, "sw/1000",
		      REPORT_COLUMNS - KIND_COLUMNS - 3 * WAIT_COLUMNS - JAIN_COLUMNS -
			      SWITCH_COLUMNS,
		      "to best peer");
	paragraph_print(block->line, block->out, 4);
	for (size_t i = first; i < block->run->n_series; i++) {
		const struct series *series = block->series[i];

		if (is_lock_row(series) && is_same_work(series, like) && has_result(series) &&
		    param_of(series, "threads") == threads)
			print_waits_of(block, series);
	}
	paragraph_add(block->line, "best peer: ");
	paragraph_add_outside(block->line, peer_of_point(block, like, threads));
	paragraph_print(block->line, block->out, 4);
}

static void print_work(const struct block *block, size_t first)
{
	const struct series *like = block->series[first];
	char hold[TEXT_BYTES], think[TEXT_BYTES];
	json_int_t threads = 0;

	lock_time((double)param_of(like, "hold_ns"), hold);
	lock_time((double)param_of(like, "think_ns"), think);
	fputc('\n', block->out);
	paragraph_add(block->line, "Locks held for %s, taken again %s later", hold, think);
	if (param_of(like, "readers_pct"))
		paragraph_add(block->line, ", %" JSON_INTEGER_FORMAT " %% of the turns only read",
			      param_of(like, "readers_pct"));
	if (like->side) {
		paragraph_add(block->line, ", side ");
		paragraph_add_outside(block->line, like->side);
	}
	paragraph_add(block->line, "; operations per second");
	paragraph_print(block->line, block->out, 0);
	threads = next_threads(block, like, 0);
	while (threads)
		threads = print_rates(block, like, first, threads);
	for (threads = 0; (threads = next_threads(block, like, threads));)
		print_waits(block, like, first, threads);
}

static void print_pairs(const struct block *block)
{
	bool is_headed = false;

	for (size_t i = 0; i < block->run->n_series; i++) {
		const struct series *series = block->series[i];
		char cell[CELL_BYTES];

		if (!lock_is_pair(series))
			continue;
		if (!is_headed)
			fputs("\nLock and unlock without a rival, a second thread asleep\n"
			      "kind                 ns a pair        to the fastest peer\n",
			      block->out);
		is_headed = true;
		add_kind(block, series);
		if (!has_result(series)) {
			paragraph_add(block->line, " no result: ");
			paragraph_add_outside(block->line,
					      series->reason ? series->reason : "not measured");
			paragraph_print(block->line, block->out, KIND_COLUMNS + 1);
			continue;
		}
		number_cell(1e9 / series->estimate.value, 1, cell);
		add_cell(block, RATE_COLUMNS + 2, cell);
		ratio_cell(series->lock, cell);
		add_cell(block, 26, cell);
		paragraph_print(block->line, block->out, 4);
	}
}

static bool is_first_of_work(const struct block *block, size_t at)
{
	for (size_t i = 0; i < at; i++) {
		if (is_lock_row(block->series[i]) &&
		    is_same_work(block->series[i], block->series[at]))
			return false;
	}
	return true;
}

void report_locks(const struct run *run, const struct series *const *series, struct paragraph *line,
		  FILE *out)
{
	const struct block block = { run, series, line, out };
	bool any = false;

	print_pairs(&block);
	for (size_t i = 0; i < run->n_series; i++) {
		if (!is_lock_row(series[i]))
			continue;
		any = true;
		if (is_first_of_work(&block, i))
			print_work(&block, i);
	}
	if (!any)
		return;
	fputc('\n', out);
	paragraph_add(
		line,
		"Waits of all threads: medians over the slots, the longest of any slot. sw/1000: "
		"context switches of a thousand operations. Ratios are of slots of the same "
		"block. More, as CPU time and calls of sched_yield: in the JSON document.");
	paragraph_print(line, out, 0);
}
