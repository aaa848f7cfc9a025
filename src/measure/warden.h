/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * warden.h - the process between the harness and the copies of a slot: no copy outlives it.
 *
 * The harness forks a warden for every slot. It leads a process group of its own, is the subreaper
 * of everything the copies start, starts the copies, keeps the tail of their stderr, and records
 * how each ended. When the slot is over, or when the harness dies however suddenly (parent-death
 * signal), it kills and reaps every process of the slot and removes the scratch directory. Should
 * the warden itself be killed, the copies get SIGKILL as their parent-death signal and what they
 * had started falls to the harness, which is a subreaper too.
 */
#ifndef ONPROC_MEASURE_WARDEN_H
#define ONPROC_MEASURE_WARDEN_H

#include "base/error.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define WARDEN_TAIL_BYTES 2048

/* How one copy ended; valid once `ended` is set. */
struct warden_copy {
	pid_t pid; /* 0: not started */
	_Atomic uint32_t ended;
	int status;		     /* of wait(2) */
	uint64_t start_ns, end_ns;   /* CLOCK_MONOTONIC_RAW, before it was forked and when it was
					reaped */
	uint64_t user_ns, system_ns; /* its own waited-for children included, as in all below */
	uint64_t peak_bytes; /* most resident memory of the copy or of one of its children */
	uint64_t voluntary, involuntary; /* context switches */
};

/* Shared with the warden (anonymous mapping). */
struct warden_board {
	_Atomic uint32_t started;  /* copies started so far */
	_Atomic uint32_t ended;	   /* copies ended so far */
	_Atomic uint32_t failed;   /* 1: a copy could not be started; code and text say why */
	_Atomic uint32_t cleaning; /* 1: the warden ended the rest by force */
	int code;
	char text[256];
	int exec_errno; /* of the copy being started: in memory that it shares even where vfork
			   copies */
	_Atomic uint32_t tail_used;   /* bytes ever written to the copies' stderr */
	char tail[WARDEN_TAIL_BYTES]; /* ring: last bytes of it */
	struct warden_copy copy[];
};

struct warden_request {
	const char *program;	  /* absolute path */
	const char *test;	  /* argv[1]: name of the test; argv[2] is the number of the copy */
	char *const *argv;	  /* instead of these; NULL: these */
	char *const *environment; /* NULL-terminated */
	uint32_t copies;
	int page_fd;	/* -1: none */
	int stdout_fd;	/* of the copies; -1: /dev/null */
	const int *cpu; /* per copy, -1 or NULL: not pinned */
	const char
		*scratch; /* cwd of the copies, removed by the warden; NULL: that of the harness */
};

struct warden {
	pid_t pid; /* of the warden and of the process group; 0: none */
	int pidfd; /* -1: none */
	uint32_t copies;
	struct warden_board *board;
	char *scratch;
};

/* Makes the caller a subreaper; once per process, before the first warden. */
int warden_prepare(struct error *err);

/* Forks the warden, which starts the copies. Returns before they are up: see board. 0 or -errno. */
int warden_start(struct warden *warden, const struct warden_request *request, struct error *err);

/*
 * Waits until every copy has ended by itself or patience_ns has passed, then has the rest killed,
 * reaps the warden and sweeps up what a killed warden left. Safe on a zeroed or half-started
 * warden; board stays readable until warden_free().
 */
void warden_finish(struct warden *warden, uint64_t patience_ns);
void warden_free(struct warden *warden);

/*
 * True once a copy has ended or the warden is no longer watching: whatever is counted from then on
 * is not a measurement. *what says it in words.
 */
bool warden_is_broken(const struct warden *warden, const char **what);

/* True once nothing more can change on the board. The warden still waits to be finished. */
bool warden_has_ended(const struct warden *warden);

/* Last lines of the copies' stderr as text, control characters replaced; "" when there was none. */
void warden_tail(const struct warden *warden, char *text, size_t bytes);

#endif
