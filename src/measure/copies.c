// SPDX-License-Identifier: GPL-2.0-or-later
/* copies.c - copy counts from text: "1,2,4..16,all", "1..8*2". See plan.h. */
#include "measure/plan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct counts {
	uint32_t *count;
	size_t n;
};

/* A number or "all" at *text, which moves behind it. */
static int one_count(const char **text, uint32_t all, uint32_t *count)
{
	const char *at = *text;
	uint64_t value = 0;

	if (!strncmp(at, "all", 3)) {
		*count = all;
		*text = at + 3;
		return 0;
	}
	if (*at < '0' || *at > '9')
		return -EINVAL;
	for (; *at >= '0' && *at <= '9'; at++) {
		value = value * 10 + (uint64_t)(*at - '0');
		if (value > COPIES_MAX)
			return -ERANGE;
	}
	if (!value)
		return -ERANGE;
	*count = (uint32_t)value;
	*text = at;
	return 0;
}

static int add(struct counts *counts, uint32_t count, struct error *err)
{
	if (counts->n == COPIES_MAX_COUNTS)
		return error_set(err, -EINVAL, "copies: more than %d different counts",
				 COPIES_MAX_COUNTS);
	counts->count[counts->n++] = count;
	return 0;
}

static int part_failed(const char *part, size_t length, int rc, const char *expected,
		       struct error *err)
{
	if (rc == -ERANGE)
		return error_set(err, -EINVAL, "copies: \"%.*s\": expected counts from 1 to %d",
				 (int)(length < 100 ? length : 100), part, COPIES_MAX);
	return error_set(err, -EINVAL, "copies: \"%.*s\": expected %s",
			 (int)(length < 100 ? length : 100), part, expected);
}

/* One part between commas: a count, a..b or a..b*k. */
static int add_part(struct counts *counts, const char *part, size_t length, uint32_t all,
		    struct error *err)
{
	const char *at = part, *end = part + length;
	uint32_t first, last, factor = 1;
	uint64_t count;
	int rc;

	rc = one_count(&at, all, &first);
	if (rc)
		return part_failed(part, length, rc, "a number of copies or \"all\"", err);
	if (at == end)
		return add(counts, first, err);
	if (strncmp(at, "..", 2) != 0)
		return part_failed(part, length, 0, "a count, a..b or a..b*k", err);
	at += 2;
	rc = one_count(&at, all, &last);
	if (rc)
		return part_failed(part, length, rc, "a number of copies or \"all\" after \"..\"",
				   err);
	if (first > last)
		return part_failed(part, length, 0, "the smaller count first", err);
	if (at != end && *at == '*') {
		at++;
		rc = strncmp(at, "all", 3) == 0 ? -EINVAL : one_count(&at, all, &factor);
		if (rc || factor < 2)
			return part_failed(part, length, 0, "a factor of 2 or more after \"*\"",
					   err);
	}
	if (at != end)
		return part_failed(part, length, 0, "a count, a..b or a..b*k", err);
	for (count = first; count <= last; count = factor > 1 ? count * factor : count + 1) {
		rc = add(counts, (uint32_t)count, err);
		if (rc)
			return rc;
	}
	return 0;
}

static int by_size(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static size_t without_repeats(uint32_t *count, size_t n)
{
	size_t kept = 0;

	qsort(count, n, sizeof(*count), by_size);
	for (size_t i = 0; i < n; i++) {
		if (!kept || count[kept - 1] != count[i])
			count[kept++] = count[i];
	}
	return kept;
}

int copies_parse(const char *text, uint32_t all, uint32_t **counts, size_t *n, struct error *err)
{
	struct counts made = { 0 };
	const char *part = text;
	int rc = 0;

	made.count = malloc(COPIES_MAX_COUNTS * sizeof(*made.count));
	if (!made.count)
		return error_set(err, -ENOMEM, "no memory for copy counts");
	for (;;) {
		size_t length = strcspn(part, ",");

		rc = add_part(&made, part, length, all, err);
		if (rc || !part[length])
			break;
		part += length + 1;
	}
	if (rc) {
		free(made.count);
		return rc;
	}
	*n = without_repeats(made.count, made.n);
	*counts = made.count;
	return 0;
}
