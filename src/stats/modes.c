// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * modes.c - cuts the slots of a series into modes; modes.h states the rule.
 *
 * A boundary that counts is wider than nearly all gaps within the groups, so only the widest gaps
 * are tried as boundaries, in every combination.
 */
#include "stats/modes.h"

#include "stats/order.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define GAPS_TRIED   8
#define REACH	     3.0	     /* deviations: how far noise leads out of a group */
#define GROUPS_MOST  (MODES_MAX + 1) /* one more than is reported shows a spread */
#define SPREAD_LEAST 6		     /* slots: quartiles of fewer say little */

struct point {
	double log_rate;
	const char *label; /* never NULL */
	size_t slot;
};

/* Points in ascending order, with what makes a group's variance one subtraction. */
struct sample {
	struct point *point;
	double *sum, *sum_squares; /* n + 1 values: of the points before, about the middle point */
	size_t n;
};

struct partition {
	size_t start[GROUPS_MOST + 1]; /* start[groups] is n */
	unsigned int groups;
	double deviation; /* pooled within the groups */
	double clearness; /* least gap / gap asked for, over the boundaries */
};

static int compare_points(const void *left, const void *right)
{
	const struct point *a = left, *b = right;

	if (a->log_rate != b->log_rate)
		return a->log_rate > b->log_rate ? 1 : -1;
	return (a->slot > b->slot) - (a->slot < b->slot);
}

static void sample_free(struct sample *sample)
{
	free(sample->point);
	free(sample->sum);
	free(sample->sum_squares);
}

/* Takes the slots for which !without_mixed or whose label is another. */
static int sample_take(struct sample *sample, const double *rate, const char *const *placement,
		       size_t n, bool without_mixed)
{
	double middle;

	*sample = (struct sample){
		.point = malloc((n + 1) * sizeof(*sample->point)),
		.sum = malloc((n + 1) * sizeof(*sample->sum)),
		.sum_squares = malloc((n + 1) * sizeof(*sample->sum_squares)),
	};
	if (!sample->point || !sample->sum || !sample->sum_squares) {
		sample_free(sample);
		return -ENOMEM;
	}
	for (size_t i = 0; i < n; i++) {
		const char *label = placement && placement[i] ? placement[i] : "";

		if (without_mixed && strcmp(label, MODES_MIXED) == 0)
			continue;
		sample->point[sample->n++] = (struct point){ log(rate[i]), label, i };
	}
	qsort(sample->point, sample->n, sizeof(*sample->point), compare_points);
	middle = sample->n ? sample->point[sample->n / 2].log_rate : 0;
	sample->sum[0] = sample->sum_squares[0] = 0;
	for (size_t i = 0; i < sample->n; i++) {
		double offset = sample->point[i].log_rate - middle;

		sample->sum[i + 1] = sample->sum[i] + offset;
		sample->sum_squares[i + 1] = sample->sum_squares[i] + offset * offset;
	}
	return 0;
}

static double median_of(const struct sample *sample, size_t start, size_t end)
{
	size_t middle = start + (end - start) / 2;

	if ((end - start) % 2)
		return sample->point[middle].log_rate;
	return order_middle(sample->point[middle - 1].log_rate, sample->point[middle].log_rate);
}

/* The label that all points from start to end have; NULL: none, or several, or not known. */
static const char *common_label(const struct sample *sample, size_t start, size_t end)
{
	const char *label = sample->point[start].label;

	if (!*label)
		return NULL;
	for (size_t i = start + 1; i < end; i++) {
		if (strcmp(label, sample->point[i].label) != 0)
			return NULL;
	}
	return label;
}

static double pooled_deviation(const struct sample *sample, const struct partition *partition)
{
	double squares = 0;

	for (unsigned int g = 0; g < partition->groups; g++) {
		size_t start = partition->start[g], end = partition->start[g + 1];
		double sum = sample->sum[end] - sample->sum[start];

		squares += sample->sum_squares[end] - sample->sum_squares[start] -
			   sum * sum / (double)(end - start);
	}
	/* Differences of sums may come out a rounding below 0. */
	return sqrt(fmax(squares, 0) / (double)(sample->n - partition->groups));
}

/* Whether all slots of group g-1 have one label and all of group g another. */
static bool labels_agree(const struct sample *sample, const struct partition *partition,
			 unsigned int g)
{
	const char *left = common_label(sample, partition->start[g - 1], partition->start[g]);
	const char *right = common_label(sample, partition->start[g], partition->start[g + 1]);

	return left && right && strcmp(left, right) != 0;
}

