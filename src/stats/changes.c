// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * changes.c - change points of a history.
 *
 * All splits of an order of n values are judged in O(n log n): taken one after the other, a value
 * adds its distances to those before it, which a Fenwick tree over the ranks gives as a count and a
 * sum; its distances to those after it are what is left of its distances to all, which no
 * permutation changes.
 */
#include "stats/changes.h"

#include "base/rng.h"
#include "stats/order.h"
#include "stats/shift.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of rounding in Q, as a share of n × the greatest difference: equal splits must count as equal. */
#define ROUNDING 1e-12

struct tree_node {
	double count, sum; /* of the values already taken whose rank this node covers */
};

struct ranked {
	double value;
	size_t at;
};

/* Room for one segment of up to n values. */
struct room {
	struct ranked *ranked;	/* to sort by */
	double *value;		/* sorted, relative to the median */
	double *distances;	/* of each sorted value to all others */
	size_t *order;		/* ranks in the order of time */
	size_t *permuted;	/* the same, shuffled */
	struct tree_node *tree; /* Fenwick, from 1 */
	double *before;		/* [i]: distances of the i-th value to those before it */
	double *within;		/* [a]: sum of the distances within the first a values */
};

static void room_free(struct room *room)
{
	free(room->ranked);
	free(room->value);
	free(room->distances);
	free(room->order);
	free(room->permuted);
	free(room->tree);
	free(room->before);
	free(room->within);
}

/* To be freed after an error too. */
static int room_make(struct room *room, size_t n)
{
	*room = (struct room){
		.ranked = calloc(n + 1, sizeof(*room->ranked)),
		.value = calloc(n + 1, sizeof(*room->value)),
		.distances = calloc(n + 1, sizeof(*room->distances)),
		.order = calloc(n + 1, sizeof(*room->order)),
		.permuted = calloc(n + 1, sizeof(*room->permuted)),
		.tree = calloc(n + 1, sizeof(*room->tree)),
		.before = calloc(n + 1, sizeof(*room->before)),
		.within = calloc(n + 1, sizeof(*room->within)),
	};
	if (!room->ranked || !room->value || !room->distances || !room->order || !room->permuted ||
	    !room->tree || !room->before || !room->within)
		return -ENOMEM;
	return 0;
}

static int compare_ranked(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;

	if (a->value != b->value)
		return a->value > b->value ? 1 : -1;
	return (a->at > b->at) - (a->at < b->at);
}

/* Sorts the segment, once for all its permutations. */
static void room_fill(struct room *room, const double *y, size_t n)
{
	double below = 0, all = 0;

	for (size_t i = 0; i < n; i++)
		room->ranked[i] = (struct ranked){ y[i], i };
	qsort(room->ranked, n, sizeof(*room->ranked), compare_ranked);
	for (size_t r = 0; r < n; r++) {
		room->value[r] = room->ranked[r].value - room->ranked[n / 2].value;
		room->order[room->ranked[r].at] = r;
		all += room->value[r];
	}
	for (size_t r = 0; r < n; r++) {
		double x = room->value[r];

		/* r values below: r x - below; n - r - 1 above: all - below - x - (n - r - 1) x. */
		room->distances[r] = ((double)r * x - below) + (all - below - (double)(n - r) * x);
		below += x;
	}
}

/* Distances of the value of this rank to those taken before it, and takes it. */
static double take(struct room *room, size_t n, size_t rank, const struct tree_node *taken)
{
	struct tree_node below = { 0, 0 };
	double x = room->value[rank];

	for (size_t at = rank; at > 0; at &= at - 1) {
		below.count += room->tree[at].count;
		below.sum += room->tree[at].sum;
	}
	for (size_t at = rank + 1; at <= n; at += at & -at) {
		room->tree[at].count += 1;
		room->tree[at].sum += x;
	}
	return (2 * below.count - taken->count) * x + (taken->sum - 2 * below.sum);
}

/* Greatest Q over all splits of the order; the first of equal ones. n >= 4. */
static double best_split(struct room *room, const size_t *order, size_t n, size_t *split)
{
	struct tree_node taken = { 0, 0 };
	double right = 0, best = -INFINITY; /* right: distances within the last values */

	memset(room->tree, 0, (n + 1) * sizeof(*room->tree));
	for (size_t i = 0; i < n; i++) {
		size_t rank = order[i];

		room->before[i] = take(room, n, rank, &taken);
		room->within[i + 1] = room->within[i] + room->before[i];
		taken.count += 1;
		taken.sum += room->value[rank];
	}
	for (size_t a = n; a-- > CHANGES_LEVEL_MIN;) {
		double m = (double)a, b = (double)(n - a), left = room->within[a];
		double q;

		right += room->distances[order[a]] - room->before[a];
		if (n - a < CHANGES_LEVEL_MIN)
			continue;
		q = 2 / (m + b) *
		    ((room->within[n] - left - right) - left * b / (m - 1) - right * m / (b - 1));
		if (q >= best) {
			best = q;
			*split = a;
		}
	}
	return best;
}

/*
 * Best split of room_fill()'s segment. The permutations end early when `enough` of them reached Q;
 * p is right then only as far as it is too large.
 */
static void test_split(struct room *room, size_t n, uint64_t seed, unsigned int enough,
		       struct changes_split *split)
{
	struct rng rng = { seed };
	double least;
	size_t ignored;

