// SPDX-License-Identifier: MIT
/*
 * report.c - see report.h.
 *
 * Runs while a process ends, perhaps in a signal handler: without stdio's streams and malloc().
 */
#include "report.h"

#include "stats.h"
#include "symbol.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define TEXT_ROWS  20 /* what a terminal shows; JSON has all */
#define NAME_BYTES 256

static const char *const kind_names[] = { "mutex", "rwlock", "spin" };

void page_add(struct page *page, const char *format, ...)
{
	size_t room = page->room - page->used;
	va_list arguments;
	int used;

	va_start(arguments, format);
	used = vsnprintf(page->bytes + page->used, room, format, arguments);
	va_end(arguments);
	if (used > 0)
		page->used += (size_t)used < room ? (size_t)used : room - 1;
}

void page_add_outside(struct page *page, const char *text, bool as_json)
{
	for (; *text; text++) {
		unsigned char byte = (unsigned char)*text;

		if (byte < 0x20 || byte >= 0x7f)
			page_add(page, "?");
		else if (as_json && (byte == '"' || byte == '\\'))
			page_add(page, "\\%c", byte);
		else
			page_add(page, "%c", byte);
	}
}

static uint64_t load(const uint64_t *value)
{
	return __atomic_load_n(value, __ATOMIC_RELAXED);
}

static bool is_used(const struct stats_row *row)
{
	return load(&row->acquired) || load(&row->waited);
}

/* Longer waits first, then more acquisitions. */
static bool is_before(const struct stats_row *a, const struct stats_row *b)
{
	uint64_t a_ns = load(&a->wait_ns), b_ns = load(&b->wait_ns);

	return a_ns != b_ns ? a_ns > b_ns : load(&a->acquired) > load(&b->acquired);
}

/* The used rows in order; the others, if any, last. Returns their number. */
static size_t rows_sorted(const struct stats_row **sorted)
{
	const struct stats_row *rows = stats_rows();
	size_t count = 0;

	for (size_t i = 0; i < STATS_ROWS; i++) {
		size_t at = count;

		if (!is_used(&rows[i]))
			continue;
		for (; at && is_before(&rows[i], sorted[at - 1]); at--)
			sorted[at] = sorted[at - 1];
		sorted[at] = &rows[i];
		count++;
	}
	if (is_used(&rows[STATS_ROWS]))
		sorted[count++] = &rows[STATS_ROWS];
	return count;
}

static bool is_others(const struct stats_row *row)
{
	return row == stats_rows() + STATS_ROWS;
}

static const char *program_name(char *path, size_t bytes)
{
	ssize_t length = readlink("/proc/self/exe", path, bytes - 1);
	const char *slash;

	if (length < 0)
		return "?";
	path[length] = 0;
	slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* "3.2 µs" */
static void add_time(struct page *page, uint64_t ns)
{
	static const struct {
		uint64_t ns;
		const char *unit;
	} units[] = { { 1000000000, "s" }, { 1000000, "ms" }, { 1000, "us" } };

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		uint64_t unit_ns = units[i].ns;

		if (ns < unit_ns)
			continue;
		if (ns < 10 * unit_ns)
			page_add(page, " %4llu.%llu %s", (unsigned long long)(ns / unit_ns),
				 (unsigned long long)(ns % unit_ns * 10 / unit_ns), units[i].unit);
		else
			page_add(page, " %6llu %s", (unsigned long long)(ns / unit_ns),
				 units[i].unit);
		return;
	}
	page_add(page, " %6llu ns", (unsigned long long)ns);
}

static uint64_t wait_ns_of(const struct stats_row *const *rows, size_t count)
{
	uint64_t wait_ns = 0;

	for (size_t i = 0; i < count; i++)
		wait_ns += load(&rows[i]->wait_ns);
	return wait_ns;
}

static void add_place(struct page *page, const struct stats_row *row)
{
	char name[NAME_BYTES];

	if (is_others(row)) {
		page_add(page, "others");
		return;
	}
	page_add(page, "%s ", kind_names[row->kind]);
	if (!symbol_name(row->lock, name, sizeof(name))) {
		page_add_outside(page, name, false);
		return;
	}
	page_add(page, "%p", row->lock);
	if (!symbol_name(row->caller, name, sizeof(name))) {
		page_add(page, ", first used in ");
		page_add_outside(page, name, false);
	}
}

static void add_row(struct page *page, const struct stats_row *row)
{
	uint64_t off_cpu = load(&row->holder_off) + load(&row->predecessor_off);

	page_add(page, "%11llu %10llu %8llu %8llu %8llu", (unsigned long long)load(&row->acquired),
		 (unsigned long long)load(&row->waited),
		 (unsigned long long)load(&row->handed_over), (unsigned long long)off_cpu,
		 (unsigned long long)load(&row->parks));
	if (load(&row->waited)) {
		add_time(page, stats_quantile_ns(row, 0.5));
		add_time(page, stats_quantile_ns(row, 0.99));
		add_time(page, load(&row->longest_ns));
		add_time(page, load(&row->wait_ns));
	} else {
		page_add(page, " %9s %9s %9s %9s", "-", "-", "-", "-");
	}
	page_add(page, "  ");
	add_place(page, row);
	page_add(page, "\n");
}

