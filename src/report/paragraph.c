// SPDX-License-Identifier: GPL-2.0-or-later
/* paragraph.c - see paragraph.h. */
#include "report/paragraph.h"

#include "base/clock.h"
#include "base/escape.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static bool reserve(struct paragraph *paragraph, size_t more)
{
	size_t need = paragraph->length + more + 1;
	char *text;

	if (paragraph->failed)
		return false;
	if (need <= paragraph->room)
		return true;
	text = realloc(paragraph->text, 2 * need);
	if (!text) {
		paragraph->failed = true;
		return false;
	}
	paragraph->text = text;
	paragraph->room = 2 * need;
	return true;
}

void paragraph_add(struct paragraph *paragraph, const char *format, ...)
{
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (length < 0) {
		paragraph->failed = true;
		return;
	}
	if (!reserve(paragraph, (size_t)length))
		return;
	va_start(args, format);
	vsnprintf(paragraph->text + paragraph->length, (size_t)length + 1, format, args);
	va_end(args);
	paragraph->length += (size_t)length;
}

void paragraph_add_outside(struct paragraph *paragraph, const char *outside)
{
	size_t length;

	if (!outside)
		outside = "unknown";
	length = escape_text(outside, NULL, 0);
	if (!reserve(paragraph, length))
		return;
	escape_text(outside, paragraph->text + paragraph->length, length + 1);
	paragraph->length += length;
}

void paragraph_add_duration(struct paragraph *paragraph, double ns)
{
	double seconds = ns / (double)NS_PER_S;

	if (!isfinite(seconds) || seconds < 0)
		paragraph_add(paragraph, "unknown time");
	else if (seconds < 1)
		paragraph_add(paragraph, "%.4g" PARAGRAPH_STAY "ms", seconds * 1e3);
	else if (seconds < 60)
		paragraph_add(paragraph, "%.3g" PARAGRAPH_STAY "s", seconds);
	else if (seconds < 3600)
		paragraph_add(paragraph,
			      "%.0f" PARAGRAPH_STAY "min" PARAGRAPH_STAY "%.0f" PARAGRAPH_STAY "s",
			      floor(seconds / 60), floor(fmod(seconds, 60)));
	else
		paragraph_add(paragraph,
			      "%.0f" PARAGRAPH_STAY "h" PARAGRAPH_STAY "%.0f" PARAGRAPH_STAY "min",
			      floor(seconds / 3600), floor(fmod(seconds, 3600) / 60));
}

/* Bytes of the well-formed UTF-8 character that starts with byte. */
static size_t character_bytes(unsigned char byte)
{
	return byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

static size_t character_columns(const char *text)
{
	unsigned char byte = (unsigned char)text[0];

	/* U+1100 is e1 84 80; escape.h let nothing malformed through. */
	if (byte < 0xe1 || (byte == 0xe1 && (unsigned char)text[1] < 0x84))
		return 1;
	return 2;
}

size_t paragraph_columns(const struct paragraph *paragraph)
{
	size_t columns = 0;

	for (size_t at = 0; at < paragraph->length;) {
		columns += character_columns(paragraph->text + at);
		at += character_bytes((unsigned char)paragraph->text[at]);
	}
	return columns;
}

void paragraph_pad(struct paragraph *paragraph, size_t columns)
{
	size_t taken = paragraph_columns(paragraph);

	if (taken < columns)
		paragraph_add(paragraph, "%*s", (int)(columns - taken), "");
}

/* May a line end before the character at `at`? A number and its percent sign stay together. */
static bool may_break(const char *text, size_t at)
{
	return text[at] == ' ' && text[at + 1] != '%';
}

/* Bytes of the next line, at most room columns, without the space that it breaks at. */
static size_t line_bytes(const char *text, size_t left, size_t room)
{
	size_t start = strspn(text, " "), columns = 0, at = 0, space = 0;

	while (at < left) {
		columns += character_columns(text + at);
		if (columns > room)
			return may_break(text, at) || !space ? at : space;
		if (at > start && may_break(text, at))
			space = at;
		at += character_bytes((unsigned char)text[at]);
	}
	return left;
}

static void print_line(FILE *out, const char *before, size_t indent, const char *text, size_t bytes)
{
	while (bytes && text[bytes - 1] == ' ')
		bytes--;
	if (bytes)
		fprintf(out, "%s%*s", before, (int)indent, "");
	for (size_t i = 0; i < bytes; i++)
		fputc(text[i] == PARAGRAPH_STAY[0] ? ' ' : text[i], out);
	fputc('\n', out);
}

void paragraph_print(struct paragraph *paragraph, FILE *out, size_t hang)
{
	paragraph_print_within(paragraph, out, "", hang, REPORT_COLUMNS);
}

void paragraph_print_within(struct paragraph *paragraph, FILE *out, const char *before, size_t hang,
			    size_t columns)
{
	size_t at = 0, indent = 0, room = columns - strlen(before);

	while (at < paragraph->length) {
		size_t bytes =
			line_bytes(paragraph->text + at, paragraph->length - at, room - indent);

		print_line(out, before, indent, paragraph->text + at, bytes);
		at += bytes;
		while (at < paragraph->length && paragraph->text[at] == ' ')
			at++;
		indent = hang;
	}
	paragraph->length = 0;
}

void paragraph_free(struct paragraph *paragraph)
{
	free(paragraph->text);
	*paragraph = (struct paragraph){ 0 };
}
