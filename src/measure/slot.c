// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * slot.c - see slot.h: page, scratch directory, warden, barrier, window, end, in this order.
 */
#include "measure/slot.h"

#include "base/clock.h"
#include "base/futex.h"
#include "base/signals.h"
#include "measure/priority.h"
#include "measure/programs.h"
#include "measure/scratch.h"
#include "measure/variables.h"
#include "measure/warden.h"
#include "measure/window.h"
#include "stats/mser.h"
#include "workload/page.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* Copies may fsync files and write inputs before the barrier, on a slow disk. */
#define START_PATIENCE_NS      (60 * NS_PER_S)
#define START_PATIENCE_COPY_NS (100 * NS_PER_MS) /* more for each copy: they share the CPUs */
/*
 * A copy may end its iteration and check its answers. A window holds several iterations, so as long
 * again is more than enough; a copy that is still there has not shown its work and fails the slot.
 */
#define STOP_PATIENCE_NS       (5 * NS_PER_S)
#define STOP_PATIENCE_COPY_NS  (50 * NS_PER_MS)

#define SLICE_MIN_ITERATIONS 20 /* fewer a slice and its rate is mostly quantisation */

/* Everything that must be undone at the end of a slot. */
struct stage {
	const struct slot_request *request;
	struct page *page;
	int page_fd;
	struct scratch scratch;
	struct variables variables;
	struct warden warden;
};

static int page_create(struct stage *stage, struct error *err)
{
	const struct slot_request *request = stage->request;
	uint32_t counters = workload_counters(request->workload, request->param);
	size_t bytes = page_bytes(request->copies, counters);
	struct page *page;

	stage->page_fd = memfd_create("onproc-page", MFD_CLOEXEC);
	if (stage->page_fd < 0 || ftruncate(stage->page_fd, (off_t)bytes))
		return error_errno(err, -errno, "creating the page of %u copies", request->copies);
	page = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, stage->page_fd, 0);
	if (page == MAP_FAILED)
		return error_errno(err, -errno, "mapping the page of %u copies", request->copies);
	stage->page = page;
	page->magic = PAGE_MAGIC;
	page->copies = request->copies;
	page->counters = counters;
	for (int i = 0; i < workload_param_count(request->workload); i++)
		page->param[i] = request->param[i];
	memcpy(page->dir, stage->scratch.path, sizeof(page->dir));
	for (uint32_t i = 0; i < request->copies; i++) {
		struct page_line *line = page_line(page, i);

		line->cpu[0] = request->pair ? request->pair[i][0] : -1;
		line->cpu[1] = request->pair ? request->pair[i][1] : -1;
	}
	return 0;
}

/* Little, so that a rate does not depend on who measures it; and what the side sets. */
static int variables_make(struct stage *stage, struct error *err)
{
	struct variables *variables = &stage->variables;
	/* Where libonproc finds its sensor. */
	static const char *const kept[] = { "ONPROC_SCHED_MODULE", "ONPROC_SENSOR_SOCKET" };
	const char *path = getenv("PATH"), *home = getenv("HOME");

	if (variables_set(variables, "PATH", path ? path : "/usr/local/bin:/usr/bin:/bin") ||
	    variables_set(variables, "HOME", home ? home : "/") ||
	    variables_set(variables, "TMPDIR", stage->scratch.path) ||
	    variables_set(variables, "LC_ALL", "C") ||
	    variables_put_all(variables, stage->request->environment))
		return error_errno(err, -ENOMEM, "environment variables of a slot");
	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
		const char *value = getenv(kept[i]);

		if (value && variables_set(variables, kept[i], value))
			return error_errno(err, -ENOMEM, "environment variables of a slot");
	}
	return 0;
}

/*
 * Says why the first copy that did not do its work did not. was_stopped: the copies were told to
 * end and had the time to; otherwise those that were still running are not to blame.
 */
