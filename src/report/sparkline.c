// SPDX-License-Identifier: GPL-2.0-or-later
/* sparkline.c - see sparkline.h. */
#include "report/sparkline.h"

#include "stats/order.h"

#include <string.h>

static const char *const blocks[SPARKLINE_LEVELS] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
static const char *const ascii[SPARKLINE_LEVELS] = { "_", ".", ",", "-", "=", "+", "*", "#" };

/* Median of the values that fall into one column. */
static double column_value(const double *values, size_t n, size_t columns, size_t column,
			   double *scratch)
{
	size_t from = column * n / columns, to = (column + 1) * n / columns;

	memcpy(scratch, values + from, (to - from) * sizeof(*scratch));
	order_sort(scratch, to - from);
	return order_median(scratch, to - from);
}

static size_t level_of(double value, double least, double most)
{
	size_t level;

	if (!(most > least))
		return SPARKLINE_LEVELS / 2;
	level = (size_t)((value - least) / (most - least) * SPARKLINE_LEVELS);
	return level < SPARKLINE_LEVELS ? level : SPARKLINE_LEVELS - 1;
}

void sparkline(const double *values, size_t n, size_t columns, bool unicode, double *scratch,
	       char *text)
{
	double least = 0, most = 0;

	if (columns > n)
		columns = n;
	for (size_t i = 0; i < columns; i++) {
		double value = column_value(values, n, columns, i, scratch);

		least = i && least < value ? least : value;
		most = i && most > value ? most : value;
	}
	for (size_t i = 0; i < columns; i++) {
		double value = column_value(values, n, columns, i, scratch);
		const char *character = (unicode ? blocks : ascii)[level_of(value, least, most)];

		size_t bytes = strlen(character);

		memcpy(text, character, bytes);
		text += bytes;
	}
	*text = '\0';
}
