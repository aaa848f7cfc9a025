// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * whet_full.c - Whetstone with all of its eight loops executed, whatever the compiler can prove.
 *
 * The loops whose results a compiler can foresee (N3, N4, N7) hide their variables from it in each
 * round, which costs no instruction. x of the last loop starts afresh in each pass, so that log()
 * and exp() are timed away from their fixed point. A loop that took less time than its rounds can
 * take fails the run.
 */
#include "workload/opaque.h"
#include "workload/whet.h"

static void conditional_jumps(struct whet *whet)
{
	int j = 1;

	for (int i = 0; i < ROUNDS_3; i++) {
		j = opaque_int(j) == 1 ? 2 : 3;
		j = opaque_int(j) > 2 ? 0 : 1;
		j = opaque_int(j) < 1 ? 1 : 0;
	}
	whet->j3 = j;
}

static void integer_arithmetic(struct whet *whet)
{
	double *e = whet->array_4;
	int j = 1, k = 2, l = 3;

	for (int i = 0; i < ROUNDS_4; i++) {
		j = opaque_int(j) * (k - j) * (l - k);
		k = l * opaque_int(k) - (l - j) * k;
		l = (opaque_int(l) - k) * (k + j);
		e[l - 2] = j + k + l;
		e[k - 2] = j * k * l;
	}
}

static void array_references(struct whet *whet)
{
	double *e = whet->array_7;
	int j = opaque_int(0), k = opaque_int(1), l = opaque_int(2);

	e[0] = 1.0;
	e[1] = 2.0;
	e[2] = 3.0;
	for (int i = 0; i < ROUNDS_7; i++) {
		e = opaque_pointer(e);
		e[j] = e[k];
		e[k] = e[l];
		e[l] = e[j];
	}
}

static const struct whet_form whet_full = {
	.section = {
		{ "N1 array elements", whet_array_elements, ROUNDS_1, 16 },
		{ "N2 array as parameter", whet_array_parameter, ROUNDS_2, 96 },
		{ "N3 conditional jumps", conditional_jumps, ROUNDS_3, 3 },
		{ "N4 integer arithmetic", integer_arithmetic, ROUNDS_4, 15 },
		{ "N5 sin, cos, atan", whet_trigonometric, ROUNDS_5, 26 },
		{ "N6 procedure calls", whet_procedure_calls, ROUNDS_6, 6 },
		{ "N7 array references", array_references, ROUNDS_7, 3 },
		{ "N8 sqrt, exp, log", whet_standard_functions, ROUNDS_8, 4 },
	},
	.is_corrected = true,
};

static int setup(struct work *work)
{
	return whet_setup(work, &whet_full);
}

const struct workload workload_whetstone_full = {
	.id = "onproc/whetstone-full@1",
	.title = "Double-Precision Whetstone, all eight loops",
	.help = "one pass over Whetstone's eight loops, each of them really executed",
	.unit = "MWIPS",
	.program = "whet",
	.file = "whet_full",
	.units_per_iteration = 10,
	.class = CLASS_CPU,
	.rate = RATE_SELF_TIMED,
	.processes = 1,
	.setup = setup,
	.loop = whet_loop,
	.verify = whet_verify,
	.cleanup = whet_cleanup,
	.explain = whet_explain,
};
