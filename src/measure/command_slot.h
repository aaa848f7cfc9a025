/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * command_slot.h - measures one slot of a command: prepare, warm-up runs, runs, cleanup.
 *
 * Only the runs are timed. The evidence of the slot covers all runs and has, besides what
 * evidence.h lists: "runs", "wall_ns", "user_ns" and "system_ns" summed over them, "peak_bytes" of
 * the largest, and "metric", the mean of what they said before it became a rate.
 */
#ifndef ONPROC_MEASURE_COMMAND_SLOT_H
#define ONPROC_MEASURE_COMMAND_SLOT_H

#include "measure/slot.h"

/*
 * request->instrument is set; times, pinning and program_dir are not looked at. 0; -EINTR; -ETIME
 * after the instrument's timeout; -EBADMSG for a run that failed; -ENOMSG for one without a metric;
 * -ECHILD for one that could not be started. No process and no scratch directory is left.
 */
int command_slot_run(const struct slot_request *request, struct slot_result *result,
		     struct error *err);

#endif
