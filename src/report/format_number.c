// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * format_number.c - a number with the digits that its interval supports, in a fixed width.
 *
 * The last digit shown is that of the second significant digit of the interval's half-width
 * (JCGM 100:2008, 7.2.6); digits left of it that are not supported are zeros.
 */
#include "report/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_BYTES	 512 /* the longest "%.0f" of a double has 310 */
#define UNKNOWN_DIGITS	 3   /* shown of an estimate without an interval */
#define EXACT_DIGITS	 15
#define SMALLEST_QUANTUM (-300)

static int decade(double value)
{
	return (int)floor(log10(fabs(value)));
}

/* Shortest of the forms that read back as value and fit; false: none. */
static bool format_exact(double value, int width, char *text)
{
	for (int digits = 1; digits <= EXACT_DIGITS; digits++) {
		snprintf(text, NUMBER_BYTES, "%.*g", digits, value);
		if (strchr(text, 'e') && fabs(value) < 1e15 && fabs(value) >= 1)
			continue;
		if (strtod(text, NULL) == value)
			return strlen(text) <= (size_t)width;
	}
	return false;
}

/* Leaves decimals out for want of width, but only of numbers that have digits before the point. */
static bool format_fixed(double value, int quantum, int width, char *text)
{
	const double unit = pow(10, quantum > 0 ? quantum : 0);

	if (quantum > 0)
		value = round(value / unit) * unit;
	for (int decimals = quantum < 0 ? -quantum : 0; decimals >= 0; decimals--) {
		snprintf(text, NUMBER_BYTES, "%.*f", decimals, value);
		if (strlen(text) <= (size_t)width)
			return true;
		if (fabs(value) < 1)
			return false;
	}
	return false;
}

static bool format_scientific(double value, int quantum, int width, char *text)
{
	int digits = decade(value) - quantum;

	for (; digits >= 0; digits--) {
		snprintf(text, NUMBER_BYTES, "%.*e", digits, value);
		if (strlen(text) <= (size_t)width)
			return true;
	}
	return false;
}

/* Power of ten of the last digit to show. */
static int last_digit(double value, double half_width)
{
	int quantum;

	if (isfinite(half_width) && half_width > 0)
		quantum = decade(half_width) - 1;
	else if (half_width == 0)
		quantum = decade(value) - EXACT_DIGITS + 1;
	else
		quantum = decade(value) - UNKNOWN_DIGITS + 1;
	if (quantum > decade(value)) /* an interval wider than the number: its first digit */
		quantum = decade(value);
	return quantum > SMALLEST_QUANTUM ? quantum : SMALLEST_QUANTUM;
}

void format_number(double value, double half_width, int width, char *text, size_t bytes)
{
	char number[NUMBER_BYTES];
	int quantum;

	if (!isfinite(value)) {
		snprintf(text, bytes, "-");
		return;
	}
	if (value == 0) {
		snprintf(text, bytes, "0");
		return;
	}
	if (half_width == 0 && format_exact(value, width, number))
		goto out;
	quantum = last_digit(value, half_width);
	if (format_fixed(value, quantum, width, number) ||
	    format_scientific(value, quantum, width, number))
		goto out;
	/* Never a wrong number: a column too narrow says so. */
	memset(number, '#', (size_t)width);
	number[width] = '\0';
out:
	snprintf(text, bytes, "%s", number);
}
