// SPDX-License-Identifier: MIT
/*
 * onset.c - what happens when a program starts with the library, forks, and ends.
 *
 * ONPROC_STATS: "text" or "json" counts and prints when the process ends, to standard error or to
 * the file ONPROC_STATS_FILE, where "%p" stands for the number of the process. Each process that
 * ends by exit() or _exit() prints its own; one that a signal kills prints nothing.
 */
#include "report.h"
#include "stats.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define REPORT_BYTES ((size_t)2 << 20) /* more than 2049 rows as JSON with long names */

static struct {
	void (*write)(struct page *page); /* NULL: no statistics */
	char path[PATH_MAX];		  /* "": standard error */
	struct stat standard_error;	  /* as it was at the start */
	pid_t process;			  /* not that of a child of vfork() */
	bool done;
} outlet;

/* Another file may have got the number of a standard error that was closed. */
static bool is_standard_error_as_it_was(void)
{
	struct stat now;

	return !fstat(STDERR_FILENO, &now) && now.st_dev == outlet.standard_error.st_dev &&
	       now.st_ino == outlet.standard_error.st_ino;
}

/* The path with each "%p" replaced. */
static int open_file(void)
{
	char path[PATH_MAX + 64];
	size_t used = 0;

	for (const char *from = outlet.path; *from && used < PATH_MAX; from++) {
		if (from[0] == '%' && from[1] == 'p') {
			used += (size_t)snprintf(path + used, 16, "%d", (int)getpid());
			from++;
		} else {
			path[used++] = *from;
		}
	}
	path[used] = 0;
	return open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);
}

static void write_out(const struct page *page)
{
	int fd = STDERR_FILENO;

	if (outlet.path[0])
		fd = open_file();
	else if (!is_standard_error_as_it_was())
		return;
	if (fd < 0)
		return;
	for (size_t done = 0; done < page->used;) {
		ssize_t bytes = write(fd, page->bytes + done, page->used - done);

		if (bytes < 0 && errno == EINTR)
			continue;
		if (bytes <= 0)
			break;
		done += (size_t)bytes;
	}
	if (fd != STDERR_FILENO)
		close(fd);
}

static void report_once(void)
{
	struct page page = { NULL, REPORT_BYTES, 0 };
	void *memory;
	int error = errno;

	if (!outlet.write || outlet.process != getpid() ||
	    __atomic_exchange_n(&outlet.done, true, __ATOMIC_RELAXED))
		return;
	memory = mmap(NULL, REPORT_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		      0);
	if (memory != MAP_FAILED) {
		page.bytes = memory;
		outlet.write(&page);
		write_out(&page);
		munmap(memory, REPORT_BYTES);
	}
	errno = error;
}

static void forked(void)
{
	outlet.process = getpid();
	outlet.done = false;
	stats_forked();
}

static void set_path(const char *path)
{
	size_t used = 0;

	if (!path || !path[0] || strlen(path) >= sizeof(outlet.path) / 2)
		return;
	/* The program may change its directory. */
	if (path[0] != '/' && getcwd(outlet.path, sizeof(outlet.path) / 2)) {
		used = strlen(outlet.path);
		outlet.path[used++] = '/';
	}
	memcpy(outlet.path + used, path, strlen(path) + 1);
}

__attribute__((constructor)) static void begin(void)
{
	const char *form = getenv("ONPROC_STATS");

	if (form && !strcmp(form, "text"))
		outlet.write = report_text;
	else if (form && !strcmp(form, "json"))
		outlet.write = report_json;
	else
		return;
	set_path(getenv("ONPROC_STATS_FILE"));
	fstat(STDERR_FILENO, &outlet.standard_error);
	outlet.process = getpid();
	pthread_atfork(NULL, NULL, forked);
	stats_open();
}

__attribute__((destructor)) static void end(void)
{
	report_once();
}

/* These run no destructor. */
__attribute__((visibility("default"), noreturn)) void _exit(int status)
{
	report_once();
	for (;;)
		syscall(SYS_exit_group, status);
}

__attribute__((visibility("default"), noreturn)) void _Exit(int status)
{
	_exit(status);
}