static int copies_failure(struct stage *stage, bool was_stopped, struct error *err)
{
	struct warden_board *board = stage->warden.board;
	char tail[400];

	warden_tail(&stage->warden, tail, sizeof(tail));
	for (uint32_t i = 0; i < stage->request->copies; i++) {
		struct page_line *line = page_line(stage->page, i);
		struct page_note *note = page_note(stage->page, i);

		if (atomic_load_explicit(&line->state, memory_order_acquire) != COPY_FAILED)
			continue;
		return error_set(err, note->code == -ENOSPC ? -ENOSPC : -EBADMSG,
				 "copy %u: %.*s%s%s", i, (int)sizeof(note->text), note->text,
				 tail[0] ? "; it printed: " : "", tail);
	}
	if (atomic_load_explicit(&board->failed, memory_order_acquire))
		return error_set(err, board->code == -EAGAIN ? -EAGAIN : -ECHILD,
				 "copy %u could not be started: %.*s%s",
				 atomic_load_explicit(&board->started, memory_order_relaxed),
				 (int)sizeof(board->text), board->text,
				 board->code == -EAGAIN ? " (a limit on processes)" : "");
	for (uint32_t i = 0; i < stage->request->copies; i++) {
		struct warden_copy *copy = &board->copy[i];
		struct page_line *line = page_line(stage->page, i);
		const char *hint = "";
		int number;

		if (!atomic_load_explicit(&copy->ended, memory_order_acquire)) {
			if (!was_stopped ||
			    atomic_load_explicit(&line->state, memory_order_acquire) == COPY_DONE)
				continue;
			return error_set(
				err, -ETIME,
				"copy %u did not end when it was told to: stopped or hung, its "
				"answers are not verified",
				i);
		}
		if (atomic_load_explicit(&line->state, memory_order_acquire) == COPY_DONE &&
		    WIFEXITED(copy->status) && !WEXITSTATUS(copy->status))
			continue;
		/* Where vfork is a fork (under sanitizers), exec fails after it was looked at. */
		if (WIFEXITED(copy->status) && WEXITSTATUS(copy->status) == 127 &&
		    board->exec_errno)
			return error_set(
				err, -ECHILD, "copy %u could not be started: onproc-work-%s: %s", i,
				stage->request->workload->program, strerror(board->exec_errno));
		if (WIFEXITED(copy->status))
			return error_set(err, -ECHILD, "copy %u ended with status %d%s%s", i,
					 WEXITSTATUS(copy->status), tail[0] ? "; it printed: " : "",
					 tail);
		number = WTERMSIG(copy->status);
		if (number == SIGILL)
			hint = ": the workload programs were built for another CPU"
			       " (-march=native); build them here";
		else if (number == SIGKILL)
			hint = ": by the kernel for want of memory, or by someone";
		else if (number == SIGXFSZ)
			hint = ": its files are larger than `ulimit -f` allows";
		return error_set(err, -ECHILD, "copy %u was killed by SIG%s%s%s%s", i,
				 sigabbrev_np(number) ? sigabbrev_np(number) : "?", hint,
				 tail[0] ? "; it printed: " : "", tail);
	}
	return 0;
}

/*
 * The barrier: returns once every copy has set itself up and sleeps on `go`. After -ECHILD
 * copies_failure() knows more.
 */
