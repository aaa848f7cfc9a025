// SPDX-License-Identifier: GPL-2.0-or-later
/* import_lines.c - see import_lines.h. */
#include "store/import_lines.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define LINES_MOST  ((size_t)4 << 20) /* a report of 640 CPUs has 2,000 */
#define ESCAPE	    '\x1b'
#define QP_HEADER   "content-transfer-encoding: quoted-printable"
#define LOST_BLANKS 3 /* lines that begin with "?" where there were blanks */

/* Characters that stand for others, longest first where one begins another. */
static const struct replacement {
	const char *bytes;
	char by;
} replacements[] = {
	{ "\xc2\xa0", ' ' },	 { "\xe2\x80\xaf", ' ' }, { "\xe2\x80\x87", ' ' },
	{ "\xe3\x80\x80", ' ' }, { "\xe2\x80\x8b", ' ' }, { "\xef\xbb\xbf", ' ' },
	{ "\xe2\x94\x80", '-' }, { "\xe2\x94\x81", '-' }, { "\xe2\x95\x90", '-' },
	{ "\xe2\x94\x82", '|' }, { "\xe2\x94\x83", '|' }, { "\xe2\x95\x91", '|' },
	{ "\xe2\x94", '+' },	 { "\xe2\x95", '+' },
};

/* How the bytes of a file become lines. */
struct cleaner {
	const char *at, *end;
	bool quoted_printable;
	bool lost_blanks; /* "?" is a blank */
	size_t number;	  /* of the current line of the file */
};

bool text_begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

bool text_ends(const char *text, const char *with)
{
	size_t length = strlen(text), end = strlen(with);

	return length >= end && !strcmp(text + length - end, with);
}

bool source_has(const struct import_source *source, const char *text)
{
	return memmem(source->bytes, source->count, text, strlen(text)) != NULL;
}

static bool has_header(const struct import_source *source, const char *header)
{
	const char *at = source->bytes, *end = at + source->count;

	while (at < end) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));

		if ((size_t)(end - at) >= strlen(header) &&
		    !strncasecmp(at, header, strlen(header)))
			return true;
		if (!newline)
			break;
		at = newline + 1;
	}
	return false;
}

/* Blanks that do not break, sent as another character set, come out as "?". */
static bool has_lost_blanks(const struct import_source *source)
{
	const char *at = source->bytes, *end = at + source->count;
	size_t found = 0;

	while (at < end && found < LOST_BLANKS) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		const char *line_end = newline ? newline : end;

		while (at < line_end && (*at == '>' || *at == ' '))
			at++;
		found += at < line_end && *at == '?';
		at = newline ? newline + 1 : end;
	}
	return found >= LOST_BLANKS;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

/* The next byte, decoded; false: the line ends. */
static bool next_byte(struct cleaner *cleaner, char *byte)
{
	while (cleaner->quoted_printable && cleaner->end - cleaner->at >= 2 &&
	       *cleaner->at == '=') {
		const char *at = cleaner->at + 1;

		at += *at == '\r' && at + 1 < cleaner->end && at[1] == '\n';
		if (*at != '\n')
			break;
		cleaner->at = at + 1;
		cleaner->number++;
	}
	if (cleaner->at == cleaner->end || *cleaner->at == '\n')
		return false;
	*byte = *cleaner->at++;
	if (cleaner->quoted_printable && *byte == '=' && cleaner->end - cleaner->at >= 2 &&
	    hex_digit(cleaner->at[0]) >= 0 && hex_digit(cleaner->at[1]) >= 0) {
		*byte = (char)(hex_digit(cleaner->at[0]) * 16 + hex_digit(cleaner->at[1]));
		cleaner->at += 2;
	}
	return true;
}

/* The bytes of one line, decoded; returns how many. to has room for what is left of the file. */
static size_t take_line(struct cleaner *cleaner, char *to)
{
	size_t length = 0;
	char byte;

	while (next_byte(cleaner, &byte)) {
		/* A decoded newline would be a line that is not there. */
		to[length++] = byte == '\n' || byte == '\0' ? ' ' : byte;
	}
	to[length] = '\0';
	return length;
}

/* "\x1b[1;31m" and the like; returns its bytes, 1 for a lone escape. */
static size_t sequence_bytes(const char *at)
{
	size_t bytes = 2;

	if (at[1] != '[')
		return 1;
	while (at[bytes] && !(at[bytes] >= '@' && at[bytes] <= '~'))
		bytes++;
	return bytes + (at[bytes] != '\0');
}

static const struct replacement *find_replacement(const char *at)
{
	for (size_t i = 0; i < sizeof(replacements) / sizeof(replacements[0]); i++)
		if (text_begins(at, replacements[i].bytes))
			return &replacements[i];
	return NULL;
}

