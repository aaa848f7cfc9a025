// SPDX-License-Identifier: GPL-2.0-or-later
/* escape.c - see escape.h. */
#include "base/escape.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define PIECE_BYTES 16 /* longest escape, "\u202e", or character, with its zero */

/* Bytes of the well-formed UTF-8 character at text, its number in *code; 0 when it is none. */
static size_t character(const unsigned char *text, uint32_t *code)
{
	static const uint32_t smallest[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t length;

	if (text[0] < 0x80) {
		*code = text[0];
		return 1;
	}
	if ((text[0] & 0xe0) == 0xc0) {
		length = 2;
		*code = text[0] & 0x1f;
	} else if ((text[0] & 0xf0) == 0xe0) {
		length = 3;
		*code = text[0] & 0x0f;
	} else if ((text[0] & 0xf8) == 0xf0) {
		length = 4;
		*code = text[0] & 0x07;
	} else {
		return 0;
	}
	for (size_t i = 1; i < length; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		*code = *code << 6 | (text[i] & 0x3f);
	}
	if (*code < smallest[length] || *code > 0x10ffff || (*code >= 0xd800 && *code <= 0xdfff))
		return 0;
	return length;
}

static bool is_control(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

/* Line and paragraph separators, marks, embeddings, overrides and isolates of direction. */
static bool changes_direction(uint32_t code)
{
	return code == 0x200e || code == 0x200f || code == 0x061c ||
	       (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

/* The next piece of output for text, with a zero; returns the bytes of text that it stands for. */
static size_t next_piece(const char *text, char piece[PIECE_BYTES])
{
	uint32_t code;
	size_t length = character((const unsigned char *)text, &code);

	if (!length) {
		snprintf(piece, PIECE_BYTES, "\\x%02x", (unsigned char)text[0]);
		return 1;
	}
	if (code == '\n')
		snprintf(piece, PIECE_BYTES, "\\n");
	else if (code == '\t')
		snprintf(piece, PIECE_BYTES, "\\t");
	else if (is_control(code))
		snprintf(piece, PIECE_BYTES, "\\x%02x", code);
	else if (changes_direction(code))
		snprintf(piece, PIECE_BYTES, "\\u%04x", code);
	else
		snprintf(piece, PIECE_BYTES, "%.*s", (int)length, text);
	return length;
}

size_t escape_text(const char *text, char *out, size_t bytes)
{
	char piece[PIECE_BYTES];
	size_t needed = 0, used = 0;

	while (*text) {
		size_t length;

		text += next_piece(text, piece);
		length = strlen(piece);
		if (needed == used && used + length < bytes) {
			memcpy(out + used, piece, length);
			used += length;
		}
		needed += length;
	}
	if (bytes)
		out[used] = '\0';
	return needed;
}

void escape_print(const char *text, FILE *out)
{
	char piece[PIECE_BYTES];

	while (*text) {
		text += next_piece(text, piece);
		fputs(piece, out);
	}
}

size_t escape_columns(const char *text)
{
	size_t columns = 0;

	for (; *text; text++)
		columns += ((unsigned char)*text & 0xc0) != 0x80;
	return columns;
}
