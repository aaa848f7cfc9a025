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
#define FIXED_DIGITS	 4   /* at least, of a number below 1 whose decimals do not all fit */
#define EXACT_DIGITS	 15
#define SMALLEST_QUANTUM (-300)

static int decade(double value)
{
	return (int)floor(log10(fabs(value)));
}

/* Shortest of the forms that read back as value; false: none. Such a number was printed once; what
 * was computed from one (the inverse of a time) has more digits than anybody knows. */
static bool format_exact(double value, char *text)
{
	for (int digits = 1; digits <= EXACT_DIGITS; digits++) {
		snprintf(text, NUMBER_BYTES, "%.*g", digits, value);
		if (strchr(text, 'e') && fabs(value) < 1e15 && fabs(value) >= 1)
			continue;
		if (strtod(text, NULL) == value)
			return true;
	}
	return false;
}

/* Leaves decimals out for want of width, of a number below 1 as long as FIXED_DIGITS remain. */
static bool format_fixed(double value, int quantum, int width, char *text)
{
	const double unit = pow(10, quantum > 0 ? quantum : 0);

	if (quantum > 0)
		value = round(value / unit) * unit;
	for (int decimals = quantum < 0 ? -quantum : 0; decimals >= 0; decimals--) {
		snprintf(text, NUMBER_BYTES, "%.*f", decimals, value);
		if (strlen(text) <= (size_t)width)
			return true;
		if (fabs(value) < 1 && decimals <= FIXED_DIGITS - 1 - decade(value))
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

/* Power of ten of the last digit to show. is_exact: all of them are known. */
static int last_digit(double value, double half_width, bool is_exact)
{
	int quantum;

	if (isfinite(half_width) && half_width > 0)
		quantum = decade(half_width) - 1;
	else if (is_exact)
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
	bool is_exact;
	int quantum;

	if (!isfinite(value)) {
		snprintf(text, bytes, "-");
		return;
	}
	if (value == 0) {
		snprintf(text, bytes, "0");
		return;
	}
	is_exact = half_width == 0 && format_exact(value, number);
	if (is_exact && strlen(number) <= (size_t)width)
		goto out;
	quantum = last_digit(value, half_width, is_exact);
	if (format_fixed(value, quantum, width, number) ||
	    format_scientific(value, quantum, width, number))
		goto out;
	/* Never a wrong number: a column too narrow says so. */
	memset(number, '#', (size_t)width);
	number[width] = '\0';
out:
	snprintf(text, bytes, "%s", number);
}
