// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * window.c - the common window over a page that a thread of the test writes, with stamps of its own
 * making: what is expected of the rates follows from them and not from how fast anything ran.
 */
#include "measure/window.h"

#include "base/clock.h"
#include "workload/work.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define COPIES	  2
#define WARMUP_NS (5 * NS_PER_MS)
#define SLOT_NS	  (50 * NS_PER_MS)
#define STEP_NS	  (10 * NS_PER_MS) /* between two stamps: a rate of 100 per second */

struct place {
	struct page *page;
	struct warden warden;
	pthread_t writer;
	uint64_t silent_ns; /* time after `go` in which nothing is completed */
	_Atomic bool end;
};

/* Publishes an iteration of every copy each millisecond, and says that it took STEP_NS. */
static void *write_samples(void *argument)
{
	struct place *place = argument;
	struct page *page = place->page;
	uint64_t go_ns, count = 0;

	while (!atomic_load(&page->go))
		clock_sleep_until(clock_raw_ns() + NS_PER_MS / 10);
	go_ns = atomic_load(&page->window_start_ns) - WARMUP_NS;
	clock_sleep_until(go_ns + place->silent_ns);
	while (!atomic_load(&place->end)) {
		count++;
		for (uint32_t i = 0; i < COPIES; i++) {
			struct work work = { .page = page, .line = page_line(page, i) };

			work_count(&work, count);
			work_publish(&work, count, go_ns + count * STEP_NS, count * STEP_NS / 2);
		}
		clock_sleep_until(clock_raw_ns() + NS_PER_MS);
	}
	return NULL;
}

static int place_make(void **state)
{
	struct place *place = calloc(1, sizeof(*place));
	struct warden *warden = &place->warden;
	size_t bytes = (page_bytes(COPIES, 0) + 4095) / 4096 * 4096;

	place->page = aligned_alloc(4096, bytes);
	memset(place->page, 0, bytes);
	place->page->copies = COPIES;
	warden->copies = COPIES;
	warden->board = calloc(1, sizeof(*warden->board) + COPIES * sizeof(*warden->board->copy));
	warden->pid = fork();
	if (!warden->pid) {
		pause();
		_exit(0);
	}
	*state = place;
	return 0;
}

static int place_remove(void **state)
{
	struct place *place = *state;

	kill(place->warden.pid, SIGKILL);
	waitpid(place->warden.pid, NULL, 0);
	free(place->warden.board);
	free(place->page);
	free(place);
	return 0;
}

static int measure(struct place *place, enum rate_method rate, struct window *window,
		   struct error *err)
{
	const struct window_request request = { .rate = rate,
						.units_per_iteration = 1,
						.slot_ns = SLOT_NS,
						.warmup_ns = WARMUP_NS,
						.page = place->page,
						.warden = &place->warden };
	int rc;

	pthread_create(&place->writer, NULL, write_samples, place);
	rc = window_measure(&request, window, err);
	atomic_store(&place->end, true);
	pthread_join(place->writer, NULL);
	return rc;
}

static void stamped_rates_follow_the_stamps_alone(void **state)
{
	struct window window;
	struct error err;

	assert_int_equal(measure(*state, RATE_STAMPED, &window, &err), 0);
	assert_true(fabs(window.rate - COPIES * 100) < 1e-6);
	assert_true(window.counts[0] >= WINDOW_MIN_ITERATIONS);
	window_free(&window);
}

static void a_first_iteration_that_ends_late_began_at_go(void **state)
{
	struct place *place = *state;
	struct window window;
	struct error err;

	/* Longer than the window may wait for a first completion: it opens without one. */
	place->silent_ns = WARMUP_NS + WINDOW_GROWTH * SLOT_NS + SLOT_NS / 2;
	assert_int_equal(measure(place, RATE_STAMPED, &window, &err), 0);
	assert_true(window.lengthened);
	assert_true(fabs(window.rate - COPIES * 100) < 1e-6);
	window_free(&window);
}

static void self_timed_rates_use_the_time_the_copy_says(void **state)
{
	struct window window;
	struct error err;

	assert_int_equal(measure(*state, RATE_SELF_TIMED, &window, &err), 0);
	assert_true(fabs(window.rate - COPIES * 200) < 1e-6);
	window_free(&window);
}

static void a_whole_run_before_the_window_is_counted_from_go(void **state)
{
	struct window window;
	struct error err;

	assert_int_equal(measure(*state, RATE_WHOLE_RUN, &window, &err), 0);
	assert_true(fabs(window.rate - COPIES * 200) < 1e-6);
	window_free(&window);
}

static void a_warden_that_was_killed_ends_the_window(void **state)
{
	struct place *place = *state;
	struct window window;
	struct error err;

	kill(place->warden.pid, SIGKILL);
	assert_int_equal(measure(place, RATE_STAMPED, &window, &err), -ECHILD);
	assert_non_null(strstr(err.text, "killed"));
	window_free(&window);
}

static void a_copy_that_ended_ends_the_window(void **state)
{
	struct place *place = *state;
	struct window window;
	struct error err;

	atomic_store(&place->warden.board->ended, 1);
	assert_int_equal(measure(place, RATE_COUNTED, &window, &err), -ECHILD);
	window_free(&window);
}

static void copies_that_complete_nothing_have_no_rate(void **state)
{
	struct place *place = *state;
	struct window window;
	struct error err;

	/* The writer ends at once. There is no process of these copies: they used no CPU time. */
	place->end = true;
	assert_int_equal(measure(place, RATE_COUNTED, &window, &err), -ETIME);
	assert_non_null(strstr(err.text, "completed nothing"));
	window_free(&window);
}

int main(void)
{
#define PLACED(test) cmocka_unit_test_setup_teardown(test, place_make, place_remove)
	const struct CMUnitTest tests[] = {
		PLACED(stamped_rates_follow_the_stamps_alone),
		PLACED(a_first_iteration_that_ends_late_began_at_go),
		PLACED(self_timed_rates_use_the_time_the_copy_says),
		PLACED(a_whole_run_before_the_window_is_counted_from_go),
		PLACED(a_warden_that_was_killed_ends_the_window),
		PLACED(a_copy_that_ended_ends_the_window),
		PLACED(copies_that_complete_nothing_have_no_rate),
	};

	return cmocka_run_group_tests_name("window", tests, NULL, NULL);
}
