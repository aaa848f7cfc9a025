// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * csv.c - one row per slot, RFC 4180: CRLF, the same number of fields in every row.
 *
 * The counts of a slot are one field, numbers separated by spaces, since their number differs
 * between rows. A series without slots has one row with its reason, so that nothing is silently
 * missing. What lock tests measure beside the rate are columns at the end, empty for all others.
 */
#include "report/csv_cells.h"
#include "report/report.h"
#include "store/lock_summary.h"

#include <math.h>
#include <stdlib.h>

/* Of a slot's `lock`: see store/lock_summary.h. */
static const struct {
	const char *name, *path;
} lock_columns[] = {
	{ "jain", "jain" },
	{ "wait_p50_ns", "wait_ns.p50" },
	{ "wait_p99_ns", "wait_ns.p99" },
	{ "wait_p999_ns", "wait_ns.p999" },
	{ "wait_max_ns", "wait_ns.max" },
	{ "write_wait_p50_ns", "write_wait_ns.p50" },
	{ "write_wait_p99_ns", "write_wait_ns.p99" },
	{ "write_wait_p999_ns", "write_wait_ns.p999" },
	{ "write_wait_max_ns", "write_wait_ns.max" },
	{ "waits", "waits" },
	{ "waits_over_50us", "waits_over_50us" },
	{ "unfinished_waits", "unfinished_waits" },
	{ "voluntary_switches_per_1000", "switches_per_1000.voluntary" },
	{ "involuntary_switches_per_1000", "switches_per_1000.involuntary" },
	{ "yields_per_1000", "yields_per_1000" },
	{ "cpu_ns_per_op", "cpu_ns_per_op" },
};

#define LOCK_COLUMNS (sizeof(lock_columns) / sizeof(lock_columns[0]))

static int put_series(FILE *out, const struct run *run, const struct series *series)
{
	int rc = csv_put_text(out, run->id);

	fputc(',', out);
	rc = rc ? rc : csv_put_text(out, series->test);
	fprintf(out, ",%u,", series->copies);
	rc = rc ? rc : csv_put_text(out, series->unit);
	fputc(',', out);
	rc = rc ? rc : csv_put_text(out, series->side);
	return rc;
}

static int put_slot(FILE *out, const struct slot *slot)
{
	fprintf(out, ",%u,%u,%s,%llu,%llu,", slot->block, slot->ordinal,
		slot_status_names[slot->status], (unsigned long long)slot->start_ns,
		(unsigned long long)slot->length_ns);
	csv_put_number(out, slot->rate);
	fputc(',', out);
	for (uint32_t i = 0; slot->counts && i < slot->copies; i++) {
		if (i)
			fputc(' ', out);
		csv_put_number(out, slot->counts[i]);
	}
	fprintf(out, ",%s,", slot->rerun ? "1" : "0");
	return csv_put_text(out, slot->error);
}

/* What was imported has a rate and no slots; what was not measured has a reason. */
static int put_no_slot(FILE *out, const struct series *series)
{
	bool has_rate = isfinite(series->estimate.value);

	fprintf(out, ",,,%s,,,", has_rate ? "imported" : "none");
	if (has_rate)
		csv_put_number(out, series->estimate.value);
	fputs(",,,", out);
	return csv_put_text(out, series->reason || has_rate ? series->reason : "not measured");
}

/* What tells the series from others of its test, and what a lock test found; lock may be NULL. */
static int put_end(FILE *out, const char *label, const json_t *lock)
{
	int rc;

	fputc(',', out);
	rc = csv_put_text(out, label);
	fputc(',', out);
	rc = rc ? rc : csv_put_text(out, json_string_value(json_object_get(lock, "sensor")));
	for (size_t i = 0; i < LOCK_COLUMNS; i++) {
		fputc(',', out);
		csv_put_number(out, lock_number(lock, lock_columns[i].path));
	}
	fputs("\r\n", out);
	return rc;
}

static void put_header(FILE *out)
{
	fputs("run,test,copies,unit,side,block,ordinal,status,start_ns,length_ns,rate,counts,rerun,"
	      "error,label,sensor",
	      out);
	for (size_t i = 0; i < LOCK_COLUMNS; i++)
		fprintf(out, ",%s", lock_columns[i].name);
	fputs("\r\n", out);
}

int report_csv(const struct run *run, FILE *out)
{
	int rc = 0;

	put_header(out);
	for (size_t i = 0; !rc && i < run->n_series; i++) {
		const struct series *series = &run->series[i];
		char *label = lock_label(series);

		for (size_t k = 0; !rc && k < series->n_slots; k++) {
			rc = put_series(out, run, series);
			rc = rc ? rc : put_slot(out, &series->slots[k]);
			rc = rc ? rc
				: put_end(out, label,
					  json_object_get(series->slots[k].evidence,
							  LOCK_EVIDENCE));
		}
		if (!rc && !series->n_slots) {
			rc = put_series(out, run, series);
			rc = rc ? rc : put_no_slot(out, series);
			rc = rc ? rc : put_end(out, label, series->lock);
		}
		free(label);
	}
	return rc;
}