void report_text(struct page *page)
{
	static const struct stats_row *rows[STATS_ROWS + 1];
	size_t count = rows_sorted(rows);
	size_t shown = count > TEXT_ROWS ? TEXT_ROWS : count;
	struct stats_totals totals;
	char path[4096];
	uint64_t wait_ns = wait_ns_of(rows, count);

	stats_totals(&totals);
	page_add(page, "onproc: locks of ");
	page_add_outside(page, program_name(path, sizeof(path)), false);
	page_add(page, " (process %d)\n", (int)getpid());
	page_add(page, "threads: %llu, their time:", (unsigned long long)totals.threads);
	add_time(page, totals.thread_ns);
	page_add(page, ", waiting for locks:");
	add_time(page, wait_ns);
	if (totals.thread_ns)
		page_add(page, " (%.2f %%)", 100.0 * (double)wait_ns / (double)totals.thread_ns);
	page_add(page, "\n");
	if (totals.left_to_libc)
		page_add(page, "operations left to the C library: %llu\n",
			 (unsigned long long)totals.left_to_libc);
	if (!count)
		return;
	page_add(page, "%11s %10s %8s %8s %8s %9s %9s %9s %9s  %s\n", "acquired", "contended",
		 "handed", "off-CPU", "parks", "p50", "p99", "max", "waited", "lock");
	for (size_t i = 0; i < shown; i++)
		add_row(page, rows[i]);
	if (count > shown) {
		page_add(page, "and %zu more, waited:", count - shown);
		add_time(page, wait_ns_of(rows + shown, count - shown));
		page_add(page, "\n");
	}
}

static void add_json_name(struct page *page, const char *member, const void *address)
{
	char name[NAME_BYTES];

	if (symbol_name(address, name, sizeof(name))) {
		page_add(page, ",\"%s\":null", member);
		return;
	}
	page_add(page, ",\"%s\":\"", member);
	page_add_outside(page, name, true);
	page_add(page, "\"");
}

static void add_json_row(struct page *page, const struct stats_row *row)
{
	if (is_others(row)) {
		page_add(page, "{\"kind\":null,\"address\":null,\"symbol\":null,\"caller\":null");
	} else {
		page_add(page, "{\"kind\":\"%s\",\"address\":\"%p\"", kind_names[row->kind],
			 row->lock);
		add_json_name(page, "symbol", row->lock);
		add_json_name(page, "caller", row->caller);
	}
	page_add(page,
		 ",\"acquired\":%llu,\"contended\":%llu,\"handed_over\":%llu,"
		 "\"holder_off_cpu\":%llu,\"predecessor_off_cpu\":%llu,\"parks\":%llu,",
		 (unsigned long long)load(&row->acquired), (unsigned long long)load(&row->waited),
		 (unsigned long long)load(&row->handed_over),
		 (unsigned long long)load(&row->holder_off),
		 (unsigned long long)load(&row->predecessor_off),
		 (unsigned long long)load(&row->parks));
	page_add(page, "\"wait_ns\":");
	if (!load(&row->waited)) {
		page_add(page, "null}");
		return;
	}
	page_add(page, "{\"total\":%llu,\"p50\":%llu,\"p99\":%llu,\"max\":%llu}}",
		 (unsigned long long)load(&row->wait_ns),
		 (unsigned long long)stats_quantile_ns(row, 0.5),
		 (unsigned long long)stats_quantile_ns(row, 0.99),
		 (unsigned long long)load(&row->longest_ns));
}

void report_json(struct page *page)
{
	static const struct stats_row *rows[STATS_ROWS + 1];
	size_t count = rows_sorted(rows);
	struct stats_totals totals;
	char path[4096];
	uint64_t wait_ns = wait_ns_of(rows, count);

	stats_totals(&totals);
	page_add(page, "{\"schema\":\"onproc.locks\",\"schema_version\":1,\"program\":\"");
	page_add_outside(page, program_name(path, sizeof(path)), true);
	page_add(page,
		 "\",\"process\":%d,\"threads\":%llu,\"thread_ns\":%llu,\"wait_ns\":%llu,"
		 "\"wait_share\":",
		 (int)getpid(), (unsigned long long)totals.threads,
		 (unsigned long long)totals.thread_ns, (unsigned long long)wait_ns);
	if (totals.thread_ns)
		page_add(page, "%.6f", (double)wait_ns / (double)totals.thread_ns);
	else
		page_add(page, "null");
	page_add(page, ",\"left_to_libc\":%llu,\"locks\":[",
		 (unsigned long long)totals.left_to_libc);
	for (size_t i = 0; i < count; i++) {
		if (i)
			page_add(page, ",");
		add_json_row(page, rows[i]);
	}
	page_add(page, "]}\n");
}
