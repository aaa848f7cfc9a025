// SPDX-License-Identifier: GPL-2.0-or-later
/* import_number.c - see import_number.h. */
#include "store/import_number.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define DIGITS_MOST    400 /* the longest "%.1f" of a double has 311 characters */
#define EXPONENT_MOST  400
#define EXACT_DIGITS   15   /* a double holds any number of so many digits */
#define EXACT_EXPONENT 22   /* and this power of ten */
#define YEAR_0	       1971 /* a number from here on is a year */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Digits of a number as they are read. */
struct digits {
	uint64_t exact; /* of the first EXACT_DIGITS */
	long double all;
	size_t count, decimals;
};

static void digits_add(struct digits *digits, char digit)
{
	digits->all = 10 * digits->all + (digit - '0');
	if (digits->count < EXACT_DIGITS)
		digits->exact = 10 * digits->exact + (uint64_t)(digit - '0');
	if (digits->count || digit != '0')
		digits->count++;
}

/* Both operands are exact, so the quotient is the double nearest to what was printed. */
static double digits_value(const struct digits *digits, int exponent)
{
	int power = exponent - (int)digits->decimals;

	if (digits->count <= EXACT_DIGITS && power <= 0 && -power <= EXACT_EXPONENT)
		return (double)digits->exact / pow(10, -power);
	return (double)(digits->all * powl(10, power));
}

/* "1,234,567": groups of three after the first comma. */
static const char *take_whole(const char *at, struct digits *digits)
{
	size_t lead = strspn(at, "0123456789");
	bool grouped = lead > 0 && lead < 4;

	for (; is_digit(*at); at++)
		digits_add(digits, *at);
	while (grouped && *at == ',' && strspn(at + 1, "0123456789") == 3) {
		for (at++; is_digit(*at); at++)
			digits_add(digits, *at);
	}
	return at;
}

static const char *take_exponent(const char *at, int *exponent)
{
	bool negative;

	*exponent = 0;
	if (*at != 'e' && *at != 'E')
		return at;
	at++;
	negative = *at == '-';
	if (*at == '-' || *at == '+')
		at++;
	if (!is_digit(*at))
		return NULL;
	for (; is_digit(*at) && *exponent < EXPONENT_MOST; at++)
		*exponent = 10 * *exponent + (*at - '0');
	if (negative)
		*exponent = -*exponent;
	return at;
}

bool printed_parse(const char *text, struct printed *number)
{
	struct digits digits = { 0 };
	const char *at = text;
	int exponent;

	if (!is_digit(*at) || strlen(text) > DIGITS_MOST)
		return false;
	at = take_whole(at, &digits);
	number->has_decimals = *at == '.';
	if (*at == '.') {
		at++;
		if (!is_digit(*at))
			return false;
		for (; is_digit(*at); at++, digits.decimals++)
			digits_add(&digits, *at);
	}
	at = take_exponent(at, &exponent);
	if (!at || *at)
		return false;
	number->value = digits_value(&digits, exponent);
	number->half = 0.5 * pow(10, exponent - (double)digits.decimals);
	return isfinite(number->value) && isfinite(number->half);
}

double printed_relative(const struct printed *number)
{
	return number->value > 0 ? number->half / number->value : 0;
}

bool count_parse(const char *text, uint32_t most, uint32_t *number)
{
	size_t digits = strspn(text, "0123456789");
	unsigned long value;

	if (!digits || digits > 9 || text[digits])
		return false;
	value = strtoul(text, NULL, 10);
	*number = (uint32_t)value;
	return value <= most;
}

size_t words_split(char *text, char **words, size_t most)
{
	size_t count = 0;

	while (count < most) {
		text += strspn(text, " \t");
		if (!*text)
			break;
		words[count++] = text;
		if (count == most)
			break;
		text += strcspn(text, " \t");
		if (!*text)
			break;
		*text++ = '\0';
	}
	return count;
}

bool clock_parse(const char *text, int *seconds)
{
	static const char shape[] = "00:00:00";
	int part[3] = { 0 };

	for (size_t i = 0; i < sizeof(shape) - 1; i++) {
		if (shape[i] == '0' ? !is_digit(text[i]) : text[i] != shape[i])
			return false;
		if (shape[i] == '0')
			part[i / 3] = 10 * part[i / 3] + (text[i] - '0');
	}
	*seconds = part[0] * 3600 + part[1] * 60 + part[2];
	return part[0] < 24 && part[1] < 60 && part[2] <= 60;
}

/* By its English name, short or in full; others are not known: "mar." is a French Tuesday. */
static int month_of(const char *name)
{
	static const char *const months[] = { "January",   "February", "March",	   "April",
					      "May",	   "June",     "July",	   "August",
					      "September", "October",  "November", "December" };

	for (int i = 0; i < 12; i++)
		if (!strcasecmp(name, months[i]) ||
		    (strlen(name) == 3 && !strncasecmp(name, months[i], 3)))
			return i + 1;
	return 0;
}

/* "5" with a character for "month" behind it, as in China and Japan. 0: none. */
static int numbered_month(const char *word)
{
	size_t digits = strspn(word, "0123456789");
	int month = 0;

	if (!digits || digits > 2 || !((unsigned char)word[digits] & 0x80))
		return 0;
	for (size_t i = 0; i < digits; i++)
		month = 10 * month + (word[i] - '0');
	return month >= 1 && month <= 12 ? month : 0;
}