static int copies_await(struct stage *stage, struct error *err)
{
	const struct timespec look = { .tv_nsec = 10 * (long)NS_PER_MS };
	uint32_t copies = stage->request->copies, ready;
	struct warden_board *board = stage->warden.board;
	const char *what;
	uint64_t deadline_ns = clock_raw_ns() + START_PATIENCE_NS + copies * START_PATIENCE_COPY_NS;

	for (;;) {
		ready = atomic_load_explicit(&stage->page->ready, memory_order_acquire);
		if (ready >= copies)
			break;
		if (signal_stop)
			return error_set(err, -EINTR, "interrupted");
		if (atomic_load_explicit(&board->failed, memory_order_acquire))
			return error_set(err, -ECHILD, "a copy could not be started");
		if (warden_is_broken(&stage->warden, &what))
			return error_set(err, -ECHILD, "%s", what);
		if (clock_raw_ns() > deadline_ns)
			return error_set(
				err, -ETIME, "%u of %u copies were not ready after %.0f s",
				copies - ready, copies,
				(double)(START_PATIENCE_NS + copies * START_PATIENCE_COPY_NS) /
					(double)NS_PER_S);
		futex_wait(&stage->page->ready, ready, &look);
	}
	for (uint32_t i = 0; i < copies; i++) {
		struct page_line *line = page_line(stage->page, i);

		if (atomic_load_explicit(&line->state, memory_order_acquire) != COPY_READY)
			return error_set(err, -ECHILD, "copy %u could not set itself up", i);
	}
	return 0;
}

/* MSER over the slices from `go` on; only where a slice holds enough and it matters. */
static bool window_is_steady(const struct window *window)
{
	bool wants_more;

	if (!window->n_slices || window->slice_iterations < SLICE_MIN_ITERATIONS)
		return true;
	return mser_wants_more(window->slices, window->n_slices, window->warmup_slices,
			       &wants_more) ||
	       !wants_more;
}

static int evidence_add(const struct stage *stage, const struct window *window, json_t *evidence)
{
	const struct warden_board *board = stage->warden.board;
	uint64_t voluntary = 0, involuntary = 0, same = 0, cross = 0;
	int rc = 0;

	for (uint32_t i = 0; i < stage->request->copies; i++) {
		struct page_line *line = page_line(stage->page, i);

		voluntary += board->copy[i].voluntary;
		involuntary += board->copy[i].involuntary;
		if (stage->request->workload->rate == RATE_CARRIED)
			continue;
		same += atomic_load_explicit(&line->same_cpu, memory_order_relaxed);
		cross += atomic_load_explicit(&line->cross_cpu, memory_order_relaxed);
	}
	/* Of the copies' whole lives: set-up and warm-up are in it. */
	rc |= evidence_put(evidence, "voluntary_switches", json_integer((json_int_t)voluntary));
	rc |= evidence_put(evidence, "involuntary_switches", json_integer((json_int_t)involuntary));
	if (same + cross) {
		double share = (double)same / (double)(same + cross);

		rc |= evidence_put(evidence, "same_cpu_share", json_real(share));
		rc |= evidence_put(evidence, "placement",
				   json_string(share > 0.9   ? "same-cpu"
					       : share < 0.1 ? "cross-cpu"
							     : "mixed"));
	}
	if (window->lengthened)
		rc |= evidence_put(evidence, "lengthened", json_true());
	if (window->fewest)
		rc |= evidence_put(evidence, "fewest_iterations",
				   json_integer((json_int_t)window->fewest));
	if (window->unscheduled)
		rc |= evidence_put(evidence, "unscheduled",
				   json_integer((json_int_t)window->unscheduled));
	if (!window_is_steady(window))
		rc |= evidence_put(evidence, "not_steady", json_true());
	if (window->n_slices && window->slice_iterations >= SLICE_MIN_ITERATIONS) {
		json_t *slices = json_array();

		for (size_t i = window->warmup_slices; i < window->n_slices; i++)
			rc |= json_array_append_new(slices, json_real(window->slices[i]));
		rc |= evidence_put(evidence, "slices", slices);
	}
	return rc ? -ENOMEM : 0;
}

/* What the copy says of its slot. Where there are several copies, the first speaks. */
static int report_add(const struct stage *stage, json_t *evidence, struct error *err)
{
	const char *text;
	json_error_t why;
	json_t *report;

	if (!stage->page->counters || !stage->request->workload->report)
		return 0;
	text = page_report(stage->page, 0)->text;
	report = json_loadb(text, strnlen(text, PAGE_REPORT_BYTES), 0, &why);
	if (!report)
		return error_set(err, -EBADMSG, "the report of a copy: %s", why.text);
	if (evidence_put(evidence, stage->request->workload->report, report))
		return error_errno(err, -ENOMEM, "evidence of a slot");
	return 0;
}

