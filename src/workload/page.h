/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page.h - the shared page: how the copies of a slot and the harness that counts them speak.
 *
 * The harness creates it (memfd), the warden hands it to every copy as descriptor PAGE_FD, every
 * copy maps it. Layout: one struct page, then `copies` struct page_line, then `copies` struct
 * page_note; where the threads of a copy count for themselves, then for each copy a struct
 * page_report and `counters` struct page_counter. A line is written by its own copy alone, and the
 * harness reads it at the edges of the common window: no signals, no pipes, nothing printed.
 *
 * Life of a copy: set-up, `ready` = 1, sleep on the futex `go`, loop until `stop`, verify,
 * line.state = COPY_DONE, exit 0. A copy that finds a wrong answer fills in its note, sets
 * COPY_FAILED and exits 1.
 */
#ifndef ONPROC_WORKLOAD_PAGE_H
#define ONPROC_WORKLOAD_PAGE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define PAGE_FD		  3	      /* number of the descriptor in every copy */
#define PAGE_MAGIC	  0x6f6e7032u /* "onp2"; changes with the layout */
#define PAGE_LINE_BYTES	  128 /* two 64-byte lines: adjacent-line prefetch, 128-byte L3 lines */
#define PAGE_NOTE_BYTES	  256
#define PAGE_REPORT_BYTES 4096
#define PAGE_PARAMS	  16
#define PAGE_DIR_BYTES	  4096

/* In a scratch directory whose maker holds flock(2) on it: once nobody does, it may be swept. */
#define SCRATCH_MARK	    ".onproc-scratch"
#define SCRATCH_BARE_PREFIX "onproc-bare-" /* of the directories of bare runs */

enum copy_state {
	COPY_STARTING = 0,
	COPY_READY,  /* set up, waiting for `go` */
	COPY_DONE,   /* stopped and verified */
	COPY_FAILED, /* note says why */
};

/* Where in the life of a slot the harness is; a futex word, woken at each change. */
enum page_phase {
	PAGE_WARMUP = 0,
	PAGE_WINDOW,
	PAGE_AFTER, /* the window has ended, `window_end_ns` says when */
	PAGE_STOP,  /* and so has the slot: `stop` is set too */
};

struct page {
	uint32_t magic;
	uint32_t copies;
	uint32_t counters;	    /* of each copy; 0: a copy counts in its line */
	int64_t param[PAGE_PARAMS]; /* values in the order of the workload's parameter table */
	char dir[PAGE_DIR_BYTES]; /* scratch directory of this slot, shared by all copies, absolute
				   */

	/* Read by every copy in every iteration, written once: a line of its own. */
	_Alignas(PAGE_LINE_BYTES) _Atomic uint32_t stop;
	_Atomic uint32_t phase; /* enum page_phase */

	/* The barrier: futex word, 0 until all copies are ready. */
	_Alignas(PAGE_LINE_BYTES) _Atomic uint32_t go;
	_Atomic uint32_t ready; /* copies that have set themselves up (or failed to) */

	/* The window, CLOCK_MONOTONIC_RAW ns; written before `go`, window_end_ns again when a
	 * window is lengthened, and where it really ended. */
	_Alignas(PAGE_LINE_BYTES) _Atomic uint64_t window_start_ns;
	_Atomic uint64_t window_end_ns;
	_Alignas(PAGE_LINE_BYTES) char end[];
};

/* What a copy publishes at once when an iteration is complete. */
struct page_sample {
	_Atomic uint64_t count;	   /* iterations completed since `go` */
	_Atomic uint64_t stamp_ns; /* when the last of them was completed */
	_Atomic uint64_t self_ns;  /* time the workload itself says they took */
};

/*
 * One copy's counters. `count` is enough for RATE_COUNTED. RATE_STAMPED, RATE_SELF_TIMED and
 * RATE_WHOLE_RUN publish samples through a latch, see work_publish(): a copy that loses its CPU in
 * the middle of publishing never keeps the harness from reading.
 */
struct page_line {
	_Alignas(PAGE_LINE_BYTES) _Atomic uint64_t count;
	_Atomic uint64_t published;   /* samples published; sample[(published - 1) & 1] is whole */
	struct page_sample sample[2]; /* RATE_CARRIED uses neither but the next three */
	union {
		struct {
			/* Completions inside the window; stamps of the last one before it and of
			 * the last one inside it. */
			_Atomic uint64_t carried_count;
			_Atomic uint64_t carried_first_ns;
			_Atomic uint64_t carried_last_ns; /* 0 until published */
		};
		struct {
			/* Tests of two parties: iterations with both on one CPU / on two. */
			_Atomic uint64_t same_cpu;
			_Atomic uint64_t cross_cpu;
		};
	};
	_Atomic uint32_t state; /* enum copy_state */
	int32_t cpu[2];		/* CPUs the harness chose for the copy's two parties, -1: none */
};
_Static_assert(sizeof(struct page_line) == PAGE_LINE_BYTES, "a copy must have lines of its own");

struct page_note {
	int32_t code; /* negative errno */
	char text[PAGE_NOTE_BYTES - sizeof(int32_t)];
};

/* What a copy says of its slot beside the count, as a JSON object; "": nothing. */
struct page_report {
	_Alignas(PAGE_LINE_BYTES) char text[PAGE_REPORT_BYTES];
};

/* The counters of one thread of a copy, written by that thread alone. */
struct page_counter {
	_Alignas(PAGE_LINE_BYTES) _Atomic uint64_t count; /* iterations completed since `go` */
	_Atomic uint64_t waiting_since; /* in the thread's own clock; 0: does not wait */
	_Atomic uint64_t yields;	/* calls of sched_yield(2) */
};
_Static_assert(sizeof(struct page_counter) == PAGE_LINE_BYTES, "a thread must have its own line");

/* Bytes of a page whose copies have so many counters each. */
static inline size_t page_bytes(uint32_t copies, uint32_t counters)
{
	size_t of_copy = sizeof(struct page_line) + sizeof(struct page_note);

	if (counters)
		of_copy += sizeof(struct page_report) + counters * sizeof(struct page_counter);
	return sizeof(struct page) + copies * of_copy;
}

static inline struct page_line *page_line(struct page *page, uint32_t copy)
{
	return (struct page_line *)(void *)page->end + copy;
}

static inline struct page_note *page_note(struct page *page, uint32_t copy)
{
	return (struct page_note *)(void *)page_line(page, page->copies) + copy;
}

/* Only where page->counters is not 0. */
static inline struct page_report *page_report(struct page *page, uint32_t copy)
{
	return (struct page_report *)(void *)page_note(page, page->copies) + copy;
}

static inline struct page_counter *page_counter(struct page *page, uint32_t copy, uint32_t thread)
{
	return (struct page_counter *)(void *)page_report(page, page->copies) +
	       (size_t)copy * page->counters + thread;
}

/* What a copy has counted so far, in its line or in the counters of its threads. */
static inline uint64_t page_count(struct page *page, uint32_t copy)
{
	uint64_t count = 0;

	if (!page->counters)
		return atomic_load_explicit(&page_line(page, copy)->count, memory_order_relaxed);
	for (uint32_t i = 0; i < page->counters; i++)
		count += atomic_load_explicit(&page_counter(page, copy, i)->count,
					      memory_order_relaxed);
	return count;
}

#endif