static double range_of(const struct sample *sample, size_t start, size_t end)
{
	return sample->point[end - 1].log_rate - sample->point[start].log_rate;
}

/* How wide the gap between group g-1 and group g must be; INFINITY where no width is enough. */
static double gap_asked(const struct sample *sample, const struct partition *partition,
			unsigned int g)
{
	size_t left = partition->start[g - 1], middle = partition->start[g],
	       right = partition->start[g + 1];
	size_t smaller = middle - left < right - middle ? middle - left : right - middle;
	double clear = MODES_CLEAR_GAP(sample->n - partition->groups) * partition->deviation;
	double pairs = 0;

	if (labels_agree(sample, partition, g))
		return smaller > 1 ? clear / 2 : clear;
	if (smaller < 2 || smaller * MODES_LEAST_SHARE < sample->n)
		return INFINITY;
	if (middle - left == 2)
		pairs = range_of(sample, left, middle);
	if (right - middle == 2)
		pairs = fmax(pairs, range_of(sample, middle, right));
	return fmax(clear, MODES_PAIR_GAP * pairs);
}

/* Fills deviation and clearness. False: the partition does not count. */
static bool partition_counts(const struct sample *sample, struct partition *partition)
{
	if (sample->n <= partition->groups)
		return false;
	partition->deviation = pooled_deviation(sample, partition);
	partition->clearness = INFINITY;
	for (unsigned int g = 1; g < partition->groups; g++) {
		size_t start = partition->start[g];
		double gap = sample->point[start].log_rate - sample->point[start - 1].log_rate;
		double asked = gap_asked(sample, partition, g);
		double ratio = median_of(sample, start, partition->start[g + 1]) -
			       median_of(sample, partition->start[g - 1], start);

		if (ratio < log(MODES_RATIO) || gap < asked)
			return false;
		if (asked > 0)
			partition->clearness = fmin(partition->clearness, gap / asked);
	}
	return true;
}

/* Positions of the widest gaps (index of the point above each), ascending. Returns how many. */
static unsigned int widest_gaps(const struct sample *sample, size_t position[GAPS_TRIED])
{
	double width[GAPS_TRIED];
	unsigned int count = 0;

	for (size_t i = 1; i < sample->n; i++) {
		double gap = sample->point[i].log_rate - sample->point[i - 1].log_rate;

		if (count == GAPS_TRIED) {
			unsigned int narrowest = 0;

			for (unsigned int j = 1; j < count; j++) {
				if (width[j] < width[narrowest])
					narrowest = j;
			}
			if (gap <= width[narrowest])
				continue;
			count--;
			memmove(&width[narrowest], &width[narrowest + 1],
				(count - narrowest) * sizeof(*width));
			memmove(&position[narrowest], &position[narrowest + 1],
				(count - narrowest) * sizeof(*position));
		}
		width[count] = gap;
		position[count++] = i;
	}
	return count;
}

/* The best partition into at most `most` groups; groups is 1 when none counts. */
static void best_partition(const struct sample *sample, unsigned int most, struct partition *best)
{
	size_t position[GAPS_TRIED];
	unsigned int gaps = widest_gaps(sample, position);

	*best = (struct partition){ .start = { 0, sample->n }, .groups = 1 };
	for (unsigned int chosen = 1; chosen < 1u << gaps; chosen++) {
		struct partition partition = { .groups = 1 };

		if ((unsigned int)__builtin_popcount(chosen) >= most)
			continue;
		for (unsigned int j = 0; j < gaps; j++) {
			if (chosen >> j & 1)
				partition.start[partition.groups++] = position[j];
		}
		partition.start[partition.groups] = sample->n;
		if (partition.groups < best->groups || !partition_counts(sample, &partition))
			continue;
		if (partition.groups > best->groups || partition.clearness > best->clearness)
			*best = partition;
	}
}

static bool middle_half_is_wide(const struct sample *sample)
{
	size_t quarter = (sample->n + 2) / 4;

	return sample->n >= SPREAD_LEAST &&
	       sample->point[sample->n - 1 - quarter].log_rate - sample->point[quarter].log_rate >=
		       log(MODES_SPREAD_RATIO);
}

/* Whether x lies in group g, or no farther from it than noise reaches. */
static bool lies_in(const struct sample *sample, const struct partition *partition, unsigned int g,
		    double x)
{
	double reach = REACH * partition->deviation;

	return x >= sample->point[partition->start[g]].log_rate - reach &&
	       x <= sample->point[partition->start[g + 1] - 1].log_rate + reach;
}

