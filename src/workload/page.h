/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page.h - the shared page: how the copies of a slot and the harness that counts them speak.
 *
 * The harness creates it (memfd), the warden hands it to every copy as descriptor PAGE_FD, every
 * copy maps it. Layout: one struct page, then `copies` struct page_line, then `copies` struct
 * page_note. A line is written by its own copy alone, and the harness reads it at the edges of the
 * common window: no signals, no pipes, nothing printed.
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

#define PAGE_FD		3	    /* number of the descriptor in every copy */
#define PAGE_MAGIC	0x6f6e7031u /* "onp1"; changes with the layout */
#define PAGE_LINE_BYTES 128 /* two 64-byte lines: adjacent-line prefetch, 128-byte L3 lines */
#define PAGE_NOTE_BYTES 256
#define PAGE_PARAMS	16
#define PAGE_DIR_BYTES	4096

/* In a scratch directory whose maker holds flock(2) on it: once nobody does, it may be swept. */
#define SCRATCH_MARK	    ".onproc-scratch"
#define SCRATCH_BARE_PREFIX "onproc-bare-" /* of the directories of bare runs */

enum copy_state {
	COPY_STARTING = 0,
	COPY_READY,  /* set up, waiting for `go` */
	COPY_DONE,   /* stopped and verified */
	COPY_FAILED, /* note says why */
};

struct page {
	uint32_t magic;
	uint32_t copies;
	int64_t param[PAGE_PARAMS]; /* values in the order of the workload's parameter table */
	char dir[PAGE_DIR_BYTES]; /* scratch directory of this slot, shared by all copies, absolute
				   */

	/* Read by every copy in every iteration, written once: a line of its own. */
	_Alignas(PAGE_LINE_BYTES) _Atomic uint32_t stop;

	/* The barrier: futex word, 0 until all copies are ready. */
	_Alignas(PAGE_LINE_BYTES) _Atomic uint32_t go;
	_Atomic uint32_t ready; /* copies that have set themselves up (or failed to) */

	/* The window, CLOCK_MONOTONIC_RAW ns; written before `go`, window_end_ns again when a
	 * window is lengthened. Only RATE_CARRIED workloads read it. */
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

static inline size_t page_bytes(uint32_t copies)
{
	return sizeof(struct page) + copies * (sizeof(struct page_line) + sizeof(struct page_note));
}

static inline struct page_line *page_line(struct page *page, uint32_t copy)
{
	return (struct page_line *)(void *)page->end + copy;
}

static inline struct page_note *page_note(struct page *page, uint32_t copy)
{
	return (struct page_note *)(void *)page_line(page, page->copies) + copy;
}

#endif