/* Latin-1 has a blank that does not break, which is no character of UTF-8 behind a plain one. */
static bool is_blank(const struct cleaner *cleaner, const char *from, const char *to,
		     const char *text)
{
	bool is_latin = *from == '\xa0' && (to == text || !((unsigned char)to[-1] & 0x80));

	return is_latin || (*from == '?' && cleaner->lost_blanks) ||
	       isspace((unsigned char)*from) || iscntrl((unsigned char)*from);
}

/* In place: never longer. */
static void clean_line(const struct cleaner *cleaner, char *text)
{
	char *from = text, *to = text;

	while (*from) {
		const struct replacement *replacement = find_replacement(from);

		if (replacement) {
			*to++ = replacement->by;
			/* box drawings have three bytes, of which the table may name two */
			from += strlen(replacement->bytes);
			if (replacement->by == '+' && ((unsigned char)*from & 0xc0) == 0x80)
				from++;
		} else if (*from == ESCAPE) {
			from += sequence_bytes(from);
		} else if (is_blank(cleaner, from, to, text)) {
			*to++ = ' ';
			from++;
		} else {
			*to++ = *from++;
		}
	}
	*to = '\0';
}

/* "2024-05-01T12:34:56.1234567Z ": what build services put before each line. Its bytes, or 0. */
static size_t stamp_bytes(const char *text)
{
	static const char shape[] = "0000-00-00T00:00:00";
	size_t at = 0;

	for (; shape[at]; at++)
		if (shape[at] == '0' ? !isdigit((unsigned char)text[at]) : text[at] != shape[at])
			return 0;
	if (text[at] == '.')
		at += 1 + strspn(text + at + 1, "0123456789");
	return text[at] == 'Z' && (text[at + 1] == ' ' || !text[at + 1]) ? at + 1 : 0;
}

/* Without blanks at both ends, and without stamps and quote marks before it. */
static char *trim(char *text)
{
	size_t length;

	text += stamp_bytes(text);
	while (*text == ' ' || *text == '>')
		text++;
	length = strlen(text);
	if (length >= LINE_BYTES)
		length = LINE_BYTES - 1;
	while (length && text[length - 1] == ' ')
		length--;
	text[length] = '\0';
	return text;
}

static size_t count_lines(const struct import_source *source)
{
	size_t lines = 1;

	for (size_t i = 0; i < source->count; i++)
		lines += source->bytes[i] == '\n';
	return lines;
}

int import_lines_make(const struct import_source *source, struct import_lines *lines,
		      struct error *err)
{
	struct cleaner cleaner = {
		.at = source->bytes,
		.end = source->bytes + source->count,
		.quoted_printable = has_header(source, QP_HEADER),
		.lost_blanks = has_lost_blanks(source),
		.number = 1,
	};
	size_t room = count_lines(source);
	char *to;

	*lines = (struct import_lines){ 0 };
	if (room > LINES_MOST)
		return error_set(err, -EFBIG, "%s: a report has not so many lines as %zu",
				 source->path, room);
	/* A byte more for each line: its zero stands where its newline stood, the last has none. */
	lines->bytes = calloc(1, source->count + room + 1);
	lines->line = malloc(room * sizeof(*lines->line));
	if (!lines->bytes || !lines->line) {
		import_lines_free(lines);
		return error_set(err, -ENOMEM, "%s: no memory for its lines", source->path);
	}
	to = lines->bytes;
	while (cleaner.at < cleaner.end) {
		struct import_line *line = &lines->line[lines->count++];
		size_t length;

		line->number = cleaner.number;
		length = take_line(&cleaner, to);
		clean_line(&cleaner, to);
		line->text = trim(to);
		line->is_cut = cleaner.at == cleaner.end;
		to += length + 1;
		if (cleaner.at < cleaner.end)
			cleaner.at++;
		cleaner.number++;
	}
	return 0;
}

void import_lines_free(struct import_lines *lines)
{
	free(lines->bytes);
	free(lines->line);
	*lines = (struct import_lines){ 0 };
}

bool import_lines_join(const struct import_lines *lines, size_t first, size_t count,
		       char text[LINE_BYTES])
{
	size_t used = 0;

	if (first + count > lines->count)
		return false;
	for (size_t i = first; i < first + count; i++) {
		size_t length = strlen(lines->line[i].text);

		if (!length || used + length + 2 > LINE_BYTES)
			return false;
		if (i > first)
			text[used++] = ' ';
		memcpy(text + used, lines->line[i].text, length + 1);
		used += length;
	}
	return true;
}