static int any_month(const char *word)
{
	int month = month_of(word);

	return month ? month : numbered_month(word);
}

/* Words of a date, and what they are as numbers of at most four digits; 0: none. */
struct date_words {
	char bytes[96], *word[12];
	uint32_t number[12];
	size_t count;
};

static bool split_date(const char *text, struct date_words *words)
{
	if (strlen(text) >= sizeof(words->bytes))
		return false;
	snprintf(words->bytes, sizeof(words->bytes), "%s", text);
	words->count = words_split(words->bytes, words->word, 12);
	for (size_t i = 0; i < words->count; i++)
		if (!count_parse(words->word[i], 9999, &words->number[i]))
			words->number[i] = 0;
	return true;
}

/*
 * The month beside the day at i, which mostly stands before it. A number alone is one only between
 * a weekday and the day and year ("4 27 2025"): as UnixBench writes dates in any language.
 */
static int month_beside(const struct date_words *words, size_t i)
{
	int month = i ? any_month(words->word[i - 1]) : 0;

	if (!month && i + 1 < words->count)
		month = any_month(words->word[i + 1]);
	if (!month && i && words->number[i - 1] >= 1 && words->number[i - 1] <= 12)
		month = (int)words->number[i - 1];
	return month;
}

uint64_t date_parse(const char *text, int seconds)
{
	struct date_words words;
	int month = 0, day = 0, year = 0;
	struct tm utc = { 0 };
	time_t time;

	if (!split_date(text, &words))
		return 0;
	for (size_t i = 0; i < words.count; i++) {
		bool is_followed_by_day = i + 2 < words.count && words.number[i + 1] >= 1 &&
					  words.number[i + 1] <= 31 &&
					  words.number[i + 2] >= YEAR_0;

		if (clock_parse(words.word[i], &seconds))
			continue;
		if (words.number[i] >= YEAR_0) {
			year = (int)words.number[i];
		} else if (words.number[i] >= 1 && words.number[i] <= 31 && !day &&
			   !is_followed_by_day) {
			day = (int)words.number[i];
			month = month_beside(&words, i);
		}
	}
	if (!month || !day || !year)
		return 0;
	utc.tm_year = year - 1900;
	utc.tm_mon = month - 1;
	utc.tm_mday = day;
	utc.tm_sec = seconds;
	time = timegm(&utc);
	return time > 0 ? (uint64_t)time : 0;
}

bool date_zone(const char *text, char zone[DATE_ZONE_BYTES])
{
	struct date_words words;
	int seconds;

	if (!split_date(text, &words))
		return false;
	for (size_t i = 0; i + 1 < words.count; i++) {
		const char *word = words.word[i + 1];
		size_t letters = strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
		bool is_offset = strchr("+-", word[0]) && word[1] &&
				 !word[1 + strspn(word + 1, "0123456789:")];

		if (!clock_parse(words.word[i], &seconds) || strlen(word) >= DATE_ZONE_BYTES)
			continue;
		if (is_offset || (letters > 1 && !word[letters] && strcmp(word, "AM") != 0 &&
				  strcmp(word, "PM") != 0)) {
			snprintf(zone, DATE_ZONE_BYTES, "%s", word);
			return true;
		}
	}
	return false;
}

/* So many digits, and moves behind them. */
static bool take_digits(const char **at, size_t count, int *number)
{
	*number = 0;
	for (size_t i = 0; i < count; i++, ++*at) {
		if (!is_digit(**at))
			return false;
		*number = 10 * *number + (**at - '0');
	}
	return true;
}

static bool take_char(const char **at, char wanted)
{
	if (**at != wanted)
		return false;
	++*at;
	return true;
}

/* "+02:00" or "+0200" behind a clock, in seconds; 0: none, or one that there is not. */
static int zone_seconds(const char *at)
{
	int sign = *at == '-' ? -1 : 1, hours, minutes = 0;

	if (!take_char(&at, '+') && !take_char(&at, '-'))
		return 0;
	if (!take_digits(&at, 2, &hours) || hours > 14)
		return 0;
	take_char(&at, ':');
	if (!take_digits(&at, 2, &minutes) || minutes > 59)
		minutes = 0;
	return sign * 60 * (60 * hours + minutes);
}

uint64_t date_parse_iso(const char *text)
{
	const char *at = text;
	struct tm utc = { 0 };
	int seconds;
	time_t time;

	if (!take_digits(&at, 4, &utc.tm_year) || !take_char(&at, '-') ||
	    !take_digits(&at, 2, &utc.tm_mon) || !take_char(&at, '-') ||
	    !take_digits(&at, 2, &utc.tm_mday) || (!take_char(&at, 'T') && !take_char(&at, ' ')) ||
	    !clock_parse(at, &seconds) || utc.tm_year < YEAR_0 || utc.tm_mon < 1 ||
	    utc.tm_mon > 12 || utc.tm_mday < 1 || utc.tm_mday > 31)
		return 0;
	at += strlen("hh:mm:ss");
	if (*at == '.')
		at += 1 + strspn(at + 1, "0123456789");
	utc.tm_year -= 1900;
	utc.tm_mon -= 1;
	time = timegm(&utc) + seconds - zone_seconds(at);
	return time > 0 ? (uint64_t)time : 0;
}

bool date_iso_has_zone(const char *text)
{
	const char *clock = strchr(text, ':');

	return clock && strpbrk(clock, "Z+-") != NULL;
}
