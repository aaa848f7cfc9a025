// SPDX-License-Identifier: GPL-2.0-or-later
/* window.c - see window.h. */
#include "measure/window.h"

#include "base/clock.h"
#include "base/futex.h"
#include "base/signals.h"
#include "workload/work.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A sweep that took longer than this share of the slot was interrupted and is done again. */
#define SWEEP_SHARE    2000
#define SWEEP_ATTEMPTS 4

/* For the first image after the longest window, which publishes what was carried. */
#define PUBLISH_PATIENCE_NS (5 * NS_PER_S)

struct reading {
	uint64_t count, stamp_ns, self_ns;
};

/* One look at all copies. */
struct sweep {
	uint64_t before_ns, after_ns;
	struct reading *copy;
};

/* What window_measure() works on. */
struct measuring {
	const struct window_request *request;
	struct window *window;
	uint32_t copies;
	struct sweep first, last, previous;
	uint32_t *runs; /* per copy: sweeps of the window in which its count had moved */
};

static uint64_t sweep_ns(const struct sweep *sweep)
{
	return sweep->before_ns + (sweep->after_ns - sweep->before_ns) / 2;
}

static void sweep_copy(struct sweep *to, const struct sweep *from, uint32_t copies)
{
	to->before_ns = from->before_ns;
	to->after_ns = from->after_ns;
	memcpy(to->copy, from->copy, copies * sizeof(*to->copy));
}

static void sweep_read(const struct measuring *m, struct sweep *sweep)
{
	struct page *page = m->request->page;

	for (int attempt = 0; attempt < SWEEP_ATTEMPTS; attempt++) {
		sweep->before_ns = clock_raw_ns();
		for (uint32_t i = 0; i < m->copies; i++) {
			struct page_line *line = page_line(page, i);
			struct reading *reading = &sweep->copy[i];

			if (m->request->rate == RATE_COUNTED)
				reading->count = page_count(page, i);
			else
				work_sample(line, &reading->count, &reading->stamp_ns,
					    &reading->self_ns);
			if (!reading->count) /* nothing yet: its first iteration began at `go` */
				reading->stamp_ns = m->window->go_ns;
		}
		sweep->after_ns = clock_raw_ns();
		if (sweep->after_ns - sweep->before_ns <= m->request->slot_ns / SWEEP_SHARE)
			return;
	}
}

static int slice_add(struct measuring *m, const struct sweep *now)
{
	struct window *window = m->window;
	double iterations = 0;

	if (window->n_slices == window->room_slices) {
		size_t room = window->room_slices ? 2 * window->room_slices : 64;
		double *grown = realloc(window->slices, room * sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		window->slices = grown;
		window->room_slices = room;
	}
	for (uint32_t i = 0; i < m->copies; i++)
		iterations += (double)(now->copy[i].count - m->previous.copy[i].count);
	window->slices[window->n_slices++] = iterations * m->request->units_per_iteration *
					     (double)NS_PER_S /
					     (double)(sweep_ns(now) - sweep_ns(&m->previous));
	return 0;
}

/* The next look is at the end of a slice or at `edge_ns`, whichever comes first. */
static int wait_for_copies(const struct measuring *m, uint64_t until_ns, struct error *err)
{
	const char *what;

	while (clock_sleep_until(until_ns) == -EINTR) {
		if (signal_stop)
			break;
	}
	if (signal_stop)
		return error_set(err, -EINTR, "interrupted");
	if (warden_is_broken(m->request->warden, &what))
		return error_set(err, -ECHILD, "%s", what);
	return 0;
}

static bool all_have_completed(const struct measuring *m, const struct sweep *now)
{
	for (uint32_t i = 0; i < m->copies; i++) {
		if (!now->copy[i].count)
			return false;
	}
	return true;
}

static bool all_ran_enough(const struct measuring *m, const struct sweep *now)
{
	bool whole_run = m->request->rate == RATE_WHOLE_RUN;

	for (uint32_t i = 0; i < m->copies; i++) {
		uint64_t done = now->copy[i].count - m->first.copy[i].count;

		if (whole_run ? !done
			      : done < WINDOW_MIN_ITERATIONS || m->runs[i] < WINDOW_MIN_RUNS)
			return false;
	}
	return true;
}

static uint64_t process_cpu_ns(pid_t pid)
{
	struct timespec used;
	clockid_t clock;

	if (clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &used))
		return 0;
	return (uint64_t)used.tv_sec * NS_PER_S + (uint64_t)used.tv_nsec;
}

/*
 * What a copy without a count means. With a CPU for a tenth of a slot it should have completed
 * something: -ETIME. Without, it was only not yet scheduled, which among many runnable copies is no
 * fault of the test: 0. Where iterations run in children, their time cannot be seen from here:
 * -ETIME.
 */
static int copy_idle(const struct measuring *m, uint32_t copy, uint64_t length_ns,
		     struct error *err)
{
	uint64_t cpu_ns = process_cpu_ns(m->request->warden->board->copy[copy].pid);

