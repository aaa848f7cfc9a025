/* SPDX-License-Identifier: MIT */
/* slice.h - where a thread asks the kernel not to take its CPU away (rseq slice extension). */
#ifndef ONPROC_LIB_SENSOR_SLICE_H
#define ONPROC_LIB_SENSOR_SLICE_H

#include <stdint.h>

/* As in struct rseq of Linux 7.0 at byte 28: written by the thread, and by the kernel when it
 * grants or revokes. */
struct slice_control {
	uint8_t request;
	uint8_t granted;
};

/* NULL: this thread asks for nothing. */
extern __thread __attribute__((tls_model("initial-exec"),
			       visibility("hidden"))) struct slice_control *slice_control;

#endif
