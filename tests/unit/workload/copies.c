// SPDX-License-Identifier: GPL-2.0-or-later
/* copies.c - copies on a shared page: the protocol of page.h as the harness sees it. */
#include "base/clock.h"
#include "programs.h"
#include "workload/work.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define COPIES	3
#define WAIT_MS 60000

static const struct timespec one_ms = { .tv_nsec = 1000000 };

static void wait_for_counts(struct page *page)
{
	for (uint32_t copy = 0; copy < page->copies; copy++)
		for (int i = 0; i < WAIT_MS && page_line(page, copy)->count < 3; i++)
			nanosleep(&one_ms, NULL);
}

static void copies_wait_count_stop_and_verify(void **state)
{
	static const char *const number[COPIES] = { "0", "1", "2" };
	struct page *page;
	pid_t pid[COPIES];
	int fd;

	(void)state;
	page = page_make(COPIES, &fd);
	for (int i = 0; i < COPIES; i++)
		pid[i] = copy_start("dhry", "unixbench6/dhry2reg@1", number[i], fd);
	assert_true(page_wait_ready(page, COPIES));
	for (uint32_t i = 0; i < COPIES; i++) {
		assert_int_equal(page_line(page, i)->state, COPY_READY);
		assert_int_equal(page_line(page, i)->count, 0);
	}
	page_go(page);
	wait_for_counts(page);
	page->stop = 1;
	for (uint32_t i = 0; i < COPIES; i++) {
		assert_int_equal(copy_wait(pid[i]), 0);
		assert_true(page_line(page, i)->count >= 3);
		assert_int_equal(page_line(page, i)->state, COPY_DONE);
		assert_int_equal(page_note(page, i)->code, 0);
	}
	page_free(page, fd);
}

static void a_self_timed_copy_publishes_samples(void **state)
{
	uint64_t count = 0, stamp_ns, self_ns, before_ns = clock_raw_ns();
	struct page *page;
	pid_t pid;
	int fd;

	(void)state;
	page = page_make(1, &fd);
	pid = copy_start("whet", "whetstone-double", "0", fd);
	assert_true(page_wait_ready(page, 1));
	page_go(page);
	for (int i = 0; i < WAIT_MS && count < 3; i++) {
		nanosleep(&one_ms, NULL);
		work_sample(page_line(page, 0), &count, &stamp_ns, &self_ns);
	}
	page->stop = 1;
	assert_int_equal(copy_wait(pid), 0);
	work_sample(page_line(page, 0), &count, &stamp_ns, &self_ns);
	assert_true(count >= 3);
	assert_in_range(stamp_ns, before_ns, clock_raw_ns());
	assert_in_range(self_ns, 1, clock_raw_ns() - before_ns);
	page_free(page, fd);
}

/* The chain of images of execl on the page, from go to the end of a window of 50 ms. */
static void start_chain(struct page *page, const char *program, const char *test, int fd,
			pid_t *pid)
{
	*pid = copy_start(program, test, "0", fd);
	assert_true(page_wait_ready(page, 1));
	page->window_start_ns = clock_raw_ns() + 20 * NS_PER_MS;
	page->window_end_ns = page->window_start_ns + 50 * NS_PER_MS;
	page_go(page);
}

static void wait_for_image(struct page *page, uint64_t after_ns)
{
	uint64_t count, first_ns, last_ns;

	for (int i = 0; i < WAIT_MS; i++) {
		if (clock_raw_ns() > after_ns && page_line(page, 0)->count &&
		    work_sample_carried(page_line(page, 0), &count, &first_ns, &last_ns))
			return;
		nanosleep(&one_ms, NULL);
	}
	fail_msg("no image published itself");
}

static void check_chain(const char *program, const char *test)
{
	uint64_t count, first_ns, last_ns, images;
	struct page *page;
	pid_t pid;
	int fd;

	page = page_make(1, &fd);
	start_chain(page, program, test, fd, &pid);
	wait_for_image(page, page->window_end_ns);
	page->stop = 1;
	assert_int_equal(copy_wait(pid), 0);
	assert_int_equal(page_line(page, 0)->state, COPY_DONE);
	assert_true(work_sample_carried(page_line(page, 0), &count, &first_ns, &last_ns));
	/* The count starts with the last image before the window and ends with the last inside it.
	 */
	assert_in_range(first_ns, 1, page->window_start_ns - 1);
	assert_in_range(last_ns, page->window_start_ns, page->window_end_ns);
	images = page_line(page, 0)->count;
	assert_in_range(count, 1, images - 1); /* the last image came after the window */
	page_free(page, fd);
}

static void execl_carries_its_count_through_the_window(void **state)
{
	(void)state;
	check_chain("execl", "execl");
}

static void execl_static_carries_its_count_through_the_window(void **state)
{
	const struct workload *workload = workload_find("execl-static");
	struct reason why;

	(void)state;
	if (workload->supported(&(struct workload_request){ .copies = 1 }, &why)) {
		print_message("# SKIP %s\n", why.text);
		return;
	}
	check_chain("execl-static", "execl-static");
}