	if (m->request->rate == RATE_COUNTED && cpu_ns <= m->request->slot_ns / 10)
		return 0;
	return error_set(err, -ETIME,
			 "copy %u completed nothing in %.1f s, with %.2f s of CPU time", copy,
			 (double)length_ns / (double)NS_PER_S, (double)cpu_ns / (double)NS_PER_S);
}

static int rate_compute(struct measuring *m, struct error *err)
{
	struct window *window = m->window;
	double per_s = 0, iterations = 0;

	window->start_ns = sweep_ns(&m->first);
	window->length_ns = sweep_ns(&m->last) - window->start_ns;
	for (uint32_t i = 0; i < m->copies; i++) {
		const struct reading *from = &m->first.copy[i], *to = &m->last.copy[i];
		double done = (double)(to->count - from->count);
		uint64_t took_ns = window->length_ns;

		if (to->count == from->count) {
			int rc = copy_idle(m, i, window->length_ns, err);

			if (rc)
				return rc;
			window->unscheduled++;
			continue;
		}
		if (m->request->rate == RATE_STAMPED)
			took_ns = to->stamp_ns - from->stamp_ns;
		else if (m->request->rate != RATE_COUNTED)
			took_ns = to->self_ns - from->self_ns;
		if (!took_ns)
			return error_set(err, -EBADMSG,
					 "copy %u says that %.0f iterations took no time", i, done);
		window->counts[i] = done;
		iterations += done;
		if (m->request->rate != RATE_WHOLE_RUN && done < WINDOW_MIN_ITERATIONS &&
		    (!window->fewest || done < window->fewest))
			window->fewest = (uint32_t)done;
		per_s += done * (double)NS_PER_S / (double)took_ns;
	}
	if (window->unscheduled == m->copies)
		return error_set(err, -ETIME, "no copy got a CPU in %.1f s",
				 (double)window->length_ns / (double)NS_PER_S);
	window->rate = per_s * m->request->units_per_iteration;
	window->slice_iterations = iterations / (double)(window->n_slices - window->warmup_slices);
	return 0;
}

void window_phase_set(struct page *page, enum page_phase phase)
{
	atomic_store_explicit(&page->phase, (uint32_t)phase, memory_order_release);
	futex_wake_all(&page->phase);
}

/* The window has really ended at `now`: for copies that look at it themselves. */
static void window_close(const struct measuring *m, const struct sweep *now)
{
	struct page *page = m->request->page;

	atomic_store_explicit(&page->window_end_ns, sweep_ns(now), memory_order_relaxed);
	window_phase_set(page, PAGE_AFTER);
}

/* Puts the start of the window at `now`. */
static void window_open(struct measuring *m, const struct sweep *now)
{
	sweep_copy(&m->first, now, m->copies);
	memset(m->runs, 0, m->copies * sizeof(*m->runs));
	m->window->warmup_slices = m->window->n_slices;
}

static int counted(struct measuring *m, struct error *err)
{
	const struct window_request *request = m->request;
	uint64_t slice_ns = request->slot_ns / WINDOW_SLICES_MIN;
	uint64_t edge_ns = m->window->go_ns + request->warmup_ns, next_ns = m->window->go_ns;
	uint64_t last_start_ns = edge_ns + WINDOW_GROWTH * request->slot_ns;
	bool whole_run = request->rate == RATE_WHOLE_RUN, open = false;
	struct sweep *now = &m->last;
	int rc;

	if (slice_ns > WINDOW_SLICE_NS)
		slice_ns = WINDOW_SLICE_NS;
	/* Until the window opens, "nothing done at go" is its start: a whole run counts from there.
	 */
	m->previous.before_ns = m->previous.after_ns = m->window->go_ns;
	for (uint32_t i = 0; i < m->copies; i++)
		m->previous.copy[i].stamp_ns = m->window->go_ns;
	window_open(m, &m->previous);
	for (;;) {
		uint64_t at_ns;

		next_ns += slice_ns;
		if (next_ns + slice_ns / 2 > edge_ns && next_ns < edge_ns + slice_ns / 2)
			next_ns = edge_ns; /* no sliver of a slice before an edge */
		rc = wait_for_copies(m, next_ns, err);
		if (rc)
			return rc;
		sweep_read(m, now);
		at_ns = sweep_ns(now);
		rc = slice_add(m, now);
		if (rc)
			return error_errno(err, rc, "measuring a slot");
		for (uint32_t i = 0; i < m->copies; i++)
			m->runs[i] += now->copy[i].count != m->previous.copy[i].count;
		sweep_copy(&m->previous, now, m->copies);
		if (next_ns < at_ns) /* slept longer than asked for: slices go on from here */
			next_ns = at_ns;
		if (at_ns < edge_ns)
			continue;
		if (!open) {
			bool complete = all_have_completed(m, now);

			if (!complete && !whole_run && at_ns < last_start_ns) {
				m->window->lengthened = true;
				continue;
			}
			if (complete || !whole_run)
				window_open(m, now);
			window_phase_set(request->page, PAGE_WINDOW);
			open = true;
			edge_ns = at_ns + request->slot_ns;
		} else if (all_ran_enough(m, now) ||
			   (!whole_run &&
			    at_ns >= sweep_ns(&m->first) + WINDOW_GROWTH * request->slot_ns)) {
			window_close(m, now);
			break;
		} else {
			m->window->lengthened = true;
		}
	}
	return rate_compute(m, err);
}