	split->q = best_split(room, room->order, n, &split->at);
	least = split->q - ROUNDING * (double)n * (room->value[n - 1] - room->value[0]);
	split->reached = 0;
	for (unsigned int i = 0; i < CHANGES_PERMUTATIONS && split->reached < enough; i++) {
		memcpy(room->permuted, room->order, n * sizeof(*room->order));
		rng_shuffle(&rng, room->permuted, n);
		split->reached += best_split(room, room->permuted, n, &ignored) >= least;
	}
	split->p = (1.0 + split->reached) / (1.0 + CHANGES_PERMUTATIONS);
}

static int check_values(const double *y, size_t n)
{
	double least = INFINITY, greatest = -INFINITY;

	if (!order_all_finite(y, n))
		return -EINVAL;
	for (size_t i = 0; i < n; i++) {
		least = fmin(least, y[i]);
		greatest = fmax(greatest, y[i]);
	}
	/* Q adds up to n^2 differences. */
	if (n && !isfinite((greatest - least) * (double)n * (double)n))
		return -ERANGE;
	return 0;
}

int changes_split(const double *y, size_t n, uint64_t seed, struct changes_split *split)
{
	struct room room = { 0 };
	int rc;

	*split = (struct changes_split){ .q = NAN, .p = NAN };
	rc = check_values(y, n);
	if (rc || n < 2 * CHANGES_LEVEL_MIN)
		return rc;
	rc = room_make(&room, n);
	if (rc)
		goto out;
	room_fill(&room, y, n);
	test_split(&room, n, seed, CHANGES_PERMUTATIONS + 1, split);
out:
	room_free(&room);
	return rc;
}

struct segment {
	size_t from, to;
};

/* Splits segments until none has a significant split. changes: room for n / 2, in any order. */
static int split_all(const double *y, size_t n, uint64_t seed, struct change *changes,
		     size_t *n_changes)
{
	/* One more that reaches Q makes p too large. */
	const unsigned int enough = (unsigned int)(CHANGES_P_MAX * (1 + CHANGES_PERMUTATIONS));
	struct segment *pending = calloc(n + 1, sizeof(*pending));
	struct room room = { 0 };
	size_t n_pending = 0;
	int rc;

	rc = room_make(&room, n);
	if (rc || !pending) {
		rc = -ENOMEM;
		goto out;
	}
	pending[n_pending++] = (struct segment){ 0, n };
	while (n_pending > 0) {
		struct segment segment = pending[--n_pending];
		size_t length = segment.to - segment.from, at;
		struct changes_split split;

		if (length < 2 * CHANGES_LEVEL_MIN)
			continue;
		room_fill(&room, y + segment.from, length);
		if (!(best_split(&room, room.order, length, &split.at) > 0))
			continue;
		test_split(&room, length, seed, enough, &split);
		if (split.p > CHANGES_P_MAX)
			continue;
		at = segment.from + split.at;
		changes[(*n_changes)++] = (struct change){ .at = at, .q = split.q, .p = split.p };
		pending[n_pending++] = (struct segment){ segment.from, at };
		pending[n_pending++] = (struct segment){ at, segment.to };
	}
out:
	free(pending);
	room_free(&room);
	return rc;
}

static int compare_changes(const void *left, const void *right)
{
	const struct change *a = left, *b = right;

	return (a->at > b->at) - (a->at < b->at);
}

static int judge(const double *y, double margin, double alpha, struct change *change)
{
	size_t after = change->to - change->at;
	int rc;

	rc = estimate_shift(y + change->from, change->at - change->from, y + change->at, after,
			    alpha, &change->log_ratio);
	if (rc)
		return rc;
	if (fabs(change->log_ratio.value) < margin)
		change->state = CHANGE_DRIFT;
	else if (after < CHANGES_CONFIRMED)
		change->state = CHANGE_SUSPECT;
	else
		change->state = CHANGE_CONFIRMED;
	return 0;
}

int changes_find(const double *y, size_t n, double margin, double alpha, uint64_t seed,
		 struct change **changes, size_t *n_changes)
{
	struct change *found;
	int rc;

	*changes = NULL;
	*n_changes = 0;
	if (!(margin > 0) || isinf(margin) || !(alpha > 0 && alpha < 1))
		return -EINVAL;
	rc = check_values(y, n);
	if (rc)
		return rc;
	found = calloc(n / CHANGES_LEVEL_MIN + 1, sizeof(*found));
	if (!found)
		return -ENOMEM;
	rc = split_all(y, n, seed, found, n_changes);
	if (rc)
		goto fail;
	if (*n_changes == 0)
		goto fail;
	qsort(found, *n_changes, sizeof(*found), compare_changes);
	for (size_t i = 0; i < *n_changes; i++) {
		found[i].from = i ? found[i - 1].at : 0;
		found[i].to = i + 1 < *n_changes ? found[i + 1].at : n;
		rc = judge(y, margin, alpha, &found[i]);
		if (rc)
			goto fail;
	}
	*changes = found;
	return 0;
fail:
	*n_changes = 0;
	free(found);
	return rc;
}

const char *change_state_name(enum change_state state)
{
	static const char *const names[] = {
		[CHANGE_DRIFT] = "drift",
		[CHANGE_SUSPECT] = "suspect",
		[CHANGE_CONFIRMED] = "confirmed",
	};

	return names[state];
}
