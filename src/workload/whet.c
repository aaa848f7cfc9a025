// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * whet.c - Double-Precision Whetstone: eight loops in the proportions that Curnow and Wichmann
 * found in scientific programs of 1970.
 *
 * One iteration is one outer pass over the eight loops: 10 million Whetstone instructions. Its time
 * is the sum of the times of the loops, with a tenth of that of the first, which runs ten times as
 * often as its weight so that it can be timed.
 *
 * The loops are written for the compiler to treat as it treats those of UnixBench, and with gcc and
 * clang it finds out that the fourth computes constants and removes it; whetstone-full is the form
 * in which all eight are executed.
 */
#include "workload/whet.h"

#include <math.h>

/* N1: array elements. */
void whet_array_elements(struct whet *whet)
{
	double *e = whet->array_1, t = whet->t_1;

	for (int i = 0; i < ROUNDS_1; i++) {
		e[0] = (e[0] + e[1] + e[2] - e[3]) * t;
		e[1] = (e[0] + e[1] - e[2] + e[3]) * t;
		e[2] = (e[0] - e[1] + e[2] + e[3]) * t;
		e[3] = (-e[0] + e[1] + e[2] + e[3]) * t;
	}
	whet->t_1 = 1.0 - t;
}

static void array_sweep(double e[4], double t, double t2)
{
	for (int j = 0; j < 6; j++) {
		e[0] = (e[0] + e[1] + e[2] - e[3]) * t;
		e[1] = (e[0] + e[1] - e[2] + e[3]) * t;
		e[2] = (e[0] - e[1] + e[2] + e[3]) * t;
		e[3] = (-e[0] + e[1] + e[2] + e[3]) / t2;
	}
}

/* N2: an array as parameter. */
void whet_array_parameter(struct whet *whet)
{
	double t = whet->t_2;

	for (int i = 0; i < ROUNDS_2; i++)
		array_sweep(whet->array_2, t, WHET_T2);
	whet->t_2 = 1.0 - t;
}

/* N3: conditional jumps. */
void whet_conditional_jumps(struct whet *whet)
{
	int j = 1;

	for (int i = 0; i < ROUNDS_3; i++) {
		if (j == 1)
			j = 2;
		else
			j = 3;
		if (j > 2)
			j = 0;
		else
			j = 1;
		if (j < 1)
			j = 1;
		else
			j = 0;
	}
	whet->j3 = j;
}

/* N4: integer arithmetic. */
void whet_integer_arithmetic(struct whet *whet)
{
	double *e = whet->array_4;
	int j = 1, k = 2, l = 3;

	for (int i = 0; i < ROUNDS_4; i++) {
		j = j * (k - j) * (l - k);
		k = l * k - (l - j) * k;
		l = (l - k) * (k + j);
		e[l - 2] = j + k + l;
		e[k - 2] = j * k * l;
	}
}

/* N5: trigonometric functions. */
void whet_trigonometric(struct whet *whet)
{
	double x = whet->x5, y = whet->y5, t = whet->t_5;

	for (int i = 0; i < ROUNDS_5; i++) {
		x = t * atan(WHET_T2 * sin(x) * cos(x) / (cos(x + y) + cos(x - y) - 1.0));
		y = t * atan(WHET_T2 * sin(y) * cos(y) / (cos(x + y) + cos(x - y) - 1.0));
	}
	whet->x5 = x;
	whet->y5 = y;
	whet->t_5 = 1.0 - t;
}

static void three_values(double *x, double *y, double *z, double t, double t1, double t2)
{
	*x = *y;
	*y = *z;
	*x = t * (*x + *y);
	*y = t1 * (*x + *y);
	*z = (*x + *y) / t2;
}

/* N6: procedure calls. */
void whet_procedure_calls(struct whet *whet)
{
	double x = whet->x6, y = whet->y6, z = whet->z6;

	for (int i = 0; i < ROUNDS_6; i++)
		three_values(&x, &y, &z, WHET_T, WHET_T1, WHET_T2);
	whet->x6 = x;
	whet->y6 = y;
	whet->z6 = z;
}

static void three_elements(double e[3], int j, int k, int l)
{
	e[j] = e[k];
	e[k] = e[l];
	e[l] = e[j];
}

/* N7: array references. */
void whet_array_references(struct whet *whet)
{
	double *e = whet->array_7;

	e[0] = 1.0;
	e[1] = 2.0;
	e[2] = 3.0;
	for (int i = 0; i < ROUNDS_7; i++)
		three_elements(e, 0, 1, 2);
}

/* N8: standard functions. */
void whet_standard_functions(struct whet *whet)
{
	double x = whet->x8;

	for (int i = 0; i < ROUNDS_8; i++)
		x = sqrt(exp(log(x) / WHET_T1));
	whet->x8 = x;
}

const struct whet_form whet_unixbench = {
	.section = {
		{ "N1 array elements", whet_array_elements, ROUNDS_1, 16 },
		{ "N2 array as parameter", whet_array_parameter, ROUNDS_2, 96 },
		{ "N3 conditional jumps", whet_conditional_jumps, ROUNDS_3, 3 },
		{ "N4 integer arithmetic", whet_integer_arithmetic, ROUNDS_4, 15 },
		{ "N5 sin, cos, atan", whet_trigonometric, ROUNDS_5, 26 },
		{ "N6 procedure calls", whet_procedure_calls, ROUNDS_6, 6 },
		{ "N7 array references", whet_array_references, ROUNDS_7, 3 },
		{ "N8 sqrt, exp, log", whet_standard_functions, ROUNDS_8, 4 },
	},
};

static int setup(struct work *work)
{
	return whet_setup(work, &whet_unixbench);
}

const struct workload workload_whetstone_double = {
	.id = "unixbench6/whetstone-double@1",
	.title = "Double-Precision Whetstone",
	.help = "10 million Whetstone instructions: one pass over its eight loops",
	.unit = "MWIPS",
	.program = "whet",
	.file = "whet",
	.note = "the compiler removes loops whose results it foresees (gcc one of eight, the "
		"integers), as in UnixBench: see whetstone-full",
	.baseline = 55.0,
	.units_per_iteration = 10,
	.class = CLASS_CPU,
	.rate = RATE_SELF_TIMED,
	.processes = 1,
	.classic_s = 10,
	.classic_passes = 10,
	.setup = setup,
	.loop = whet_loop,
	.verify = whet_verify,
	.cleanup = whet_cleanup,
	.explain = whet_explain,
};

const struct workload workload_whetstone_generic = {
	.id = "onproc/whetstone-generic@1",
	.title = "Double-Precision Whetstone, generic build",
	.help = "whetstone-double built with -O2 for any CPU of the architecture",
	.unit = "MWIPS",
	.program = "whet-generic",
	.file = "whet",
	.note = "the compiler removes loops whose results it foresees (gcc one of eight, the "
		"integers), as in UnixBench: see whetstone-full",
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
