// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * dhry_callees.c - the callees of Dhrystone's loop, in a translation unit of their own.
 *
 * Each is called as a function because the loop's unit does not see it: link-time optimisation
 * would remove most of the benchmark, so the programs are built without it.
 */
#include "workload/dhry.h"

#include <string.h>

enum kind dhry_letters_compare(char left, char right)
{
	char kept = left;

	if (kept != right)
		return KIND_1;
	dhry_letter_1 = kept;
	return KIND_2;
}

/* Is left behind right? Looks at one pair of letters, then at the whole texts. */
int dhry_texts_compare(const char *left, const char *right)
{
	char letter = '\0';
	int at = 2;

	while (at <= 2) {
		if (dhry_letters_compare(left[at], right[at + 1]) == KIND_1) {
			letter = 'A';
			at++;
		}
	}
	if (letter >= 'W' && letter < 'Z')
		at = 7;
	if (letter == 'R')
		return 1;
	if (strcmp(left, right) > 0) {
		at += 7;
		dhry_number = at;
		return 1;
	}
	return 0;
}

int dhry_kind_is_third(enum kind kind)
{
	return kind == KIND_3;
}

void dhry_kind_map(enum kind from, enum kind *to)
{
	*to = from;
	if (!dhry_kind_is_third(from))
		*to = KIND_4;
	switch (from) {
	case KIND_1:
		*to = KIND_1;
		break;
	case KIND_2:
		*to = dhry_number > 100 ? KIND_1 : KIND_4;
		break;
	case KIND_3:
		*to = KIND_2;
		break;
	case KIND_4:
		break;
	case KIND_5:
		*to = KIND_3;
		break;
	}
}

void dhry_numbers_add(int left, int right, int *sum)
{
	int more = left + 2;

	*sum = right + more;
}

void dhry_arrays_store(int *row, unsigned int (*square)[DHRY_SIDE], int at, int value)
{
	int here = at + 5;

	row[here] = value;
	row[here + 1] = row[here];
	row[here + 30] = here;
	for (int column = here; column <= here + 1; column++)
		square[here][column] = (unsigned int)here;
	square[here][here - 1]++;
	square[here + 20][here] = (unsigned int)row[here];
	dhry_number = 5;
}
