// SPDX-License-Identifier: GPL-2.0-or-later
/* cgroup_mounts.c - see cgroup_mounts.h. */
#include "measure/cgroup_mounts.h"

#include <stdlib.h>

/* The next field with at least one byte. */
static bool field_next(struct scan *scan, struct slice *field)
{
	scan_char(scan, ' ');
	*field = scan_word(scan);
	return field->len > 0;
}

int mount_line_next(struct scan *scan, struct mount_line *line, struct error *err)
{
	struct slice field;
	uint64_t id;

	*line = (struct mount_line){ 0 };
	if (scan_is_end(scan))
		return 0;
	if (!scan_u64(scan, &id) || !scan_char(scan, ' ') || !scan_u64(scan, &id) ||
	    !scan_char(scan, ' '))
		return scan_expected(scan, err, "the numbers of the mount and its parent");
	if (!scan_u64(scan, &line->device_major) || !scan_char(scan, ':') ||
	    !scan_u64(scan, &line->device_minor))
		return scan_expected(scan, err, "a device MAJOR:MINOR");
	if (!field_next(scan, &line->root) || !field_next(scan, &line->point) ||
	    !field_next(scan, &line->options))
		return scan_expected(scan, err, "root, mount point and options");
	do { /* optional fields */
		if (!field_next(scan, &field))
			return scan_expected(scan, err, "\"-\" after the optional fields");
	} while (!slice_is(field, "-"));
	if (!field_next(scan, &line->type) || !field_next(scan, &line->source) ||
	    !field_next(scan, &line->super_options))
		return scan_expected(scan, err, "type, source and options of the file system");
	if (!scan_char(scan, '\n'))
		return scan_expected(scan, err, "the end of the line");
	return 1;
}

static bool is_octal(char byte)
{
	return byte >= '0' && byte <= '7';
}

char *mount_unescape(struct slice slice)
{
	char *text = malloc(slice.len + 1);
	size_t len = 0;

	if (!text)
		return NULL;
	for (size_t i = 0; i < slice.len; i++) {
		const char *at = slice.at + i;

		if (slice.len - i >= 4 && at[0] == '\\' && is_octal(at[1]) && is_octal(at[2]) &&
		    is_octal(at[3])) {
			text[len++] =
				(char)((at[1] - '0') * 64 + (at[2] - '0') * 8 + (at[3] - '0'));
			i += 3;
		} else {
			text[len++] = *at;
		}
	}
	text[len] = '\0';
	return text;
}

bool option_list_has(struct slice list, const char *word)
{
	struct scan scan = scan_start(list.at, list.len);

	while (!scan_is_end(&scan)) {
		if (slice_is(scan_until(&scan, ','), word))
			return true;
		if (scan_is_line_end(&scan) && !scan_is_end(&scan))
			return false;
	}
	return false;
}
