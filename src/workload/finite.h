/* SPDX-License-Identifier: GPL-2.0-or-later */
/* finite.h - is a double a number? With -ffast-math the compiler believes that it always is one. */
#ifndef ONPROC_WORKLOAD_FINITE_H
#define ONPROC_WORKLOAD_FINITE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define DOUBLE_EXPONENT 0x7ff0000000000000ull /* all ones: infinite or not a number */

static inline bool is_finite(double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return (bits & DOUBLE_EXPONENT) != DOUBLE_EXPONENT;
}

#endif
