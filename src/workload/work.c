// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * work.c - the life of one copy: map the page, set up, wait for `go`, loop, verify.
 *
 * Linked into every workload program, so it uses libc alone and little of that.
 */
#include "workload/work.h"

#include "workload/bare.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EXIT_USAGE 2

int work_fail(const struct work *work, int code, const char *format, ...)
{
	struct page_note *note = page_note(work->page, work->copy);
	va_list values;

	note->code = code;
	va_start(values, format);
	vsnprintf(note->text, sizeof(note->text), format, values);
	va_end(values);
	return code;
}

/* A step that failed without a word gets its name and errno as the note. */
static int step(struct work *work, const char *name, int rc)
{
	if (rc && !page_note(work->page, work->copy)->code)
		work_fail(work, rc, "%s: %s", name, strerror(-rc));
	return rc;
}

static void state_set(struct work *work, enum copy_state state)
{
	atomic_store_explicit(&work->line->state, (uint32_t)state, memory_order_release);
}

int work_set_up(struct work *work)
{
	const struct workload *workload = work->workload;
	int rc = 0;

	if (workload->setup)
		rc = step(work, "setup", workload->setup(work));
	state_set(work, rc ? COPY_FAILED : COPY_READY);
	return rc;
}

int work_run(struct work *work)
{
	const struct workload *workload = work->workload;
	int rc;

	rc = step(work, "loop", workload->loop(work));
	if (!rc && workload->verify)
		rc = step(work, "verify", workload->verify(work));
	state_set(work, rc ? COPY_FAILED : COPY_DONE);
	return rc;
}

static void report_ready(struct page *page)
{
	atomic_fetch_add_explicit(&page->ready, 1, memory_order_release);
	syscall(SYS_futex, &page->ready, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

static void wait_for_go(struct page *page)
{
	while (!atomic_load_explicit(&page->go, memory_order_acquire))
		syscall(SYS_futex, &page->go, FUTEX_WAIT, 0, NULL, NULL, 0);
}

/* Whatever started us, a test meets the same signals: none blocked, these three by default. */
static void signals_reset(void)
{
	sigset_t none;

	signal(SIGPIPE, SIG_DFL);
	signal(SIGCHLD, SIG_DFL);
	signal(SIGALRM, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

const char *work_map(struct work *work, uint32_t copy)
{
	struct page *page;
	struct stat file;

	if (fstat(PAGE_FD, &file))
		return "no shared page on descriptor 3";
	if ((uint64_t)file.st_size < sizeof(*page))
		return "the shared page on descriptor 3 is too short";
	page = mmap(NULL, (size_t)file.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, PAGE_FD, 0);
	if (page == MAP_FAILED)
		return "the shared page on descriptor 3 cannot be mapped";
	if (page->magic != PAGE_MAGIC)
		return "the shared page on descriptor 3 has another layout";
	if ((uint64_t)file.st_size < page_bytes(page->copies, page->counters))
		return "the shared page on descriptor 3 is too short for its copies";
	if (copy >= page->copies)
		return "the shared page on descriptor 3 has fewer copies";
	work->page = page;
	work->line = page_line(page, copy);
	work->copy = copy;
	return NULL;
}

static int copy_run(struct work *work)
{
	const struct workload *workload = work->workload;
	int rc;

	rc = work_set_up(work);
	report_ready(work->page);
	if (!rc) {
		wait_for_go(work->page);
		rc = work_run(work);
	}
	if (workload->cleanup)
		workload->cleanup(work);
	return rc ? EXIT_FAILURE : EXIT_SUCCESS;
}

static int usage(const char *program, const char *why, const char *what)
{
	dprintf(STDERR_FILENO,
		"%s: %s%s\n"
		"usage: %s TEST COPY          (shared page on descriptor %d)\n"
		"       %s TEST --bare MS [WARM_MS [NAME=VALUE...]]\n",
		program, why, what, program, PAGE_FD, program);
	return EXIT_USAGE;
}

int work_main(int argc, char **argv, const struct workload *const *table)
{
	const char *program = argc ? argv[0] : "onproc-work", *why;
	struct work work = { 0 };
	unsigned long copy;
	char *end;

	if (argc < 3)
		return usage(program, "a test and a copy are needed", "");
	while (*table && !workload_answers_to(*table, argv[1]))
		table++;
	if (!*table)
		return usage(program, "no such test here: ", argv[1]);
	work.workload = *table;
	signals_reset();
	if (!strcmp(argv[2], "--bare")) {
		int rc = bare_run(&work, argc - 3, argv + 3);

		return rc == EXIT_USAGE ? usage(program, "bad words after --bare", "") : rc;
	}
	errno = 0;
	copy = strtoul(argv[2], &end, 10);
	if (argc != 3 || argv[2][0] < '0' || argv[2][0] > '9' || *end || errno || copy > UINT32_MAX)
		return usage(program, "not the number of a copy: ", argv[2]);
	why = work_map(&work, (uint32_t)copy);
	if (why)
		return usage(program, why, "");
	return copy_run(&work);
}
