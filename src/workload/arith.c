// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * arith.c - Arithmetic Test, in each type: the sum of i*i / (i*i - 1) for i = 2 ... 101.
 *
 * One iteration is one call of the function that sums: 100 steps of a multiplication, a
 * subtraction, a division and an addition. i is hidden from the compiler in each step, so that it
 * can neither compute the sum beforehand nor several steps at once, and each sum is checked.
 * arithoh is the call alone.
 */
#include "workload/finite.h"
#include "workload/opaque.h"
#include "workload/work.h"

#include <errno.h>

#define FIRST 2
#define LAST  101

/*
 * 100 for integers, whose quotients are all 1. Otherwise 100 and the sum of 1 / (i*i - 1), which
 * telescopes: 3/4 - 1/(2n) - 1/(2(n+1)) for i = 2 ... n.
 */
#define SUM_INTEGER 100
#define SUM_REAL    (100 + 0.75 - 0.5 / LAST - 0.5 / (LAST + 1))

#define SUM_IN(type, name)                                                                         \
	static __attribute__((noinline)) type sum_##name(void)                                     \
	{                                                                                          \
		type sum = 0;                                                                      \
                                                                                                   \
		for (int i = FIRST; i <= LAST; i++) {                                              \
			type x = (type)opaque_int(i);                                              \
			type square = (type)(x * x);                                               \
                                                                                                   \
			sum = (type)(sum + square / (square - 1));                                 \
		}                                                                                  \
		return sum;                                                                        \
	}
SUM_IN(short, short)
SUM_IN(int, int)
SUM_IN(long, long)
SUM_IN(float, float)
SUM_IN(double, double)

static __attribute__((noinline)) int sum_of_nothing(void)
{
	return opaque_int(0);
}

static bool is_near(double sum, double expected, double tolerance)
{
	return is_finite(sum) && sum >= expected - tolerance && sum <= expected + tolerance;
}

static int wrong_sum(struct work *work, double sum, double expected)
{
	return work_fail(work, -EBADMSG, "the sum is %.9f, not %.9f", sum, expected);
}

/* One loop a type: a call through a pointer would be a part of each iteration. */
#define LOOP_IN(name, expected, tolerance)                                                         \
	static int loop_##name(struct work *work)                                                  \
	{                                                                                          \
		uint64_t count = 0;                                                                \
                                                                                                   \
		while (!work_stopped(work)) {                                                      \
			double sum = (double)sum_##name();                                         \
                                                                                                   \
			if (!is_near(sum, expected, tolerance))                                    \
				return wrong_sum(work, sum, expected);                             \
			work_count(work, ++count);                                                 \
		}                                                                                  \
		return 0;                                                                          \
	}
LOOP_IN(short, SUM_INTEGER, 0)
LOOP_IN(int, SUM_INTEGER, 0)
LOOP_IN(long, SUM_INTEGER, 0)
LOOP_IN(float, SUM_REAL, 1e-3)
LOOP_IN(double, SUM_REAL, 1e-9)
LOOP_IN(of_nothing, 0, 0)

#define ARITH_RUNS                                                                                 \
	.unit = "lps", .program = "arith", .file = "arith", .units_per_iteration = 1,              \
	.class = CLASS_CPU, .rate = RATE_COUNTED, .processes = 1, .classic_s = 10,                 \
	.classic_passes = 3

const struct workload workload_arithoh = {
	.id = "unixbench6/arithoh@1",
	.title = "Arithoh",
	.help = "a call of an empty function: the overhead of the arithmetic tests",
	.loop = loop_of_nothing,
	ARITH_RUNS,
};

const struct workload workload_arith_short = {
	.id = "unixbench6/short@1",
	.title = "Arithmetic Test (short)",
	.help = "100 steps of multiply, subtract, divide and add in short",
	.loop = loop_short,
	ARITH_RUNS,
};

const struct workload workload_arith_int = {
	.id = "unixbench6/int@1",
	.title = "Arithmetic Test (int)",
	.help = "100 steps of multiply, subtract, divide and add in int",
	.loop = loop_int,
	ARITH_RUNS,
};

const struct workload workload_arith_long = {
	.id = "unixbench6/long@1",
	.title = "Arithmetic Test (long)",
	.help = "100 steps of multiply, subtract, divide and add in long",
	.loop = loop_long,
	ARITH_RUNS,
};

const struct workload workload_arith_float = {
	.id = "unixbench6/float@1",
	.title = "Arithmetic Test (float)",
	.help = "100 steps of multiply, subtract, divide and add in float",
	.loop = loop_float,
	ARITH_RUNS,
};

const struct workload workload_arith_double = {
	.id = "unixbench6/double@1",
	.title = "Arithmetic Test (double)",
	.help = "100 steps of multiply, subtract, divide and add in double",
	.loop = loop_double,
	ARITH_RUNS,
};
