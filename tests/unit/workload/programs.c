// SPDX-License-Identifier: GPL-2.0-or-later
/* programs.c - the part of the harness, in its smallest form. */
#include "programs.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WORDS_MAX 16
#define WAIT_MS	  60000

static void program_path(const char *program, char path[PATH_MAX])
{
	snprintf(path, PATH_MAX, "%s/onproc-work-%s", getenv("PROGRAMS"), program);
}

int copy_wait(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void file_read(FILE *file, char text[OUTPUT_BYTES])
{
	rewind(file);
	text[fread(text, 1, OUTPUT_BYTES - 1, file)] = '\0';
	fclose(file);
}

int program_run(const char *program, const char *const *words, char output[OUTPUT_BYTES],
		char errors[OUTPUT_BYTES])
{
	const char *argv[WORDS_MAX + 2] = { 0 };
	char path[PATH_MAX];
	FILE *out = tmpfile(), *err = tmpfile();
	pid_t pid;
	int code;

	program_path(program, path);
	argv[0] = path;
	for (int i = 0; i < WORDS_MAX && words[i]; i++)
		argv[i + 1] = words[i];
	pid = fork();
	if (!pid) {
		int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

		dup2(null, STDIN_FILENO);
		dup2(fileno(out), STDOUT_FILENO);
		dup2(fileno(err), STDERR_FILENO);
		execv(path, (char **)argv);
		_exit(127);
	}
	code = copy_wait(pid);
	file_read(out, output);
	file_read(err, errors);
	return code;
}

struct page *page_make(uint32_t copies, int *fd)
{
	struct page *page;

	*fd = memfd_create("page", MFD_CLOEXEC);
	if (*fd < 0 || ftruncate(*fd, (off_t)page_bytes(copies, 0)))
		return NULL;
	page = mmap(NULL, page_bytes(copies, 0), PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
	if (page == MAP_FAILED)
		return NULL;
	page->magic = PAGE_MAGIC;
	page->copies = copies;
	strcpy(page->dir, "/tmp");
	for (uint32_t i = 0; i < copies; i++)
		page_line(page, i)->cpu[0] = page_line(page, i)->cpu[1] = -1;
	return page;
}

void page_free(struct page *page, int fd)
{
	munmap(page, page_bytes(page->copies, 0));
	close(fd);
}

pid_t words_start(const char *program, const char *const *words, int page_fd)
{
	const char *argv[WORDS_MAX + 2] = { 0 };
	char path[PATH_MAX];
	pid_t pid;

	program_path(program, path);
	argv[0] = path;
	for (int i = 0; i < WORDS_MAX && words[i]; i++)
		argv[i + 1] = words[i];
	pid = fork();
	if (pid)
		return pid;
	if (page_fd == PAGE_FD)
		fcntl(PAGE_FD, F_SETFD, 0);
	else
		dup2(page_fd, PAGE_FD);
	execv(path, (char **)argv);
	_exit(127);
}

pid_t copy_start(const char *program, const char *test, const char *copy, int page_fd)
{
	return words_start(program, (const char *const[]){ test, copy, NULL }, page_fd);
}

bool page_wait_ready(struct page *page, uint32_t copies)
{
	const struct timespec ms = { .tv_nsec = 1000000 };

	for (int i = 0; i < WAIT_MS && page->ready < copies; i++)
		nanosleep(&ms, NULL);
	return page->ready == copies;
}

void page_go(struct page *page)
{
	page->go = 1;
	syscall(SYS_futex, &page->go, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}