static void assign(const struct sample *sample, const struct partition *partition,
		   unsigned char *group)
{
	for (unsigned int g = 0; g < partition->groups; g++) {
		for (size_t i = partition->start[g]; i < partition->start[g + 1]; i++)
			group[sample->point[i].slot] = (unsigned char)g;
	}
}

/*
 * Cuts the slots that are not labelled "mixed" into two; those that are join the group they lie in,
 * else make a third. Sets *count to 1 when it does not work out.
 */
static int find_beside_mixed(const struct sample *all, const double *rate,
			     const char *const *placement, unsigned char *group,
			     unsigned int *count)
{
	struct partition partition;
	struct sample steady;
	double limit;
	bool left_over = false;
	int rc;

	*count = 1;
	rc = sample_take(&steady, rate, placement, all->n, true);
	if (rc)
		return rc;
	best_partition(&steady, 2, &partition);
	if (partition.groups != 2 || !labels_agree(&steady, &partition, 1) || steady.n == all->n)
		goto out;
	*count = 2;
	assign(&steady, &partition, group);
	limit = order_middle(steady.point[partition.start[1] - 1].log_rate,
			     steady.point[partition.start[1]].log_rate);
	for (size_t i = 0; i < all->n; i++) {
		const struct point *point = &all->point[i];

		if (strcmp(point->label, MODES_MIXED) != 0)
			continue;
		group[point->slot] = point->log_rate > limit;
		if (!lies_in(&steady, &partition, group[point->slot], point->log_rate)) {
			group[point->slot] = MODES_MAX - 1;
			left_over = true;
		}
	}
	if (left_over)
		*count = MODES_MAX;
out:
	sample_free(&steady);
	return rc;
}

/* Numbers the modes by ascending median; all holds the slots sorted by rate. */
static int number_by_median(const struct sample *all, unsigned int count, unsigned char *group)
{
	double median[MODES_MAX] = { 0 };
	unsigned char number[MODES_MAX] = { 0 };
	double *logs = malloc(all->n * sizeof(*logs));

	if (!logs)
		return -ENOMEM;
	for (unsigned int g = 0; g < count; g++) {
		size_t size = 0;

		for (size_t i = 0; i < all->n; i++) {
			if (group[all->point[i].slot] == g)
				logs[size++] = all->point[i].log_rate;
		}
		median[g] = order_median(logs, size);
	}
	free(logs);
	for (unsigned int g = 0; g < count; g++) {
		for (unsigned int other = 0; other < count; other++) {
			if (median[other] < median[g] || (other < g && median[other] == median[g]))
				number[g]++;
		}
	}
	for (size_t i = 0; i < all->n; i++)
		group[i] = number[group[i]];
	return 0;
}

int modes_find(const double *rate, const char *const *placement, size_t n, unsigned char *group,
	       struct modes *modes)
{
	struct partition partition;
	struct sample all;
	unsigned int count;
	int rc;

	*modes = (struct modes){ MODES_ONE, 1 };
	for (size_t i = 0; i < n; i++) {
		if (!(rate[i] > 0) || isinf(rate[i]))
			return -EINVAL;
		group[i] = 0;
	}
	rc = sample_take(&all, rate, placement, n, false);
	if (rc)
		return rc;
	best_partition(&all, GROUPS_MOST, &partition);
	count = partition.groups;
	if (count == 1) {
		rc = find_beside_mixed(&all, rate, placement, group, &count);
		if (!rc && count > 1)
			rc = number_by_median(&all, count, group);
		if (rc)
			goto out;
	} else if (count <= MODES_MAX) {
		assign(&all, &partition, group);
	}
	if (count > 1 && count <= MODES_MAX)
		*modes = (struct modes){ MODES_SEVERAL, count };
	else if (count > MODES_MAX || middle_half_is_wide(&all))
		modes->shape = MODES_SPREAD;
out:
	sample_free(&all);
	return rc;
}

const char *modes_placement(const char *const *placement, const unsigned char *group, size_t n,
			    unsigned char mode)
{
	size_t size = 0, labelled = 0;

	for (size_t i = 0; i < n; i++) {
		if (group[i] != mode)
			continue;
		size++;
		labelled += placement && placement[i] && *placement[i];
	}
	if (labelled == 0 || labelled * 2 < size)
		return "";
	for (size_t i = 0; i < n; i++) {
		size_t same = 0;

		if (group[i] != mode || !placement[i] || !*placement[i])
			continue;
		for (size_t j = 0; j < n; j++)
			same += group[j] == mode && placement[j] &&
				strcmp(placement[i], placement[j]) == 0;
		if (same * 2 > labelled)
			return placement[i];
	}
	return MODES_MIXED;
}
