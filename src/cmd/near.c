// SPDX-License-Identifier: GPL-2.0-or-later
/* near.c - which name was meant: edit distance with transpositions (Damerau 1964), see options.h.
 */
#include "cmd/options.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#define NEAR_BYTES 64 /* longer words are nobody's slip of the finger */

static unsigned int smaller(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

/* Insertions, deletions, replacements and swaps of neighbours that turn a into b; both are short.
 */
static unsigned int distance(const char *a, const char *b)
{
	unsigned int row[3][NEAR_BYTES + 1];
	unsigned int *before = row[0], *above = row[1], *here = row[2];
	size_t n = strlen(a), m = strlen(b);

	for (size_t j = 0; j <= m; j++)
		above[j] = (unsigned int)j;
	for (size_t i = 1; i <= n; i++) {
		unsigned int *spare = before;

		here[0] = (unsigned int)i;
		for (size_t j = 1; j <= m; j++) {
			int ca = tolower((unsigned char)a[i - 1]);
			int cb = tolower((unsigned char)b[j - 1]);

			here[j] = smaller(smaller(above[j], here[j - 1]) + 1,
					  above[j - 1] + (ca != cb));
			if (i > 1 && j > 1 && ca == tolower((unsigned char)b[j - 2]) &&
			    cb == tolower((unsigned char)a[i - 2]))
				here[j] = smaller(here[j], before[j - 2] + 1);
		}
		before = above;
		above = here;
		here = spare;
	}
	return above[m];
}

const char *near_name(const char *word, const char *const *names)
{
	size_t length = strlen(word);
	/* one slip in a short word, one per three letters in a longer one */
	unsigned int least = (unsigned int)(length < 3 ? 1 : length / 3) + 1;
	const char *nearest = NULL;

	if (!length || length > NEAR_BYTES)
		return NULL;
	for (const char *const *name = names; *name; name++) {
		unsigned int far;

		if (strlen(*name) > NEAR_BYTES)
			continue;
		far = distance(word, *name);
		if (far < least && far < strlen(*name)) {
			least = far;
			nearest = *name;
		}
	}
	/* or cut short: "mess" is messaging */
	for (; !nearest && length >= 3 && *names; names++) {
		if (!strncasecmp(word, *names, length))
			nearest = *names;
	}
	return nearest;
}
