/* SPDX-License-Identifier: GPL-2.0-or-later */
/* programs.h - running the workload programs of the build, for tests. */
#ifndef ONPROC_TESTS_PROGRAMS_H
#define ONPROC_TESTS_PROGRAMS_H

#include "workload/page.h"
#include "workload/workload.h"

#include <sys/types.h>

#define OUTPUT_BYTES 4096

/* Runs `onproc-work-PROGRAM words…`, keeps the first bytes of both outputs. Returns its exit code.
 */
int program_run(const char *program, const char *const *words, char output[OUTPUT_BYTES],
		char errors[OUTPUT_BYTES]);

/* A page for so many copies; its descriptor goes to *fd. */
struct page *page_make(uint32_t copies, int *fd);
void page_free(struct page *page, int fd);

/* Starts a program with these words, or a copy of a test, with the page on PAGE_FD. */
pid_t words_start(const char *program, const char *const *words, int page_fd);
pid_t copy_start(const char *program, const char *test, const char *copy, int page_fd);
/* Its exit code, or 128 and the number of the signal. */
int copy_wait(pid_t pid);

/* Waits, for a minute at most, until so many copies are ready; says whether they are. */
bool page_wait_ready(struct page *page, uint32_t copies);
void page_go(struct page *page);

#endif
