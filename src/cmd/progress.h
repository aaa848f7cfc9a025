/* SPDX-License-Identifier: GPL-2.0-or-later */
/* progress.h - the live line of a long measurement, on stderr. */
#ifndef ONPROC_CMD_PROGRESS_H
#define ONPROC_CMD_PROGRESS_H

#include "measure/bench.h"

struct progress {
	const char *verb;
	bool is_terminal;
	bool line_is_drawn;
	uint64_t last_ns; /* when a plain line was printed, CLOCK_MONOTONIC_RAW; 0: never */
};

void progress_begin(struct progress *progress, const char *verb);

/* A bench_request's progress(): on a terminal one line is redrawn, else a plain line every 10 s. */
void progress_show(const struct bench_progress *now, void *context);

/* Clears a line that was drawn. */
void progress_end(struct progress *progress);

/* The line itself, at most `columns` wide; bytes has room for it. */
void progress_text(const struct bench_progress *now, int columns, char *text, size_t bytes);

#endif
