// SPDX-License-Identifier: GPL-2.0-or-later
/* value.c - values of options from text: counts, durations, percents. See options.h. */
#include "base/clock.h"
#include "cmd/options.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/*
 * Digits at text into *value; returns what follows them, NULL when there are none or they need more
 * than 64 bits.
 */
static const char *digits(const char *text, uint64_t *value)
{
	*value = 0;
	if (*text < '0' || *text > '9')
		return NULL;
	for (; *text >= '0' && *text <= '9'; text++) {
		if (__builtin_mul_overflow(*value, 10, value) ||
		    __builtin_add_overflow(*value, (uint64_t)(*text - '0'), value))
			return NULL;
	}
	return text;
}

int value_count(const char *text, uint64_t min, uint64_t max, uint64_t *value, struct error *err)
{
	const char *end = digits(text, value);

	if (end && !*end && *value >= min && *value <= max)
		return 0;
	return error_set(err, -EINVAL,
			 "\"%s\": expected a whole number from %" PRIu64 " to %" PRIu64, text, min,
			 max);
}

static const struct duration_unit {
	const char *name;
	uint64_t ns;
} units[] = {
	{ "", NS_PER_S },	  { "ns", 1 },
	{ "us", 1000 },		  { "ms", NS_PER_MS },
	{ "s", NS_PER_S },	  { "m", 60 * NS_PER_S },
	{ "min", 60 * NS_PER_S }, { "h", 3600 * NS_PER_S },
};

/* "1.5s" exactly: the digits after the point are counted in units of its last place. */
static int duration_ns(const char *text, uint64_t *ns)
{
	const struct duration_unit *unit = NULL;
	uint64_t whole, part = 0, place = 1;
	const char *end = digits(text, &whole);

	if (!end)
		return -EINVAL;
	if (*end == '.') {
		const char *point = end;

		end = digits(point + 1, &part);
		if (!end || end - point > 10)
			return -EINVAL;
		for (const char *digit = point + 1; digit < end; digit++)
			place *= 10;
	}
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (!strcmp(end, units[i].name))
			unit = &units[i];
	}
	if (!unit || __builtin_mul_overflow(whole, unit->ns, &whole))
		return -EINVAL;
	/* part < place <= 10^9 and unit->ns < 2^42: in two steps, so that 64 bits hold it */
	part = part * (unit->ns / place) + part * (unit->ns % place) / place;
	if (__builtin_add_overflow(whole, part, ns))
		return -EINVAL;
	return 0;
}

int value_duration(const char *text, uint64_t min_ns, uint64_t max_ns, uint64_t *value_ns,
		   struct error *err)
{
	char min[24], max[24];

	if (!duration_ns(text, value_ns) && *value_ns >= min_ns && *value_ns <= max_ns)
		return 0;
	return error_set(err, -EINVAL,
			 "\"%s\": expected a time from %s to %s, as 500ms, 1.5s, 5m or 2h", text,
			 duration_text(min_ns, min, sizeof(min)),
			 duration_text(max_ns, max, sizeof(max)));
}

int value_percent(const char *text, double *share, struct error *err)
{
	size_t length = strspn(text, "0123456789.");
	const char *unit = text + length;
	char *end;

	/* strtod() alone would take "inf", "nan" and "0x1p3" */
	if (length && (!*unit || !strcmp(unit, "%"))) {
		*share = strtod(text, &end);
		if (*unit)
			*share /= 100;
		if (end == unit && *share > 0 && *share < 1)
			return 0;
	}
	return error_set(err, -EINVAL,
			 "\"%s\": expected a share above 0 and below 100%%, as 1%% or 0.01", text);
}

const char *duration_text(uint64_t ns, char *text, size_t bytes)
{
	uint64_t s = (ns + NS_PER_S / 2) / NS_PER_S;

	if (ns < 1000)
		snprintf(text, bytes, "%" PRIu64 "ns", ns);
	else if (ns < NS_PER_MS)
		snprintf(text, bytes, "%" PRIu64 "us", ns / 1000);
	else if (ns < NS_PER_S)
		snprintf(text, bytes, "%llums", ns / NS_PER_MS);
	else if (ns < 60 * NS_PER_S && ns % NS_PER_S / (NS_PER_S / 10))
		snprintf(text, bytes, "%.1fs", (double)ns / (double)NS_PER_S);
	else if (s < 60)
		snprintf(text, bytes, "%" PRIu64 "s", s);
	else if (s < 3600 && s % 60)
		snprintf(text, bytes, "%" PRIu64 "m %" PRIu64 "s", s / 60, s % 60);
	else if (s < 3600)
		snprintf(text, bytes, "%" PRIu64 "m", s / 60);
	else if (s / 60 % 60)
		snprintf(text, bytes, "%" PRIu64 "h %" PRIu64 "m", s / 3600, s / 60 % 60);
	else
		snprintf(text, bytes, "%" PRIu64 "h", s / 3600);
	return text;
}
