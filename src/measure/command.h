/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * command.h - any command as an instrument: what is run, and what of it is the measurement.
 *
 * A slot is one complete run, repeated until COMMAND_LEAST_NS where it is shorter. The text is
 * passed unchanged as the argument of `/bin/sh -c`, or split into words (command_words.h) and
 * executed; values come by environment: ONPROC_SIDE ("A", "B" or empty), ONPROC_BLOCK,
 * ONPROC_COPIES, ONPROC_DIR (scratch directory of the slot).
 */
#ifndef ONPROC_MEASURE_COMMAND_H
#define ONPROC_MEASURE_COMMAND_H

#include "base/clock.h"
#include "base/error.h"
#include "base/sha256.h"
#include "measure/command_metric.h"
#include "workload/workload.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#define COMMAND_LEAST_NS   (100 * NS_PER_MS)
#define COMMAND_WARMUP_MAX 10000

struct instrument {
	/* Given. */
	char *text[2]; /* of side A and side B; [1] NULL: one command for both */
	char *name;    /* in the id; NULL: a part of the hash */
	char *metric_text, *prepare, *cleanup; /* NULL: none; wall time for the metric */
	bool no_shell;
	bool ignore_failure;
	uint32_t warmup_runs;
	uint64_t timeout_ns; /* of one run, 0: none */

	/* Made by instrument_complete(). */
	struct metric metric;
	char hash[SHA256_HEX_BYTES]; /* of the commands, the metric and the way of starting */
	char *id, *title;
	struct workload workload; /* what a row of a plan shows of it */
};

/* The command of side 0 or 1. */
const char *instrument_text(const struct instrument *instrument, int side);

/*
 * Checks what was given and makes the rest; an adapter that knows the command supplies a metric
 * that was not given. -EINVAL with what was expected.
 */
int instrument_complete(struct instrument *instrument, struct error *err);

/*
 * Without a shell a name that PATH does not have is known before anything is switched; a path may
 * be made by --prepare. -EINVAL with the name.
 */
int instrument_check_programs(const struct instrument *instrument, struct error *err);

/*
 * {"text":…,"text_b":null|…,"name":null|…,"metric":null|…,"prepare":null|…,"cleanup":null|…,
 *  "shell":true,"ignore_failure":false,"warmup_runs":0,"timeout_ns":null|ns}. New; NULL: no memory.
 */
json_t *instrument_to_json(const struct instrument *instrument);

/* A new, complete instrument, or -EINVAL with the path of the member in a plan. */
int instrument_from_json(const json_t *object, struct instrument **instrument, struct error *err);

/* What tells series apart besides the id: command, metric, prepare. New; NULL: no memory. */
json_t *instrument_params(const struct instrument *instrument);

void instrument_free(struct instrument *instrument); /* itself too; NULL is fine */

#endif
