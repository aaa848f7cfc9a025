// SPDX-License-Identifier: GPL-2.0-or-later
/* csv_cells.c - see csv_cells.h. */
#include "report/csv_cells.h"

#include "base/escape.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int csv_put_text(FILE *out, const char *text)
{
	size_t bytes;
	char *escaped;

	if (!text || !*text)
		return 0;
	bytes = escape_text(text, NULL, 0) + 1;
	escaped = malloc(bytes);
	if (!escaped)
		return -ENOMEM;
	escape_text(text, escaped, bytes);
	fputc('"', out);
	if (strchr("=+-@", escaped[0]))
		fputc('\'', out);
	for (const char *at = escaped; *at; at++) {
		if (*at == '"')
			fputc('"', out);
		fputc(*at, out);
	}
	fputc('"', out);
	free(escaped);
	return 0;
}

void csv_put_number(FILE *out, double number)
{
	char text[32];

	if (!isfinite(number))
		return;
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, number);
		if (strtod(text, NULL) == number)
			break;
	}
	fputs(text, out);
}
