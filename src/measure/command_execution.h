/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * command_execution.h - one execution of a command that a user typed, watched over by a warden
 * (warden.h): what it leaves running ends with it, and so does everything when onproc dies.
 */
#ifndef ONPROC_MEASURE_COMMAND_EXECUTION_H
#define ONPROC_MEASURE_COMMAND_EXECUTION_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EXECUTION_OUTPUT_MOST ((size_t)16 << 20)

struct execution_request {
	const char *text;
	bool no_shell;		  /* split and executed instead of handed to /bin/sh -c */
	bool keeps_output;	  /* stdout into the execution; otherwise it goes to /dev/null */
	bool uninterrupted;	  /* a signal that asks onproc to stop waits for its end */
	uint64_t timeout_ns;	  /* 0: none */
	char *const *environment; /* NULL-terminated, joins or replaces onproc's own; NULL: none */
};

struct execution {
	int status; /* of wait(2) */
	uint64_t start_ns, wall_ns, user_ns, system_ns, peak_bytes;
	uint64_t voluntary, involuntary;
	char *output;	/* zero-terminated; NULL unless kept */
	size_t written; /* bytes of it; more than EXECUTION_OUTPUT_MOST: the rest is dropped */
	char tail[400]; /* end of its stderr, control characters replaced */
};

/*
 * 0 once the command has ended by itself, however it ended. -EINTR; -ETIME after timeout_ns;
 * -ECHILD when it could not be started, or its warden was killed; -EINVAL for words that cannot be
 * split. No process is left in any case. To be freed in any case.
 */
int execution_run(const struct execution_request *request, struct execution *execution,
		  struct error *err);

/* 0 for status 0, else -EBADMSG: "WHAT ended with status 3; it printed: …". */
int execution_check(const struct execution *execution, const char *what, struct error *err);

void execution_free(struct execution *execution);

#endif
