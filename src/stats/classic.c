// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * classic.c - sort, drop the worst third, geometric mean.
 */
#include "stats/classic.h"

#include "stats/order.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

struct pass {
	double count, log_rate;
	size_t number;
};

static int compare(const void *left, const void *right)
{
	const struct pass *a = left, *b = right;

	if (a->count != b->count)
		return a->count > b->count ? 1 : -1;
	return (a->number > b->number) - (a->number < b->number);
}

size_t classic_kept(size_t n)
{
	return n - n / 3;
}

int classic_score(const double *count, const double *rate, size_t n, double *score, size_t *kept)
{
	size_t dropped = n - classic_kept(n);
	struct pass *pass;
	double sum = 0;

	*score = NAN;
	if (n == 0 || !order_all_finite(count, n))
		return -EINVAL;
	for (size_t i = 0; i < n; i++) {
		if (!(rate[i] > 0) || isinf(rate[i]))
			return -EINVAL;
	}
	pass = malloc(n * sizeof(*pass));
	if (!pass)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		pass[i] = (struct pass){ count[i], log(rate[i]), i };
	qsort(pass, n, sizeof(*pass), compare);
	for (size_t i = dropped; i < n; i++)
		sum += pass[i].log_rate;
	free(pass);
	*score = exp(sum / (double)(n - dropped));
	if (kept)
		*kept = n - dropped;
	return 0;
}
