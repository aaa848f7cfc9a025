// SPDX-License-Identifier: GPL-2.0-or-later
/* environment_read.c - see environment_read.h. */
#include "measure/environment_read.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

json_t *reading_because(struct reading *reading, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(reading->reason, sizeof(reading->reason), format, args);
	va_end(args);
	return NULL;
}

bool reading_is_live(const struct reading *reading)
{
	return !reading->request->root || !reading->request->root[0];
}

bool reading_file(struct reading *reading, const char *path)
{
	char *file;
	int rc;

	if (asprintf(&file, "%s%s", reading_is_live(reading) ? "" : reading->request->root, path) <
	    0) {
		reading_because(reading, "no memory");
		return false;
	}
	rc = text_read(&reading->text, AT_FDCWD, file);
	free(file);
	if (rc)
		reading_because(reading, "%s: %s", path, strerror(-rc));
	return !rc;
}

bool reading_key(const struct reading *reading, const char *key, struct slice *value)
{
	struct scan scan = scan_start(reading->text.bytes, reading->text.len);

	while (!scan_is_end(&scan)) {
		if (scan_word_is(&scan, key)) {
			scan_blanks(&scan);
			if (scan_char(&scan, ':')) {
				scan_blanks(&scan);
				*value = scan_line(&scan);
				return true;
			}
		}
		scan_line(&scan);
	}
	return false;
}

json_t *string_json(const char *bytes, size_t len)
{
	json_t *string = json_stringn(bytes, len);
	char *ascii;

	if (string)
		return string;
	ascii = malloc(len + 1);
	if (!ascii)
		return NULL;
	for (size_t i = 0; i < len; i++)
		ascii[i] = (unsigned char)bytes[i] < 0x80 ? bytes[i] : '?';
	string = json_stringn(ascii, len);
	free(ascii);
	return string;
}

json_t *read_text(struct reading *reading)
{
	if (!reading_file(reading, reading->row->path))
		return NULL;
	text_trim(&reading->text);
	return string_json(reading->text.bytes, reading->text.len);
}

json_t *read_integer(struct reading *reading)
{
	struct scan scan;
	int64_t number;

	if (!reading_file(reading, reading->row->path))
		return NULL;
	scan = scan_start(reading->text.bytes, reading->text.len);
	scan_blanks(&scan);
	if (!scan_i64(&scan, &number) || !scan_is_line_end(&scan))
		return reading_because(reading, "%s: line %u: expected a number",
				       reading->row->path, scan.line);
	return json_integer(number);
}

json_t *read_switch(struct reading *reading)
{
	char first;

	if (!reading_file(reading, reading->row->path))
		return NULL;
	first = reading->text.bytes[0];
	if (!first)
		return reading_because(reading, "%s: empty", reading->row->path);
	return json_boolean(first != '0' && first != 'N' && first != 'n');
}
