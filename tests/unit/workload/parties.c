// SPDX-License-Identifier: GPL-2.0-or-later
/* parties.c - tests of two parties run where the harness put them, and count where they ran. */
#include "programs.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define WAIT_MS 60000
#define ENOUGH	20

static const struct timespec one_ms = { .tv_nsec = 1000000 };

/* The n-th CPU that this process may use, -1: there are fewer. */
static int allowed_cpu(int n)
{
	cpu_set_t allowed;

	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		return -1;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (CPU_ISSET(cpu, &allowed) && n-- == 0)
			return cpu;
	}
	return -1;
}

/* Runs one copy with its parties on these CPUs until it has counted enough. Returns its page. */
static struct page *run_on(const char *test, int first, int second, int *fd, int *code)
{
	struct page *page = page_make(1, fd);
	struct page_line *line = page_line(page, 0);
	pid_t pid;

	line->cpu[0] = first;
	line->cpu[1] = second;
	pid = copy_start("ipc", test, "0", *fd);
	assert_true(page_wait_ready(page, 1));
	page_go(page);
	for (int i = 0; i < WAIT_MS && line->state == COPY_READY && line->count < ENOUGH; i++)
		nanosleep(&one_ms, NULL);
	page->stop = 1;
	*code = copy_wait(pid);
	return page;
}

static void both_on_one_cpu_are_counted_so(void **state)
{
	int cpu = allowed_cpu(0), fd, code;
	struct page *page = run_on("context1-same", cpu, cpu, &fd, &code);
	struct page_line *line = page_line(page, 0);

	(void)state;
	assert_int_equal(code, 0);
	assert_true(line->count >= ENOUGH);
	assert_int_equal(line->same_cpu, line->count);
	assert_int_equal(line->cross_cpu, 0);
	page_free(page, fd);
}

static void both_on_two_cpus_are_counted_so(void **state)
{
	int first = allowed_cpu(0), second = allowed_cpu(1), fd, code;
	struct page_line *line;
	struct page *page;

	(void)state;
	if (second < 0)
		skip(); /* one CPU */
	page = run_on("context1-cross", first, second, &fd, &code);
	line = page_line(page, 0);
	assert_int_equal(code, 0);
	assert_true(line->count >= ENOUGH);
	assert_int_equal(line->cross_cpu, line->count);
	assert_int_equal(line->same_cpu, 0);
	page_free(page, fd);
}

static void free_parties_are_all_counted(void **state)
{
	int fd, code;
	struct page *page = run_on("context1", -1, -1, &fd, &code);
	struct page_line *line = page_line(page, 0);

	(void)state;
	assert_int_equal(code, 0);
	assert_int_equal(line->same_cpu + line->cross_cpu, line->count);
	page_free(page, fd);
}

static void parties_without_their_cpus_do_not_run(void **state)
{
	int fd, code;
	struct page *page = run_on("context1-same", -1, -1, &fd, &code);

	(void)state;
	assert_int_equal(code, 1);
	assert_string_equal(page_note(page, 0)->text, "no CPUs were chosen for the two parties");
	page_free(page, fd);
}

static void cpu_that_is_not_there_is_named(void **state)
{
	int cpu = allowed_cpu(0), fd, code;
	struct page *page = run_on("context1-cross", 8000, cpu, &fd, &code);

	(void)state;
	assert_int_equal(code, 1);
	assert_string_equal(page_note(page, 0)->text, "pin to CPU 8000: Invalid argument");
	page_free(page, fd);
	page = run_on("context1-cross", cpu, 8000, &fd, &code);
	assert_int_equal(code, 1);
	assert_string_equal(page_note(page, 0)->text, "CPU 8000 was refused to the partner");
	page_free(page, fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_on_one_cpu_are_counted_so),
		cmocka_unit_test(both_on_two_cpus_are_counted_so),
		cmocka_unit_test(free_parties_are_all_counted),
		cmocka_unit_test(parties_without_their_cpus_do_not_run),
		cmocka_unit_test(cpu_that_is_not_there_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
