// SPDX-License-Identifier: GPL-2.0-or-later
/* json_text.c - see json_text.h. */
#include "store/json_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of the well-formed UTF-8 sequence at text (Unicode 15, table 3-7); 0: none. */
static size_t utf8_sequence(const unsigned char *text)
{
	unsigned char low = 0x80, high = 0xbf;
	size_t length;

	if (text[0] < 0x80)
		return 1;
	if (text[0] < 0xc2 || text[0] > 0xf4)
		return 0;
	length = text[0] < 0xe0 ? 2 : text[0] < 0xf0 ? 3 : 4;
	if (text[0] == 0xe0)
		low = 0xa0; /* overlong */
	if (text[0] == 0xed)
		high = 0x9f; /* surrogates */
	if (text[0] == 0xf0)
		low = 0x90; /* overlong */
	if (text[0] == 0xf4)
		high = 0x8f; /* above U+10FFFF */
	for (size_t i = 1; i < length; i++) {
		if (text[i] < low || text[i] > high)
			return 0;
		low = 0x80;
		high = 0xbf;
	}
	return length;
}

json_t *json_text(const char *text)
{
	json_t *string;
	char *clean, *to;

	if (!text)
		return json_null();
	string = json_string(text);
	if (string)
		return string;
	clean = malloc(4 * strlen(text) + 1);
	if (!clean)
		return NULL;
	to = clean;
	while (*text) {
		size_t length = utf8_sequence((const unsigned char *)text);

		if (length) {
			memcpy(to, text, length);
			to += length;
			text += length;
		} else {
			to += sprintf(to, "\\x%02x", (unsigned char)*text++);
		}
	}
	*to = '\0';
	string = json_string(clean);
	free(clean);
	return string;
}