static void execl_goes_on_in_a_window_that_is_lengthened(void **state)
{
	uint64_t count, first_ns, last_ns, longer, longer_first_ns, longer_last_ns;
	struct page *page;
	uint64_t end_ns;
	pid_t pid;
	int fd;

	(void)state;
	page = page_make(1, &fd);
	start_chain(page, "execl", "execl", fd, &pid);
	wait_for_image(page, page->window_end_ns);
	assert_true(work_sample_carried(page_line(page, 0), &count, &first_ns, &last_ns));
	end_ns = clock_raw_ns() + 100 * NS_PER_MS;
	page->window_end_ns = end_ns;
	for (int i = 0; i < WAIT_MS && clock_raw_ns() <= end_ns + 20 * NS_PER_MS; i++)
		nanosleep(&one_ms, NULL);
	wait_for_image(page, end_ns);
	page->stop = 1;
	assert_int_equal(copy_wait(pid), 0);
	assert_true(work_sample_carried(page_line(page, 0), &longer, &longer_first_ns,
					&longer_last_ns));
	assert_true(longer > count);
	assert_int_equal(longer_first_ns, first_ns);
	assert_in_range(longer_last_ns, last_ns + 1, end_ns);
	page_free(page, fd);
}

/* Words of the chain, see execl_chain.h: an image that says it is the 9th after the 5th published
 * itself. */
static void execl_fails_when_an_image_is_missing(void **state)
{
	static const char *const words[] = {
		"execl", "0", "8", "0", "0", "1", "2", "0", "0", NULL
	};
	struct page *page;
	int fd;

	(void)state;
	page = page_make(1, &fd);
	page_line(page, 0)->count = 5;
	assert_int_equal(copy_wait(words_start("execl", words, fd)), 1);
	assert_int_equal(page_line(page, 0)->state, COPY_FAILED);
	assert_int_equal(page_note(page, 0)->code, -EBADMSG);
	assert_non_null(strstr(page_note(page, 0)->text, "image is missing"));
	page_free(page, fd);
}

/* Five descriptors: libc can be loaded beside the page, but a pipe has no room. */
static void a_copy_that_cannot_set_itself_up_is_ready_and_failed(void **state)
{
	struct rlimit old, few;
	struct page *page;
	pid_t pid;
	int fd;

	(void)state;
	page = page_make(1, &fd);
	getrlimit(RLIMIT_NOFILE, &old);
	few = old;
	few.rlim_cur = 5;
	setrlimit(RLIMIT_NOFILE, &few);
	pid = copy_start("ipc", "pipe", "0", fd);
	setrlimit(RLIMIT_NOFILE, &old);
	assert_true(page_wait_ready(page, 1));
	assert_int_equal(copy_wait(pid), 1);
	assert_int_equal(page_line(page, 0)->state, COPY_FAILED);
	assert_int_equal(page_note(page, 0)->code, -EMFILE);
	assert_true(page_note(page, 0)->text[0] != '\0');
	page_free(page, fd);
}

static void expect_refusal(int fd, const char *copy)
{
	pid_t pid = copy_start("hanoi", "hanoi", copy, fd);

	assert_int_equal(copy_wait(pid), 2);
}

static void a_wrong_page_is_refused(void **state)
{
	struct page *page;
	int fd;

	(void)state;
	page = page_make(2, &fd);
	expect_refusal(fd, "2"); /* there are copies 0 and 1 */
	page->magic ^= 1;
	expect_refusal(fd, "0");
	page->magic ^= 1;
	page->copies = 3;
	expect_refusal(fd, "0");
	page->copies = 2;
	assert_int_equal(ftruncate(fd, 100), 0);
	expect_refusal(fd, "0");
	close(fd);
}

static void a_copy_meets_default_signals(void **state)
{
	struct page *page;
	sigset_t all, old;
	pid_t pid;
	int fd;

	(void)state;
	page = page_make(1, &fd);
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &old);
	signal(SIGPIPE, SIG_IGN);
	pid = copy_start("hanoi", "hanoi", "0", fd);
	signal(SIGPIPE, SIG_DFL);
	sigprocmask(SIG_SETMASK, &old, NULL);
	assert_true(page_wait_ready(page, 1));
	kill(pid, SIGPIPE);
	assert_int_equal(copy_wait(pid), 128 + SIGPIPE);
	page_free(page, fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(copies_wait_count_stop_and_verify),
		cmocka_unit_test(a_self_timed_copy_publishes_samples),
		cmocka_unit_test(execl_carries_its_count_through_the_window),
		cmocka_unit_test(execl_static_carries_its_count_through_the_window),
		cmocka_unit_test(execl_goes_on_in_a_window_that_is_lengthened),
		cmocka_unit_test(execl_fails_when_an_image_is_missing),
		cmocka_unit_test(a_copy_that_cannot_set_itself_up_is_ready_and_failed),
		cmocka_unit_test(a_wrong_page_is_refused),
		cmocka_unit_test(a_copy_meets_default_signals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
