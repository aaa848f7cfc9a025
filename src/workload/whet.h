/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * whet.h - the parts of Whetstone: eight loops (whet.c), three of them again in a form that no
 * compiler removes (whet_full.c), and the passes over them (whet_pass.c).
 */
#ifndef ONPROC_WORKLOAD_WHET_H
#define ONPROC_WORKLOAD_WHET_H

#include "workload/work.h"

#define WHET_SECTIONS 8
#define WHET_WEIGHT   100 /* x100 of the original: times as often as in the program of 1970 */

#define WHET_T	    0.49999975
#define WHET_T1	    0.50000025
#define WHET_T2	    2.0
#define WHET_START8 0.75

/* Rounds of each loop in a pass. */
#define ROUNDS_1 (12 * WHET_WEIGHT * 10)
#define ROUNDS_2 (14 * WHET_WEIGHT)
#define ROUNDS_3 (345 * WHET_WEIGHT)
#define ROUNDS_4 (210 * WHET_WEIGHT)
#define ROUNDS_5 (32 * WHET_WEIGHT - 1) /* the original counts from 1 */
#define ROUNDS_6 (899 * WHET_WEIGHT)
#define ROUNDS_7 (616 * WHET_WEIGHT)
#define ROUNDS_8 (93 * WHET_WEIGHT)

struct whet {
	const struct whet_form *form;
	/* What the loops compute, carried from pass to pass. */
	double array_1[4], array_2[4], array_4[3], array_7[3];
	double t_1, t_2, t_5; /* become 1 - t after each pass */
	double x5, y5, x6, y6, z6, x8;
	int j3;
	uint64_t section_ns[WHET_SECTIONS];
	uint64_t passes; /* after the first, untimed one */
};

struct whet_section {
	const char *name;
	void (*run)(struct whet *whet);
	int rounds;
	int operations; /* of a round, by the original's count, for the rates of sections */
};

struct whet_form {
	struct whet_section section[WHET_SECTIONS];
	/* x of the eighth loop starts afresh in each pass, and a loop that took too little time for
	 * its rounds to have been executed is an error. */
	bool is_corrected;
};

extern const struct whet_form whet_unixbench;

/* The eight loops, in order. */
void whet_array_elements(struct whet *whet);
void whet_array_parameter(struct whet *whet);
void whet_conditional_jumps(struct whet *whet);
void whet_integer_arithmetic(struct whet *whet);
void whet_trigonometric(struct whet *whet);
void whet_procedure_calls(struct whet *whet);
void whet_array_references(struct whet *whet);
void whet_standard_functions(struct whet *whet);

int whet_setup(struct work *work, const struct whet_form *form);
int whet_loop(struct work *work);
int whet_verify(const struct work *work);
void whet_cleanup(struct work *work);
void whet_explain(const struct work *work);

#endif
