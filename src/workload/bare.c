// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bare.c - a workload without a harness: a page and a directory of its own, a timer that stops it.
 *
 * The edges of the timed piece are taken by the handler of the timer, in the process that counts:
 * the count and the clock are read within nanoseconds of each other.
 */
#include "workload/bare.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define EXIT_USAGE 2
#define MS_MAX	   86400000u /* a day */

struct edge {
	uint64_t count, ns;
};

struct bare {
	struct work *work;
	uint64_t window_ns, warm_ns, start_ns;
	struct edge warm, end;
	volatile sig_atomic_t warm_seen, end_seen;
};

static struct bare *timed; /* for the handler */

static void timer_arm(uint64_t after_ns)
{
	struct itimerval timer = { 0 };

	timer.it_value.tv_sec = (time_t)(after_ns / NS_PER_S);
	timer.it_value.tv_usec = (suseconds_t)(after_ns % NS_PER_S / 1000);
	setitimer(ITIMER_REAL, &timer, NULL);
}

static struct edge edge_now(const struct bare *bare)
{
	struct page_line *line = bare->work->line;
	uint64_t count = 0, stamp_ns = 0, self_ns = 0;
	struct edge edge = { 0 };

	switch (bare->work->workload->rate) {
	case RATE_COUNTED:
		edge.count = page_count(bare->work->page, 0);
		edge.ns = clock_raw_ns();
		break;
	case RATE_STAMPED:
		work_sample(line, &edge.count, &stamp_ns, &self_ns);
		edge.ns = stamp_ns ? stamp_ns : bare->start_ns;
		break;
	case RATE_SELF_TIMED:
	case RATE_WHOLE_RUN:
		work_sample(line, &edge.count, &stamp_ns, &edge.ns);
		break;
	case RATE_CARRIED:
		if (work_sample_carried(line, &count, &stamp_ns, &edge.ns)) {
			edge.count = count;
			edge.ns -= stamp_ns;
		}
		break;
	}
	return edge;
}

/* Who waits for it is woken by the signal, or looks. */
static void phase_set(enum page_phase phase)
{
	atomic_store_explicit(&timed->work->page->phase, (uint32_t)phase, memory_order_release);
}

/* The latch gives a whole sample even to a handler that interrupts the writer. */
static void on_timer(int signal)
{
	(void)signal;
	if (!timed->warm_seen) {
		timed->warm = edge_now(timed);
		timed->warm_seen = 1;
		phase_set(PAGE_WINDOW);
		timer_arm(timed->window_ns);
	} else {
		timed->end = edge_now(timed);
		timed->end_seen = 1;
		timed->work->page->window_end_ns = timed->end.ns;
		phase_set(PAGE_AFTER);
		atomic_store_explicit(&timed->work->page->stop, 1, memory_order_relaxed);
		phase_set(PAGE_STOP);
	}
}

/* The loop under the timer. */
static int run_timed(struct bare *bare)
{
	struct sigaction action = { .sa_handler = on_timer, .sa_flags = SA_RESTART };
	int rc;

	timed = bare;
	sigaction(SIGALRM, &action, NULL);
	bare->start_ns = clock_raw_ns();
	bare->warm = edge_now(bare);
	bare->warm_seen = !bare->warm_ns;
	if (bare->warm_seen)
		phase_set(PAGE_WINDOW);
	timer_arm(bare->warm_ns ? bare->warm_ns : bare->window_ns);
	rc = work_run(bare->work);
	timer_arm(0);
	if (bare->work->workload->rate != RATE_COUNTED || !bare->end_seen)
		bare->end = edge_now(bare);
	return rc;
}

/*
 * A chain of images that times itself: it cannot come back to print, so a child runs it. The stop
 * word is set from the start: it is looked at once the window is over.
 */
static int run_carried(struct bare *bare)
{
	struct page *page = bare->work->page;
	int status;
	pid_t child;

	page->window_start_ns = clock_raw_ns() + bare->warm_ns;
	page->window_end_ns = page->window_start_ns + bare->window_ns;
	page->stop = 1;
	child = fork();
	if (child < 0)
		return work_fail(bare->work, -errno, "fork: %s", strerror(errno));
	if (!child)
		_exit(work_run(bare->work) ? EXIT_FAILURE : EXIT_SUCCESS);
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return work_fail(bare->work, -errno, "wait: %s", strerror(errno));
	if (!WIFEXITED(status))
		return work_fail(bare->work, -ECHILD, "ended by signal %d", WTERMSIG(status));
	if (WEXITSTATUS(status) || bare->work->line->state != COPY_DONE)
		return -ECHILD; /* with its note */
	bare->end = edge_now(bare);
	return 0;
}

/* A page on PAGE_FD, as a copy of a slot would find it. Returns NULL with errno. */
static struct page *page_make(void)
{
	size_t bytes = page_bytes(1, 0);
	struct page *page;
	int fd;

	fd = memfd_create("onproc-page", 0);
	if (fd < 0)
		return NULL;
	if (fd != PAGE_FD) {
		if (dup2(fd, PAGE_FD) < 0)
			return NULL;
		close(fd);
	}
	if (ftruncate(PAGE_FD, (off_t)bytes))
		return NULL;
	page = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, PAGE_FD, 0);
	if (page == MAP_FAILED)
		return NULL;
	page->magic = PAGE_MAGIC;
	page->copies = 1;
	return page;
}

/* Room for the counters that a copy with these parameters has. */
static int page_grow(struct work *work)
{
	uint32_t counters = workload_counters(work->workload, work->page->param);
	size_t bytes = page_bytes(1, counters);
	struct page *page;

	if (!counters)
		return 0;
	if (ftruncate(PAGE_FD, (off_t)bytes))
		return -errno;
	page = mremap(work->page, page_bytes(1, 0), bytes, MREMAP_MAYMOVE);
	if (page == MAP_FAILED)
		return -errno;
	page->counters = counters;
	work->page = page;
	work->line = page_line(page, 0);
	return 0;
}

