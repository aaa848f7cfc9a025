/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * window.h - the common window: all copies of a slot counted between the same two moments.
 *
 * The harness sleeps, sweeps over the copies' lines at the edges and every slice in between, and
 * stamps each sweep before and after; it never assumes that it slept as long as it asked for. A
 * window that is too short for the test grows: until every copy was seen running in at least
 * WINDOW_MIN_RUNS sweeps and completed WINDOW_MIN_ITERATIONS, and no longer than WINDOW_GROWTH
 * slots.
 */
#ifndef ONPROC_MEASURE_WINDOW_H
#define ONPROC_MEASURE_WINDOW_H

#include "base/error.h"
#include "measure/warden.h"
#include "workload/page.h"
#include "workload/workload.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WINDOW_MIN_RUNS	      3
#define WINDOW_MIN_ITERATIONS 5
#define WINDOW_GROWTH	      10
#define WINDOW_SLICE_NS	      (50 * NS_PER_MS)
#define WINDOW_SLICES_MIN     4 /* shorter slots get shorter slices, so that runs can be seen */

struct window_request {
	enum rate_method rate;
	double units_per_iteration;
	uint64_t slot_ns, warmup_ns;
	struct page *page;
	const struct warden *warden;
};

struct window {
	uint64_t go_ns, start_ns, length_ns; /* start and length of what was measured */
	double rate;			     /* over all copies, in units; 0 until measured */
	double *counts;			     /* per copy; owned by the window */
	double *slices; /* units per second of each slice from `go` on; owned by the window */
	size_t n_slices, room_slices;
	size_t warmup_slices;	 /* of them before the window */
	double slice_iterations; /* mean iterations of a slice in the window */
	bool lengthened;
	uint32_t fewest; /* iterations of a copy, where the longest window still had too few; else 0
			  */
	uint32_t unscheduled; /* copies that never got a CPU in the longest window; they count as 0
			       */
};

/*
 * Releases the copies, which must all be ready, and measures. Returns with the copies running. 0;
 * -EINTR; -ECHILD when a copy ended (the caller knows how); -ETIME when a copy completed nothing in
 * the longest window.
 */
int window_measure(const struct window_request *request, struct window *window, struct error *err);
void window_free(struct window *window);

/* Tells the copies of a page how far the slot is, and wakes those that wait for that. */
void window_phase_set(struct page *page, enum page_phase phase);

#endif
