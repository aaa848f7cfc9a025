// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * multiplicity.c - Holm's and Benjamini and Hochberg's adjustment, as walks over the sorted values.
 */
#include "stats/multiplicity.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

struct entry {
	double p;
	size_t at; /* index in the caller's arrays */
};

static int compare(const void *left, const void *right)
{
	double a = ((const struct entry *)left)->p, b = ((const struct entry *)right)->p;

	return (a > b) - (a < b);
}

/* Those that are no NAN, ascending. 0, -EINVAL or -ENOMEM; *entries is the caller's to free. */
static int sort_entries(const double *p, size_t n, struct entry **entries, size_t *count)
{
	*count = 0;
	*entries = malloc((n ? n : 1) * sizeof(**entries));
	if (!*entries)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		if (isnan(p[i]))
			continue;
		if (!(p[i] >= 0 && p[i] <= 1))
			return -EINVAL;
		(*entries)[(*count)++] = (struct entry){ p[i], i };
	}
	if (*count > 1)
		qsort(*entries, *count, sizeof(**entries), compare);
	return 0;
}

int multiplicity_holm(const double *p, size_t n, double *adjusted)
{
	struct entry *entries;
	double greatest = 0;
	size_t count;
	int rc;

	rc = sort_entries(p, n, &entries, &count);
	for (size_t i = 0; i < n; i++)
		adjusted[i] = NAN;
	for (size_t i = 0; !rc && i < count; i++) {
		greatest = fmax(greatest, fmin(1, (double)(count - i) * entries[i].p));
		adjusted[entries[i].at] = greatest;
	}
	free(entries);
	return rc;
}

int multiplicity_bh(const double *p, size_t n, double *adjusted)
{
	struct entry *entries;
	double least = 1;
	size_t count;
	int rc;

	rc = sort_entries(p, n, &entries, &count);
	for (size_t i = 0; i < n; i++)
		adjusted[i] = NAN;
	for (size_t i = rc ? 0 : count; i-- > 0;) {
		least = fmin(least, (double)count / (double)(i + 1) * entries[i].p);
		adjusted[entries[i].at] = least;
	}
	free(entries);
	return rc;
}