/* From the barrier to the end of the window. */
static int stage_measure(struct stage *stage, struct window *window, json_t **evidence,
			 struct error *err)
{
	const struct slot_request *request = stage->request;
	const struct window_request window_request = {
		.rate = request->workload->rate,
		.units_per_iteration = request->workload->units_per_iteration,
		.slot_ns = request->slot_ns,
		.warmup_ns = request->warmup_ns,
		.page = stage->page,
		.warden = &stage->warden,
	};
	struct priority before;
	int rc;

	rc = copies_await(stage, err);
	if (rc)
		return rc;
	priority_raise(&before);
	if (request->evidence)
		rc = evidence_before(request->evidence, stage->warden.pid, err);
	if (!rc)
		rc = window_measure(&window_request, window, err);
	if (!rc && request->evidence)
		rc = evidence_after(request->evidence, stage->warden.pid, evidence, err);
	atomic_store_explicit(&stage->page->stop, 1, memory_order_relaxed);
	window_phase_set(stage->page, PAGE_STOP);
	priority_restore(&before);
	return rc;
}

int slot_run(const struct slot_request *request, struct slot_result *result, struct error *err)
{
	struct stage stage = { .request = request, .page_fd = -1, .warden = { .pidfd = -1 } };
	char program[PATH_MAX], name[64];
	struct warden_request copies = { .program = program,
					 .test = workload_name(request->workload, name,
							       sizeof(name)),
					 .copies = request->copies,
					 .stdout_fd = -1,
					 .cpu = request->cpu,
					 .scratch = stage.scratch.path };
	struct window window = { 0 };
	json_t *evidence = NULL;
	struct error failure;
	int rc;

	memset(result, 0, sizeof(*result));
	rc = program_path(request->program_dir, request->workload, program, sizeof(program), err);
	if (rc)
		return rc;
	rc = scratch_create(request->dir, &stage.scratch, err);
	if (rc)
		return rc;
	rc = page_create(&stage, err);
	if (!rc)
		rc = variables_make(&stage, err);
	if (rc)
		goto out;
	copies.page_fd = stage.page_fd;
	copies.environment = stage.variables.entry;
	rc = warden_start(&stage.warden, &copies, err);
	if (rc)
		goto out;
	rc = stage_measure(&stage, &window, &evidence, err);
	/* After a failure nobody waits for answers. */
	warden_finish(&stage.warden, rc ? (rc == -ECHILD ? 100 * NS_PER_MS : 0)
					: STOP_PATIENCE_NS +
						     request->copies * STOP_PATIENCE_COPY_NS +
						     window.length_ns);
	/* What a copy itself says of its end explains more than that it ended. */
	if ((!rc || rc == -ECHILD) && copies_failure(&stage, !rc, &failure)) {
		*err = failure;
		rc = failure.code;
	}
	if (!rc && evidence && evidence_add(&stage, &window, evidence))
		rc = error_errno(err, -ENOMEM, "evidence of a slot");
	if (!rc && evidence)
		rc = report_add(&stage, evidence, err);
	if (!rc) {
		result->length_ns = window.length_ns;
		result->start_ns = window.start_ns;
		result->rate = window.rate;
		result->lengthened = window.lengthened;
		result->not_steady = !window_is_steady(&window);
		result->counts = window.counts;
		window.counts = NULL;
		result->evidence = evidence;
		evidence = NULL;
	}
out:
	json_decref(evidence);
	window_free(&window);
	warden_finish(&stage.warden, 0);
	warden_free(&stage.warden);
	scratch_remove(&stage.scratch);
	variables_free(&stage.variables);
	if (stage.page)
		munmap(stage.page, page_bytes(request->copies, stage.page->counters));
	if (stage.page_fd >= 0)
		close(stage.page_fd);
	return rc;
}
