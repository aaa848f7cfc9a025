// SPDX-License-Identifier: GPL-2.0-or-later
/* scan.c - see scan.h. */
#include "base/scan.h"

#include <errno.h>
#include <string.h>

struct scan scan_start(const char *text, size_t len)
{
	return (struct scan){ .at = text, .end = text + len, .line = 1 };
}

bool scan_is_end(const struct scan *scan)
{
	return scan->at == scan->end;
}

bool scan_is_line_end(const struct scan *scan)
{
	return scan->at == scan->end || *scan->at == '\n';
}

void scan_blanks(struct scan *scan)
{
	while (scan->at < scan->end && (*scan->at == ' ' || *scan->at == '\t'))
		scan->at++;
}

bool scan_char(struct scan *scan, char wanted)
{
	if (scan->at == scan->end || *scan->at != wanted)
		return false;
	scan->at++;
	if (wanted == '\n')
		scan->line++;
	return true;
}

bool scan_word_is(struct scan *scan, const char *wanted)
{
	size_t len = strlen(wanted);

	if ((size_t)(scan->end - scan->at) < len || memcmp(scan->at, wanted, len) != 0)
		return false;
	scan->at += len;
	return true;
}

bool scan_u64(struct scan *scan, uint64_t *number)
{
	const char *at = scan->at;
	uint64_t value = 0;

	for (; at < scan->end && *at >= '0' && *at <= '9'; at++) {
		if (__builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, (uint64_t)(*at - '0'), &value))
			return false;
	}
	if (at == scan->at)
		return false;
	scan->at = at;
	*number = value;
	return true;
}

bool scan_i64(struct scan *scan, int64_t *number)
{
	struct scan start = *scan;
	bool negative = scan_char(scan, '-');
	uint64_t magnitude;

	if (!scan_u64(scan, &magnitude) || magnitude > (uint64_t)INT64_MAX) {
		*scan = start;
		return false;
	}
	*number = negative ? -(int64_t)magnitude : (int64_t)magnitude;
	return true;
}

struct slice scan_word(struct scan *scan)
{
	const char *start = scan->at;

	while (!scan_is_line_end(scan) && *scan->at != ' ' && *scan->at != '\t')
		scan->at++;
	return (struct slice){ .at = start, .len = (size_t)(scan->at - start) };
}

struct slice scan_until(struct scan *scan, char stop)
{
	struct slice slice = { .at = scan->at };

	while (!scan_is_line_end(scan) && *scan->at != stop)
		scan->at++;
	slice.len = (size_t)(scan->at - slice.at);
	scan_char(scan, stop);
	return slice;
}

struct slice scan_line(struct scan *scan)
{
	struct slice slice = { .at = scan->at };

	while (!scan_is_line_end(scan))
		scan->at++;
	slice.len = (size_t)(scan->at - slice.at);
	scan_char(scan, '\n');
	return slice;
}

bool slice_is(struct slice slice, const char *wanted)
{
	return slice.len == strlen(wanted) && memcmp(slice.at, wanted, slice.len) == 0;
}

int scan_expected(const struct scan *scan, struct error *err, const char *what)
{
	return error_set(err, -EINVAL, "line %u: expected %s", scan->line, what);
}
