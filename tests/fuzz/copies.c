// SPDX-License-Identifier: GPL-2.0-or-later
/* copies.c - any bytes as copy counts: refused in words, or sorted counts within their bounds. */
#include "fuzz.h"
#include "measure/plan.h"

#include <stdlib.h>
#include <string.h>

#define ALL 6

static void check_counts(const uint32_t *counts, size_t n)
{
	if (!n || n > COPIES_MAX_COUNTS)
		abort();
	for (size_t i = 0; i < n; i++) {
		if (!counts[i] || counts[i] > COPIES_MAX || (i && counts[i] <= counts[i - 1]))
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
	char *text = calloc(1, count + 1);
	uint32_t *counts = NULL;
	struct error err = { 0 };
	size_t n = 0;

	if (!text)
		return 0;
	memcpy(text, bytes, count);
	if (!copies_parse(text, ALL, &counts, &n, &err))
		check_counts(counts, n);
	else if (!err.text[0] || counts)
		abort();
	free(counts);
	free(text);
	return 0;
}
