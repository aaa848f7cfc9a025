/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * work.h - a running copy of a workload, as its loop sees it. libc only.
 *
 * work_main() is the main() of every workload program:
 *
 *   onproc-work-FAMILY TEST COPY               a copy of a slot: page on descriptor PAGE_FD
 *   onproc-work-FAMILY TEST --bare MS [WARM_MS [NAME=VALUE…]]
 *
 * The bare form needs no harness: the same object code runs for MS milliseconds in a directory of
 * its own under TMPDIR, a timer signal sets the stop word, and one line "COUNT NS" is printed
 * (RATE_SELF_TIMED: NS is self time; otherwise the time of the loop). It is for the harness-cost
 * benchmark and for strace.
 */
#ifndef ONPROC_WORKLOAD_WORK_H
#define ONPROC_WORKLOAD_WORK_H

#include "workload/page.h"
#include "workload/workload.h"

#include <stdbool.h>

struct work {
	const struct workload *workload;
	struct page *page;
	struct page_line *line;
	uint32_t copy;
	void *state; /* the workload's own, made by setup, freed by cleanup */
};

int work_main(int argc, char **argv, const struct workload *const *table);

/*
 * Maps the page on PAGE_FD and fills in page, line and copy. Returns NULL, or in words what is
 * wrong. For images that have lost their mapping through exec; work_main() has done it otherwise.
 */
const char *work_map(struct work *work, uint32_t copy);

/* Relaxed: the stop word orders nothing, it only has to become visible. */
static inline bool work_stopped(const struct work *work)
{
	return atomic_load_explicit(&work->page->stop, memory_order_relaxed) != 0;
}

/* RATE_COUNTED: publishes that `count` iterations are complete. A plain store on every ISA. */
static inline void work_count(struct work *work, uint64_t count)
{
	atomic_store_explicit(&work->line->count, count, memory_order_relaxed);
}

/*
 * The other methods: publishes count, the time of its last completion and the workload's own time
 * as one. A latch of two samples with one writer: the sample that is being written is never the one
 * that `published` names, so a reader needs no writer that runs. work_sample() reads it.
 *
 * Each word is stored with release order, so that a reader that sees a word of a sample being
 * overwritten also sees that `published` has moved on; no fence, which a thread sanitizer cannot
 * follow.
 */
static inline void work_publish(struct work *work, uint64_t count, uint64_t stamp_ns,
				uint64_t self_ns)
{
	struct page_line *line = work->line;
	uint64_t published = atomic_load_explicit(&line->published, memory_order_relaxed);
	struct page_sample *sample = &line->sample[published & 1];

	atomic_store_explicit(&sample->count, count, memory_order_release);
	atomic_store_explicit(&sample->stamp_ns, stamp_ns, memory_order_release);
	atomic_store_explicit(&sample->self_ns, self_ns, memory_order_release);
	atomic_store_explicit(&line->published, published + 1, memory_order_release);
}

/* Reads the newest whole sample; all zero when nothing was published yet. */
static inline void work_sample(struct page_line *line, uint64_t *count, uint64_t *stamp_ns,
			       uint64_t *self_ns)
{
	uint64_t published, again;

	do {
		published = atomic_load_explicit(&line->published, memory_order_acquire);
		if (!published) {
			*count = *stamp_ns = *self_ns = 0;
			return;
		}
		struct page_sample *sample = &line->sample[(published - 1) & 1];

		*count = atomic_load_explicit(&sample->count, memory_order_acquire);
		*stamp_ns = atomic_load_explicit(&sample->stamp_ns, memory_order_acquire);
		*self_ns = atomic_load_explicit(&sample->self_ns, memory_order_acquire);
		again = atomic_load_explicit(&line->published, memory_order_relaxed);
	} while (again != published); /* at most as often as the copy completes iterations */
}

/*
 * RATE_CARRIED: publishes what was carried through the window; again after a longer one. Orders as
 * above: carried_last_ns is 0 before another word changes.
 */
static inline void work_publish_carried(struct page_line *line, uint64_t count, uint64_t first_ns,
					uint64_t last_ns)
{
	atomic_store_explicit(&line->carried_last_ns, 0, memory_order_relaxed);
	atomic_store_explicit(&line->carried_count, count, memory_order_release);
	atomic_store_explicit(&line->carried_first_ns, first_ns, memory_order_release);
	atomic_store_explicit(&line->carried_last_ns, last_ns, memory_order_release);
}

/* False while nothing whole is published. */
static inline bool work_sample_carried(struct page_line *line, uint64_t *count, uint64_t *first_ns,
				       uint64_t *last_ns)
{
	*last_ns = atomic_load_explicit(&line->carried_last_ns, memory_order_acquire);
	*count = atomic_load_explicit(&line->carried_count, memory_order_acquire);
	*first_ns = atomic_load_explicit(&line->carried_first_ns, memory_order_acquire);
	return *last_ns &&
	       *last_ns == atomic_load_explicit(&line->carried_last_ns, memory_order_relaxed);
}

/* Value of the n-th parameter of the workload's table. */
static inline int64_t work_param(const struct work *work, int n)
{
	return work->page->param[n];
}

/* Fills in the copy's note. Returns code (a negative errno), so that it can be returned on. */
int work_fail(const struct work *work, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
