// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lock_report.c - what the threads of a lock test measured, as a JSON object.
 *
 * A wait that was under way when the window ended counts with the time it had lasted by then: a
 * thread that never got the lock would otherwise be missing where it matters most.
 */
#include "workload/lock_run.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct writer {
	char *text;
	size_t length;
};

static void put(struct writer *writer, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void put(struct writer *writer, const char *format, ...)
{
	size_t left = PAGE_REPORT_BYTES - writer->length;
	va_list values;
	int length;

	va_start(values, format);
	length = vsnprintf(writer->text + writer->length, left, format, values);
	va_end(values);
	if (length > 0)
		writer->length += (size_t)length < left ? (size_t)length : left - 1;
}

static void put_waits(struct writer *writer, const char *name, const struct lock_histogram *waits,
		      double tick_ns)
{
	if (!waits->count) {
		put(writer, ",\"%s\":null,\"%s_reason\":\"no wait in the window\"", name, name);
		return;
	}
	put(writer, ",\"%s\":{\"p50\":%.1f,\"p99\":%.1f,\"p999\":%.1f,\"max\":%.1f}", name,
	    lock_histogram_quantile(waits, 0.5) * tick_ns,
	    lock_histogram_quantile(waits, 0.99) * tick_ns,
	    lock_histogram_quantile(waits, 0.999) * tick_ns, (double)waits->max * tick_ns);
}

static void put_share(struct writer *writer, const char *name, uint64_t what, uint64_t ops,
		      double scale)
{
	if (ops)
		put(writer, "\"%s\":%.6g", name, (double)what * scale / (double)ops);
	else
		put(writer, "\"%s\":null,\"%s_reason\":\"no operation in the window\"", name, name);
}

/* Since when a thread had been waiting when the window ended; 0: it was not. */
static uint64_t crossing_of(const struct lock_run *run, uint32_t thread, uint64_t end_ticks)
{
	const struct lock_worker *worker = &run->worker[thread];
	uint64_t since = worker->has_crossed ? worker->crossed_ticks
					     : atomic_load_explicit(&worker->counter->waiting_since,
								    memory_order_relaxed);

	return since && since < end_ticks ? since : 0;
}

/* All waits of all threads. */
struct totals {
	struct lock_histogram waits, writes;
	uint64_t long_waits, unfinished;
	uint64_t fewest, most;
};

static void totals_add(const struct lock_run *run, struct totals *totals, uint64_t *count,
		       uint64_t end_ticks)
{
	for (uint32_t i = 0; i < run->threads; i++) {
		const struct lock_worker *worker = &run->worker[i];
		uint64_t since = crossing_of(run, i, end_ticks);

		count[i] = worker->read_waits.count + worker->write_waits.count;
		lock_histogram_merge(&totals->waits, &worker->read_waits);
		lock_histogram_merge(&totals->waits, &worker->write_waits);
		lock_histogram_merge(&totals->writes, &worker->write_waits);
		totals->long_waits += worker->long_waits;
		if (!i || count[i] < totals->fewest)
			totals->fewest = count[i];
		if (count[i] > totals->most)
			totals->most = count[i];
		if (!since)
			continue;
		totals->unfinished++;
		totals->long_waits += end_ticks - since > run->long_ticks;
		lock_histogram_add(&totals->waits, end_ticks - since);
		if (!run->readers)
			lock_histogram_add(&totals->writes, end_ticks - since);
	}
}

static void put_totals(const struct lock_run *run, const struct totals *totals,
		       const uint64_t *count, double tick_ns, struct writer *writer)
{
	put(writer, ",\"waits\":%llu,\"unfinished_waits\":%llu,\"waits_over_50us\":%llu",
	    (unsigned long long)totals->waits.count, (unsigned long long)totals->unfinished,
	    (unsigned long long)totals->long_waits);
	if (totals->most)
		put(writer, ",\"jain\":%.6f", lock_jain(count, run->threads));
	else
		put(writer, ",\"jain\":null,\"jain_reason\":\"no operation in the window\"");
	put(writer, ",\"fewest_ops\":%llu,\"most_ops\":%llu", (unsigned long long)totals->fewest,
	    (unsigned long long)totals->most);
	put_waits(writer, "wait_ns", &totals->waits, tick_ns);
	if (run->readers)
		put_waits(writer, "write_wait_ns", &totals->writes, tick_ns);
}

void lock_report_write(const struct lock_run *run, struct page_report *report)
{
	const struct lock_snapshot *from = &run->before, *to = &run->after;
	uint64_t ops = to->ops - from->ops, end_ns = run->page->window_end_ns, end_ticks;
	double tick_ns = ticks_ns(&run->begin, &run->end);
	struct writer writer = { .text = report->text };
	struct totals *totals = calloc(1, sizeof(*totals));
	uint64_t *count = calloc(run->threads, sizeof(*count));

	end_ticks = run->end.ticks -
		    (uint64_t)((double)(run->end.ns > end_ns ? run->end.ns - end_ns : 0) / tick_ns);
	put(&writer, "{\"sensor\":\"%s\"", run->kind->sensor ? run->kind->sensor() : "none");
	if (totals && count && !run->is_pair) {
		totals_add(run, totals, count, end_ticks);
		put_totals(run, totals, count, tick_ns, &writer);
	}
	put(&writer, ",\"switches_per_1000\":{");
	put_share(&writer, "voluntary", to->voluntary - from->voluntary, ops, 1000);
	put(&writer, ",");
	put_share(&writer, "involuntary", to->involuntary - from->involuntary, ops, 1000);
	put(&writer, "},");
	put_share(&writer, "yields_per_1000", to->yields - from->yields, ops, 1000);
	put(&writer, ",");
	put_share(&writer, "cpu_ns_per_op", to->cpu_ns - from->cpu_ns, ops, 1);
	put(&writer, ",\"turn_ns\":%.4f,\"stamp_ns\":%.2f,\"threads_left\":%u}", run->turn_ns,
	    run->stamp_ns,
	    run->was_left ? atomic_load_explicit(&run->running, memory_order_relaxed) : 0);
	free(totals);
	free(count);
}
