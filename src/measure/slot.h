/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slot.h - measures one slot: starts the copies afresh, counts them over one common window, stops
 * them.
 */
#ifndef ONPROC_MEASURE_SLOT_H
#define ONPROC_MEASURE_SLOT_H

#include "base/error.h"
#include "measure/evidence.h"
#include "workload/workload.h"

#include <stdbool.h>
#include <stdint.h>

struct instrument;

struct slot_request {
	const struct workload *workload;
	const struct instrument *instrument; /* a command instead: command_slot.h; NULL: none */
	const int64_t *param;
	uint32_t copies;
	uint64_t slot_ns, warmup_ns;
	const int *cpu;	      /* copies values, -1: not pinned; NULL: none pinned */
	const int (*pair)[2]; /* CPUs of both parties, NULL: free */
	const char *side;     /* "A", "B", NULL: none */
	uint32_t block;
	char *const *environment;  /* "NAME=VALUE" of the side, NULL-terminated; NULL: none */
	const char *dir;	   /* the slot makes and removes a scratch directory in it */
	const char *program_dir;   /* where the workload programs lie */
	struct evidence *evidence; /* NULL: take none */
};

struct slot_result {
	uint64_t length_ns; /* of the window really measured, mid-sweep to mid-sweep */
	double rate;	    /* in the workload's unit, over all copies */
	double *counts;	    /* per copy; to be freed */
	uint64_t start_ns;  /* CLOCK_MONOTONIC_RAW at the start of the window */
	bool lengthened;    /* the window had to grow until every copy ran often enough */
	bool not_steady;    /* MSER on the sub-slices wants to cut more than the warm-up */
	json_t *evidence;   /* new reference; NULL when none was asked for */
};

/*
 * 0, or: -EINTR (signal flag set, nothing measured), -ECHILD a copy died (text: which, how, tail of
 * its stderr), -EBADMSG a wrong answer (the copy's note), -ETIME no copy count in time, -EAGAIN no
 * more processes. On any return no process of the slot is left and its scratch directory is gone.
 */
int slot_run(const struct slot_request *request, struct slot_result *result, struct error *err);

#endif
