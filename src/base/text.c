// SPDX-License-Identifier: GPL-2.0-or-later
/* text.c - see text.h. */
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define FIRST_BYTES 4096

static int text_grow(struct text *text)
{
	size_t room = text->room ? text->room * 2 : FIRST_BYTES;
	char *bytes;

	if (room > TEXT_MOST_BYTES)
		return -EFBIG;
	bytes = realloc(text->bytes, room);
	if (!bytes)
		return -ENOMEM;
	text->bytes = bytes;
	text->room = room;
	return 0;
}

int text_read(struct text *text, int dir, const char *path)
{
	ssize_t got = 1;
	int rc = 0;
	int fd;

	text->len = 0;
	if (!text->room)
		rc = text_grow(text);
	if (rc)
		return rc;
	text->bytes[0] = '\0';
	fd = openat(dir, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return -errno;
	while (got > 0) {
		if (text->room - text->len < 2) {
			rc = text_grow(text);
			if (rc)
				break;
		}
		got = read(fd, text->bytes + text->len, text->room - text->len - 1);
		if (got > 0) {
			text->len += (size_t)got;
		} else if (got < 0 && errno == EINTR) {
			got = 1;
		} else if (got < 0) {
			rc = -errno;
		}
	}
	if (rc)
		text->len = 0;
	text->bytes[text->len] = '\0';
	close(fd);
	return rc;
}

const char *text_trim(struct text *text)
{
	while (text->len) {
		char last = text->bytes[text->len - 1];

		if (last != '\0' && last != '\n' && last != ' ' && last != '\t' && last != '\r')
			break;
		text->len--;
	}
	if (text->bytes)
		text->bytes[text->len] = '\0';
	return text->bytes ? text->bytes : "";
}

void text_free(struct text *text)
{
	free(text->bytes);
	*text = (struct text){ 0 };
}
