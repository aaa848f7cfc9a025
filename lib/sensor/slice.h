/* SPDX-License-Identifier: MIT */
/*
 * slice.h - asks the kernel not to take the CPU away for a moment (rseq slice extension).
 *
 * Around a section of a µs or so between two atomic steps: slice_begin(), the section without any
 * system call, slice_end(). Where the kernel was not asked for it (kind rseq-slice is not open)
 * this is a load of a thread's own word and a branch.
 */
#ifndef ONPROC_LIB_SENSOR_SLICE_H
#define ONPROC_LIB_SENSOR_SLICE_H

#include <stdbool.h>
#include <stddef.h>
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

void slice_give_back(void); /* the CPU, early: the grant was used */

static inline __attribute__((always_inline)) void slice_begin(void)
{
	struct slice_control *control = slice_control;

	if (__builtin_expect(control != NULL, 0)) {
		__atomic_store_n(&control->request, 1, __ATOMIC_RELAXED);
		__atomic_signal_fence(__ATOMIC_SEQ_CST); /* the kernel looks on this CPU */
	}
}

static inline __attribute__((always_inline)) void slice_end(void)
{
	struct slice_control *control = slice_control;

	if (__builtin_expect(control != NULL, 0)) {
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		__atomic_store_n(&control->request, 0, __ATOMIC_RELAXED);
		if (__atomic_load_n(&control->granted, __ATOMIC_RELAXED))
			slice_give_back();
	}
}

#endif
