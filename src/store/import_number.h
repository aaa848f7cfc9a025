/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * import_number.h - numbers as other tools print them, with what their digits say and do not say;
 * words; dates. The decimal mark is a point in any locale.
 */
#ifndef ONPROC_STORE_IMPORT_NUMBER_H
#define ONPROC_STORE_IMPORT_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A number as it was printed: the true value lies within half of its last digit. */
struct printed {
	double value, half;
	bool has_decimals;
};

/*
 * The whole text is one number >= 0: "12", "12.5", "1,234,567.8", "1.25e+07". false: it is none, is
 * not finite, or ends in its decimal point as a number that was cut does.
 */
bool printed_parse(const char *text, struct printed *number);

/* Decimal digits and nothing else, at most `most`. */
bool count_parse(const char *text, uint32_t most, uint32_t *number);

/* Half of the last digit, relative to the value; 0 for 0. */
double printed_relative(const struct printed *number);

/*
 * Splits text into words, in place. Returns how many there are, at most `most`; the last one then
 * holds the rest of the text.
 */
size_t words_split(char *text, char **words, size_t most);

/* "hh:mm:ss" to seconds of the day; the text may go on. */
bool clock_parse(const char *text, int *seconds);

/*
 * A date in words in any order the tools use ("Mon Nov 30 2026", "30 Nov 2026", "Wed Sep  4
 * 22:11:32 BST 2002"), as if it were UTC; 0: not understood. seconds: of the day, used when the
 * text has no clock of its own.
 */
uint64_t date_parse(const char *text, int seconds);

/* The zone that stands behind the clock of such a date ("BST", "+0200"), whose hours nobody knows
 * for sure: "IST" is Indian, Irish or Israeli. False: there is none. */
#define DATE_ZONE_BYTES 8
bool date_zone(const char *text, char zone[DATE_ZONE_BYTES]);

/* "2024-05-26T14:14:03+02:00", with a blank for the T, without zone (then UTC); 0: none. */
uint64_t date_parse_iso(const char *text);
bool date_iso_has_zone(const char *text); /* "Z" or an offset */

#endif