/* Tests of two parties get the first CPUs that are allowed; others are left alone. */
static void cpus_choose(const struct work *work)
{
	int *cpu = work->line->cpu;
	int found = 0;
	cpu_set_t allowed;

	cpu[0] = cpu[1] = -1;
	if (work->workload->pair == PAIR_FREE || sched_getaffinity(0, sizeof(allowed), &allowed))
		return;
	for (int i = 0; i < CPU_SETSIZE && found < 2; i++)
		if (CPU_ISSET(i, &allowed))
			cpu[found++] = i;
	if (work->workload->pair == PAIR_SAME_CPU)
		cpu[1] = cpu[0];
	else if (found < 2)
		cpu[0] = -1;
}

/* Held as long as this process lives: the next onproc bench in the same parent sweeps what is left
 * of it. Without a lock there is no mark, and nothing is swept. */
static void scratch_hold(void)
{
	int directory = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), mark;

	if (directory < 0 || flock(directory, LOCK_SH))
		return;
	mark = open(SCRATCH_MARK, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (mark >= 0)
		close(mark);
}

static int scratch_make(struct page *page)
{
	const char *parent = getenv("TMPDIR");

	if (!parent || parent[0] != '/')
		parent = "/var/tmp";
	if (snprintf(page->dir, sizeof(page->dir), "%s/" SCRATCH_BARE_PREFIX "XXXXXX", parent) >=
	    (int)sizeof(page->dir))
		return -ENAMETOOLONG;
	if (!mkdtemp(page->dir)) {
		page->dir[0] = '\0';
		return -errno;
	}
	if (chdir(page->dir))
		return -errno;
	scratch_hold();
	return 0;
}

static int entry_remove(const char *path, const struct stat *file, int type, struct FTW *place)
{
	(void)file, (void)type, (void)place;
	remove(path);
	return 0;
}

static void scratch_remove(const struct page *page)
{
	if (!page->dir[0] || chdir("/"))
		return;
	nftw(page->dir, entry_remove, 8, FTW_DEPTH | FTW_PHYS);
}

static bool number_read(const char *word, int64_t min, int64_t max, int64_t *number)
{
	char *end;

	errno = 0;
	*number = strtoll(word, &end, 10);
	return end != word && !*end && !errno && *number >= min && *number <= max;
}

static bool choice_read(const char *word, const char *const *choices, int64_t *number)
{
	for (*number = 0; choices[*number]; (*number)++)
		if (!strcmp(choices[*number], word))
			return true;
	return false;
}

/* NAME=VALUE into the page. */
static bool param_read(const struct work *work, const char *word)
{
	const struct workload_param *params = work->workload->params;
	const char *equals = strchr(word, '=');

	if (!equals)
		return false;
	for (int i = 0; i < workload_param_count(work->workload); i++) {
		size_t bytes = strlen(params[i].name);

		if (bytes != (size_t)(equals - word) || memcmp(params[i].name, word, bytes) != 0)
			continue;
		if (params[i].choices)
			return choice_read(equals + 1, params[i].choices, &work->page->param[i]);
		return number_read(equals + 1, params[i].min, params[i].max, &work->page->param[i]);
	}
	return false;
}

static bool words_read(struct bare *bare, int words, char **word)
{
	int64_t ms, warm_ms = 0;

	if (words < 1 || !number_read(word[0], 1, MS_MAX, &ms))
		return false;
	if (words > 1 && !number_read(word[1], 0, MS_MAX, &warm_ms))
		return false;
	for (int i = 0; i < workload_param_count(bare->work->workload); i++)
		bare->work->page->param[i] = bare->work->workload->params[i].value;
	for (int i = 2; i < words; i++)
		if (!param_read(bare->work, word[i]))
			return false;
	bare->window_ns = (uint64_t)ms * NS_PER_MS;
	bare->warm_ns = (uint64_t)warm_ms * NS_PER_MS;
	return true;
}

int bare_run(struct work *work, int words, char **word)
{
	const struct workload *workload = work->workload;
	struct bare bare = { .work = work };
	int rc;

	work->page = page_make();
	if (!work->page) {
		dprintf(STDERR_FILENO, "%s: making the page: %s\n", workload->id, strerror(errno));
		return EXIT_FAILURE;
	}
	work->line = page_line(work->page, 0);
	cpus_choose(work);
	if (!words_read(&bare, words, word))
		return EXIT_USAGE;
	rc = page_grow(work);
	if (rc) {
		dprintf(STDERR_FILENO, "%s: making the page: %s\n", workload->id, strerror(-rc));
		return EXIT_FAILURE;
	}
	rc = scratch_make(work->page);
	if (rc)
		work_fail(work, rc, "a scratch directory under TMPDIR: %s", strerror(-rc));
	if (!rc)
		rc = work_set_up(work);
	if (!rc)
		rc = workload->rate == RATE_CARRIED ? run_carried(&bare) : run_timed(&bare);
	if (!rc && workload->explain)
		workload->explain(work);
	if (workload->cleanup)
		workload->cleanup(work);
	scratch_remove(work->page);
	if (rc) {
		dprintf(STDERR_FILENO, "%s: %s\n", workload->id, page_note(work->page, 0)->text);
		return EXIT_FAILURE;
	}
	dprintf(STDOUT_FILENO, "%llu %llu\n",
		(unsigned long long)(bare.end.count - bare.warm.count),
		(unsigned long long)(bare.end.ns - bare.warm.ns));
	return EXIT_SUCCESS;
}