/* RATE_CARRIED: the copies count by themselves and publish once the window is over. */
static int carried(struct measuring *m, struct error *err)
{
	const struct window_request *request = m->request;
	struct page *page = request->page;
	uint64_t start_ns = m->window->go_ns + request->warmup_ns;
	uint64_t end_ns = start_ns + request->slot_ns;
	uint64_t limit_ns = start_ns + WINDOW_GROWTH * request->slot_ns;
	uint64_t asked_ns = end_ns;

	for (;;) {
		double per_s = 0;
		uint32_t silent = 0, few = 0;
		uint64_t fewest = 0;
		int rc;

		rc = wait_for_copies(m, end_ns, err);
		if (rc)
			return rc;
		for (uint32_t i = 0; i < m->copies; i++) {
			struct page_line *line = page_line(page, i);
			uint64_t count = 0, first_ns = 0, last_ns = 0;
			bool whole = work_sample_carried(line, &count, &first_ns, &last_ns);

			m->window->counts[i] = whole ? (double)count : 0;
			if (!whole || last_ns <= first_ns) {
				silent++;
				continue;
			}
			if (count < WINDOW_MIN_ITERATIONS)
				few++;
			if (!fewest || count < fewest)
				fewest = count;
			per_s += (double)count * (double)NS_PER_S / (double)(last_ns - first_ns);
		}
		if (!silent && (!few || asked_ns >= limit_ns)) {
			m->window->start_ns = start_ns;
			m->window->length_ns = asked_ns - start_ns;
			m->window->rate = per_s * request->units_per_iteration;
			m->window->fewest = few ? (uint32_t)fewest : 0;
			return 0;
		}
		if (end_ns >= limit_ns + PUBLISH_PATIENCE_NS)
			return error_set(err, -ETIME, "%u of %u copies completed nothing in %.1f s",
					 silent, m->copies,
					 (double)(end_ns - start_ns) / (double)NS_PER_S);
		/* A copy publishes with its first iteration after the end: give it time for that,
		 * and then a longer window, a slot at a time. */
		end_ns = clock_raw_ns() + 2 * NS_PER_MS;
		if (end_ns >= asked_ns + request->slot_ns && asked_ns < limit_ns) {
			asked_ns = end_ns + request->slot_ns;
			m->window->lengthened = true;
			atomic_store_explicit(&page->window_end_ns, asked_ns, memory_order_relaxed);
			end_ns = asked_ns;
		}
	}
}

static void measuring_free(struct measuring *m)
{
	free(m->first.copy);
	free(m->last.copy);
	free(m->previous.copy);
	free(m->runs);
}

int window_measure(const struct window_request *request, struct window *window, struct error *err)
{
	struct page *page = request->page;
	struct measuring m = { .request = request, .window = window, .copies = page->copies };
	uint64_t go_ns;
	int rc;

	memset(window, 0, sizeof(*window));
	window->counts = calloc(m.copies, sizeof(*window->counts));
	m.first.copy = calloc(m.copies, sizeof(*m.first.copy));
	m.last.copy = calloc(m.copies, sizeof(*m.last.copy));
	m.previous.copy = calloc(m.copies, sizeof(*m.previous.copy));
	m.runs = calloc(m.copies, sizeof(*m.runs));
	if (!window->counts || !m.first.copy || !m.last.copy || !m.previous.copy || !m.runs) {
		rc = error_errno(err, -ENOMEM, "memory to count %u copies", m.copies);
		goto out;
	}
	go_ns = clock_raw_ns();
	window->go_ns = go_ns;
	atomic_store_explicit(&page->window_start_ns, go_ns + request->warmup_ns,
			      memory_order_relaxed);
	atomic_store_explicit(&page->window_end_ns, go_ns + request->warmup_ns + request->slot_ns,
			      memory_order_relaxed);
	/* Release: who sees `go` sees the window. */
	atomic_store_explicit(&page->go, 1, memory_order_release);
	futex_wake_all(&page->go);
	rc = request->rate == RATE_CARRIED ? carried(&m, err) : counted(&m, err);
out:
	measuring_free(&m);
	return rc;
}

void window_free(struct window *window)
{
	free(window->counts);
	free(window->slices);
	memset(window, 0, sizeof(*window));
}
